/** Counts items: from the counters that triggers keep, or from an index. Counts for a plan stop at a limit. */
import { itemMonth, keyCount } from '../../schema/tables/items.ts'
import { type Fragment, raw, type SqlValue, sql } from '../kernel/database/sql-fragment.ts'
import { number, numberOrNull } from '../kernel/database/statement.ts'
import { type BoundStatement, bound } from './bound.ts'
import type { KeyFilter } from './filter.ts'
import { type Frame, inFrame } from './frame.ts'

const n = { n: number('n') }

/** Items of a frame's collections and states by month, newest first. */
export const monthCounts = (frame: Frame) =>
  bound(
    { ym: itemMonth.ym, ...n },
    sql`SELECT m.ym, sum(m.n) AS n FROM item_month AS m WHERE ${inFrame(frame, 'm')}
    GROUP BY m.ym ORDER BY m.ym DESC`,
  )

/** Number of items of a frame, counted one by one: for parts of months, or with a condition. */
export function countInFrame(frame: Frame, condition: Fragment | null = null): BoundStatement<{ n: number }> {
  const { collections, from, to } = frame
  const extraCondition = condition === null ? raw('') : sql` AND ${condition}`
  const state = inFrame({ ...frame, collections: 'all' }, 'i')
  return bound(
    n,
    collections === 'all'
      ? sql`SELECT count(*) AS n FROM items AS i INDEXED BY items_taken
          WHERE ${state} AND i.taken >= ${from} AND i.taken < ${to}${extraCondition}`
      : sql`SELECT count(*) AS n FROM json_each(${JSON.stringify(collections)}) AS p
          CROSS JOIN items AS i INDEXED BY items_collection_taken ON i.collection_id = p.value
          WHERE ${state} AND i.taken >= ${from} AND i.taken < ${to}${extraCondition}`,
  )
}

/** The keys of a condition that have items in the frame's collections and states, with their number. Ignores dates. */
export const keyCounts = ({ keys, tags }: KeyFilter, frame: Frame) =>
  bound(
    { key: keyCount.key, ...n },
    sql`SELECT c.key, sum(c.n) AS n FROM json_each(${JSON.stringify(keys)}) AS j
      CROSS JOIN key_count AS c ON c.key = j.value
      WHERE ${inFrame(frame, 'c')} AND c.tags & ${tags} GROUP BY c.key`,
  )

function countUpTo(text: string, values: readonly SqlValue[], limit: number): BoundStatement<{ n: number }> {
  return bound(n, { text: `SELECT count(*) AS n FROM (${text} LIMIT ${limit})`, values })
}

export const countOfText = (match: string, limit: number) =>
  countUpTo('SELECT 1 FROM item_text WHERE item_text MATCH ?', [match], limit)

/** Counts items of all longitudes: the index is read for all of them, so this number determines the cost of an area. */
export const countBetweenLatitudes = (latitudes: readonly [number, number], limit: number) =>
  countUpTo(
    `SELECT 1 FROM collections AS c CROSS JOIN items AS i INDEXED BY items_place ON i.collection_id = c.id
       WHERE i.latitude BETWEEN ? AND ?`,
    latitudes,
    limit,
  )

export const countOfAdded = (from: number, to: number, limit: number) =>
  countUpTo(
    `SELECT 1 FROM collections AS c CROSS JOIN items AS i INDEXED BY items_added ON i.collection_id = c.id
       WHERE i.state IN (0, 1, 2, 3) AND i.added >= ? AND i.added < ?`,
    [from, to],
    limit,
  )

export const countInFolder = (dirs: readonly number[], limit: number) =>
  countUpTo(
    `SELECT 1 FROM json_each(?) AS d CROSS JOIN items AS i INDEXED BY items_dir ON i.dir_id = d.value
       WHERE i.state IN (0, 1, 2, 3)`,
    [JSON.stringify(dirs)],
    limit,
  )

/** Counts the newest hits of words, at most `limit`. `oldest`: when the oldest of the counted hits was taken. */
export const newestHits = (match: string, limit: number) =>
  bound(
    { ...n, oldest: numberOrNull('oldest') },
    sql`SELECT count(*) AS n, min(rowid >> 28) AS oldest FROM
        (SELECT rowid FROM item_text WHERE item_text MATCH ${match} ORDER BY rowid DESC LIMIT ${raw(String(limit))})`,
  )

export const countOfRows = (rows: Fragment) => bound(n, sql`SELECT count(*) AS n FROM (${rows})`)

/** Counts each of the months (as JSON, [[ym, from, to], …]) by a statement with the range 'month'. */
export const countByMonth = (count: Fragment, months: string) =>
  bound(n, sql`SELECT (${count}) AS n FROM json_each(${months}) AS m`)
