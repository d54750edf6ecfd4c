/** Forgets a collection: its rows, a few at a time. Its files stay where they are; the cache looks after itself. */
import { z } from 'zod'
import { channels } from '../../schema/realtime.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { deleteItem } from '../items/item-rows.ts'
import { inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'

const input = z.object({ collectionId: z.int().positive() })
type Input = z.output<typeof input>

/** Between two looks at the clock. */
const itemsAtOnce = 20
const filesAtOnce = 500

/** Nobody but a global admin sees it from now on; groups that open nothing else go with it. */
function close(tx: Transaction, collectionId: number) {
  const { changes } = tx.run(
    `DELETE FROM access_groups WHERE id IN (SELECT group_id FROM collection_access WHERE collection_id = ?)
       AND NOT EXISTS (SELECT 1 FROM collection_access WHERE group_id = access_groups.id AND collection_id <> ?)`,
    collectionId,
    collectionId,
  )
  const others = tx.run('DELETE FROM collection_access WHERE collection_id = ?', collectionId)
  if (changes + others.changes === 0) return
  tx.event(channels.collection(collectionId), { action: 'delete', collection: { id: collectionId } })
  tx.event(channels.rights, { action: 'update' })
}

/** Some of its items; how many are gone now. */
function deleteItems(tx: Transaction, collectionId: number): number {
  const rows = tx.all<{ id: number }>('SELECT id FROM items WHERE collection_id = ? LIMIT ?', collectionId, itemsAtOnce)
  for (const { id } of rows) deleteItem(tx, id)
  return rows.length
}

/** Some files' rows of one directory, and the directory's when there is none left; false when there is no directory. */
function deleteFiles(tx: Transaction, collectionId: number): boolean {
  const dir = tx.get<{ id: number }>('SELECT id FROM dirs WHERE collection_id = ? LIMIT 1', collectionId)
  if (dir === null) return false
  const { changes } = tx.run(
    'DELETE FROM files WHERE id IN (SELECT id FROM files WHERE dir_id = ? LIMIT ?)',
    dir.id,
    filesAtOnce,
  )
  if (changes < filesAtOnce) tx.run('DELETE FROM dirs WHERE id = ?', dir.id)
  return true
}

function deleteCollection(tx: Transaction, row: CollectionRow) {
  for (const table of ['problems', 'metadata_due', 'tombstones']) {
    tx.run(`DELETE FROM ${table} WHERE collection_id = ?`, row.id)
  }
  tx.run('DELETE FROM collections WHERE id = ?', row.id)
  const { id, name, path } = row
  tx.history({ operation: 'collection.remove', collectionId: id, before: { name, path } })
  tx.event(channels.collection(id), { action: 'delete', collection: { id } })
}

async function run(db: LibraryDatabase, context: JobContext<Input>): Promise<JobEnd> {
  const { collectionId } = context.input
  const row = db.get<CollectionRow>('SELECT * FROM collections WHERE id = ?', collectionId)
  // A process before this one had come to the end.
  if (row === null) return { state: 'done' }
  const actor = {
    userId: db.get<{ user_id: number | null }>('SELECT user_id FROM jobs WHERE id = ?', context.jobId)?.user_id ?? null,
  }
  await db.transact(actor, tx => close(tx, collectionId))
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

export function forgetCollectionJob({ db }: { db: LibraryDatabase }): JobKind {
  const kind: JobKind<Input> = {
    kind: 'forget',
    input,
    lane: ({ collectionId }) => `collection-${collectionId}`,
    collectionId: ({ collectionId }) => collectionId,
    afterRestart: 'resume',
    run: context => run(db, context),
  }
  return kind
}
