import { expect, test } from 'bun:test'
import { hasStrace } from '../support/crash.ts'
import { crashCaseNames, runCrashes } from '../support/crash-cases.ts'
import { otherDisk } from '../support/temporary.ts'

if (!hasStrace) console.warn('SKIPPED: strace, which kills processes at system calls, is missing')

for (const name of crashCaseNames) {
  test.skipIf(!hasStrace || (otherDisk === null && name === 'transfer to another disk'))(
    `${name}: killed at every system call that changes a file, nothing is lost and nothing stays unfinished`,
    async () => {
      const { points, outcomes } = await runCrashes(name, { count: null })
      const killed = outcomes.filter(outcome => outcome.killed).length
      const faulty = outcomes.filter(({ faults }) => faults.length > 0)
      // A row of the table in docs/crashes.md.
      console.log(`| ${name} | ${points} | ${killed} | ${faulty.length} |`)
      expect(faulty).toEqual([])
      expect(killed).toBeGreaterThan(points * 0.8)
    },
    1_800_000,
  )
}
