/** Moves of a job, a handful at a time: carried out, and told where something went wrong. */
import { tellCollections } from '../kernel/events.ts'
import { type ItemMove, newPath, unitOfMove } from './item-moves.ts'
import type { Moving, MovingParts } from './move-files.ts'
import { clearFailedMoves, noteFailedMove } from './move-outcomes.ts'

/** Items whose files are moved between two transactions: few enough that others are never kept waiting. */
export const movesAtOnce = 20

/** An item that lies in a collection, for people at this path. */
interface MovingItem {
  itemId: number
  collectionId: number
  path: string
}
export interface WantedMove extends MovingItem {
  move: ItemMove
}
export interface FailedMove extends MovingItem {
  reason: string
}

export interface BatchOptions extends Moving {
  /** Of a plan that was looked at before: where each item goes, by its id. Whatever would go elsewhere stays. */
  planned: Readonly<Record<string, string>> | null
  /** Collections are told once a batch. */
  quiet: boolean
}

/** Answers those that were moved; the others are added to those that failed. */
export async function carryOutMoves(
  { db, clock, mover }: MovingParts,
  { planned, quiet, ...moving }: BatchOptions,
  wanted: readonly WantedMove[],
  failed: FailedMove[],
): Promise<WantedMove[]> {
  function leave({ move, ...item }: WantedMove, reason: string) {
    failed.push({ ...item, reason })
    // What was taken for granted is not so.
    move.to.views.forget()
    move.from.views.forget()
  }
  const isPlanned = ({ itemId, move }: WantedMove) => planned === null || planned[String(itemId)] === newPath(move)
  const tried = wanted.filter(isPlanned)
  for (const one of wanted)
    if (!tried.includes(one)) leave(one, 'Something has changed since it was planned: it is left where it is.')
  const units = tried.map(({ move }) => unitOfMove(move, { clock, quiet }))
  const outcomes = await mover.run(units, moving)
  const moved = tried.filter((_, n) => (outcomes[n] ?? null) === null)
  for (const [n, one] of tried.entries()) if (!moved.includes(one)) leave(one, outcomes[n]?.reason ?? '')
  await db.transact(moving.actor, tx => {
    for (const { itemId } of tried) clearFailedMoves(tx, itemId)
    for (const { reason, ...item } of failed)
      noteFailedMove(tx, { ...item, jobId: moving.holder, at: clock.now() }, reason)
    const collections = tried.flatMap(({ move: { from, to } }) => [to.collection.id, from.collection.id])
    if (quiet) tellCollections(tx, collections)
  })
  return moved
}
