/** Undo: which operations can be undone, and how. */
import type { Viewer } from '../accounts/access.ts'
import type { Actor, Transaction } from '../kernel/database/database.ts'
import { now } from './editing.sql.ts'
import { changeItem, itemToEdit, type PartsWithFaces, revertItem } from './item-edit.ts'
import { type ItemParts, itemOperations } from './item-parts.ts'
import { partsOfRecycled } from './recycle-job.ts'

/** An entry of the history. `before` and `after` were stored by its operation. */
export interface UndoEntry {
  id: number
  step: string
  operation: string
  collectionId: number | null
  itemId: number | null
  before: unknown
  after: unknown
}

/** 'changed': what the entry changed has been changed again since, and stays as it is; 'gone': it no longer exists. */
export type Undone = 'undone' | 'changed' | 'gone'

/** Undoes one entry, in the undo's transaction, and writes its own history. Must not throw for later changes. */
export type Undo = (tx: Transaction, entry: UndoEntry) => Undone

/**
 * Undoes operations on files, outside of a transaction: entries of one step and of different items, in the order of
 * undoing. Returns a result for each entry; 'undone' also if an earlier process undid it just before it died. `actor`
 * has the undo's step. `showsHidden`: the requesting session was unlocked.
 */
export interface UndoOfFiles {
  files(
    entries: readonly UndoEntry[],
    actor: Actor,
    options: { signal: AbortSignal; showsHidden: boolean },
  ): Promise<(Undone | 'refused')[]>
}

/** An undo that not every user may perform. */
export interface GuardedUndo {
  undo: Undo
  /** Whether the user may now make the change that undoes the entry: rights may have ended since. */
  isAllowed?(tx: Transaction, viewer: Viewer, entry: UndoEntry): boolean
  /** The entry's operation is for global admins only. */
  needsGlobalAdmin?(entry: UndoEntry): boolean
  /** Undoing the entry would show hidden items. */
  needsUnlocked?(entry: UndoEntry): boolean
}

/** Undo by operation. Changes of item parts (`item-edit.ts`) need no entry: their rows name an item. */
export type UndoTable = Readonly<Record<string, Undo | GuardedUndo | UndoOfFiles>>

export const fileMoveOperation = 'file.move'

const ofItems: ReadonlySet<string> = new Set(itemOperations)

/** `changeItem` wrote these rows, so `before` and `after` are item parts. */
const undoItem: Undo = (tx, { itemId, before, after }) =>
  itemId === null
    ? 'gone'
    : revertItem(tx, itemId, before as PartsWithFaces, after as ItemParts, { operation: 'undo', quiet: true })

/** Operations that added items with files. Rows of earlier versions do not name the item, and cannot be undone. */
const arrivals: ReadonlySet<string> = new Set(['file.import', 'item.upload'])

/** Recycles the added items: an undo never deletes files. */
const undoArrival: Undo = (tx, { itemId }) => {
  const item = itemId === null ? null : itemToEdit(tx, itemId)
  const time = tx.get(now)
  if (item === null || time === null) return 'gone'
  changeItem(tx, item, partsOfRecycled(item, time.now), { operation: 'item.recycle', quiet: true })
  return 'undone'
}

/** How entries of this operation are undone; null if they cannot be. */
export function undoOf(
  table: UndoTable,
  { operation, itemId }: Pick<UndoEntry, 'operation' | 'itemId'>,
): Undo | UndoOfFiles | null {
  if (itemId !== null && ofItems.has(operation)) return undoItem
  if (itemId !== null && arrivals.has(operation)) return undoArrival
  const how = tableEntry(table, operation)
  return how !== null && 'undo' in how ? how.undo : how
}

function tableEntry(table: UndoTable, operation: string): UndoTable[string] | null {
  return Object.hasOwn(table, operation) ? (table[operation] ?? null) : null
}

export function mayUndo(
  table: UndoTable,
  entry: UndoEntry,
  { tx, viewer, showsHidden }: { tx: Transaction; viewer: Viewer; showsHidden: boolean },
): boolean {
  const how = tableEntry(table, entry.operation)
  if (how === null || !('undo' in how)) return true
  if (how.isAllowed?.(tx, viewer, entry) === false) return false
  return (viewer.globalAdmin || !how.needsGlobalAdmin?.(entry)) && (showsHidden || !how.needsUnlocked?.(entry))
}

export function isOfFiles(undo: Undo | UndoOfFiles | null): undo is UndoOfFiles {
  return undo !== null && typeof undo !== 'function'
}
