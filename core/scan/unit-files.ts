/** Rows of an item's files: which file plays which part, and what becomes of items whose file becomes part of another. */

import { parseTags } from '../items/item-row.ts'
import { deleteItem } from '../items/item-rows.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { FoundUnit, UnitFile } from '../survey/found-unit.ts'

interface FileRow {
  id: number
  item_id: number | null
  role: string
}

/** The item that this file is already: by its row, or because its main file is gone and this was its companion. */
export function itemOf(tx: Transaction, unit: FoundUnit, main: UnitFile): number | null {
  const row = tx.get<FileRow>(
    'SELECT id, item_id, role FROM files WHERE dir_id = ? AND name_bytes = ?',
    unit.dirId,
    Buffer.from(main.file.raw, 'latin1'),
  )
  if (row === null || row.item_id === null) return null
  if (row.role === 'main') return row.item_id
  if (row.role !== 'companion') return null
  const named = unit.files.map(file => file.file.raw)
  const head = tx.get<{ name_bytes: Uint8Array }>(
    "SELECT name_bytes FROM files WHERE item_id = ? AND role = 'main'",
    row.item_id,
  )
  const headIsHere = head !== null && named.includes(Buffer.from(head.name_bytes).toString('latin1'))
  return headIsHere ? null : row.item_id
}

/**
 * The item that another part of this one had been so far: a film or a RAW that was here before its picture. It goes on as
 * the item of all of them, so that its address, shares and edits stay good.
 */
export function adoptable(tx: Transaction, unit: FoundUnit, main: UnitFile): number | null {
  for (const { file, role } of unit.files) {
    if (role !== 'companion' && role !== 'motion') continue
    const row = tx.get<{ item_id: number | null }>(
      "SELECT item_id FROM files WHERE dir_id = ? AND name_bytes = ? AND role = 'main'",
      unit.dirId,
      Buffer.from(file.raw, 'latin1'),
    )
    if (row !== null && row.item_id !== null) return row.item_id
  }
  if (main.pair === null || unit.kind !== 'image') return null
  const film = tx.get<{ id: number; item_id: number }>(
    `SELECT f.id, f.item_id FROM files AS f JOIN items AS i ON i.id = f.item_id AND i.type = 'video'
     WHERE f.dir_id = ? AND f.pair = ? AND f.role = 'main' ORDER BY f.id LIMIT 1`,
    unit.dirId,
    main.pair,
  )
  if (film === null) return null
  tx.run("UPDATE files SET role = 'motion' WHERE id = ?", film.id)
  return film.item_id
}

/** A film or a RAW that had an item of its own loses it to its picture; one that a user has written on is only missing. */
function demote(tx: Transaction, dirId: number, name: Buffer, itemId: number | null): void {
  const before = tx.get<FileRow & { tags: string; taken: number }>(
    `SELECT f.id, f.item_id, f.role, i.tags, i.taken FROM files AS f JOIN items AS i ON i.id = f.item_id
     WHERE f.dir_id = ? AND f.name_bytes = ? AND f.role = 'main'`,
    dirId,
    name,
  )
  if (before === null || before.item_id === null || before.item_id === itemId) return
  if (isEditedByUser(before.tags)) tx.run('UPDATE items SET missing = unixepoch() WHERE id = ?', before.item_id)
  else deleteItem(tx, before.item_id)
  tx.run("UPDATE files SET item_id = NULL, role = 'none' WHERE item_id = ?", before.item_id)
}

