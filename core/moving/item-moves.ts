/** Moves items with all their files to another place, and writes it down: rows, history, messages. */

import { channels } from '../../schema/realtime.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { itemToEdit } from '../editing/item-edit.ts'
import { fileMoveOperation } from '../editing/undo.ts'
import type { PlaceFacts } from '../files/disk.ts'
import { displayName, displayRaw, joinPath, rawOf } from '../files/names.ts'
import type { ItemFile, ItemFiles } from '../items/item-files.ts'
import { updateItem } from '../items/item-rows.ts'
import { freeName } from '../items/leaving.ts'
import type { DirectoryViews } from '../journal/directory-views.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { displayPath } from '../survey/found-unit.ts'
import { namesWithStem, stemAndExtension } from '../survey/unit-names.ts'
import type { FileUnit, FileWay } from './move-files.ts'

/** Name of these entries in the history. */

/** Where an item's files were, or are, as the history keeps it. Paths are relative to the collection. */
interface FilesAt {
  collection: number
  /** Of the main file, for people. */
  path: string
  /** Every file's path as base64 of its bytes, the main file's first, in the same order before and after. */
  files: string[]
}

/** Collections and their directories, as a move sees them. */
export interface MoveSide {
  collection: CollectionRow
  views: DirectoryViews
  /** Null where the collection has no variants path. */
  variants: DirectoryViews | null
}

export interface ItemMove {
  item: ItemFiles
  from: MoveSide
  to: MoveSide
  dir: Buffer
  /** New name by old name. */
  names: ReadonlyMap<string, string>
}

/** Finds the new names and takes them, so that the next move does not want them too; a sentence when it can't be done. */
export function plannedMove(
  item: ItemFiles,
  { from, to, dir, stem }: { from: MoveSide; to: MoveSide; dir: Buffer; stem: string },
): ItemMove | string {
  const refusal = to.views.refusal(dir)
  if (refusal !== null) return refusal
  const names = namesWithStem(item.files, stem)
  if (names === null) return 'Two of its files would get the same name.'
  const move: ItemMove = { item, from, to, dir, names }
  takeNames(move)
  return move
}

/** What is planned next finds the files of this move at their new place. */
export function takeNames({ item, from, to, dir, names }: ItemMove): void {
  for (const { raw, file, stays } of item.files) {
    if (!stays) from.views.remove(item.dir, raw)
    const now = names.get(raw) ?? raw
    to.views.add(dir, { ...file, raw: now, name: displayRaw(now) })
  }
}

function path(dir: Buffer, raw: string): Buffer {
  return joinPath(dir, Buffer.from(raw, 'latin1'))
}

/** Edited versions go along where the target has a place for them, and where that is free. */
function variantWays({ item, from, to, dir, names }: ItemMove): FileWay[] {
  if (to.variants === null || from.variants === null) return []
  const fromRoot = from.variants.root
  const toRoot = to.variants.root
  const [main] = item.files
  const stem = stemAndExtension(names.get(main?.raw ?? '') ?? '').stem
  const { variants } = to
  return item.variants.flatMap(({ file, shared }): FileWay[] => {
    const now = `${stem}${stemAndExtension(file.raw).extension}`
    if (variants.file(dir, now) !== null) return []
    return [
      {
        operation: shared ? 'copy' : 'move',
        from: { root: fromRoot, path: path(item.dir, file.raw) },
        to: { root: toRoot, path: path(dir, now) },
        size: file.size,
      },
    ]
  })
}

/** Row of a directory, made when there is none. */
export function directoryRow(tx: Transaction, collectionId: number, dir: Buffer): number {
  const known = tx.get<{ id: number }>(
    'SELECT id FROM dirs WHERE collection_id = ? AND path_bytes = ?',
    collectionId,
    dir,
  )
  return (
    known?.id ??
    tx.run('INSERT INTO dirs (collection_id, path, path_bytes) VALUES (?, ?, ?)', collectionId, displayName(dir), dir)
      .lastInsertRowid
  )
}

/** The row follows its file. `facts`: as the file lies there now; a copy on another disk has a time of its own. */
function moveRow(
  tx: Transaction,
  { rowId, file, isKnown, stays, heir }: ItemFile,
  { itemId, dirId }: { itemId: number; dirId: number },
  now: { raw: string; facts: PlaceFacts },
): void {
  const bytes = Buffer.from(now.raw, 'latin1')
  const { size, mtimeSeconds, mtimeNanoseconds } = now.facts
  if (!stays) {
    // A sidecar that no scan has read comes to be known by the next one.
    if (rowId === null) return
    tx.run(
      'UPDATE files SET dir_id = ?, name_bytes = ?, size = ?, mtime = ?, mtime_ns = ? WHERE id = ?',
      dirId,
      bytes,
      size,
      mtimeSeconds,
      mtimeNanoseconds,
      rowId,
    )
    return
  }
  if (rowId !== null) tx.run('UPDATE files SET item_id = ? WHERE id = ?', heir, rowId)
  if (!isKnown) return
  tx.run(
    "INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns) VALUES (?, ?, ?, 'sidecar', ?, ?, ?)",
    dirId,
    bytes,
    itemId,
    file.size,
    mtimeSeconds,
    mtimeNanoseconds,
  )
}

