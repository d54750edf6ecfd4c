/** Changes tag sets of many items as one step of the history. */
import { z } from 'zod'
import type { TagSetName } from '../../schema/api/tags.ts'
import { channels } from '../../schema/realtime.ts'
import { demandSignedIn, rightsOn, seesHidden, terminalViewer, type Viewer } from '../access.ts'
import { batchItems, inBatches } from '../batches.ts'
import type { Clock } from '../clock.ts'
import type { LibraryDatabase, Transaction } from '../database.ts'
import type { Items } from '../items.ts'
import type { JobContext, JobEnd, JobKind } from '../jobs.ts'
import type { RightsTable } from '../rights.ts'
import { viewerOfUser } from '../viewers.ts'
import { changeItem, itemToEdit } from './item-edit.ts'
import { partsOfChanges, tagChange, unseenKeystrings } from './tag-change.ts'
import { type BulkMode, bulkChangeOf } from './tag-data.ts'

const input = z.object({
  items: z.array(z.int().positive()),
  changes: z.array(tagChange),
  /** Whoever asked sees hidden keystrings: his lists are whole. */
  showsHidden: z.boolean(),
  userId: z.int().nullable(),
  /** The history's step. */
  step: z.string(),
  /** The only collection that is concerned; null when there are more. */
  collectionId: z.int().nullable(),
})
export type BulkEditInput = z.output<typeof input>

/** What a caller asks for: see `schema/api/tags.ts`. */
export interface BulkEdit {
  items: readonly number[]
  changes: readonly { tagName: TagSetName; mode: BulkMode; data?: unknown }[]
}

/**
 * Checks a bulk edit and names what it says by ids; new keystrings are made. The right to update is needed on every item,
 * one that fails refuses all. Answers the input of the job `edit`.
 */
export async function plannedBulkEdit(
  { db, items }: { db: LibraryDatabase; items: Items },
  viewer: Viewer,
  edit: BulkEdit,
  includeHidden: string | undefined,
): Promise<BulkEditInput> {
  demandSignedIn(viewer)
  const collections = await items.demandAll(viewer, edit.items, 'update')
  const showsHidden = seesHidden(viewer, includeHidden)
  const changes = await db.transact(viewer, tx => {
    const unseen = unseenKeystrings(tx, showsHidden)
    return edit.changes.map((change, n) => bulkChangeOf(tx, change, { unseen, field: `changes.${n}.data` }))
  })
  const [only = null] = collections
  return {
    items: [...new Set(edit.items)],
    changes,
    showsHidden,
    userId: viewer.userId,
    step: crypto.randomUUID(),
    collectionId: collections.size === 1 ? only : null,
  }
}

export interface BulkEditParts {
  db: LibraryDatabase
  clock: Clock
  rights: RightsTable
}

async function run(
  parts: BulkEditParts,
  { input: edit, signal, progress }: JobContext<BulkEditInput>,
): Promise<JobEnd> {
  const { db, clock, rights } = parts
  const { userId, step, items: ids } = edit
  const total = ids.length
  // What an attempt before this one has changed is history already, and unchanged now.
  const before = db.get<{ n: number }>('SELECT count(*) AS n FROM history WHERE step = ?', step)?.n ?? 0
  const start = { at: 0, counts: { changed: before, unchanged: -before, gone: 0, refused: 0 } }
  progress({ done: 0, total })

  function batch(tx: Transaction, state: typeof start, isOver: () => boolean): typeof start | null {
    let { at } = state
    const counts = { ...state.counts }
    const viewer = userId === null ? terminalViewer : viewerOfUser(db, rights, userId)
    const making = { unseen: unseenKeystrings(tx, edit.showsHidden), now: clock.now() }
    const touched = new Set<number>()
    for (const id of ids.slice(at, at + batchItems)) {
      at++
      const item = itemToEdit(tx, id)
      if (item === null) counts.gone++
      else if (viewer === null || !rightsOn(viewer, item.collectionId).update) counts.refused++
      else {
        const wanted = partsOfChanges(tx, item, edit.changes, making)
        const { changed } = changeItem(tx, item, wanted, { operation: 'item.bulk', quiet: true })
        if (changed) touched.add(item.collectionId)
        counts[changed ? 'changed' : 'unchanged']++
      }
      if (isOver()) break
    }
    for (const id of touched) {
      tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
    }
    progress({ done: at, total, counts })
    return at < total ? { at, counts } : null
  }

  await inBatches(db, { userId, step }, signal, start, batch)
  return { state: 'done' }
}

export function bulkEditJob(parts: BulkEditParts): JobKind {
  const kind: JobKind<BulkEditInput> = {
    kind: 'edit',
    input,
    // Edits of different people go on beside each other: each item is changed whole.
    lane: () => null,
    collectionId: ({ collectionId }) => collectionId,
    afterRestart: 'resume',
    run: context => run(parts, context),
  }
  return kind
}
