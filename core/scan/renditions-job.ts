/** The second pass: medium pictures for everything that has none yet, while nobody waits for anything else. */
import { z } from 'zod'
import { channels } from '../../schema/realtime.ts'
import { displayName, joinPath } from '../files/names.ts'
import type { DecodeResult } from '../media/decode/decode.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'
import { createBatchWriter } from './batch-writer.ts'
import { type MainFileRow, makeDueHashes } from './picture-hashes.ts'
import { renditionBits } from './save-unit.ts'
import type { ScanParts } from './scan-job.ts'

const input = z.object({ jobs: z.int().min(0).max(64).default(0) })
type Input = z.output<typeof input>

interface Due extends MainFileRow {
  collection_id: number
}

const page = 200
const atOnce = 16

/** By this index a page reads no more items than it has, however many there are. */
const indexed = 'items AS i INDEXED BY items_rendition'
const isDue = "(i.renditions & 4) = 0 AND i.problem IS NULL AND i.content <> '' AND i.state <= 1"

/** How many items lack their medium picture. */
export function mediumDue(db: ScanParts['db']): number {
  return db.get<{ n: number }>(`SELECT count(*) AS n FROM ${indexed} WHERE ${isDue}`)?.n ?? 0
}

/** Items that lack it, in the order of their ids. */
export function duePage(db: Pick<ScanParts['db'], 'all'>, after: number): Due[] {
  return db.all<Due>(
    `SELECT i.id, i.collection_id, i.name, i.type, i.content, c.path AS root, d.path_bytes AS dir_bytes, f.name_bytes
     FROM ${indexed} CROSS JOIN files AS f ON f.item_id = i.id AND f.role = 'main'
     JOIN dirs AS d ON d.id = f.dir_id JOIN collections AS c ON c.id = i.collection_id
     WHERE ${isDue} AND i.id > ? ORDER BY i.id LIMIT ${page}`,
    after,
  )
}

async function run(parts: ScanParts, context: JobContext<Input>): Promise<JobEnd> {
  const { db, cache } = parts
  const pool = parts.openPool(true, context.input.jobs)
  const total = mediumDue(db)
  let touched = 0
  const writer = createBatchWriter(db, `job-${context.jobId}`, () => ({
    channel: channels.collection(touched),
    message: { action: 'update', level: 'status', collection: { id: touched } },
  }))
  let done = 0
  let after = 0
  const going = new Set<Promise<void>>()
  context.progress({ done, total, message: 'Medium pictures' })

  async function make(item: Due) {
    const path = joinPath(Buffer.from(item.root), item.dir_bytes, item.name_bytes)
    const result: DecodeResult = await pool.decode({
      id: item.id,
      path,
      name: item.name,
      kind: item.type,
      content: item.content,
      cache,
      metadata: false,
      sizes: ['medium'],
    })
    const bits = renditionBits(result.made)
    // One that cannot be made is not tried again and again: small will do, and a full scan tries anew.
    writer.add(tx => {
      touched = item.collection_id
      tx.run(
        'UPDATE items SET renditions = renditions | ? WHERE id = ? AND content = ?',
        bits | 4,
        item.id,
        item.content,
      )
    })
    done++
    context.progress({ done, total: Math.max(total, done), message: displayName(item.name_bytes) })
  }

  try {
    for (;;) {
      context.signal.throwIfAborted()
      const items = duePage(db, after)
      if (items.length === 0) break
      for (const item of items) {
        after = item.id
        while (going.size >= atOnce) await Promise.race(going)
        context.signal.throwIfAborted()
        const one: Promise<void> = make(item).finally(() => going.delete(one))
        going.add(one)
      }
    }
    await Promise.all(going)
    const { signal } = context
    await makeDueHashes(db, pool, { signal, onFile: message => context.progress({ message }) })
  } finally {
    await Promise.allSettled(going)
    await writer.flush()
    await pool.close()
  }
  return { state: 'done', message: '' }
}

export function renditionsJob(parts: ScanParts): JobKind {
  const kind: JobKind<Input> = {
    kind: 'renditions',
    input,
    lane: () => 'renditions',
    collectionId: () => null,
    afterRestart: 'resume',
    run: context => run(parts, context),
  }
  return kind
}
