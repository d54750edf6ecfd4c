/** Queries of the history's steps, by their parts and by their rows. */
import { albums } from '../../schema/tables/albums.ts'
import { history, historyParts } from '../../schema/tables/changes.ts'
import { items } from '../../schema/tables/items.ts'
import { users } from '../../schema/tables/users.ts'
import { pendingHide } from '../../schema/tables/vocabulary.ts'
import { bound } from '../filter/bound.ts'
import { hiddenItemCondition } from '../filter/seen-items.sql.ts'
import { columns } from '../kernel/database/columns.ts'
import { type Fragment, raw, sql } from '../kernel/database/sql-fragment.ts'
import { type Expression, number, select } from '../kernel/database/statement.ts'

export const partsOfStep = select(
  columns(historyParts, 'operation', 'collectionId', 'userId', 'ofItems', 'at', 'n', 'undone', 'items'),
  'FROM history_parts WHERE step = ? ORDER BY first_id',
)

/** Joins the hidden items. Their index lacks items that a running job has not marked yet, so it is not used then. */
const joinHidden = (isMarking: boolean) =>
  isMarking
    ? raw(`JOIN items AS i ON i.id = h.item_id AND ${hiddenItemCondition}`)
    : raw('JOIN items AS i INDEXED BY items_hidden ON i.hidden_by > 0 AND i.id = h.item_id')

/** Condition on `history AS h`: its item is not hidden, or the reader may see hidden items. */
const unhidden = (leavesOutHidden: boolean) =>
  raw(leavesOutHidden ? `NOT EXISTS (SELECT 1 FROM items AS i WHERE i.id = h.item_id AND ${hiddenItemCondition})` : '1')

/** The share of hidden items in the parts of a step. `isMarking`: a job is marking hidden items at the moment. */
export const hiddenParts = (step: string, isMarking: boolean) =>
  bound(
    columns(historyParts, 'operation', 'collectionId', 'userId', 'n', 'undone', 'items'),
    sql`SELECT h.operation, coalesce(h.collection_id, 0) AS collectionId,
        coalesce(h.user_id, 0) AS userId, count(*) AS n, count(h.undone_by) AS undone,
        sum(NOT EXISTS (SELECT 1 FROM history AS first
          WHERE first.step = h.step AND first.item_id = h.item_id AND first.id < h.id)) AS items
      FROM history AS h CROSS ${joinHidden(isMarking)} WHERE h.step = ${step} GROUP BY 1, 2, 3`,
  )

export const anyBeingHidden = select({ id: pendingHide.keystringId }, 'FROM pending_hide LIMIT 1')

const fromCollection: Expression<unknown> = {
  expression: "CASE WHEN json_valid(before) THEN before ->> '$.collection' END",
}
export const sourceCollections = select({ id: fromCollection }, 'FROM history WHERE step = ? AND operation = ?', {
  distinct: true,
})

/** An existing item of a step whose change is not undone. */
export const itemToUndo = (step: string, leavesOutHidden: boolean) =>
  bound(
    { id: items.id },
    sql`SELECT items.id FROM history AS h JOIN items ON items.id = h.item_id
      WHERE h.step = ${step} AND h.undone_by IS NULL AND ${unhidden(leavesOutHidden)} LIMIT 1`,
  )
export const itemOfStep = (step: string, leavesOutHidden: boolean) =>
  bound(
    { id: number('id') },
    sql`SELECT h.item_id AS id FROM history AS h
      WHERE h.step = ${step} AND h.item_id IS NOT NULL AND ${unhidden(leavesOutHidden)} LIMIT 1`,
  )

const sources = {
  parts: { table: raw('history_parts'), id: raw('newest_id') },
  rows: { table: raw('history'), id: raw('id') },
}
/** The newest row below an id: of the parts of steps (`parts`), or of the history itself (`rows`). */
export function rowBefore(which: keyof typeof sources, before: number, request: Fragment) {
  const { table, id } = sources[which]
  return bound(
    { id: history.id, step: history.step },
    sql`SELECT ${id} AS id, step FROM ${table} WHERE ${id} < ${before} AND ${request} ORDER BY ${id} DESC LIMIT 1`,
  )
}
export function newestRow(which: keyof typeof sources, step: string, request: Fragment) {
  const { table, id } = sources[which]
  return bound({ id: history.id }, sql`SELECT max(${id}) AS id FROM ${table} WHERE step = ${step} AND ${request}`)
}

/** Prepared statements: a list runs them for each step, and building them each time would double its duration. */
export const itemName = select(columns(items, 'id', 'name'), 'FROM items WHERE id = ?')
export const undoneByStep = select(columns(history, 'id'), 'FROM history WHERE undone_by = ? LIMIT 1')
export const usernameOf = select(columns(users, 'username'), 'FROM users WHERE id = ?')

/** The album that a step changed. */
export const albumOfStep = select(
  columns(albums, 'id', 'name'),
  `FROM history AS h JOIN albums ON albums.id = coalesce(h.after ->> 'id', h.before ->> 'id')
    WHERE h.step = ? AND h.operation LIKE 'album.%' LIMIT 1`,
)

/** Current names of a step's items, in the order of its rows. */
export const namesOfStep = select(
  { id: items.id, name: items.name },
  `FROM (SELECT item_id, min(id) AS at FROM history WHERE step = ? AND item_id IS NOT NULL
     GROUP BY item_id ORDER BY at LIMIT ?) AS own JOIN items ON items.id = own.item_id ORDER BY own.at`,
)
