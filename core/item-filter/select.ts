/** SELECT statements for the branches of a plan: which items, in which order, or how many. Texts are few, values are bound. */
import { type Fragment, idsIn, joined, raw, sql } from '../sql-fragment.ts'
import { boxOf, conditionOf, type RowAt } from './condition.ts'
import { firstMoment, type KeyFilter, lastMoment } from './filter.ts'
import { conjuncts, type Frame, inFrame } from './frame.ts'
import { type Branch, isPartition, streamsOf } from './plan.ts'

/** A place between items: before the item of this time and id, or after it. */
export interface Edge {
  taken: number
  id: number
}

/** Candidates strictly between two edges; or those of the month at hand, in a statement that goes through months `m`. */
export interface Edges {
  low: Edge
  high: Edge
}
export type Stretch = Edges | 'month'

/** The stretch of a frame: ids begin at 1, so (from, 0) is before every item taken then. */
export function stretchOf({ from, to }: Pick<Frame, 'from' | 'to'>): Edges {
  return { low: { taken: from, id: 0 }, high: { taken: to, id: 0 } }
}

function isBefore(a: Edge, b: Edge): boolean {
  return a.taken < b.taken || (a.taken === b.taken && a.id < b.id)
}

/** The edges of a stretch, or of a branch's own frame where that is narrower. */
function narrower(frame: Frame, stretch: Edges): Edges {
  const own = stretchOf(frame)
  return {
    low: isBefore(stretch.low, own.low) ? own.low : stretch.low,
    high: isBefore(own.high, stretch.high) ? own.high : stretch.high,
  }
}

/**
 * The condition that a candidate of a branch lies in the stretch, and in the branch's own frame where that is narrower.
 * No more is compared than must be: the condition is looked at for every candidate.
 */
function between(frame: Frame, stretch: Stretch, taken: string, id: string): Fragment {
  const at = raw(taken)
  if (stretch === 'month') {
    const isWhole = frame.from <= firstMoment && frame.to >= lastMoment
    // The month is what the index is searched by; another condition that it could choose is kept from it by '+'.
    const also = isWhole ? raw('') : sql` AND +${at} >= ${frame.from} AND +${at} < ${frame.to}`
    return sql`${at} >= (m.value ->> 1) AND ${at} < (m.value ->> 2)${also}`
  }
  const { low, high } = narrower(frame, stretch)
  const both = raw(`(${taken}, ${id})`)
  const conditions: Fragment[] = []
  if (low.id !== 0) conditions.push(sql`${both} > (${low.taken}, ${low.id})`)
  else if (low.taken > firstMoment) conditions.push(sql`${at} >= ${low.taken}`)
  if (high.id !== 0) conditions.push(sql`${both} < (${high.taken}, ${high.id})`)
  else if (high.taken < lastMoment) conditions.push(sql`${at} < ${high.taken}`)
  return conditions.length === 0 ? raw('1') : joined(conditions, ' AND ')
}

/** The same by the number of a row in the search index, which is taken * 2^28 + id. */
function rowidBetween(frame: Frame, stretch: Edges): Fragment {
  const { low, high } = narrower(frame, stretch)
  return sql`t.rowid > ${low.taken} * 268435456 + ${low.id} AND t.rowid < ${high.taken} * 268435456 + ${high.id}`
}

/** The parts of a SELECT, before it is known what is wanted of it. */
interface Body {
  taken: Fragment
  id: Fragment
  from: Fragment
  where: Fragment
  /** The order that its index gives: '' where it must be sorted. */
  order: '' | 'taken' | 'rowid'
}

const itemsRow: RowAt = {
  taken: raw('i.taken'),
  id: raw('i.id'),
  collection: raw('i.collection_id'),
  items: () => raw('i'),
}

/** Fewer candidates than this are asked one by one whether the search index has them. */
const fewCandidates = 2000

function options(branch: Branch) {
  return { fewRows: branch.driver.by === 'key' && branch.candidates() <= fewCandidates, times: branch.frame }
}

function keyBody(branch: Branch, key: number, tags: number, stretch: Stretch): Body {
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
  const condition = conditionOf(branch.rest, row, options(branch))
  return {
    taken: row.taken,
    id: row.id,
    from: raw(joinItems ? 'keyed AS k CROSS JOIN items AS i ON i.id = k.item_id' : 'keyed AS k'),
    where: sql`k.key = ${key} AND k.tags & ${tags} AND ${inFrame(branch.frame, 'k')}
      AND ${between(branch.frame, stretch, 'k.taken', 'k.item_id')} AND ${condition}`,
    order: 'taken',
  }
}

