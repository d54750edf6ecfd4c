import { expect, test } from 'bun:test'
import { hasStrace } from '../support/crash.ts'
import { runMetadataCrashes } from '../support/metadata-crash.ts'

if (!hasStrace) console.warn('SKIPPED: strace, which kills processes at system calls, is missing')

test.skipIf(!hasStrace)(
  'writing tags: killed at every system call that changes a file, nothing is lost and nothing stays unfinished',
  async () => {
    const { points, outcomes } = await runMetadataCrashes({ count: null })
    const killed = outcomes.filter(outcome => outcome.killed).length
    const faulty = outcomes.filter(({ faults }) => faults.length > 0)
    // A row of the table in docs/crashes.md.
    console.log(`| metadata export | ${points} | ${killed} | ${faulty.length} |`)
    expect(faulty).toEqual([])
    expect(killed).toBeGreaterThan(points * 0.6)
  },
  1_800_000,
)
