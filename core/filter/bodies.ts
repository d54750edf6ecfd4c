/** The SQL parts of a plan's branches: where candidates are read, between which dates, on which condition. */
import { type Fragment, idsIn, joined, raw, sql } from '../kernel/database/sql-fragment.ts'
import { boxOf, conditionOf, itemsRow, type RowAt } from './condition.ts'
import { firstMoment, lastMoment } from './filter.ts'
import { type Frame, inFrame } from './frame.ts'
import type { Branch } from './plan.ts'

/** A limit in the order by time and id. */
interface Edge {
  taken: number
  id: number
}

/** The candidates strictly between two edges. */
export interface Edges {
  low: Edge
  high: Edge
}
/** Which candidates are read. 'month': those of the current month, in a statement that loops over months `m`. */
export type Range = Edges | 'month'

/** The range of a frame: ids begin at 1, so (from, 0) is before every item taken then. */
export function rangeOfFrame({ from, to }: Pick<Frame, 'from' | 'to'>): Edges {
  return { low: { taken: from, id: 0 }, high: { taken: to, id: 0 } }
}

function isBefore(a: Edge, b: Edge): boolean {
  return a.taken < b.taken || (a.taken === b.taken && a.id < b.id)
}

function rangeInFrame(frame: Frame, range: Edges): Edges {
  const ofFrame = rangeOfFrame(frame)
  return {
    low: isBefore(range.low, ofFrame.low) ? ofFrame.low : range.low,
    high: isBefore(ofFrame.high, range.high) ? ofFrame.high : range.high,
  }
}

/** Condition that a candidate is in the range, and in the times of the branch's frame if these are rangeInFrame. */
export function between(frame: Frame, range: Range, taken: string, id: string): Fragment {
  const at = raw(taken)
  if (range === 'month') {
    const isWhole = frame.from <= firstMoment && frame.to >= lastMoment
    // The index is searched by month; '+' keeps the planner from choosing another condition.
    const inFrameTimes = isWhole ? raw('') : sql` AND +${at} >= ${frame.from} AND +${at} < ${frame.to}`
    return sql`${at} >= (m.value ->> 1) AND ${at} < (m.value ->> 2)${inFrameTimes}`
  }
  const { low, high } = rangeInFrame(frame, range)
  const both = raw(`(${taken}, ${id})`)
  const conditions: Fragment[] = []
  if (low.id !== 0) conditions.push(sql`${both} > (${low.taken}, ${low.id})`)
  else if (low.taken > firstMoment) conditions.push(sql`${at} >= ${low.taken}`)
  if (high.id !== 0) conditions.push(sql`${both} < (${high.taken}, ${high.id})`)
  else if (high.taken < lastMoment) conditions.push(sql`${at} < ${high.taken}`)
  return conditions.length === 0 ? raw('1') : joined(conditions, ' AND ')
}

/** Like `between`, for `number`: the number of a row in the search index, which is taken * 2^28 + id. */
export function numberBetween({ low, high }: Edges, number: string): Fragment {
  const at = raw(number)
  return sql`${at} > ${low.taken} * 268435456 + ${low.id} AND ${at} < ${high.taken} * 268435456 + ${high.id}`
}

/** The parts of a SELECT without its columns. */
export interface Body {
  taken: Fragment
  id: Fragment
  from: Fragment
  where: Fragment
  /** The order in which the index gives the candidates; '' if they must be sorted. */
  order: '' | 'taken' | 'rowid'
  /** The same item may occur more than once. */
  repeats: boolean
}

const fewCandidates = 2000

function options(branch: Branch) {
  return { fewRows: branch.driver.by === 'key' && branch.candidates() <= fewCandidates, times: branch.frame }
}

function keyBody(branch: Branch, keys: readonly number[], tags: number, range: Range): Body {
  let joinItems = false
  const row: RowAt = {
    taken: raw('k.taken'),
    id: raw('k.item_id'),
    collection: raw('k.collection_id'),
    items() {
      joinItems = true
      return raw('i')
    },
  }
  const [key] = keys
  const isOne = keys.length === 1 && key !== undefined
  const condition = conditionOf(branch.rest, row, options(branch))
  const items = raw(joinItems ? ' CROSS JOIN items AS i ON i.id = k.item_id' : '')
  return {
    taken: row.taken,
    id: row.id,
    from: isOne ? sql`keyed AS k${items}` : sql`json_each(${JSON.stringify(keys)}) AS j CROSS JOIN keyed AS k${items}`,
    where: sql`k.key = ${isOne ? sql`${key}` : raw('j.value')} AND k.tags & ${tags} AND ${inFrame(branch.frame, 'k')}
      AND ${between(branch.frame, range, 'k.taken', 'k.item_id')} AND ${condition}`,
    order: isOne ? 'taken' : '',
    repeats: !isOne,
  }
}

