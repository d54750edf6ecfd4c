import { expect, test } from 'bun:test'
import { canCrash } from '../../support/crash.ts'
import { fileCrashes, fileScenes, otherDisk } from '../../support/files-crash.ts'

/** This many points of each operation here; every one in tests/long. */
const points = 4

if (!canCrash) console.warn('SKIPPED: there is no strace to break processes at system calls')
if (otherDisk === null) console.warn('SKIPPED: there is no /dev/shm to be another disk')

let met = 0
let tried = 0

for (const name of fileScenes) {
  const skip = !canCrash || (otherDisk === null && name === 'move a folder to another disk')
  test.skipIf(skip)(
    `${name}: killed at ${points} system calls, the files are old or new and the library agrees`,
    async () => {
      const { outcomes } = await fileCrashes(name, 'kill', { count: points, seed: 3 })
      expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
      met += outcomes.filter(({ broken }) => broken).length
      tried += outcomes.length
    },
    180_000,
  )

  test.skipIf(skip)(
    `${name}: the disk is full at ${points / 2} system calls, the files are old or new and the library agrees`,
    async () => {
      const { outcomes } = await fileCrashes(name, 'full', { count: points / 2, seed: 5 })
      expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
    },
    180_000,
  )
}

test.skipIf(!canCrash)('most of these points were met: the calls of threads vary a little from run to run', () => {
  expect(met).toBeGreaterThan(tried / 2)
})
