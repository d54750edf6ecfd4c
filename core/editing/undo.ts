/** Taking changes back: which operations of the history can be undone, and how an entry of each is. */
import type { Actor, Transaction } from '../kernel/database/database.ts'
import { now } from './editing.sql.ts'
import { changeItem, itemToEdit, type KeptParts, revertItem } from './item-edit.ts'
import { type ItemParts, itemOperations } from './item-parts.ts'
import { partsOfRecycled } from './recycle-job.ts'

/** An entry of the history. `before` and `after` are what its operation kept. */
export interface UndoEntry {
  id: number
  step: string
  operation: string
  collectionId: number | null
  itemId: number | null
  before: unknown
  after: unknown
}

/** 'changed': it is no longer as the entry had left it, and stays as it is; 'gone': it is not there any more. */
export type Undone = 'undone' | 'changed' | 'gone'

/** Takes one entry back, in the undo's transaction, where it writes its own history. It must not throw for later changes. */
export type Undo = (tx: Transaction, entry: UndoEntry) => Undone

/**
 * The same for what files have a part in, outside of a transaction: some entries of one step at once, of different
 * items, in the order in which they are taken back. Returns what became of each. It may be called again for an entry
 * that it has already taken back when the process died in between, and then returns 'undone' for it. `actor` names the
 * undo's step, `showsHidden` whether the session that requested it was unlocked.
 */
export interface UndoOfFiles {
  files(
    entries: readonly UndoEntry[],
    actor: Actor,
    options: { signal: AbortSignal; showsHidden: boolean },
  ): Promise<(Undone | 'refused')[]>
}

/** An undo that not everybody who may see the step may ask for. */
interface GuardedUndo {
  undo: Undo
  /** Only global admins may do what the entry's operation did. */
  needsGlobalAdmin?(entry: UndoEntry): boolean
  /** Undoing the entry would show hidden items. */
  needsUnlocked?(entry: UndoEntry): boolean
}

/** By operation. What items' parts keep (`item-edit.ts`) needs no entry: its rows name an item. */
export type UndoTable = Readonly<Record<string, Undo | GuardedUndo | UndoOfFiles>>

export const fileMoveOperation = 'file.move'

const ofItems: ReadonlySet<string> = new Set(itemOperations)

/** History rows of items are written by `changeItem` alone. */
const undoItem: Undo = (tx, { itemId, before, after }) =>
  itemId === null
    ? 'gone'
    : revertItem(tx, itemId, before as KeptParts, after as ItemParts, { operation: 'undo', quiet: true })

/** Operations by which an item came with its files. Earlier versions did not write down which item: those are final. */
const arrivals: ReadonlySet<string> = new Set(['file.import', 'item.upload'])

/** What came goes to the recycle bin with its files: nothing is unlinked by an undo. */
const undoArrival: Undo = (tx, { itemId }) => {
  const item = itemId === null ? null : itemToEdit(tx, itemId)
  const time = tx.get(now)
  if (item === null || time === null) return 'gone'
  changeItem(tx, item, partsOfRecycled(item, time.now), { operation: 'item.recycle', quiet: true })
  return 'undone'
}

/** How entries of this operation are taken back; null where they can't be. */
export function undoOf(
  table: UndoTable,
  { operation, itemId }: Pick<UndoEntry, 'operation' | 'itemId'>,
): Undo | UndoOfFiles | null {
  if (itemId !== null && ofItems.has(operation)) return undoItem
  if (itemId !== null && arrivals.has(operation)) return undoArrival
  const how = entryOf(table, operation)
  return how !== null && 'undo' in how ? how.undo : how
}

function entryOf(table: UndoTable, operation: string): UndoTable[string] | null {
  return Object.hasOwn(table, operation) ? (table[operation] ?? null) : null
}

export function mayUndo(
  table: UndoTable,
  entry: UndoEntry,
  { globalAdmin, showsHidden }: { globalAdmin: boolean; showsHidden: boolean },
): boolean {
  const how = entryOf(table, entry.operation)
  if (how === null || !('undo' in how)) return true
  return (globalAdmin || !how.needsGlobalAdmin?.(entry)) && (showsHidden || !how.needsUnlocked?.(entry))
}

export function isOfFiles(undo: Undo | UndoOfFiles | null): undo is UndoOfFiles {
  return undo !== null && typeof undo !== 'function'
}
