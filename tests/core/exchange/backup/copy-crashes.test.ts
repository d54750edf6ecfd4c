import { expect, test } from 'bun:test'
import { copyCrashes, copyOperations } from '../../../support/copy-crash.ts'
import { canCrash } from '../../../support/crash.ts'

/** This many points of each operation here; every one in tests/long. */
const points = 8

if (!canCrash) console.warn('SKIPPED: there is no strace to kill processes at system calls')

test.skipIf(!canCrash).each([...copyOperations])(
  `%s: killed at ${points} system calls, each copy is whole and the repeated one ends`,
  async operation => {
    const { outcomes } = await copyCrashes(operation, { count: points, seed: 5 })
    expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
    expect(outcomes.filter(({ killed }) => killed).length).toBeGreaterThan(points * 0.6)
  },
  180_000,
)
