/** Queries of items for lists and for one item, and of related rows. Each column of a list is read for every row. */
import { alias } from 'drizzle-orm/sqlite-core'
import { dirs, files } from '../../schema/tables/collections.ts'
import { items, regions } from '../../schema/tables/items.ts'
import { type BoundStatement, bound, boundSelect } from '../filter/bound.ts'
import { type Frame, inFrame } from '../filter/frame.ts'
import type { PagePosition } from '../filter/pages.sql.ts'
import { columns } from '../kernel/database/columns.ts'
import { type Fragment, sql } from '../kernel/database/sql-fragment.ts'
import { type Expression, number, numberOrNull, query, type RowOfQuery, select } from '../kernel/database/statement.ts'

const i = alias(items, 'i')

export const listed = {
  ...columns(i, 'id', 'name', 'type', 'collectionId', 'width', 'height', 'rotation', 'rating', 'duration', 'motion'),
  ...columns(i, 'taken', 'takenOffset', 'takenSource', 'added', 'thumbhash', 'content', 'problem', 'tags'),
}
/** Optional columns: for viewers of paths; for lists of recycled or missing items; for lists with positions. */
const more = {
  path: { dirId: i.dirId },
  gone: { deleted: i.deleted, missing: i.missing },
  position: { latitude: i.latitude, longitude: i.longitude },
}
export interface OptionalColumns {
  path?: boolean
  gone?: boolean
  position?: boolean
}
type MoreColumns = (typeof more)['path'] & (typeof more)['gone'] & (typeof more)['position']

/** A row of a list; columns that were not requested are absent. */
export type ListedRow = RowOfQuery<typeof everyListed> & Partial<RowOfQuery<typeof moreListed>>
const everyListed = select(listed, 'FROM items AS i')
const moreListed = select<MoreColumns>({ ...more.path, ...more.gone, ...more.position }, 'FROM items AS i')

export const pageShapes = (page: Fragment) =>
  bound(
    { taken: items.taken, ...columns(items, 'width', 'height', 'rotation') },
    sql`SELECT p.value AS taken, i.width, i.height, i.rotation FROM (${page}) AS p CROSS JOIN items AS i ON i.id = p.id`,
  )

/** One object for each combination, so that its SQL is built once. */
const combined = new Map<string, typeof listed>()
function columnsOf({ path = false, gone = false, position = false }: OptionalColumns): typeof listed {
  const key = `${path} ${gone} ${position}`
  const columns = combined.get(key) ?? {
    ...listed,
    ...(path ? more.path : {}),
    ...(gone ? more.gone : {}),
    ...(position ? more.position : {}),
  }
  combined.set(key, columns)
  return columns
}

export const detailed = { ...listed, ...more.path, ...more.gone, ...columns(i, 'mime', 'size', 'details') }

/** The rows of a page (a SELECT of `id`), in its order. */
export const pageRows = (page: Fragment, wanted: OptionalColumns): BoundStatement<ListedRow> =>
  boundSelect(columnsOf(wanted), sql`FROM (${page}) AS p CROSS JOIN items AS i ON i.id = p.id`)

const placeValue: Expression<number | string> = { expression: 'value' }
export const pagePositions = (page: Fragment): BoundStatement<PagePosition> =>
  bound({ value: placeValue, id: items.id }, sql`SELECT p.value, p.id FROM (${page}) AS p`)

const idAlone = { id: i.id }
const among = (ids: readonly number[], where: Fragment) =>
  sql`FROM json_each(${JSON.stringify(ids)}) AS j CROSS JOIN items AS i ON i.id = j.value WHERE ${where} ORDER BY j.key`

/** The given ids whose items satisfy a condition, in the order of `ids`. */
export const idsAmong = (ids: readonly number[], where: Fragment) => boundSelect(idAlone, among(ids, where))
export const rowsAmong = (ids: readonly number[], where: Fragment): BoundStatement<ListedRow> =>
  boundSelect(columnsOf({ path: true }), among(ids, where))

export const countsByCollection = (frame: Frame) =>
  bound(
    { id: items.collectionId, n: number('n') },
    sql`SELECT m.collection_id AS id, sum(m.n) AS n FROM item_month AS m WHERE ${inFrame(frame, 'm')} GROUP BY m.collection_id`,
  )

export const newestId = query({ id: numberOrNull('id') }, 'SELECT max(id) AS id FROM items')

export const otherFiles = select(
  { name: files.nameBytes, role: files.role, size: files.size },
  "FROM files WHERE item_id = ? AND role <> 'main' ORDER BY role, name_bytes",
)

export const pathsOfDirectories = select(
  { id: dirs.id, path: dirs.path },
  'FROM dirs WHERE id IN (SELECT value FROM json_each(?))',
)

const r = alias(regions, 'r')
export const regionsOfItems = select(
  {
    ...columns(r, 'id', 'itemId', 'type', 'personId', 'objectId', 'x', 'y', 'width', 'height'),
    faceId: numberOrNull('(SELECT min(f.id) FROM faces AS f WHERE f.region_id = r.id)'),
  },
  'FROM json_each(?) AS j CROSS JOIN regions AS r INDEXED BY regions_item ON r.item_id = j.value',
)
