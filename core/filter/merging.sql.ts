/** Merges the hits of words with other sorted items. Rows of the search index are numbered taken * 2^28 + id. */
import { joined, raw, sql } from '../kernel/database/sql-fragment.ts'
import { number } from '../kernel/database/statement.ts'
import { type Body, type Edges, numberBetween } from './bodies.ts'
import { bound } from './bound.ts'

/** Items to merge with the hits: only hits among them match or, if `excluded`, only hits that are not among them. */
export interface MergeStep {
  bodies: readonly Body[]
  excluded: boolean
}

const value = { value: number('value') }

export const noHits = bound(value, sql`SELECT 0 AS value WHERE 0`)

/** Numbers of the search index, newest first. */
export function mergedHits(match: string, steps: readonly MergeStep[], range: Edges) {
  const hits = sql`SELECT t.rowid AS value FROM item_text AS t WHERE t.item_text MATCH ${match}
      AND ${numberBetween(range, 't.rowid')}`
  const parts = steps.map(({ bodies, excluded }) => {
    const selects = bodies.map(
      ({ taken, id, from, where }) => sql`SELECT ${taken} * 268435456 + ${id} AS value FROM ${from} WHERE ${where}`,
    )
    const them = selects.length === 1 ? joined(selects, '') : sql`SELECT value FROM (${joined(selects, ' UNION ALL ')})`
    return sql`${raw(excluded ? 'EXCEPT' : 'INTERSECT')} ${them}`
  })
  return bound(value, joined([hits, ...parts, raw('ORDER BY 1 DESC')], ' '))
}
