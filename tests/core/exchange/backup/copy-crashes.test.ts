import { expect, test } from 'bun:test'
import { copyOperations, runCopyCrashes } from '../../../support/copy-crash.ts'
import { hasStrace } from '../../../support/crash.ts'

/** The number of system calls tested for each operation. tests/long tests all calls. */
const callCount = 4

if (!hasStrace) console.warn('SKIPPED: there is no strace to kill processes at system calls')

test.skipIf(!hasStrace).each([...copyOperations])(
  `%s: killed at one of ${callCount} system calls, every copy is complete, and repeating the operation succeeds`,
  async operation => {
    const { outcomes } = await runCopyCrashes(operation, { count: callCount, seed: 5 })
    expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
    // Not all calls are reached: the number of a thread's calls varies.
    expect(outcomes.filter(({ killed }) => killed).length).toBeGreaterThanOrEqual(callCount / 2)
  },
  180_000,
)
