import { expect, test } from 'bun:test'
import { canCrash } from '../../support/crash.ts'
import { fileCrashes, fileScenes, otherDisk } from '../../support/files-crash.ts'

/** Points tested for each operation. tests/long tests all of them. */
const points = 2

if (!canCrash) console.warn('SKIPPED: there is no strace to break processes at system calls')
if (otherDisk === null) console.warn('SKIPPED: there is no /dev/shm to be another disk')

let reached = 0
let total = 0

for (const name of fileScenes) {
  const skip = !canCrash || (otherDisk === null && name === 'move a folder to another disk')
  test.skipIf(skip)(
    `${name}: after kills at ${points} system calls, files are old or new and the library matches them`,
    async () => {
      const { outcomes } = await fileCrashes(name, 'kill', { count: points, seed: 3 })
      expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
      reached += outcomes.filter(({ broken }) => broken).length
      total += outcomes.length
    },
    180_000,
  )

  test.skipIf(skip)(
    `${name}: with a full disk at ${points / 2} system calls, files are old or new and the library matches them`,
    async () => {
      const { outcomes } = await fileCrashes(name, 'full', { count: points / 2, seed: 5 })
      expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
    },
    180_000,
  )
}

test.skipIf(!canCrash)('most points were reached (the calls of threads vary between runs)', () => {
  expect(reached).toBeGreaterThan(total / 2)
})