function filesAt(collection: number, dir: Buffer, raws: readonly string[]): FilesAt {
  const [main = ''] = raws
  return {
    collection,
    path: displayPath(displayName(dir), displayRaw(main)),
    files: raws.map(raw => path(dir, raw).toString('base64')),
  }
}

function recordMove(
  tx: Transaction,
  move: ItemMove,
  placed: readonly PlaceFacts[],
  { clock, quiet }: MoveOptions,
): void {
  const { item, from, to, dir, names } = move
  const edit = itemToEdit(tx, item.itemId)
  if (edit === null) throw new Error('the item that was moved is not there')
  const dirId = directoryRow(tx, to.collection.id, dir)
  for (const id of item.staleRows) tx.run('DELETE FROM files WHERE id = ?', id)
  for (const [n, one] of item.files.entries()) {
    const facts = placed[n]
    const raw = names.get(one.raw)
    if (facts === undefined || raw === undefined) throw new Error('a file was moved that nobody knows of')
    freeName(tx, clock, dirId, Buffer.from(raw, 'latin1'))
    moveRow(tx, one, { itemId: item.itemId, dirId }, { raw, facts })
    tx.run(
      'UPDATE OR REPLACE problems SET collection_id = ?, path = ? WHERE collection_id = ? AND path = ?',
      to.collection.id,
      displayPath(displayName(dir), displayRaw(raw)),
      from.collection.id,
      displayPath(displayName(item.dir), displayRaw(one.raw)),
    )
  }
  const [main] = item.files
  const name = displayRaw(names.get(main?.raw ?? '') ?? '')
  updateItem(tx, item.itemId, { ...edit.row, collectionId: to.collection.id, dirId, name })
  // Both have to be looked into again: what is in them is no longer what their fingerprints say.
  tx.run('UPDATE dirs SET fingerprint = NULL WHERE id IN (?, ?)', item.dirId, dirId)
  if (from.collection.id !== to.collection.id) {
    const { write_back, readonly } = to.collection
    if (write_back === 'off' || readonly === 1) tx.run('DELETE FROM metadata_due WHERE item_id = ?', item.itemId)
    else tx.run('UPDATE metadata_due SET collection_id = ? WHERE item_id = ?', to.collection.id, item.itemId)
  }
  const raws = item.files.map(({ raw }) => raw)
  tx.history({
    operation: fileMoveOperation,
    collectionId: to.collection.id,
    itemId: item.itemId,
    before: filesAt(from.collection.id, item.dir, raws),
    after: filesAt(
      to.collection.id,
      dir,
      raws.map(raw => names.get(raw) ?? raw),
    ),
  })
  if (!quiet) tellMove(tx, item.itemId, from.collection.id, to.collection.id)
}

/** Gone for those who look at the one collection, new for those who look at the other. */
function tellMove(tx: Transaction, id: number, from: number, to: number): void {
  if (from === to) {
    tx.event(channels.collection(to), { action: 'update', item: { id, collection_id: to } })
    return
  }
  tx.event(channels.collection(from), { action: 'delete', item: { id, collection_id: from } })
  tx.event(channels.collection(to), { action: 'create', item: { id, collection_id: to } })
}

export interface MoveOptions {
  clock: Clock
  /** Bulk work tells its collections once a batch itself. */
  quiet: boolean
}

/** What the mover does with an item. A row of a vanished file that has one of its new names gives way. */
export function unitOfMove(move: ItemMove, options: MoveOptions): FileUnit {
  const { item, from, to, dir, names } = move
  const ways = item.files.map(
    ({ raw, file, stays }): FileWay => ({
      operation: stays ? 'copy' : 'move',
      from: { root: from.views.root, path: path(item.dir, raw) },
      to: { root: to.views.root, path: path(dir, names.get(raw) ?? raw) },
      size: file.size,
    }),
  )
  return {
    itemId: item.itemId,
    files: [...ways, ...variantWays(move)],
    record: (tx, placed) => recordMove(tx, move, placed, options),
  }
}

/** Rows of directories that were removed go too, unless missing items still say where they were. */
export function forgetDirectories(tx: Transaction, collectionId: number, paths: readonly Uint8Array[]): void {
  for (const bytes of paths) {
    tx.run(
      `DELETE FROM dirs WHERE collection_id = ? AND path_bytes = ? AND NOT EXISTS (SELECT 1 FROM items WHERE dir_id = dirs.id)
         AND NOT EXISTS (SELECT 1 FROM files WHERE dir_id = dirs.id)`,
      collectionId,
      Buffer.from(bytes),
    )
  }
}

/** Raw path of an item's main file: what a move is compared with before it is taken back. */
export function mainPath({ dir, files }: ItemFiles): string {
  return rawOf(path(dir, files[0]?.raw ?? ''))
}
