/** Puts many items into the recycle bin, or takes them out of it, as one step of the history. */
import { z } from 'zod'
import { itemState } from '../../schema/tables/items.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'
import type { ItemToEdit } from './item-edit.ts'
import type { ItemParts } from './item-parts.ts'
import { changeMany, type ManyParts } from './many-items.ts'

const input = z.object({
  items: z.array(z.int().positive()),
  userId: z.int().nullable(),
  /** The history's step. */
  step: z.string(),
  /** The only collection that is concerned; null when there are more. */
  collectionId: z.int().nullable(),
  /** Seconds since the epoch; null brings them back. */
  deleted: z.int().nullable(),
})
export type RecycleInput = z.output<typeof input>

/** What recycling changes of an item, or bringing it back (null); nothing where it is so already, or its file is gone. */
export function partsOfRecycled(tx: Pick<Transaction, 'get'>, { id }: ItemToEdit, deleted: number | null): ItemParts {
  if (deleted === null) return { deleted }
  const row = tx.get<{ state: number }>('SELECT state FROM items WHERE id = ?', id)
  return row?.state === itemState.shown || row?.state === itemState.hidden ? { deleted } : {}
}

async function run(parts: ManyParts, context: JobContext<RecycleInput>): Promise<JobEnd> {
  const { deleted } = context.input
  const operation = deleted === null ? 'item.restore' : 'item.recycle'
  await changeMany(parts, context, operation, tx => item => partsOfRecycled(tx, item, deleted))
  return { state: 'done' }
}

export function recycleJob(parts: ManyParts): JobKind {
  const kind: JobKind<RecycleInput> = {
    kind: 'recycle',
    input,
    lane: () => null,
    collectionId: ({ collectionId }) => collectionId,
    afterRestart: 'resume',
    run: context => run(parts, context),
  }
  return kind
}
