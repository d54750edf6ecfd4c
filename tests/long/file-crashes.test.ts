import { expect, test } from 'bun:test'
import { canCrash } from '../support/crash.ts'
import { type Fault, fileCrashes, fileScenes, otherDisk } from '../support/files-crash.ts'

if (!canCrash) console.warn('SKIPPED: there is no strace to break processes at system calls')
if (otherDisk === null) console.warn('SKIPPED: there is no /dev/shm to be another disk')

const faults: Fault[] = ['kill', 'full']

for (const name of fileScenes) {
  for (const fault of faults) {
    test.skipIf(!canCrash || (otherDisk === null && name === 'move a folder to another disk'))(
      `${name}, ${fault} at every system call that changes a file: old or new, and the library agrees`,
      async () => {
        const { points, outcomes } = await fileCrashes(name, fault, { count: null })
        const faulty = outcomes.filter(outcome => outcome.faults.length > 0)
        const broken = outcomes.filter(outcome => outcome.broken).length
        console.log(`| ${name}, ${fault} | ${points} | ${broken} | ${faulty.length} |`)
        expect(faulty).toEqual([])
        // Those of threads vary from run to run, most of all where a stream is written.
        if (fault === 'kill') expect(broken).toBeGreaterThan(points * 0.2)
      },
      1_800_000,
    )
  }
}
