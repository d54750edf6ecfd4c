import { expect, test } from 'bun:test'
import { hasStrace } from '../../support/crash.ts'
import { fileOperations, runFileCrashes } from '../../support/files-crash.ts'
import { otherDisk } from '../../support/temporary.ts'

/** The number of system calls tested for each operation. tests/long tests all calls. */
const counts = { kill: 1, full: 1 }

if (!hasStrace) console.warn('SKIPPED: there is no strace to break processes at system calls')

let reached = 0
let total = 0

for (const name of fileOperations) {
  const skip = !hasStrace || (otherDisk === null && name === 'move a folder to another disk')
  test.skipIf(skip)(
    `${name}: killed at ${counts.kill} system calls, or with a full disk, files are old or new and the library matches them`,
    async () => {
      const outcomes = await runFileCrashes(name, counts, 3)
      expect(outcomes.filter(({ faults }) => faults.length > 0)).toEqual([])
      const kills = outcomes.filter(({ fault }) => fault === 'kill')
      reached += kills.filter(({ wasBroken }) => wasBroken).length
      total += kills.length
    },
    180_000,
  )
}

test.skipIf(!hasStrace)('most kills took place (not all do: the system calls of threads vary between runs)', () => {
  expect(reached).toBeGreaterThan(total / 2)
})
