/** Undoes the moves of a sort or a transfer, item by item. */
import { eq, min } from 'drizzle-orm'
import { history } from '../../schema/tables/changes.ts'
import type { UndoEntry, Undone, UndoOfFiles } from '../editing/undo.ts'
import { rawOf } from '../files/names.ts'
import { createItemFiles } from '../items/item-files.ts'
import { holderOfProcess } from '../journal/journal.ts'
import type { Actor, LibraryDatabase } from '../kernel/database/database.ts'
import { namesWithStem, stemAndExtension } from '../survey/unit-names.ts'
import { rightsCheckFor } from '../work/job-rights.ts'
import {
  type FilesAt,
  filesAt,
  forgetDirectories,
  type ItemMove,
  mainPath,
  reserveNames,
  unitOfMove,
} from './item-moves.ts'
import type { MovingParts } from './move-files.ts'
import { itemsToMove } from './moving.sql.ts'
import { splitPath } from './paths.ts'
import { createSides, type Sides } from './sides.ts'

/** Folders are created shortly before the first row of the history is written, and disks may have other clocks. */
const clockSlackMs = 60_000

/** Directory and name from a path as the history has it: base64 of its bytes. */
function placeOf(path: string | undefined): { dir: Buffer; raw: string } {
  const { dir, name } = splitPath(Buffer.from(path ?? '', 'base64'))
  return { dir, raw: rawOf(name) }
}

function plan(
  db: LibraryDatabase,
  sides: Sides,
  itemId: number,
  { before, after }: Record<'before' | 'after', FilesAt>,
): Undone | ItemMove {
  const [item] = db.all(itemsToMove, JSON.stringify([itemId]))
  const from = sides.of(after.collection)
  const to = sides.of(before.collection)
  if (item === undefined || from === null || to === null || item.missing !== null) return 'gone'
  const here = item.collectionId === after.collection ? from : to
  // Not cached: other files may have been moved back meanwhile.
  const unit = createItemFiles(db, here.views, here.variants).of(itemId, item.type)
  if (typeof unit === 'string') return 'changed'
  const isAt = ({ collection, files: [main = ''] }: FilesAt) =>
    item.collectionId === collection && mainPath(unit) === rawOf(Buffer.from(main, 'base64'))
  // An earlier attempt moved the files back, but its process died before it recorded that.
  if (isAt(before)) return 'undone'
  if (!isAt(after) || from.collection.readonly === 1 || to.collection.readonly === 1) return 'changed'
  const place = placeOf(before.files[0])
  if (to.views.refusal(place.dir) !== null) return 'changed'
  // Files added after the move follow the main file's name; files that were moved get exactly their old names.
  const names = namesWithStem(unit.files, stemAndExtension(place.raw).stem)
  if (names === null) return 'changed'
  for (const [n, path] of after.files.entries()) {
    const old = before.files[n]
    const { raw } = placeOf(path)
    if (old !== undefined && names.has(raw)) names.set(raw, placeOf(old).raw)
  }
  return { item: unit, from, to, dir: place.dir, names }
}

/** Moves back what can be moved. Returns every entry's outcome, and the indexes of entries that the mover refused. */
async function undoMoves(
  parts: MovingParts,
  entries: readonly UndoEntry[],
  actor: Actor,
  signal: AbortSignal,
): Promise<{ results: Undone[]; refused: number[] }> {
  const { db, clock, mover, log } = parts
  const hasRight = rightsCheckFor(db, actor.userId)
  const sides = createSides(db)
  const moves: { n: number; move: ItemMove }[] = []
  const results = entries.map(({ itemId, ...entry }, n): Undone => {
    if (itemId === null) return 'gone'
    const before = filesAt.parse(entry.before)
    const after = filesAt.parse(entry.after)
    if (!hasRight(after.collection, 'update') || !hasRight(before.collection, 'create')) return 'changed'
    const move = plan(db, sides, itemId, { before, after })
    if (typeof move === 'string') return move
    reserveNames(move)
    moves.push({ n, move })
    return 'undone'
  })
  // Parents first: a folder gets the right permissions only if it is recreated for its own files, not for a folder in it.
  moves.sort((a, b) => a.move.dir.length - b.move.dir.length)
  const units = moves.map(({ move }) => unitOfMove(move, { clock, quiet: true }))
  const outcomes = await mover.run(units, { holder: holderOfProcess(), actor, signal })
  const done: ItemMove[] = []
  const refused: number[] = []
  for (const [at, { n, move }] of moves.entries()) {
    const reason = outcomes[at]?.reason ?? null
    if (reason === null) done.push(move)
    else {
      log.info('a move was not undone', { item: entries[n]?.itemId, reason })
      results[n] = 'changed'
      refused.push(n)
    }
  }
  await removeFolders(parts, entries[0]?.step ?? '', done, actor)
  return { results, refused }
}

/** Removes the folders that are empty now. */
async function removeFolders(
  { db, mover }: MovingParts,
  step: string,
  moves: readonly ItemMove[],
  actor: Actor,
): Promise<void> {
  const ofStep = eq(history.step, step)
  const started =
    db.orm
      .select({ at: min(history.at) })
      .from(history)
      .where(ofStep)
      .get()?.at ?? 0
  const vacated = new Map(moves.map(move => [`${move.from.collection.id} ${rawOf(move.item.dir)}`, move]))
  for (const { from, item } of vacated.values()) {
    const { collection } = from
    // In a managed collection, all empty folders are removed; in another, only folders that the undone move created.
    const since = collection.managed === 1 ? null : started - clockSlackMs
    const gone = mover.removeEmpty({ root: collection.path, path: item.dir }, { since })
    if (gone.length > 0) await db.transact(actor, tx => forgetDirectories(tx, collection.id, gone))
  }
}

/**
 * Undo of `file.move`. The result is 'changed' for an item whose files are no longer where they were moved, and for an
 * item that cannot be moved back: its old name is taken, a collection is read-only, or the user lacks a right.
 * The caller holds the lanes of both collections (`collectionsOfMoves`).
 */
export function moveUndo(parts: MovingParts): UndoOfFiles {
  return {
    async files(entries, actor, { signal }) {
      await parts.journal.recover({ signal })
      const { results, refused } = await undoMoves(parts, entries, actor, signal)
      if (entries.length === 1) return results
      // The file that had the old name may have been moved back meanwhile, for another entry.
      for (const n of refused) {
        signal.throwIfAborted()
        const again = await undoMoves(parts, entries.slice(n, n + 1), actor, signal)
        results[n] = again.results[0] ?? 'changed'
      }
      return results
    },
  }
}
