/**
 * Chooses which condition drives a filtered list: the rarest one that every item of the list must satisfy. A plan is a
 * few branches, each a stream of candidates with a condition; an item is listed if it is in any branch.
 */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { allOf, type Bound, firstOf } from './bound.ts'
import { boxOf } from './condition.ts'
import { countBetweenLatitudes, countInFolder, countOfAdded, countOfText, keyCounts } from './counts.sql.ts'
import {
  type AddedFilter,
  type AreaFilter,
  all,
  any,
  everything,
  type Filter,
  type FolderFilter,
  type KeyFilter,
  not,
} from './filter.ts'
import { type Frame, narrowed, type Request, restWithMonths } from './frame.ts'
import { monthsInFrame, sumOf } from './month-counts.ts'
import { collectionIds } from './seen-items.sql.ts'
import { matchOf } from './words.ts'

/** Where the candidates of a branch come from; every kind has its own index. */
export type Driver =
  | { by: 'key'; key: number; tags: number }
  | { by: 'text'; match: string }
  | { by: 'near'; area: AreaFilter }
  | { by: 'added'; added: AddedFilter }
  | { by: 'folder'; folder: FolderFilter }
  /** Any of these keys: not in the order of dates, and an item may occur more than once. */
  | { by: 'keys'; keys: readonly number[]; tags: number }
  /** All items of the frame; read as one or more streams (see `streamsOf`). */
  | { by: 'items' }
  /** Items of one state, and of one or all of the frame's collections, in the order of dates. */
  | { by: 'stream'; state: number; collection: number | null }

export interface Branch {
  driver: Driver
  frame: Frame
  rest: Filter
  /** Estimated number of candidates; never more than `mostCandidates` is counted. */
  candidates(): number
}

/** More branches than this are not merged: keys are sorted instead; for other alternatives every item is read. */
const maxBranches = 60

/** Candidates are counted up to this number only. */
export const mostCandidates = 20_000

/** Relative cost of a candidate against one by key, which comes in order with its collection and state. */
const weights: Record<Driver['by'], number> = {
  key: 1,
  keys: 2,
  text: 2,
  near: 2,
  added: 2,
  folder: 2,
  items: 2,
  stream: 2,
}

/** Checking a candidate against the search index costs as much as this many candidates by key. */
const wordsWeight = 75

/**
 * Estimated candidates of a branch. If those by place, arrival or folder reach `mostCandidates`, there are probably many
 * more, all of which would be collected and sorted.
 */
function supposed({ driver, candidates }: Branch): number {
  const n = candidates()
  return n >= mostCandidates && ['near', 'added', 'folder'].includes(driver.by) ? 10 * mostCandidates : n
}

function once(work: () => number): () => number {
  let known: number | null = null
  return () => {
    known ??= work()
    return known
  }
}

function branch(driver: Driver, frame: Frame, candidates: () => number): Branch {
  return { driver, frame, rest: everything, candidates: once(candidates) }
}

/** Which keys of a condition have items in the frame, and how many, regardless of their date. */
function liveKeys(db: LibraryDatabase, filter: KeyFilter, frame: Frame) {
  return allOf(db, keyCounts(filter, frame))
}

function countOfArea(db: LibraryDatabase, area: AreaFilter, end: number = mostCandidates): number {
  return firstOf(db, countBetweenLatitudes(boxOf(area).latitudes, end))?.n ?? 0
}

function countOfItems(db: LibraryDatabase, frame: Frame): number {
  return sumOf(monthsInFrame(db, frame, null))
}

function drivenByAny(db: LibraryDatabase, parts: readonly Filter[], frame: Frame): Branch[] | null {
  // Alternatives in words are one query of the search index.
  const words = any(parts.filter(part => matchOf(part) !== null))
  const branches: Branch[] = []
  for (const part of [words, ...parts.filter(part => matchOf(part) === null)]) {
    const found = driven(db, part, frame)
    if (found === null) return null
    branches.push(...found)
  }
  return branches.length > maxBranches ? null : branches
}

/** A way to find all items that satisfy these parts. */
interface Plan {
  parts: readonly Filter[]
  branches: Branch[]
}

/** The cheapest way; when there is only one, nothing is counted. */
function cheapest([first, ...others]: readonly Plan[], filters: readonly Filter[]): Plan | null {
  if (first === undefined || others.length === 0) return first ?? null
  const cost = ({ parts, branches }: Plan) => {
    const asksWords = filters.some(other => !parts.includes(other) && matchOf(other) !== null)
    return branches.reduce(
      (sum, branch) => sum + (weights[branch.driver.by] + (asksWords ? wordsWeight : 0)) * supposed(branch),
      0,
    )
  }
  let [best, least] = [first, cost(first)]
  for (const way of others) {
    const needed = cost(way)
    if (needed < least) [best, least] = [way, needed]
  }
  return best
}