function textBody(branch: Branch, match: string, stretch: Stretch): Body {
  if (stretch === 'month') throw new Error('words are counted by month in one pass')
  return {
    taken: itemsRow.taken,
    id: itemsRow.id,
    // The index of dates has all that is needed to know whether a hit is seen, in a tenth of the room of the rows.
    from: sql`item_text AS t CROSS JOIN items AS i INDEXED BY items_taken
      ON ${inFrame(branch.frame, 'i')} AND i.taken = t.rowid >> 28 AND i.id = t.rowid & 268435455`,
    where: sql`t.item_text MATCH ${match} AND ${rowidBetween(branch.frame, stretch)}
      AND ${conditionOf(branch.rest, itemsRow, options(branch))}`,
    order: 'rowid',
  }
}

function itemsBody(branch: Branch, index: string, where: Fragment, stretch: Stretch): Body {
  return {
    taken: itemsRow.taken,
    id: itemsRow.id,
    from: raw(`items AS i INDEXED BY ${index}`),
    where: sql`${where} AND ${between(branch.frame, stretch, 'i.taken', 'i.id')} AND ${conditionOf(branch.rest, itemsRow, options(branch))}`,
    order: '',
  }
}

/** For indexes that begin with the collection. */
function collectionsOf({ collections }: Frame): Fragment {
  return collections === 'all' ? raw('(SELECT id FROM collections)') : idsIn(collections)
}

function bodyOf(branch: Branch, stretch: Stretch): Body {
  const { driver, frame } = branch
  switch (driver.by) {
    case 'key':
      return keyBody(branch, driver.key, driver.tags, stretch)
    case 'text':
      return textBody(branch, driver.match, stretch)
    case 'added':
      return itemsBody(
        branch,
        'items_added',
        sql`i.collection_id IN ${collectionsOf(frame)} AND ${inFrame({ ...frame, collections: 'all' }, 'i')}
          AND i.added >= ${driver.added.from} AND i.added < ${driver.added.to}`,
        stretch,
      )
    case 'near': {
      const { latitudes } = boxOf(driver.near)
      const state = inFrame({ ...frame, collections: 'all' }, 'i')
      return itemsBody(
        branch,
        'items_place',
        sql`i.collection_id IN ${collectionsOf(frame)} AND i.latitude BETWEEN ${latitudes[0]} AND ${latitudes[1]} AND ${state}
          AND ${conditionOf(driver.near, itemsRow, { fewRows: false })}`,
        stretch,
      )
    }
    case 'items': {
      const index = frame.collections === 'all' ? 'items_taken' : 'items_collection_taken'
      return itemsBody(branch, index, inFrame(frame, 'i'), stretch)
    }
  }
}

/** A stream of one partition: unlike a branch by items, it comes in order. */
function partitionBody(branch: Branch, stretch: Stretch): Body {
  const { collections, states } = branch.frame
  const [state] = states
  const one = collections !== 'all' && collections.length === 1 ? collections[0] : undefined
  const inPartition = raw(`i.state = ${state}`)
  const where =
    one !== undefined
      ? sql`i.collection_id = ${one} AND ${inPartition}`
      : collections === 'all'
        ? inPartition
        : sql`${inPartition} AND i.collection_id IN ${idsIn(collections)}`
  return {
    ...itemsBody(branch, one === undefined ? 'items_taken' : 'items_collection_taken', where, stretch),
    order: 'taken',
  }
}

function streamBody(branch: Branch, stretch: Stretch): Body {
  return branch.driver.by === 'items' ? partitionBody(branch, stretch) : bodyOf(branch, stretch)
}

/** Where a page starts and how long it is. */
export interface Slice {
  descending: boolean
  limit: number
  offset: number
}

/**
 * `SELECT value, id` (value is `taken`) of a page of the branches' items, in the order of taken and id. Streams that come in order are
 * merged without sorting, and no more of them is read than the page needs.
 */
