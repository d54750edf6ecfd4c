/** Moves items with all their files, and records the moves in rows, history and events. */
import { eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { channels } from '../../schema/realtime.ts'
import { metadataDue } from '../../schema/tables/changes.ts'
import { dirs, files } from '../../schema/tables/collections.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { itemToEdit } from '../editing/item-edit.ts'
import { fileMoveOperation } from '../editing/undo.ts'
import type { PlaceFacts } from '../files/disk.ts'
import { bytesOfRaw, displayName, displayRaw, rawOf } from '../files/names.ts'
import type { ItemFile, ItemFiles } from '../items/item-files.ts'
import { updateItem } from '../items/item-rows.ts'
import { directoryIdOf, freeName } from '../items/mark-missing.ts'
import type { DirectoryViews } from '../journal/directory-views.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { namesWithStem, stemAndExtension } from '../survey/unit-names.ts'
import type { FileTransfer, FileUnit } from './move-files.ts'
import { forgetEmptyDirectory, forgetFingerprint, moveFileRow, moveProblem } from './moving.sql.ts'
import { displayOf, pathOf } from './paths.ts'

/** The paths of an item's files before or after a move, in the history. Relative to the collection. */
export const filesAt = z.object({
  collection: z.int(),
  /** Path of the main file, for messages. */
  path: z.string(),
  /** Every file's path as base64 of its bytes, the main file's first, in the same order before and after. */
  files: z.array(z.string()).min(1),
})
export type FilesAt = z.output<typeof filesAt>

export interface MoveSide {
  collection: CollectionRow
  views: DirectoryViews
  /** Null when the collection has no variants path. */
  variants: DirectoryViews | null
}

export interface ItemMove {
  item: ItemFiles
  from: MoveSide
  to: MoveSide
  dir: Buffer
  names: ReadonlyMap<string, string>
}

export const sameNameReason = 'Two of its files would get the same name.'

export function mainName(names: ReadonlyMap<string, string>, [main]: readonly { raw: string }[]): string {
  return names.get(main?.raw ?? '') ?? ''
}

/** Chooses the new names and reserves them for this move. Returns a sentence with the reason if it is impossible. */
export function planMove(
  item: ItemFiles,
  { from, to, dir, stem }: { from: MoveSide; to: MoveSide; dir: Buffer; stem: string },
): ItemMove | string {
  const refusal = to.views.refusal(dir)
  if (refusal !== null) return refusal
  const names = namesWithStem(item.files, stem)
  if (names === null) return sameNameReason
  const move: ItemMove = { item, from, to, dir, names }
  reserveNames(move)
  return move
}

/** Updates the cached directories, so that later plans find the files at their new paths. */
export function reserveNames({ item, from, to, dir, names }: ItemMove): void {
  for (const { raw, file, stays } of item.files) {
    if (!stays) from.views.remove(item.dir, raw)
    const now = names.get(raw) ?? raw
    to.views.add(dir, { ...file, raw: now, name: displayRaw(now) })
  }
}

/** The moves of edited versions, which move along if the target has a variants path and the name is free there. */
function variantMoves({ item, from, to, dir, names }: ItemMove): FileTransfer[] {
  if (to.variants === null || from.variants === null) return []
  const fromRoot = from.variants.root
  const { variants } = to
  const { stem } = stemAndExtension(mainName(names, item.files))
  return item.variants.flatMap(({ file, shared }): FileTransfer[] => {
    const now = `${stem}${stemAndExtension(file.raw).extension}`
    if (variants.file(dir, now) !== null) return []
    return [
      {
        operation: shared ? 'copy' : 'move',
        from: { root: fromRoot, path: pathOf(item.dir, file.raw) },
        to: { root: variants.root, path: pathOf(dir, now) },
        size: file.size,
      },
    ]
  })
}

export function directoryRow(tx: Transaction, collectionId: number, dir: Buffer): number {
  const existingId = directoryIdOf(tx, collectionId, dir)
  const row = { collectionId, path: displayName(dir), pathBytes: dir }
  return existingId ?? tx.orm.insert(dirs).values(row).run().lastInsertRowid
}

/**
 * Updates a moved file's row. If the file was copied and stays, its row is assigned to `newOwner`, and a row is added
 * for the copy. `facts`: those of the file at the target.
 */
function moveRow(
  tx: Transaction,
  { rowId, file, isKnown, stays, newOwner }: ItemFile,
  { itemId, dirId }: { itemId: number; dirId: number },
  { raw, facts }: { raw: string; facts: PlaceFacts },
): void {
  const { size, mtimeSeconds: mtime, mtimeNanoseconds: mtimeNs } = facts
  const nameBytes = bytesOfRaw(raw)
  if (stays) {
    if (rowId !== null) reassignRow(tx, rowId, newOwner)
    const row = { dirId, nameBytes, itemId, role: 'sidecar' as const, size: file.size, mtime, mtimeNs }
    if (isKnown) tx.orm.insert(files).values(row).run()
    // A sidecar without a row gets one from the next scan.
  } else if (rowId !== null) tx.run(moveFileRow, dirId, nameBytes, size, mtime, mtimeNs, rowId)
}

/** Gives the row of a shared file to another item. */
export function reassignRow(tx: Transaction, rowId: number, newOwner: number | null): void {
  tx.orm.update(files).set({ itemId: newOwner }).where(eq(files.id, rowId)).run()
}

function filePlaces(collection: number, dir: Buffer, raws: readonly string[]): FilesAt {
  const [main = ''] = raws
  return { collection, path: displayOf(dir, main), files: raws.map(raw => pathOf(dir, raw).toString('base64')) }
}

function recordMove(
  tx: Transaction,
  move: ItemMove,
  placed: readonly PlaceFacts[],
  { clock, quiet }: MoveOptions,
): void {
  const { item, from, to, dir, names } = move
  const edit = itemToEdit(tx, item.itemId)
  if (edit === null) throw new Error('the moved item does not exist')
  const dirId = directoryRow(tx, to.collection.id, dir)
  if (item.staleRows.length > 0) tx.orm.delete(files).where(inArray(files.id, item.staleRows)).run()
  for (const [n, one] of item.files.entries()) {
    const facts = placed[n]
    const raw = names.get(one.raw)
    if (facts === undefined || raw === undefined) throw new Error('a moved file has no facts or no new name')
    freeName(tx, clock, dirId, bytesOfRaw(raw))
    moveRow(tx, one, { itemId: item.itemId, dirId }, { raw, facts })
    tx.run(moveProblem, to.collection.id, displayOf(dir, raw), from.collection.id, displayOf(item.dir, one.raw))
  }
  const name = displayRaw(mainName(names, item.files))
  updateItem(tx, item.itemId, { ...edit.row, collectionId: to.collection.id, dirId, name })
  // Both directories must be read again: their fingerprints no longer match their contents.
  for (const id of new Set([item.dirId, dirId])) tx.run(forgetFingerprint, id)
  if (from.collection.id !== to.collection.id) {
    const { write_back, readonly } = to.collection
    const ofItem = eq(metadataDue.itemId, item.itemId)
    if (write_back === 'off' || readonly === 1) tx.orm.delete(metadataDue).where(ofItem).run()
    else tx.orm.update(metadataDue).set({ collectionId: to.collection.id }).where(ofItem).run()
  }
  const raws = item.files.map(({ raw }) => raw)
  const now = raws.map(raw => names.get(raw) ?? raw)
  tx.history({
    operation: fileMoveOperation,
    collectionId: to.collection.id,
    itemId: item.itemId,
    before: filePlaces(from.collection.id, item.dir, raws),
    after: filePlaces(to.collection.id, dir, now),
  })
  if (!quiet) publishMove(tx, item.itemId, from.collection.id, to.collection.id)
}

/** Publishes a move between collections as a deletion from the old one and a creation in the new one. */
function publishMove(tx: Transaction, id: number, from: number, to: number): void {
  if (from === to) {
    tx.event(channels.collection(to), { action: 'update', item: { id, collection_id: to } })
    return
  }
  tx.event(channels.collection(from), { action: 'delete', item: { id, collection_id: from } })
  tx.event(channels.collection(to), { action: 'create', item: { id, collection_id: to } })
}

export interface MoveOptions {
  clock: Clock
  /** Publishes no event: the caller publishes one per collection and batch. */
  quiet: boolean
}

/** An item's move as a unit for the mover. */
export function unitOfMove(move: ItemMove, options: MoveOptions): FileUnit {
  const { item, from, to, dir, names } = move
  const fileMoves = item.files.map(
    ({ raw, file, stays }): FileTransfer => ({
      operation: stays ? 'copy' : 'move',
      from: { root: from.views.root, path: pathOf(item.dir, raw) },
      to: { root: to.views.root, path: pathOf(dir, names.get(raw) ?? raw) },
      size: file.size,
    }),
  )
  return {
    itemId: item.itemId,
    files: [...fileMoves, ...variantMoves(move)],
    record: (tx, placed) => recordMove(tx, move, placed, options),
  }
}

/** Deletes the rows of removed directories, unless missing items still refer to them. */
export function forgetDirectories(tx: Transaction, collectionId: number, paths: readonly Uint8Array[]): void {
  for (const bytes of paths) tx.run(forgetEmptyDirectory, collectionId, Buffer.from(bytes))
}

/** Raw path of an item's main file, for comparison before a move is undone. */
export function mainPath({ dir, files }: ItemFiles): string {
  return rawOf(pathOf(dir, files[0]?.raw ?? ''))
}

/** The target path of a moved item's main file, for display. */
export function newPath({ dir, names, item }: ItemMove): string {
  return displayOf(dir, mainName(names, item.files))
}