function textBody(branch: Branch, match: string, range: Range): Body {
  if (range === 'month') throw new Error('words are counted by month in one pass')
  return {
    taken: itemsRow.taken,
    id: itemsRow.id,
    // The index of dates has all that is needed to know whether a hit is visible, at a tenth of the size of the rows.
    from: sql`item_text AS t CROSS JOIN items AS i INDEXED BY items_taken
      ON ${inFrame(branch.frame, 'i')} AND i.taken = t.rowid >> 28 AND i.id = t.rowid & 268435455`,
    where: sql`t.item_text MATCH ${match} AND ${numberBetween(rangeInFrame(branch.frame, range), 't.rowid')}
      AND ${conditionOf(branch.rest, itemsRow, options(branch))}`,
    order: 'rowid',
    repeats: false,
  }
}

function itemsBody(branch: Branch, index: string, where: Fragment, range: Range): Body {
  return {
    taken: itemsRow.taken,
    id: itemsRow.id,
    from: raw(`items AS i INDEXED BY ${index}`),
    where: sql`${where} AND ${between(branch.frame, range, 'i.taken', 'i.id')} AND ${conditionOf(branch.rest, itemsRow, options(branch))}`,
    order: '',
    repeats: false,
  }
}

function streamBody(branch: Branch, state: number, collection: number | null, range: Range): Body {
  const { collections } = branch.frame
  // States are constants; as text instead of bound values they let the planner use the index.
  const inState = raw(`i.state = ${state}`)
  const where =
    collection !== null
      ? sql`i.collection_id = ${collection} AND ${inState}`
      : collections === 'all'
        ? inState
        : sql`${inState} AND i.collection_id IN ${idsIn(collections)}`
  return {
    ...itemsBody(branch, collection === null ? 'items_taken' : 'items_collection_taken', where, range),
    order: 'taken',
  }
}

/** Items of all collections in these states, which are hidden, recycled or missing. */
export function unlistedBody(states: readonly number[], range: Edges): Body {
  return {
    taken: itemsRow.taken,
    id: itemsRow.id,
    from: raw('items AS i INDEXED BY items_unlisted'),
    // The first condition is that of the partial index: without it SQLite does not use the index.
    where: sql`i.state IN (1, 2, 3) AND ${raw(`i.state IN (${states.join(', ')})`)}
      AND ${numberBetween(range, 'i.taken * 268435456 + i.id')}`,
    order: 'rowid',
    repeats: false,
  }
}

function collectionsOf({ collections }: Frame): Fragment {
  return collections === 'all' ? raw('(SELECT id FROM collections)') : idsIn(collections)
}

export function bodyOf(branch: Branch, range: Range): Body {
  const { driver, frame } = branch
  switch (driver.by) {
    case 'key':
      return keyBody(branch, [driver.key], driver.tags, range)
    case 'keys':
      return keyBody(branch, driver.keys, driver.tags, range)
    case 'stream':
      return streamBody(branch, driver.state, driver.collection, range)
    case 'text':
      return textBody(branch, driver.match, range)
    case 'added':
      return itemsBody(
        branch,
        'items_added',
        sql`i.collection_id IN ${collectionsOf(frame)} AND ${inFrame({ ...frame, collections: 'all' }, 'i')}
          AND i.added >= ${driver.added.from} AND i.added < ${driver.added.to}`,
        range,
      )
    case 'folder':
      return itemsBody(
        branch,
        'items_dir',
        sql`i.dir_id IN ${idsIn(driver.folder.dirs)} AND ${inFrame(frame, 'i')}`,
        range,
      )
    case 'near': {
      const { latitudes } = boxOf(driver.area)
      const state = inFrame({ ...frame, collections: 'all' }, 'i')
      return itemsBody(
        branch,
        'items_place',
        sql`i.collection_id IN ${collectionsOf(frame)} AND i.latitude BETWEEN ${latitudes[0]} AND ${latitudes[1]} AND ${state}
          AND ${conditionOf(driver.area, itemsRow, { fewRows: false })}`,
        range,
      )
    }
    case 'items': {
      const index = frame.collections === 'all' ? 'items_taken' : 'items_collection_taken'
      return itemsBody(branch, index, inFrame(frame, 'i'), range)
    }
  }
}
