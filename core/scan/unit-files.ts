/** Rows of an item's files: the role of each file, and what becomes of an item whose file joins another item. */

import { and, eq, ne } from 'drizzle-orm'
import { files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { bytesOfRaw, rawOf } from '../files/names.ts'
import { dropFile } from '../items/item-files.sql.ts'
import { parseTags } from '../items/item-row.ts'
import { deleteItem } from '../items/item-rows.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { FoundUnit, UnitFile } from '../survey/found-unit.ts'
import { setFingerprint } from './scan.sql.ts'
import {
  fileAt,
  fileRowsOfItem,
  filmWithPair,
  mainFileOf,
  makeMissing,
  motionWithPair,
  pairsIn,
  putFile,
  setMotion,
} from './unit-files.sql.ts'

/** The existing item of this main file: also the item of which it was a companion, if the old main file is gone. */
export function itemOf(tx: Transaction, unit: FoundUnit, main: UnitFile): number | null {
  const row = tx.get(fileAt, unit.dirId, bytesOfRaw(main.file.raw))
  if (row === null || row.itemId === null) return null
  if (row.role === 'main') return row.itemId
  if (row.role !== 'companion') return null
  const head = tx.get(mainFileOf, row.itemId)
  const isHere = head !== null && unit.files.some(({ file }) => file.raw === rawOf(head.nameBytes))
  return isHere ? null : row.itemId
}

/**
 * The existing item of another part of this unit: of a video or a RAW that was there before its picture. It becomes the
 * item of all parts, so that its address, shares and edits stay valid.
 */
export function adoptItemOfPart(tx: Transaction, unit: FoundUnit, main: UnitFile): number | null {
  for (const { file, role } of unit.files) {
    if (role !== 'companion' && role !== 'motion') continue
    const row = tx.get(fileAt, unit.dirId, bytesOfRaw(file.raw))
    if (row?.role === 'main' && row.itemId !== null) return row.itemId
  }
  if (main.pair === null || unit.kind !== 'image') return null
  const film = tx.get(filmWithPair, unit.dirId, main.pair)
  if (film === null) return null
  tx.orm.update(files).set({ role: 'motion' }).where(eq(files.id, film.id)).run()
  return film.itemId
}

/** Removes the item of a video or RAW that becomes part of its picture; an item that users edited becomes missing. */
function removeSeparateItem(tx: Transaction, dirId: number, name: Buffer, itemId: number | null): void {
  const before = tx.get(fileAt, dirId, name)
  if (before?.role !== 'main' || before.itemId === null || before.itemId === itemId) return
  const item = tx.orm.select().from(items).where(eq(items.id, before.itemId)).get()
  if (item === undefined) return
  if (isEditedByUser(item.tags)) tx.run(makeMissing, item.id)
  else deleteItem(tx, item.id)
  tx.orm.update(files).set({ itemId: null, role: 'none' }).where(eq(files.itemId, item.id)).run()
}

/** Writes the rows of a unit's files; `itemId` null for files that are not items. */
export function writeFiles(tx: Transaction, unit: FoundUnit, itemId: number | null): void {
  const kept = unit.files.map(({ file, role, content, pair }) => {
    const bytes = bytesOfRaw(file.raw)
    if (role !== 'main') removeSeparateItem(tx, unit.dirId, bytes, itemId)
    const { size, mtimeSeconds, mtimeNanoseconds } = file
    const part = itemId === null ? 'none' : role
    tx.run(putFile, unit.dirId, bytes, itemId, part, size, mtimeSeconds, mtimeNanoseconds, content, pair)
    return file.raw
  })
  if (itemId === null) return
  // Former files of the item: at the place it moved from, or a companion that is gone.
  for (const { id, dirId, nameBytes, role, pair } of tx.all(fileRowsOfItem, itemId)) {
    const isPaired = role === 'motion' && pair !== null && pair === unit.files[0]?.pair
    if (dirId === unit.dirId && (isPaired || kept.includes(rawOf(nameBytes)))) continue
    tx.run(dropFile, id)
    // The old file may come back: its directory is read again, to find it then.
    if (dirId !== unit.dirId) tx.run(setFingerprint, null, dirId)
  }
}

/**
 * Makes Live Photos of a directory's pictures and videos with the same identifier, whatever their names. A video with
 * metadata of users stays a separate item. `gone`: rows of files that were not found. Returns how many of the videos'
 * items, which are deleted, had been created since `since` (seconds since 1970).
 */
export function pairByIdentifier(tx: Transaction, dirId: number, gone: ReadonlySet<number>, since: number): number {
  const taken = new Set<number>()
  let removedNew = 0
  for (const { still, stillFile, film, filmFile, tags, added } of tx.all(pairsIn, dirId)) {
    // A missing picture gets no video.
    if (gone.has(stillFile)) continue
    if (taken.has(still) || taken.has(film) || isEditedByUser(tags)) continue
    taken.add(still).add(film)
    if (added >= since) removedNew++
    const ofFilm = and(eq(files.itemId, film), ne(files.id, filmFile))
    tx.orm.update(files).set({ itemId: still }).where(ofFilm).run()
    tx.orm.update(files).set({ itemId: still, role: 'motion' }).where(eq(files.id, filmFile)).run()
    deleteItem(tx, film)
    tx.run(setMotion, still)
  }
  return removedNew
}

function isEditedByUser(tags: string): boolean {
  return Object.values(parseTags(tags)).some(tag => tag.u === 1)
}

/** Whether a video of another name is still paired with this picture by its identifier. */
export function hasPairedFilm(tx: Transaction, itemId: number, { pair }: UnitFile): boolean {
  return pair !== null && tx.get(motionWithPair, itemId, pair) !== null
}
