import { expect, test } from 'bun:test'
import { canCrash } from '../../support/crash.ts'
import { fileCrashes, fileScenes, otherDisk } from '../../support/files-crash.ts'

/** The number of system calls tested for each operation. tests/long tests all calls. */
const callCount = 2

if (!canCrash) console.warn('SKIPPED: there is no strace to break processes at system calls')
if (otherDisk === null) console.warn('SKIPPED: there is no /dev/shm to be another disk')

let reached = 0
let total = 0

for (const name of fileScenes) {
  const skip = !canCrash || (otherDisk === null && name === 'move a folder to another disk')
  test.skipIf(skip)(
    `${name}: after kills at ${callCount} system calls, files are old or new and the library matches them`,
    async () => {
      const { outcomes } = await fileCrashes(name, 'kill', { count: callCount, seed: 3 })
      expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
      reached += outcomes.filter(({ broken }) => broken).length
      total += outcomes.length
    },
    180_000,
  )

  test.skipIf(skip)(
    `${name}: with a full disk at ${callCount / 2} system calls, files are old or new and the library matches them`,
    async () => {
      const { outcomes } = await fileCrashes(name, 'full', { count: callCount / 2, seed: 5 })
      expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
    },
    180_000,
  )
}

test.skipIf(!canCrash)('most kills took place (not all do: the system calls of threads vary between runs)', () => {
  expect(reached).toBeGreaterThan(total / 2)
})
