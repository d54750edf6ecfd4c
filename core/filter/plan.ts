/**
 * Chooses what a filtered list is driven by: the rarest thing that every item of it must have. A plan is a few branches,
 * each a stream of candidates with a condition; an item is listed when any branch has it.
 */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Fragment, sql } from '../kernel/database/sql-fragment.ts'
import { boxOf } from './condition.ts'
import { type AddedFilter, type AreaFilter, all, any, type Filter, type KeyFilter, not } from './filter.ts'
import { type Asked, type Frame, inFrame, monthsInFrame, narrowed, restWithMonths } from './frame.ts'
import { matchOf } from './words.ts'

/** What a branch's candidates come from, each by the index that has them. */
export type Driver =
  | { by: 'key'; key: number; tags: number }
  | { by: 'text'; match: string }
  | { by: 'near'; area: AreaFilter }
  | { by: 'added'; added: AddedFilter }
  /** Any of these keys: not in the order of dates, and an item may come more than once. */
  | { by: 'keys'; keys: readonly number[]; tags: number }
  /** All items of the frame; read as one or more streams (see `streamsOf`). */
  | { by: 'items' }
  /** Those of one state, and of one collection or all of the frame's, in the order of dates. */
  | { by: 'stream'; state: number; collection: number | null }

export interface Branch {
  driver: Driver
  frame: Frame
  /** What else must hold of a candidate. */
  rest: Filter
  /** About how many candidates there are; never more than `most` is counted. */
  candidates(): number
}

/** More branches than this are not merged: many keys are gathered and sorted, and of many others every item is looked at. */
const mostBranches = 60

/** Counting candidates for a plan ends here. */
export const most = 20_000

/** How much dearer a candidate is than one by key, which comes in order and knows its collection and state. */
const weights: Record<Driver['by'], number> = { key: 1, keys: 2, text: 2, near: 2, added: 2, items: 2, stream: 2 }

/** Asking the search index whether it has a candidate costs as much as so many candidates by key. */
const wordsWeight = 75

/** Places and arrivals of which `most` were counted are likely many more; all of them would be gathered and sorted. */
function supposed({ driver, candidates }: Branch): number {
  const n = candidates()
  return n >= most && (driver.by === 'near' || driver.by === 'added') ? 10 * most : n
}

function once(work: () => number): () => number {
  let known: number | null = null
  return () => {
    known ??= work()
    return known
  }
}

