/** SELECT statements for a plan's branches: which items, in which order, or how many. Values are bound. */
import { type Fragment, joined, raw, sql } from '../kernel/database/sql-fragment.ts'
import { number, string } from '../kernel/database/statement.ts'
import { type Body, between, bodyOf, type Range } from './bodies.ts'
import { type BoundStatement, bound } from './bound.ts'
import type { KeyFilter } from './filter.ts'
import type { Branch } from './plan.ts'
import { streamsOf } from './streams.ts'

function selectOf({ taken, id, from, where, repeats }: Body): Fragment {
  return sql`SELECT ${raw(repeats ? 'DISTINCT ' : '')}${taken} AS value, ${id} AS id FROM ${from} WHERE ${where}`
}

/** Where a page starts and how long it is. */
export interface Slice {
  descending: boolean
  limit: number
  offset: number
}

/**
 * `SELECT value, id` of a page of the branches, ordered by `taken` and id. Merges ordered streams without sorting, only
 * as far as needed. `disjoint`: no two branches share an item.
 */
export function pageSelect(
  branches: readonly Branch[],
  range: Range,
  slice: Slice,
  { disjoint = false }: { disjoint?: boolean } = {},
): BoundStatement<{ value: number; id: number }> {
  const columns = { value: number('value'), id: number('id') }
  const direction = raw(slice.descending ? 'DESC' : 'ASC')
  const end = sql`LIMIT ${slice.limit} OFFSET ${slice.offset}`
  const bodies = streamsOf(branches).map(stream => bodyOf(stream, range))
  const [only] = bodies
  if (only === undefined) return bound(columns, sql`SELECT 0 AS value, 0 AS id WHERE 0`)
  const orderOf = ({ taken, id, order }: Body) =>
    order === 'rowid' ? sql`ORDER BY t.rowid ${direction}` : sql`ORDER BY ${taken} ${direction}, ${id} ${direction}`
  if (bodies.length === 1) return bound(columns, sql`${selectOf(only)} ${orderOf(only)} ${end}`)
  // Streams of one branch have no item in common; different branches may.
  const union = disjoint || branches.length === 1 ? ' UNION ALL ' : ' UNION '
  const parts = bodies.map(body =>
    body.order === 'taken'
      ? selectOf(body)
      : sql`SELECT value, id FROM (${selectOf(body)} ${orderOf(body)} LIMIT ${slice.limit + slice.offset})`,
  )
  return bound(columns, sql`${joined(parts, union)} ORDER BY 1 ${direction}, 2 ${direction} ${end}`)
}

/** A further condition by key that is merged with the first, which is faster than looking each item up. */
export interface MergedKey {
  filter: KeyFilter
  key: number
  negated: boolean
}

/** One number `n`: how many items the branches have between the edges. `mergedKeys` only with a single branch by key. */
export function countSelect(
  branches: readonly Branch[],
  range: Range,
  mergedKeys: readonly MergedKey[] = [],
): BoundStatement<{ n: number }> {
  const columns = { n: number('n') }
  const [only] = branches
  const bodies = (branches.length === 1 ? branches : streamsOf(branches)).map(branch => bodyOf(branch, range))
  const [body] = bodies
  if (only === undefined || body === undefined) return bound(columns, sql`SELECT 0 AS n`)
  if (bodies.length === 1 && mergedKeys.length === 0 && !body.repeats) {
    return bound(columns, sql`SELECT count(*) AS n FROM ${body.from} WHERE ${body.where}`)
  }
  const others = mergedKeys.map(
    ({ filter, key, negated }) => sql`${raw(negated ? 'EXCEPT' : 'INTERSECT')} SELECT k.taken, k.item_id FROM keyed AS k
      WHERE k.key = ${key} AND k.tags & ${filter.tags} AND ${between(only.frame, range, 'k.taken', 'k.item_id')}`,
  )
  const compound = joined([joined(bodies.map(selectOf), ' UNION '), ...others], ' ')
  return bound(columns, sql`SELECT count(*) AS n FROM (${compound} ORDER BY 1 DESC, 2 DESC)`)
}

/** The day that counting starts with, in days since 1970: before `firstMoment`, so that no day is negative. */
export const firstDay = -200_000

/** One row: `days`, a JSON array of each item's day since `firstDay`. The caller counts, because SQLite would sort first. */
export function daysSelect(branches: readonly Branch[], range: Range): BoundStatement<{ days: string }> {
  const parts = branches.map(branch => selectOf(bodyOf(branch, range)))
  return daysOf(joined(parts, ' UNION '), 0)
}

/** Like `daysSelect`, for a SELECT of `value` that contains `taken` shifted left by this many bits. */
export function daysOf(select: Fragment, bits: number): BoundStatement<{ days: string }> {
  const day = 86_400n << BigInt(bits)
  return bound(
    { days: string('days') },
    sql`SELECT json_group_array((value + ${raw(String(BigInt(-firstDay) * day))}) / ${raw(String(day))}) AS days FROM (${select})`,
  )
}
