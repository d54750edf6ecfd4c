/** Forgets a collection: deletes its rows, a few at a time. Files stay; the cache's cleanup removes cached pictures. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { channels } from '../../schema/realtime.ts'
import { collectionAccess } from '../../schema/tables/access.ts'
import { metadataDue } from '../../schema/tables/changes.ts'
import { collections, dirs, tombstones } from '../../schema/tables/collections.ts'
import { jobs, problems } from '../../schema/tables/jobs.ts'
import { deleteItem } from '../items/item-rows.ts'
import { inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { type JobContext, type JobEnd, jobKind, onCollection } from '../work/job-kind.ts'
import { dropOwnGroups, dropSomeFiles, someDirectory, someItems } from './editing.sql.ts'

const input = z.object({ collectionId: z.int().positive() })
type Input = z.output<typeof input>

/** Rows between two checks of the time. */
const itemsAtOnce = 20
const filesAtOnce = 500

/** Hides the collection from everybody except global admins, and removes groups that have rights only on it. */
function removeAccess(tx: Transaction, collectionId: number) {
  const { changes } = tx.run(dropOwnGroups, collectionId)
  const others = tx.orm.delete(collectionAccess).where(eq(collectionAccess.collectionId, collectionId)).run()
  if (changes + others.changes === 0) return
  tx.event(channels.collection(collectionId), { action: 'delete', collection: { id: collectionId } })
  tx.event(channels.rights, { action: 'update' })
}

function deleteItems(tx: Transaction, collectionId: number): number {
  const rows = tx.all(someItems, collectionId, itemsAtOnce)
  for (const { id } of rows) deleteItem(tx, id)
  return rows.length
}

/** Deletes some file rows of a directory and, after the last one, the directory's row. False if no directory is left. */
function deleteFiles(tx: Transaction, collectionId: number): boolean {
  const dir = tx.get(someDirectory, collectionId)
  if (dir === null) return false
  const { changes } = tx.run(dropSomeFiles, dir.id, filesAtOnce)
  if (changes < filesAtOnce) tx.orm.delete(dirs).where(eq(dirs.id, dir.id)).run()
  return true
}

function deleteCollection(tx: Transaction, { id, name, path }: typeof collections.$inferSelect) {
  for (const table of [problems, metadataDue, tombstones]) tx.orm.delete(table).where(eq(table.collectionId, id)).run()
  tx.orm.delete(collections).where(eq(collections.id, id)).run()
  tx.history({ operation: 'collection.remove', collectionId: id, before: { name, path } })
  tx.event(channels.collection(id), { action: 'delete', collection: { id } })
}

async function run(db: LibraryDatabase, context: JobContext<Input>): Promise<JobEnd> {
  const { collectionId } = context.input
  const row = db.orm.select().from(collections).where(eq(collections.id, collectionId)).get()
  // An earlier process has forgotten the collection, but was killed before the job ended.
  if (row === undefined) return { state: 'done' }
  const job = db.orm.select().from(jobs).where(eq(jobs.id, context.jobId)).get()
  const actor = { userId: job?.userId ?? null }
  await db.transact(actor, tx => removeAccess(tx, collectionId))
  let done = 0
  await inBatches(db, actor, context.signal, true, (tx, _, isOver) => {
    for (let gone = 1; gone > 0; ) {
      gone = deleteItems(tx, collectionId)
      done += gone
      if (isOver()) break
      if (gone === 0) return null
    }
    context.progress({ done })
    return true
  })
  await inBatches(db, actor, context.signal, true, (tx, _, isOver) => {
    while (deleteFiles(tx, collectionId)) if (isOver()) return true
    return null
  })
  await db.transact(actor, tx => deleteCollection(tx, row))
  return { state: 'done', message: `'${row.name}' is forgotten` }
}

export const forgetCollectionJob = ({ db }: { db: LibraryDatabase }) =>
  jobKind({ kind: 'forget', input, ...onCollection, run: context => run(db, context) })