export function createPlanner(db: LibraryDatabase) {
  function atMost(text: string, values: readonly (string | number | null)[], end: number = most): number {
    return db.get<{ n: number }>(`SELECT count(*) AS n FROM (${text} LIMIT ${end})`, ...values)?.n ?? 0
  }

  /** Which keys of a condition have items in the frame, and how many, whenever they were taken. */
  function liveKeys({ keys, tags }: KeyFilter, frame: Frame): { key: number; n: number }[] {
    const { text, values } = sql`SELECT c.key, sum(c.n) AS n FROM json_each(${JSON.stringify(keys)}) AS j
      CROSS JOIN key_count AS c ON c.key = j.value
      WHERE ${inFrame(frame, 'c')} AND c.tags & ${tags} GROUP BY c.key`
    return db.all<{ key: number; n: number }>(text, ...values)
  }

  function countOfText(match: string): number {
    return atMost('SELECT 1 FROM item_text WHERE item_text MATCH ?', [match])
  }

  /** The index is read for all longitudes between the latitudes: that is what it costs. */
  function countOfArea(area: AreaFilter, end: number = most): number {
    const { latitudes } = boxOf(area)
    return atMost(
      `SELECT 1 FROM collections AS c CROSS JOIN items AS i INDEXED BY items_place ON i.collection_id = c.id
       WHERE i.latitude BETWEEN ? AND ?`,
      latitudes,
      end,
    )
  }

  function countOfAdded({ from, to }: AddedFilter): number {
    return atMost(
      `SELECT 1 FROM collections AS c CROSS JOIN items AS i INDEXED BY items_added ON i.collection_id = c.id
       WHERE i.state IN (0, 1, 2, 3) AND i.added >= ? AND i.added < ?`,
      [from, to],
    )
  }

  function countOfItems(frame: Frame): number {
    return monthsInFrame(db, frame, null).reduce((sum, { n }) => sum + n, 0)
  }

  function branch(driver: Driver, frame: Frame, rest: Filter, candidates: () => number): Branch {
    return { driver, frame, rest, candidates: once(candidates) }
  }

  function drivenByAny(parts: readonly Filter[], frame: Frame): Branch[] | null {
    // Alternatives in words are one question to the search index.
    const words = any(parts.filter(part => matchOf(part) !== null))
    const branches: Branch[] = []
    for (const part of [words, ...parts.filter(part => matchOf(part) === null)]) {
      const found = driven(part, frame)
      if (found === null) return null
      branches.push(...found)
    }
    return branches.length > mostBranches ? null : branches
  }

  /** The cheapest way to all items for which every part holds; the other parts become conditions. */
  function drivenByAll(given: readonly Filter[], wide: Frame): Branch[] | null {
    const { frame, parts } = narrowed(wide, given)
    const inWords = parts.filter(part => matchOf(part) !== null || (part.is === 'not' && matchOf(part.of) !== null))
    const words = all(inWords)
    const asked = matchOf(words) === null ? parts : [words, ...parts.filter(part => !inWords.includes(part))]
    const ways = asked.flatMap(part => {
      const branches = driven(part, frame)
      return branches === null ? [] : [{ part, branches }]
    })
    if (frame.from !== wide.from || frame.to !== wide.to || frame.collections !== wide.collections) {
      ways.push({
        part: { is: 'everything' },
        branches: [branch({ by: 'items' }, frame, all([]), () => countOfItems(frame))],
      })
    }
    const [first, ...others] = ways
    if (first === undefined) return null
    const cost = ({ part, branches }: (typeof ways)[number]) => {
      const asksWords = asked.some(other => other !== part && matchOf(other) !== null)
      return branches.reduce(
        (sum, branch) => sum + (weights[branch.driver.by] + (asksWords ? wordsWeight : 0)) * supposed(branch),
        0,
      )
    }
    let best = first
    if (others.length > 0) {
      let least = cost(first)
      for (const way of others) {
        const needed = cost(way)
        if (needed >= least) continue
        best = way
        least = needed
      }
    }
    const conditions = asked.filter(part => part !== best.part)
    return best.branches.map(found => ({ ...found, rest: all([...conditions, found.rest]) }))
  }

  /** Streams of candidates for a condition; null when only looking at every item would find them. */
  function driven(filter: Filter, frame: Frame): Branch[] | null {
    const match = matchOf(filter)
    if (match !== null) return [branch({ by: 'text', match }, frame, all([]), () => countOfText(match))]
    switch (filter.is) {
      case 'nothing':
        return []
      case 'key': {
        const live = liveKeys(filter, frame)
        if (live.length > mostBranches) {
          const keys = live.map(({ key }) => key)
          const candidates = () => live.reduce((sum, { n }) => sum + n, 0)
          return [branch({ by: 'keys', keys, tags: filter.tags }, frame, all([]), candidates)]
        }
        return live.map(({ key, n }) => branch({ by: 'key', key, tags: filter.tags }, frame, all([]), () => n))
      }
      case 'near':
      case 'box':
        return [branch({ by: 'near', area: filter }, frame, all([]), () => countOfArea(filter))]
      case 'added':
        return [branch({ by: 'added', added: filter }, frame, all([]), () => countOfAdded(filter))]
      case 'taken':
      case 'collection':
        return drivenByAll([filter], frame)
      case 'or':
        return drivenByAny(filter.of, frame)
      case 'and':
        return drivenByAll(filter.of, frame)
      default:
        return null
    }
  }

  return {
    liveKeys,
    countOfItems,
    countOfArea,
    driven,

    /** The frame with its collections named. */
    split(frame: Frame): Frame & { collections: readonly number[] } {
      const { collections } = frame
      if (collections !== 'all') return { ...frame, collections }
      return { ...frame, collections: db.all<{ id: number }>('SELECT id FROM collections').map(({ id }) => id) }
    },

    /** The first row's value of a page; null where there is none. */
    first({ text, values }: Fragment): number | null {
      return db.get<{ value: number }>(text, ...values)?.value ?? null
    },

    /** Branches for what is asked; null when every item of the frame is looked at. */
    plan: (asked: Asked): Branch[] | null => driven(restWithMonths(asked), asked.frame),

    /** Branches for the frame's items of which the rest does not hold. */
    planOthers: (asked: Asked): Branch[] | null =>
      driven(restWithMonths({ ...asked, rest: not(asked.rest) }), asked.frame),
  }
}

export type Planner = ReturnType<typeof createPlanner>