/** Writes the rows of a unit's files; `itemId` null for files that are no item. */
export function writeFiles(tx: Transaction, unit: FoundUnit, itemId: number | null): void {
  const kept = unit.files.map(({ file, role, content, pair }) => {
    const bytes = Buffer.from(file.raw, 'latin1')
    if (role !== 'main') demote(tx, unit.dirId, bytes, itemId)
    tx.run(
      `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns, content, pair) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (dir_id, name_bytes) DO UPDATE SET item_id = excluded.item_id, role = excluded.role, size = excluded.size,
         mtime = excluded.mtime, mtime_ns = excluded.mtime_ns, content = excluded.content, pair = excluded.pair,
         full_hash = CASE WHEN content IS excluded.content THEN full_hash END`,
      unit.dirId,
      bytes,
      itemId,
      itemId === null ? 'none' : role,
      file.size,
      file.mtimeSeconds,
      file.mtimeNanoseconds,
      content,
      pair,
    )
    return bytes
  })
  if (itemId === null) return
  // What was the item's before and is not now: files of the place it moved from, a companion that is gone.
  for (const row of tx.all<{ id: number; dir_id: number; name_bytes: Uint8Array; role: string; pair: string | null }>(
    'SELECT id, dir_id, name_bytes, role, pair FROM files WHERE item_id = ?',
    itemId,
  )) {
    const paired = row.role === 'motion' && row.pair !== null && row.pair === unit.files[0]?.pair
    const stays = row.dir_id === unit.dirId && (paired || kept.some(bytes => bytes.equals(row.name_bytes)))
    if (stays) continue
    tx.run('DELETE FROM files WHERE id = ?', row.id)
    // It may have been away for a moment only, and what is here its copy: then it is found when it is back.
    if (row.dir_id !== unit.dirId) tx.run('UPDATE dirs SET fingerprint = NULL WHERE id = ?', row.dir_id)
  }
}

interface PairRow {
  still_file: number
  still: number
  film: number
  film_file: number
  tags: string
  added: number
}

/**
 * Makes Live Photos of a directory's pictures and films that carry the same identifier, whatever their names. A film that
 * a user has written on stays an item of its own. `gone`: rows of files that were not found. Answers how many of the films
 * had become items since `since` (seconds since 1970): they are none after all.
 */
export function pairByIdentifier(tx: Transaction, dirId: number, gone: ReadonlySet<number>, since: number): number {
  const pairs = tx.all<PairRow>(
    `SELECT s.id AS still_file, s.item_id AS still, v.item_id AS film, v.id AS film_file, vi.tags, vi.added
     FROM files AS s JOIN items AS si ON si.id = s.item_id AND si.type = 'image'
     JOIN files AS v ON v.dir_id = s.dir_id AND v.pair = s.pair AND v.role = 'main'
     JOIN items AS vi ON vi.id = v.item_id AND vi.type = 'video'
     WHERE s.dir_id = ? AND s.role = 'main' AND s.pair IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM files AS m WHERE m.item_id = s.item_id AND m.role = 'motion')
     ORDER BY s.id, v.id`,
    dirId,
  )
  const taken = new Set<number>()
  let unmade = 0
  for (const { still, still_file, film, film_file, tags, added } of pairs) {
    // A picture that is not there any more has no film.
    if (gone.has(still_file)) continue
    if (taken.has(still) || taken.has(film) || isEditedByUser(tags)) continue
    taken.add(still).add(film)
    if (added >= since) unmade++
    tx.run('UPDATE files SET item_id = ? WHERE item_id = ? AND id <> ?', still, film, film_file)
    tx.run("UPDATE files SET item_id = ?, role = 'motion' WHERE id = ?", still, film_file)
    deleteItem(tx, film)
    tx.run('UPDATE items SET motion = 1, version = version + 1 WHERE id = ?', still)
  }
  return unmade
}

function isEditedByUser(tags: string): boolean {
  return Object.values(parseTags(tags)).some(tag => tag.u === 1)
}

/** A film of another name that was paired with this picture by its identifier, and still is. */
export function hasPairedFilm(tx: Transaction, itemId: number, { pair }: UnitFile): boolean {
  return (
    pair !== null &&
    tx.get("SELECT 1 FROM files WHERE item_id = ? AND role = 'motion' AND pair = ?", itemId, pair) !== null
  )
}
