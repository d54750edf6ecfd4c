import { expect, test } from 'bun:test'
import { hasStrace } from '../../support/crash.ts'
import { crashCaseNames, runCrashes } from '../../support/crash-cases.ts'
import { otherDisk } from '../../support/temporary.ts'

/** Each operation is killed at this many system calls here, and at every one in tests/long. */
const points = 2

if (!hasStrace) console.warn('SKIPPED: there is no strace to kill processes at system calls')

for (const name of crashCaseNames) {
  test.skipIf(!hasStrace || (otherDisk === null && name === 'transfer to another disk'))(
    `${name}: killed at ${points} system calls, no file is lost and every change is finished or undone`,
    async () => {
      const { outcomes } = await runCrashes(name, { count: points, seed: 3 })
      expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
      // System calls of threads vary between runs, so some points are not reached.
      expect(outcomes.filter(({ killed }) => killed).length).toBeGreaterThanOrEqual(points / 2)
    },
    180_000,
  )
}
