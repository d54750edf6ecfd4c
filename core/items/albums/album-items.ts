/**
 * The only writer of albums' items: keeps the marks of items, by which lists are filtered, consistent with the rows.
 * Files contain the names of their items' albums, so they become due.
 */
import { keyOf, marks } from '../../../schema/keys.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { markDue } from '../due-items.ts'
import { addMarkKey, removeMarkKey } from '../item-rows.sql.ts'
import * as statements from './album-items.sql.ts'

/** An item in an album. `addedBy`: a user's id; null for the terminal. `addedAt`: seconds. */
export interface AlbumEntry {
  itemId: number
  position: number
  addedAt: number
  addedBy: number | null
}

/** Adds an item; returns whether it is new in the album. */
export function addAlbumItem(tx: Transaction, albumId: number, { itemId, position, addedAt, addedBy }: AlbumEntry) {
  const { changes } = tx.run(statements.addItem, albumId, position, addedAt, addedBy, itemId)
  if (changes === 0) return false
  tx.run(addMarkKey, keyOf('mark', marks.album(albumId)), itemId)
  markDue(tx, itemId)
  return true
}

/** Adds items at the end of an album, in this order; returns the ids of those that were not in it before. */
export function appendAlbumItems(
  tx: Transaction,
  albumId: number,
  items: readonly number[],
  by: Pick<AlbumEntry, 'addedAt' | 'addedBy'>,
): number[] {
  let position = tx.get(statements.lastPosition, albumId)?.position ?? 0
  return items.filter(itemId => {
    const isNew = addAlbumItem(tx, albumId, { itemId, position: position + 1, ...by })
    if (isNew) position++
    return isNew
  })
}

/** Removes an item from an album; returns its entry, or null if it was not in the album. */
export function removeAlbumItem(tx: Transaction, albumId: number, itemId: number): AlbumEntry | null {
  const entry = tx.get(statements.rowOfItem, albumId, itemId)
  if (entry === null) return null
  tx.run(statements.removeItem, albumId, itemId)
  tx.run(removeMarkKey, keyOf('mark', marks.album(albumId)), itemId)
  markDue(tx, itemId)
  return entry
}

/** Adds an item to all albums of another one, beside it. */
export function joinAlbumsOf(tx: Transaction, itemId: number, other: number): void {
  for (const { albumId, ...entry } of tx.all(statements.rowsOfItem, other))
    addAlbumItem(tx, albumId, { ...entry, itemId })
}

interface AlbumPosition {
  itemId: number
  position: number
}

/** The positions of those of the items that are in the album. */
function positionsOf(tx: Transaction, albumId: number, items: readonly number[]): AlbumPosition[] {
  return items.flatMap(itemId => {
    const row = tx.get(statements.positionOfItem, albumId, itemId)
    return row === null ? [] : [{ itemId, position: row.position }]
  })
}

/** Writes positions; returns those that the items had. Items that are not in the album are left out. */
export function setAlbumPositions(
  tx: Transaction,
  albumId: number,
  positions: readonly AlbumPosition[],
): AlbumPosition[] {
  const before = positionsOf(
    tx,
    albumId,
    positions.map(({ itemId }) => itemId),
  )
  for (const { itemId, position } of positions) tx.run(statements.setPosition, position, albumId, itemId)
  return before
}

/**
 * Moves items of an album, in this order, before another of its items, or to its end (null). Returns the positions that
 * they had. Items that are not in the album are left out.
 */
export function moveAlbumItems(
  tx: Transaction,
  albumId: number,
  items: readonly number[],
  before: number | null,
): AlbumPosition[] {
  const held = positionsOf(tx, albumId, items)
  const findGap = () => {
    const last = (tx.get(statements.lastPosition, albumId)?.position ?? 0) + held.length + 1
    const to = before === null ? null : tx.get(statements.positionOfItem, albumId, before)
    const end = to?.position ?? last
    const start =
      tx.get(statements.positionBefore, albumId, end, JSON.stringify(items))?.position ?? end - 1 - held.length
    return { start, step: (end - start) / (held.length + 1) }
  }
  let { start, step } = findGap()
  // A few dozen moves to the same place use up the precision of the numbers between two positions. The positions that
  // are returned are read after this, so that an undo fits the new numbers.
  if (step < 1e-6) {
    tx.run(statements.renumber, { album: albumId })
    ;({ start, step } = findGap())
  }
  return setAlbumPositions(
    tx,
    albumId,
    held.map(({ itemId }, n) => ({ itemId, position: start + step * (n + 1) })),
  )
}
