import { expect, test } from 'bun:test'
import { canCrash } from '../../support/crash.ts'
import { crashes, sceneNames } from '../../support/crash-scenes.ts'
import { otherDisk } from '../../support/temporary.ts'

/** Each operation is killed at this many system calls here, and at every one in tests/long. */
const points = 2

if (!canCrash) console.warn('SKIPPED: there is no strace to kill processes at system calls')

for (const name of sceneNames) {
  test.skipIf(!canCrash || (otherDisk === null && name === 'transfer to another disk'))(
    `${name}: killed at ${points} system calls, no file is lost and every change is finished or undone`,
    async () => {
      const { outcomes } = await crashes(name, { count: points, seed: 3 })
      expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
      // System calls of threads vary between runs, so some points are not reached.
      expect(outcomes.filter(({ killed }) => killed).length).toBeGreaterThanOrEqual(points / 2)
    },
    180_000,
  )
}
