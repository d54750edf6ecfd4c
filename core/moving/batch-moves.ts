/** Performs the moves of a job in small batches, and reports failures. */
import { publishCollections } from '../kernel/events.ts'
import { type ItemMove, newPath, unitOfMove } from './item-moves.ts'
import type { MoveContext, MovingParts } from './move-files.ts'
import { noteFailedMove } from './move-outcomes.ts'
import { forgetFailedMoves } from './moving.sql.ts'

/** Number of items whose files are moved between two transactions: few, so that other writers do not wait long. */
export const movesAtOnce = 20

export interface MoveEntry {
  itemId: number
  /** The collection that contains the item; 0 if it no longer exists. */
  collectionId: number
  /** Path of the item in its collection, for messages. */
  path: string
  /** What happens to the item. `done`: an earlier attempt of the job has already moved it. */
  outcome: 'moves' | 'stays' | 'fails' | 'done'
  /** Why the item stays or fails; '' otherwise. */
  reason: string
  move: ItemMove | null
}

export function describeMove({ itemId, path, outcome, reason, move }: MoveEntry) {
  return { item: itemId, from: path, to: move === null ? null : newPath(move), reason, fails: outcome === 'fails' }
}

export interface BatchOptions extends MoveContext {
  /** Targets by item id, from a plan made earlier: an item whose target has changed since then stays. */
  planned: Readonly<Record<string, string>> | null
  /** Publishes one event per collection and batch, instead of one per item. */
  quiet: boolean
}

/** Returns the moves that were made, and the number of failures, including items that can't be moved. */
export async function moveBatch(
  { db, clock, mover }: MovingParts,
  { planned, quiet, ...moving }: BatchOptions,
  entries: readonly MoveEntry[],
): Promise<{ moved: ItemMove[]; failed: number }> {
  const failed = entries.filter(({ outcome }) => outcome === 'fails')
  const tried: { entry: MoveEntry; move: ItemMove }[] = []
  function fail(entry: MoveEntry, move: ItemMove, reason: string) {
    failed.push({ ...entry, reason })
    // The cached listings of directories assume that this move succeeded.
    move.to.views.forget()
    move.from.views.forget()
  }
  for (const entry of entries) {
    const { itemId, move } = entry
    if (move === null) continue
    if (planned === null || planned[String(itemId)] === newPath(move)) tried.push({ entry, move })
    else fail(entry, move, 'Something has changed since it was planned: it is left where it is.')
  }
  const units = tried.map(({ move }) => unitOfMove(move, { clock, quiet }))
  const outcomes = await mover.run(units, moving)
  const moved: ItemMove[] = []
  for (const [n, { entry, move }] of tried.entries()) {
    const failure = outcomes[n] ?? null
    if (failure === null) moved.push(move)
    else fail(entry, move, failure.reason)
  }
  await db.transact(moving.actor, tx => {
    for (const { entry } of tried) tx.run(forgetFailedMoves, entry.itemId)
    for (const { itemId, collectionId, path, reason } of failed)
      noteFailedMove(tx, { itemId, collectionId, path, jobId: moving.holder, at: clock.now() }, reason)
    const collections = tried.flatMap(({ move: { from, to } }) => [to.collection.id, from.collection.id])
    if (quiet) publishCollections(tx, collections)
  })
  return { moved, failed: failed.length }
}
