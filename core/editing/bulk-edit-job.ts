/** Changes tag sets of many items as one step of the history. */
import { z } from 'zod'
import type { TagSetName } from '../../schema/api/tags.ts'
import { demandSignedIn, seesHidden, type Viewer } from '../accounts/access.ts'
import type { Items } from '../items/items.ts'
import type { Clock } from '../kernel/clock.ts'
import { batchItems } from '../kernel/database/batches.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'
import { changeMany, type ManyParts } from './many-items.ts'
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

export interface BulkEditParts extends ManyParts {
  clock: Clock
}

async function run(parts: BulkEditParts, context: JobContext<BulkEditInput>): Promise<JobEnd> {
  const { changes, showsHidden } = context.input
  // A tag is replaced item by item: each is saved by itself, and what stops the run leaves those that were saved.
  const together = changes.some(({ kind }) => kind === 'swap') ? 1 : batchItems
  await changeMany(
    parts,
    context,
    'item.bulk',
    tx => {
      const making = { unseen: unseenKeystrings(tx, showsHidden), now: parts.clock.now() }
      return item => partsOfChanges(tx, item, changes, making)
    },
    together,
  )
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
