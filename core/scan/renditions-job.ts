/** The second pass: creates missing medium pictures while nothing more urgent is waiting. */
import { z } from 'zod'
import { displayName } from '../files/names.ts'
import { createBatchWriter } from '../kernel/database/batches.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import { makeDueHashes, taskOf } from './picture-hashes.ts'
import { renditionBits } from './save-unit.ts'
import { addRenditions, mediumDueCount, mediumDuePage } from './scan.sql.ts'
import type { ScanParts } from './scan-job.ts'

const input = z.object({ jobs: z.int().min(0).max(64).default(0) })
type Input = z.output<typeof input>

const atOnce = 16

/** Number of items without a medium picture. */
export const countMediumDue = (db: Pick<ScanParts['db'], 'get'>): number => db.get(mediumDueCount)?.n ?? 0

/** A page of items without a medium picture, in the order of their ids. */
export const duePage = (db: Pick<ScanParts['db'], 'all'>, after: number) => db.all(mediumDuePage, after)

async function run(parts: ScanParts, context: JobContext<Input>): Promise<JobEnd> {
  const { db, cache } = parts
  const pool = parts.openPool(true, context.input.jobs)
  const total = countMediumDue(db)
  let touchedCollection = 0
  const writer = createBatchWriter(db, `job-${context.jobId}`, () => touchedCollection)
  let done = 0
  let after = 0
  const running = new Set<Promise<void>>()
  context.progress({ done, total, message: 'Medium pictures' })

  async function make(item: RowOfQuery<typeof mediumDuePage>) {
    const { id, content } = item
    const result = await pool.decode({ ...taskOf(item), content, cache, sizes: ['medium'] })
    const bits = renditionBits(result.made)
    // A rendition that cannot be created is not retried: the small one is used instead, and a full scan tries again.
    writer.add(tx => {
      touchedCollection = item.collectionId
      tx.run(addRenditions, bits | 4, id, content)
    })
    done++
    context.progress({ done, total: Math.max(total, done), message: displayName(item.nameBytes) })
  }

  try {
    for (;;) {
      context.signal.throwIfAborted()
      const items = duePage(db, after)
      if (items.length === 0) break
      for (const item of items) {
        after = item.id
        while (running.size >= atOnce) await Promise.race(running)
        context.signal.throwIfAborted()
        const one: Promise<void> = make(item).finally(() => running.delete(one))
        running.add(one)
      }
    }
    await Promise.all(running)
    const { signal } = context
    await makeDueHashes(db, pool, { signal, onFile: message => context.progress({ message }) })
  } finally {
    await Promise.allSettled(running)
    await writer.flush()
    await pool.close()
  }
  return { state: 'done', message: '' }
}

export function renditionsJob(parts: ScanParts): JobKind {
  return jobKind({
    kind: 'renditions',
    input,
    lane: () => 'renditions',
    run: context => run(parts, context),
  })
}
