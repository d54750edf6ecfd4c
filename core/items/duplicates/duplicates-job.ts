/** The job that searches the whole library for pictures that look alike, and stores the groups. */
import { z } from 'zod'
import { nearDuplicates } from '../../../schema/tables/items.ts'
import { chunksOf } from '../../kernel/chunks.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../../work/job-kind.ts'
import { hashedItems, hashesAfter, writeGroup } from './duplicates.sql.ts'
import { createHashes, groupAlike, setHash } from './near-duplicates.ts'

const input = z.object({})
type Input = z.output<typeof input>

const page = 20_000
const rowsAtOnce = 500

async function run(db: LibraryDatabase, context: JobContext<Input>): Promise<JobEnd> {
  const capacity = db.get(hashedItems)?.n ?? 0
  const ids = new Float64Array(capacity)
  const hashes = createHashes(capacity)
  let count = 0
  context.progress({ done: 0, total: null, message: 'Reading' })
  for (let after = 0; ; ) {
    const rows = db.all(hashesAfter, after, page)
    for (const { id, phash } of rows) {
      // Items that were added after the count are left to the next run.
      if (count === capacity) break
      ids[count] = id
      setHash(hashes, count, phash)
      count++
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < page) break
    after = last.id
  }
  let rounds = 0
  const rootOf = await groupAlike(hashes, count, async () => {
    context.progress({ done: ++rounds, total: 28, message: 'Comparing' })
    await Bun.sleep(0)
    context.signal.throwIfAborted()
  })
  const sizes = new Map<number, number>()
  for (const root of rootOf) sizes.set(root, (sizes.get(root) ?? 0) + 1)
  const grouped: [group: number, item: number][] = []
  for (const [n, root] of rootOf.entries()) {
    const [group, item] = [ids[root], ids[n]]
    if ((sizes.get(root) ?? 0) > 1 && group !== undefined && item !== undefined) grouped.push([group, item])
  }
  await db.transact({ userId: null }, tx => void tx.orm.delete(nearDuplicates).run())
  for (const part of chunksOf(grouped, rowsAtOnce)) {
    await db.transact({ userId: null }, tx => {
      // Writes nothing for an item that was purged meanwhile.
      for (const [group, item] of part) tx.run(writeGroup, group, item)
    })
  }
  const groups = [...sizes.values()].filter(size => size > 1).length
  return { state: 'done', message: groups === 1 ? '1 group found.' : `${groups} groups found.` }
}

export function duplicatesJob({ db }: { db: LibraryDatabase }): JobKind {
  return jobKind({
    kind: 'duplicates',
    input,
    lane: () => 'duplicates',
    run: context => run(db, context),
  })
}
