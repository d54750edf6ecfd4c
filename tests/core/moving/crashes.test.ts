import { expect, test } from 'bun:test'
import { canCrash } from '../../support/crash.ts'
import { crashes, otherDisk, sceneNames } from '../../support/crash-scenes.ts'

/** This many points of each operation here; every one in tests/long. */
const points = 4

if (!canCrash) console.warn('SKIPPED: there is no strace to kill processes at system calls')
if (otherDisk === null) console.warn('SKIPPED: there is no /dev/shm to be another disk')

for (const name of sceneNames) {
  test.skipIf(!canCrash || (otherDisk === null && name === 'transfer to another disk'))(
    `${name}: killed at ${points} system calls, no file is lost and every change is finished or undone`,
    async () => {
      const { outcomes } = await crashes(name, { count: points, seed: 3 })
      expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
      // System calls of threads vary between runs; most points are reached.
      expect(outcomes.filter(({ killed }) => killed).length).toBeGreaterThanOrEqual(points / 2)
    },
    180_000,
  )
}