/** Alternatives, some of them words: a year is this word, or taken then. They are one query together with other words. */
function joinsWords(part: Filter): boolean {
  return part.is === 'or' && matchOf(part) === null && part.of.some(one => matchOf(one) !== null)
}

function withEach(alternatives: readonly Filter[], others: readonly Filter[]): Filter {
  return any(alternatives.map(one => all([one, ...others])))
}

/** The cheapest way to find all items that satisfy every part; the other parts become conditions. */
function drivenByAll(db: LibraryDatabase, given: readonly Filter[], wide: Frame): Branch[] | null {
  const { frame, parts } = narrowed(wide, given)
  const inWords = parts.filter(part => matchOf(part) !== null || (part.is === 'not' && matchOf(part.of) !== null))
  const words = all(inWords)
  const filters = matchOf(words) === null ? parts : [words, ...parts.filter(part => !inWords.includes(part))]
  const joining = filters.filter(joinsWords)
  const joined = filters.filter(part => part === words || inWords.includes(part))
  // With the words joined to each alternative, fewer hits are read than by the words alone.
  const ways = filters.flatMap((part): Plan[] => {
    if (part === words && joining.length > 0) return []
    const joins = joining.includes(part) && joined.length > 0
    const branches = driven(db, joins && part.is === 'or' ? withEach(part.of, joined) : part, frame)
    return branches === null ? [] : [{ parts: joins ? [part, ...joined] : [part], branches }]
  })
  if (frame.from !== wide.from || frame.to !== wide.to || frame.collections !== wide.collections) {
    ways.push({ parts: [], branches: [branch({ by: 'items' }, frame, () => countOfItems(db, frame))] })
  }
  const best = cheapest(ways, filters)
  if (best === null) return null
  const conditions = filters.filter(part => !best.parts.includes(part))
  return best.branches.map(found => ({ ...found, rest: all([...conditions, found.rest]) }))
}

/** Streams of candidates for a condition; null when only reading every item would find them. */
function driven(db: LibraryDatabase, filter: Filter, frame: Frame): Branch[] | null {
  const match = matchOf(filter)
  if (match !== null) {
    return [branch({ by: 'text', match }, frame, () => firstOf(db, countOfText(match, mostCandidates))?.n ?? 0)]
  }
  switch (filter.is) {
    case 'nothing':
      return []
    case 'key': {
      const { tags } = filter
      const live = liveKeys(db, filter, frame)
      if (live.length <= maxBranches) return live.map(({ key, n }) => branch({ by: 'key', key, tags }, frame, () => n))
      const keys = live.map(({ key }) => key)
      return [branch({ by: 'keys', keys, tags }, frame, () => live.reduce((sum, { n }) => sum + n, 0))]
    }
    case 'near':
    case 'box':
      return [branch({ by: 'near', area: filter }, frame, () => countOfArea(db, filter))]
    case 'added': {
      const count = countOfAdded(filter.from, filter.to, mostCandidates)
      return [branch({ by: 'added', added: filter }, frame, () => firstOf(db, count)?.n ?? 0)]
    }
    case 'folder': {
      const count = countInFolder(filter.dirs, mostCandidates)
      return [branch({ by: 'folder', folder: filter }, frame, () => firstOf(db, count)?.n ?? 0)]
    }
    case 'taken':
    case 'collection':
      return drivenByAll(db, [filter], frame)
    case 'or':
      return drivenByAny(db, filter.of, frame)
    case 'and':
      return drivenByAll(db, filter.of, frame)
    default:
      return null
  }
}

export function createPlanner(db: LibraryDatabase) {
  return {
    liveKeys: (filter: KeyFilter, frame: Frame) => liveKeys(db, filter, frame),
    countOfItems: (frame: Frame) => countOfItems(db, frame),
    countOfArea: (area: AreaFilter, end?: number) => countOfArea(db, area, end),
    driven: (filter: Filter, frame: Frame) => driven(db, filter, frame),

    /** The frame with explicit collections. */
    split(frame: Frame): Frame & { collections: readonly number[] } {
      const { collections } = frame
      return { ...frame, collections: collections === 'all' ? db.all(collectionIds).map(({ id }) => id) : collections }
    },

    /** The first row's value of a page; null when it is empty. */
    first: (page: Bound<{ value: number }>) => firstOf(db, page)?.value ?? null,

    /** Branches for a query; null when every item of the frame is read. */
    plan: (request: Request) => driven(db, restWithMonths(request), request.frame),

    /** Branches for the frame's items that do not satisfy the rest. */
    planOthers: (request: Request) =>
      driven(db, restWithMonths({ ...request, rest: not(request.rest) }), request.frame),
  }
}

export type Planner = ReturnType<typeof createPlanner>
