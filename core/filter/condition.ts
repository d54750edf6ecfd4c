/** Compiles a filter to a condition on a row. */
import { type Calendar, persianEpoch } from '../../schema/calendar.ts'
import { type Fragment, idsIn, joined, raw, sql } from '../kernel/database/sql-fragment.ts'
import { type AreaFilter, type Filter, firstMoment, type KeyFilter, lastMoment, type NearFilter } from './filter.ts'
import { matchOf } from './words.ts'

/** The columns of a statement that conditions use. `items()` adds a join with the whole row, and returns its alias. */
export interface RowAt {
  taken: Fragment
  id: Fragment
  collection: Fragment
  items(): Fragment
}

/** For statements that read `items AS i`. */
export const itemsRow: RowAt = {
  taken: raw('i.taken'),
  id: raw('i.id'),
  collection: raw('i.collection_id'),
  items: () => raw('i'),
}

export interface ConditionOptions {
  /** Few rows are read: the search index is queried for each row, instead of collecting all hits first. */
  fewRows: boolean
  /** All rows were taken between these (end excluded): the search index can skip other times. */
  times?: { from: number; to: number }
}

const metresPerRadian = 6_371_008.8

/** A row of the search index is numbered taken * 2^28 + id. */
const numbersPerSecond = raw('268435456')

function hasKey({ keys, tags }: KeyFilter, row: RowAt): Fragment {
  const [first] = keys
  const key = keys.length === 1 && first !== undefined ? sql`= ${first}` : sql`IN ${idsIn(keys)}`
  return sql`EXISTS (SELECT 1 FROM keyed AS x WHERE x.key ${key} AND x.taken = ${row.taken} AND x.item_id = ${row.id} AND x.tags & ${tags})`
}

function hasWords(match: string, row: RowAt, { fewRows, times }: ConditionOptions): Fragment {
  const rowid = sql`${row.taken} * ${numbersPerSecond} + ${row.id}`
  if (fewRows) return sql`EXISTS (SELECT 1 FROM item_text WHERE item_text MATCH ${match} AND rowid = ${rowid})`
  const inTimes =
    times === undefined || (times.from <= firstMoment && times.to >= lastMoment)
      ? raw('')
      : sql` AND rowid >= ${times.from} * ${numbersPerSecond} AND rowid < ${times.to} * ${numbersPerSecond}`
  return sql`${rowid} IN (SELECT rowid FROM item_text WHERE item_text MATCH ${match}${inTimes})`
}

/** The bounding box of an area: latitudes, and one or two ranges of longitudes when it crosses the date line. */
export function boxOf(area: AreaFilter): { latitudes: [number, number]; longitudes: [number, number][] } {
  if (area.is === 'box') {
    return { latitudes: [area.south, area.north], longitudes: overDateLine(area.west, area.east) }
  }
  const { latitude, longitude, radius } = area
  const angle = radius / metresPerRadian
  // Slightly wider, so that rounding excludes nothing.
  const degrees = ((angle * 180) / Math.PI) * (1 + 1e-9) + 1e-9
  const latitudes: [number, number] = [latitude - degrees, latitude + degrees]
  // A circle that includes a pole has every longitude.
  if (latitudes[0] <= -90 || latitudes[1] >= 90) return { latitudes, longitudes: [[-180, 180]] }
  const half =
    (Math.asin(Math.min(1, Math.sin(Math.min(angle, Math.PI / 2)) / Math.cos((latitude * Math.PI) / 180))) * 180) /
    Math.PI
  const [west, east] = [longitude - half, longitude + half]
  return { latitudes, longitudes: overDateLine(west < -180 ? west + 360 : west, east > 180 ? east - 360 : east) }
}

function overDateLine(west: number, east: number): [number, number][] {
  if (west <= east) return [[west, east]]
  return [
    [west, 180],
    [-180, east],
  ]
}