export function pageSelect(
  branches: readonly Branch[],
  stretch: Stretch,
  slice: Slice,
  { disjoint = branches.length === 1 }: { disjoint?: boolean } = {},
): Fragment {
  const way = raw(slice.descending ? 'DESC' : 'ASC')
  const end = sql`LIMIT ${slice.limit} OFFSET ${slice.offset}`
  const streams = streamsOf(branches)
  const bodies = streams.map(stream => streamBody(stream, stretch))
  const [only] = bodies
  if (only === undefined) return sql`SELECT 0 AS value, 0 AS id WHERE 0`
  const selectOf = ({ taken, id, from, where }: Body) =>
    sql`SELECT ${taken} AS value, ${id} AS id FROM ${from} WHERE ${where}`
  const orderOf = ({ taken, id, order }: Body) =>
    order === 'rowid' ? sql`ORDER BY t.rowid ${way}` : sql`ORDER BY ${taken} ${way}, ${id} ${way}`
  if (bodies.length === 1) return sql`${selectOf(only)} ${orderOf(only)} ${end}`
  // Partitions share no item; other branches may.
  const union = disjoint && streams.every(isPartition) ? ' UNION ALL ' : ' UNION '
  const parts = bodies.map(body =>
    body.order === 'taken'
      ? selectOf(body)
      : sql`SELECT value, id FROM (${selectOf(body)} ${orderOf(body)} LIMIT ${slice.limit + slice.offset})`,
  )
  return sql`${joined(parts, union)} ORDER BY 1 ${way}, 2 ${way} ${end}`
}

/** Another condition by key that nearly as many items have: going through both in step beats looking each up. */
export interface InStep {
  filter: KeyFilter
  key: number
  negated: boolean
}

/** One number `n`: how many items the branches have between the edges. `inStep` only with a single branch by key. */
export function countSelect(branches: readonly Branch[], stretch: Stretch, inStep: readonly InStep[] = []): Fragment {
  const [only] = branches
  if (only === undefined) return sql`SELECT 0 AS n`
  const bodies =
    branches.length === 1 ? [bodyOf(only, stretch)] : streamsOf(branches).map(stream => streamBody(stream, stretch))
  const selectOf = ({ taken, id, from, where }: Body) =>
    sql`SELECT ${taken} AS value, ${id} AS id FROM ${from} WHERE ${where}`
  const [body] = bodies
  if (body === undefined) return sql`SELECT 0 AS n`
  if (bodies.length === 1 && inStep.length === 0) {
    return sql`SELECT count(*) AS n FROM ${body.from} WHERE ${body.where}`
  }
  const others = inStep.map(
    ({ filter, key, negated }) => sql`${raw(negated ? 'EXCEPT' : 'INTERSECT')} SELECT k.taken, k.item_id FROM keyed AS k
      WHERE k.key = ${key} AND k.tags & ${filter.tags} AND ${between(only.frame, stretch, 'k.taken', 'k.item_id')}`,
  )
  const compound = joined([joined(bodies.map(selectOf), ' UNION '), ...others], ' ')
  return sql`SELECT count(*) AS n FROM (${compound} ORDER BY 1 DESC, 2 DESC)`
}

/** Days since 1970 may be less than none; SQLite would round those towards it. */
const daysBefore = 200_000

/**
 * Rows of `day, n`: how many items of each day (since 1970) the branches have, from one pass over all of them. By day, as
 * telling the month of every item takes longer than everything else.
 */
export function daysSelect(branches: readonly Branch[], stretch: Stretch): Fragment {
  const parts = branches.map(branch => {
    const { taken, id, from, where } = bodyOf(branch, stretch)
    return sql`SELECT ${taken} AS value, ${id} AS id FROM ${from} WHERE ${where}`
  })
  const before = raw(String(daysBefore * 86_400))
  return sql`SELECT (value + ${before}) / 86400 - ${raw(String(daysBefore))} AS day, count(*) AS n
    FROM (${joined(parts, ' UNION ')}) GROUP BY 1`
}

/** The conditions of a branch by key that may go in step with it, and the branch without them. */
export function partedInStep(
  branch: Branch,
  liveKeys: (filter: KeyFilter, frame: Frame) => { key: number; n: number }[],
): { branch: Branch; inStep: InStep[] } {
  if (branch.driver.by !== 'key') return { branch, inStep: [] }
  const inStep: InStep[] = []
  const rest = conjuncts(branch.rest).filter(part => {
    const filter = part.is === 'not' ? part.of : part
    if (filter.is !== 'key') return true
    const [live, ...more] = liveKeys(filter, branch.frame)
    // A step costs about a quarter of a look-up.
    if (live === undefined || more.length > 0 || live.n > 4 * branch.candidates()) return true
    inStep.push({ filter, key: live.key, negated: part.is === 'not' })
    return false
  })
  return { branch: { ...branch, rest: rest.length === 0 ? { is: 'everything' } : { is: 'and', of: rest } }, inStep }
}
