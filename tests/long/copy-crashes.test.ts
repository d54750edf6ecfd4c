import { expect, test } from 'bun:test'
import { copyOperations, runCopyCrashes } from '../support/copy-crash.ts'
import { hasStrace } from '../support/crash.ts'

if (!hasStrace) console.warn('SKIPPED: strace, which kills processes at system calls, is missing')

test.skipIf(!hasStrace).each([...copyOperations])(
  '%s: killed at every system call that changes a file, each copy is intact and a repeated run succeeds',
  async operation => {
    const { points, outcomes } = await runCopyCrashes(operation, { count: null })
    const killed = outcomes.filter(outcome => outcome.killed).length
    const faulty = outcomes.filter(({ faults }) => faults.length > 0)
    // A row of the table in docs/crashes.md.
    console.log(`| ${operation} | ${points} | ${killed} | ${faulty.length} |`)
    expect(faulty).toEqual([])
    expect(killed).toBeGreaterThan(points * 0.6)
  },
  1_800_000,
)