/** `alias` has a position within these latitudes and longitudes. */
function inBox(area: AreaFilter, alias: Fragment): Fragment {
  const { latitudes, longitudes } = boxOf(area)
  const inLongitudes = longitudes.map(([from, to]) => sql`${alias}.longitude BETWEEN ${from} AND ${to}`)
  return sql`${alias}.latitude BETWEEN ${latitudes[0]} AND ${latitudes[1]} AND (${joined(inLongitudes, ' OR ')})`
}

/** The haversine formula without the final arc sine, which comparing does not need. */
function isNear(near: NearFilter, alias: Fragment): Fragment {
  const most = Math.sin(Math.min(near.radius / metresPerRadian / 2, Math.PI / 2)) ** 2
  const lat = sql`radians(${alias}.latitude - ${near.latitude}) / 2`
  const lon = sql`radians(${alias}.longitude - ${near.longitude}) / 2`
  // An item without a position is never near: false rather than null.
  return sql`coalesce(${inBox(near, alias)}
    AND sin(${lat}) * sin(${lat}) + cos(radians(${near.latitude})) * cos(radians(${alias}.latitude)) * sin(${lon}) * sin(${lon}) <= ${most}, 0)`
}

/** Whether a condition uses the search index. */
export function usesWords(filter: Filter): boolean {
  if (filter.is === 'and' || filter.is === 'or') return filter.of.some(usesWords)
  return filter.is === 'not' ? usesWords(filter.of) : filter.is === 'text'
}

/** Combines several unwanted words ('not a and not b') into one query of the search index ('not (a or b)'). */
function withJoinedNegations(parts: readonly Filter[]): Filter[] {
  const unwanted = parts.flatMap(part => (part.is === 'not' && matchOf(part.of) !== null ? [part.of] : []))
  if (unwanted.length < 2) return [...parts]
  const others = parts.filter(part => part.is !== 'not' || matchOf(part.of) === null)
  return [...others, { is: 'not', of: { is: 'or', of: unwanted } }]
}

/** Number of the month. The Persian one is computed as in `dateIn`; no time is before its first year, so divisions round down. */
function monthOf(taken: Fragment, calendar: Calendar): Fragment {
  if (calendar === 'gregorian') return sql`CAST(strftime('%m', ${taken}, 'unixepoch') AS INTEGER)`
  const days = sql`((${taken} + ${raw(String(persianEpoch * 86_400))}) / 86400)`
  const ofYear = sql`(${days} - (12053 * ((33 * ${days} + 12056) / 12053) - 12024) / 33)`
  return sql`(1 + max(${ofYear} / 31, (${ofYear} - 6) / 30))`
}

export function conditionOf(filter: Filter, row: RowAt, options: ConditionOptions): Fragment {
  const match = matchOf(filter)
  if (match !== null) return hasWords(match, row, options)
  switch (filter.is) {
    case 'everything':
      return raw('1')
    case 'nothing':
      return raw('0')
    case 'and':
    case 'or': {
      const parts = (filter.is === 'and' ? withJoinedNegations(filter.of) : filter.of).map(part =>
        conditionOf(part, row, options),
      )
      return sql`(${joined(parts, filter.is === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'not':
      return sql`NOT ${conditionOf(filter.of, row, options)}`
    case 'key':
      return hasKey(filter, row)
    case 'taken':
      return sql`(${row.taken} >= ${filter.from} AND ${row.taken} < ${filter.to})`
    case 'added':
      return sql`(${row.items()}.added >= ${filter.from} AND ${row.items()}.added < ${filter.to})`
    case 'month':
      return sql`${monthOf(row.taken, filter.calendar)} IN ${idsIn(filter.months)}`
    case 'near':
      return isNear(filter, row.items())
    case 'box':
      return sql`coalesce(${inBox(filter, row.items())}, 0)`
    case 'collection':
      return sql`${row.collection} IN ${idsIn(filter.ids)}`
    case 'folder':
      return sql`${row.items()}.dir_id IN ${idsIn(filter.dirs)}`
    case 'text':
      throw new Error('words are looked up in the search index')
  }
}
