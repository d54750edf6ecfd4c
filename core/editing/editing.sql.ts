/** Queries of editing for many items, and across several tables. */
import { getTableColumns } from 'drizzle-orm'
import { history } from '../../schema/tables/changes.ts'
import { collections, dirs, files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import { keystrings } from '../../schema/tables/vocabulary.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, numberOrNull, query, select } from '../kernel/database/statement.ts'

export const itemById = select(getTableColumns(items), 'FROM items WHERE id = ?')
export const setRotation = 'UPDATE items SET rotation = ?, version = version + 1 WHERE id = ?'
export const setDeleted = 'UPDATE items SET deleted = ?, version = version + 1 WHERE id = ?'
export const setNotMissing = 'UPDATE items SET missing = NULL, version = version + 1 WHERE id = ?'

export const hiddenKeystrings = select({ id: keystrings.id }, 'FROM keystrings WHERE is_hidden = 1')
export const newestKeystring = select({ id: numberOrNull('max(id)') }, 'FROM keystrings')
export const timeOfMainFile = select({ mtime: files.mtime }, "FROM files WHERE item_id = ? AND role = 'main'")
export const now = query({ now: number('now') }, 'SELECT unixepoch() AS now')

export const itemsOfStep = select({ id: number('item_id') }, 'FROM history WHERE step = ? AND item_id IS NOT NULL', {
  distinct: true,
})

/** Rows of a step, without those of items whose ids are bound as JSON. */
const ofStep = `FROM history WHERE step = ?1
  AND (item_id IS NULL OR item_id NOT IN (SELECT value FROM json_each(?2)))`
export const countOfStep = select({ n: number('count(*)') }, ofStep)
export const countUndone = select({ n: number('count(*)') }, `${ofStep} AND undone_by = ?3`)
/** Also binds an upper limit for the ids (excluded), and the maximum number of rows. */
export const nextOfStep = select(
  columns(history, 'id', 'step', 'operation', 'collectionId', 'itemId', 'before', 'after'),
  `${ofStep} AND id < ?3 AND undone_by IS NULL ORDER BY id DESC LIMIT ?4`,
)
export const markUndone = 'UPDATE history SET undone_by = ? WHERE id = ?'
/** Once all rows of an undo's own step are undone, the rows that it undid can be undone again. */
export const unmarkUndone = `UPDATE history SET undone_by = NULL WHERE undone_by = ?1
  AND NOT EXISTS (SELECT 1 FROM history WHERE step = ?1 AND undone_by IS NULL)`

const place = { ...columns(items, 'id', 'collectionId', 'name'), root: collections.path, dirBytes: dirs.pathBytes }
const withPlace = `FROM items JOIN collections ON collections.id = items.collection_id JOIN dirs ON dirs.id = items.dir_id
  WHERE items.id = ?`
export const missingItem = select({ ...place, dirId: items.dirId }, `${withPlace} AND items.missing IS NOT NULL`)
/** A recycled item; none if it was restored meanwhile. */
export const recycledItem = select(
  { ...place, content: items.content, readonly: collections.readonly },
  `${withPlace} AND items.deleted IS NOT NULL`,
)
export const restoreMainFile = `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns)
  VALUES (?, ?, ?, 'main', 0, 0, 0)
  ON CONFLICT (dir_id, name_bytes) DO UPDATE SET item_id = excluded.item_id, role = 'main', size = 0, mtime = 0`

export const filesBeside = select(
  { nameBytes: files.nameBytes },
  `FROM files JOIN items ON items.id = files.item_id
   WHERE files.dir_id = (SELECT dir_id FROM items WHERE id = ?1) AND files.item_id <> ?1
     AND files.role IN ('main', 'companion') AND items.missing IS NULL`,
)
export const detachFiles = "UPDATE files SET item_id = NULL, role = 'none' WHERE item_id = ?"
export const sameContentLeft = select({ id: items.id }, 'FROM items WHERE content = ? LIMIT 1')

export const oldInBin = select({ id: items.id }, 'FROM items WHERE state = 2 AND deleted < ? LIMIT 1')
/** An earlier purge that left items until a user confirms. Binds a job's id, and the earliest time in milliseconds. */
export const purgeThatWaited = query(
  { one: number('1') },
  `SELECT 1 AS one FROM jobs
   WHERE kind = 'purge' AND id < ? AND created_at > ? AND json_extract(counts, '$.waiting') > 0`,
)
/** The time of the library's last activity before this job. */
export const lastActivity = query(
  { at: numberOrNull('at') },
  `SELECT max(at) AS at FROM (SELECT max(at) AS at FROM history UNION ALL
     SELECT max(max(created_at, coalesce(finished_at, 0))) FROM jobs WHERE id < ?)`,
)

/** Deletes the groups that give rights only on this collection. */
export const dropOwnGroups = `DELETE FROM access_groups
  WHERE id IN (SELECT group_id FROM collection_access WHERE collection_id = ?1)
    AND NOT EXISTS (SELECT 1 FROM collection_access WHERE group_id = access_groups.id AND collection_id <> ?1)`
export const someItems = select({ id: items.id }, 'FROM items WHERE collection_id = ? LIMIT ?')
export const someDirectory = select({ id: dirs.id }, 'FROM dirs WHERE collection_id = ? LIMIT 1')
export const dropSomeFiles = 'DELETE FROM files WHERE id IN (SELECT id FROM files WHERE dir_id = ? LIMIT ?)'
