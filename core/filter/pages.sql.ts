/**
 * Pages sorted by name, by date of addition or by hand. If there are few candidates, all are read and sorted; if there
 * are many, they are read in the order of an index.
 */
import { type Fragment, joined, raw, sql } from '../kernel/database/sql-fragment.ts'
import { type Expression, number, type RowOfQuery } from '../kernel/database/statement.ts'
import { rangeOfFrame } from './bodies.ts'
import { type BoundStatement, bound } from './bound.ts'
import { conditionOf, itemsRow } from './condition.ts'
import { type Filter, firstMoment, lastMoment } from './filter.ts'
import { type Frame, type FramedQuery, inFrame, restWithMonths } from './frame.ts'
import type { Branch } from './plan.ts'
import { pageSelect, type Slice } from './select.sql.ts'
import { maxMerged } from './streams.ts'

const value: Expression<number | string> = { expression: 'value' }
const positionColumns = { value, id: number('id') }

export const emptyPage = bound(positionColumns, sql`SELECT 0 AS value, 0 AS id WHERE 0`)

/** A position in a list: an item with the values that the list is sorted by. */
export type PagePosition = RowOfQuery<typeof emptyPage>

function isPast(column: 'added' | 'name', position: PagePosition | null, descending: boolean): Fragment {
  if (position === null) return raw('1')
  const sign = raw(descending ? '<' : '>')
  return column === 'name'
    ? sql`(i.name, i.id) ${sign} (${position.value} COLLATE NOCASE, ${position.id})`
    : sql`(i.added, i.id) ${sign} (${position.value}, ${position.id})`
}

function sortTerm(column: 'added' | 'name'): Fragment {
  return raw(column === 'name' ? 'i.name COLLATE NOCASE' : 'i.added')
}

/** FROM and WHERE: the items `i` of an album by hand that match a query. */
function handItems({ frame, ...framed }: FramedQuery, album: number): Fragment {
  const condition = conditionOf(restWithMonths({ frame, ...framed }), itemsRow, { fewRows: true, times: frame })
  return sql`FROM album_items AS a INDEXED BY album_items_position CROSS JOIN items AS i ON i.id = a.item_id
    WHERE a.album_id = ${album} AND ${inFrame(frame, 'i')}
      AND i.taken >= ${frame.from} AND i.taken < ${frame.to} AND ${condition}`
}

/** The items of an album by hand, in its order. */
export function handSelect(
  framed: FramedQuery,
  album: number,
  slice: Slice,
  position: PagePosition | null,
): BoundStatement<PagePosition> {
  const direction = raw(slice.descending ? 'DESC' : 'ASC')
  const sign = raw(slice.descending ? '<' : '>')
  const isPastPosition =
    position === null ? raw('1') : sql`(a.position, a.item_id) ${sign} (${position.value}, ${position.id})`
  return bound(
    positionColumns,
    sql`SELECT a.position AS value, i.id AS id ${handItems(framed, album)} AND ${isPastPosition}
    ORDER BY a.position ${direction}, a.item_id ${direction} LIMIT ${slice.limit} OFFSET ${slice.offset}`,
  )
}

/** Every how many items `handMarkers` returns a position. */
export const handMarkerSpacing = 500

/** Positions of every 500th item of an album by hand, in its order. A page is read from the nearest marker before it. */
export function handMarkers(framed: FramedQuery, album: number): BoundStatement<PagePosition> {
  const numbered = sql`SELECT a.position AS value, i.id AS id,
    row_number() OVER (ORDER BY a.position, a.item_id) AS n ${handItems(framed, album)}`
  return bound(positionColumns, sql`SELECT value, id FROM (${numbered}) WHERE n % ${handMarkerSpacing} = 0 ORDER BY n`)
}

/** For few candidates: reads all of them, and sorts them. */
export function sortedSelect(
  branches: readonly Branch[],
  frame: Frame,
  column: 'added' | 'name',
  slice: Slice,
  position: PagePosition | null,
): BoundStatement<PagePosition> {
  const direction = raw(slice.descending ? 'DESC' : 'ASC')
  const found = pageSelect(branches, rangeOfFrame(frame), { descending: true, limit: -1, offset: 0 })
  return bound(
    positionColumns,
    sql`SELECT i.${raw(column)} AS value, i.id AS id FROM (${found}) AS f CROSS JOIN items AS i ON i.id = f.id
    WHERE ${isPast(column, position, slice.descending)}
    ORDER BY ${sortTerm(column)} ${direction}, i.id ${direction} LIMIT ${slice.limit} OFFSET ${slice.offset}`,
  )
}

/** For many candidates: merges a stream per collection and state, in the column's order, until the page is full. */
export function streamSelect(
  frame: Frame & { collections: readonly number[] },
  rest: Filter,
  column: 'added' | 'name',
  slice: Slice,
  position: PagePosition | null,
): BoundStatement<PagePosition> {
  const direction = raw(slice.descending ? 'DESC' : 'ASC')
  const isWhole = frame.from <= firstMoment && frame.to >= lastMoment
  const inTime = isWhole ? raw('1') : sql`i.taken >= ${frame.from} AND i.taken < ${frame.to}`
  const selectOf = (partition: Fragment, index: string) =>
    sql`SELECT ${sortTerm(column)} AS value, i.id AS id FROM items AS i ${raw(index)}
      WHERE ${partition} AND ${isPast(column, position, slice.descending)} AND ${inTime}
      AND ${conditionOf(rest, itemsRow, { fewRows: false, times: frame })}`
  const end = sql`LIMIT ${slice.limit} OFFSET ${slice.offset}`
  const order = sql`ORDER BY ${sortTerm(column)} ${direction}, i.id ${direction}`
  const partitions = frame.collections.flatMap(id =>
    frame.states.map(state => sql`i.collection_id = ${id} AND i.state = ${raw(String(state))}`),
  )
  // SQLite cannot merge so many partitions, so the candidates are sorted.
  if (partitions.length > maxMerged)
    return bound(positionColumns, sql`${selectOf(inFrame(frame, 'i'), '')} ${order} ${end}`)
  const [first, ...others] = partitions.map(partition => selectOf(partition, `INDEXED BY items_${column}`))
  if (first === undefined) return emptyPage
  if (others.length === 0) return bound(positionColumns, sql`${first} ${order} ${end}`)
  const merged = joined([first, ...others], ' UNION ALL ')
  const compared = raw(column === 'name' ? 'COLLATE NOCASE' : '')
  return bound(positionColumns, sql`${merged} ORDER BY 1 ${compared} ${direction}, 2 ${direction} ${end}`)
}
