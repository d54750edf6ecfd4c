/** Turns items by quarters: a property of their rows, their files stay as they are. */
import { z } from 'zod'
import { demandSignedIn, type Viewer } from '../accounts/access.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'
import { changeItem, demandItemToEdit, type ItemToEdit } from './item-edit.ts'
import type { ItemParts } from './item-parts.ts'
import { changeMany, type ManyParts } from './many-items.ts'

/** As people see it: right is clockwise. */
export type Direction = 'left' | 'right'

function turned({ parts }: ItemToEdit, direction: Direction): ItemParts {
  return { rotation: (parts.rotation + (direction === 'right' ? 90 : 270)) % 360 }
}

/** Turns one item. */
export async function rotateItem(
  { db, items }: { db: LibraryDatabase; items: Items },
  viewer: Viewer,
  id: number,
  direction: Direction,
): Promise<void> {
  demandSignedIn(viewer)
  items.demand(viewer, id, 'update')
  await db.transact(viewer, tx => {
    const item = demandItemToEdit(tx, id)
    changeItem(tx, item, turned(item, direction), { operation: 'item.rotate' })
  })
}

const input = z.object({
  items: z.array(z.int().positive()),
  direction: z.enum(['left', 'right']),
  userId: z.int().nullable(),
  /** The history's step. */
  step: z.string(),
  /** The only collection that is concerned; null when there are more. */
  collectionId: z.int().nullable(),
})
export type RotateInput = z.output<typeof input>

/** Input of the job that turns many items as one step; the right to update is needed on every one. */
export async function plannedRotation(
  { items }: { items: Items },
  viewer: Viewer,
  ids: readonly number[],
  direction: Direction,
): Promise<RotateInput> {
  demandSignedIn(viewer)
  const collections = await items.demandAll(viewer, ids, 'update')
  const [only = null] = collections
  return {
    items: [...new Set(ids)],
    direction,
    userId: viewer.userId,
    step: crypto.randomUUID(),
    collectionId: collections.size === 1 ? only : null,
  }
}

async function run({ db, rights }: ManyParts, context: JobContext<RotateInput>): Promise<JobEnd> {
  const { step, items } = context.input
  // An attempt before this one may have turned some: they would be turned twice.
  const done = new Set(
    db.all<{ id: number }>('SELECT item_id AS id FROM history WHERE step = ?', step).map(({ id }) => id),
  )
  const rest = { ...context.input, items: items.filter(id => !done.has(id)) }
  await changeMany(
    { db, rights },
    { ...context, input: rest },
    'item.rotate',
    () => item => turned(item, context.input.direction),
  )
  return { state: 'done' }
}

export function rotateJob(parts: ManyParts): JobKind {
  const kind: JobKind<RotateInput> = {
    kind: 'rotate',
    input,
    lane: () => null,
    collectionId: ({ collectionId }) => collectionId,
    afterRestart: 'resume',
    run: context => run(parts, context),
  }
  return kind
}
