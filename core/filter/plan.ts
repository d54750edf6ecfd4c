/**
 * Chooses which condition drives a filtered list: the rarest one that every item of the list must satisfy. A plan is a
 * few branches, each a stream of candidates with a condition; an item is listed if it is in any branch.
 */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { allOf, type BoundStatement, firstOf } from './bound.ts'
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
import { type Frame, type FramedQuery, narrowed, restWithMonths } from './frame.ts'
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
  /** Estimated number of candidates. What must be counted is counted up to `mostCandidates` only. */
  candidates(): number
}

/** Maximum number of branches. More keys become one branch that is sorted; for other conditions every item is read. */
const maxBranches = 60

/** Candidates are counted up to this number only. */
export const mostCandidates = 20_000

/** Cost of a candidate relative to one by key, whose rows are in order and include the collection and the state. */
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

/** Looking a candidate up in the search index costs as much as this many candidates by key. */
const wordsWeight = 75

/**
 * Estimated number of candidates. If those by position, date of addition or folder reach `mostCandidates`, there are
 * probably many more, all of which would be collected and sorted.
 */
function estimatedCandidates({ driver, candidates }: Branch): number {
  const n = candidates()
  return n >= mostCandidates && ['near', 'added', 'folder'].includes(driver.by) ? 10 * mostCandidates : n
}

function once(work: () => number): () => number {
  let result: number | null = null
  return () => {
    result ??= work()
    return result
  }
}

function branch(driver: Driver, frame: Frame, candidates: () => number): Branch {
  return { driver, frame, rest: everything, candidates: once(candidates) }
}

/** The keys of a condition that have items in the frame's collections and states, with their number. Ignores dates. */
function liveKeys(db: LibraryDatabase, filter: KeyFilter, frame: Frame) {
  return allOf(db, keyCounts(filter, frame))
}

function countOfArea(db: LibraryDatabase, area: AreaFilter, end: number = mostCandidates): number {
  return firstOf(db, countBetweenLatitudes(boxOf(area).latitudes, end))?.n ?? 0
}

function countOfItems(db: LibraryDatabase, frame: Frame): number {
  return sumOf(monthsInFrame(db, frame, null))
}

function branchesOfAny(db: LibraryDatabase, parts: readonly Filter[], frame: Frame): Branch[] | null {
  // Alternatives in words are one query of the search index.
  const words = any(parts.filter(part => matchOf(part) !== null))
  const branches: Branch[] = []
  for (const part of [words, ...parts.filter(part => matchOf(part) === null)]) {
    const found = branchesOf(db, part, frame)
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

/** The cheapest plan; if there is only one, its candidates are not counted. */
function cheapest([first, ...others]: readonly Plan[], filters: readonly Filter[]): Plan | null {
  if (first === undefined || others.length === 0) return first ?? null
  const cost = ({ parts, branches }: Plan) => {
    const searchesWords = filters.some(other => !parts.includes(other) && matchOf(other) !== null)
    return branches.reduce(
      (sum, branch) =>
        sum + (weights[branch.driver.by] + (searchesWords ? wordsWeight : 0)) * estimatedCandidates(branch),
      0,
    )
  }
  let [best, least] = [first, cost(first)]
  for (const plan of others) {
    const planCost = cost(plan)
    if (planCost < least) [best, least] = [plan, planCost]
  }
  return best
}

/** Whether a part has words and other conditions as alternatives, as '2019' has: this word, or taken in that year. */
function joinsWords(part: Filter): boolean {
  return part.is === 'or' && matchOf(part) === null && part.of.some(one => matchOf(one) !== null)
}

function withEach(alternatives: readonly Filter[], others: readonly Filter[]): Filter {
  return any(alternatives.map(one => all([one, ...others])))
}

/** Branches of the cheapest plan for items that satisfy every part. Parts that the plan does not use become conditions. */
function branchesOfAll(db: LibraryDatabase, allParts: readonly Filter[], wideFrame: Frame): Branch[] | null {
  const { frame, parts } = narrowed(wideFrame, allParts)
  const inWords = parts.filter(part => matchOf(part) !== null || (part.is === 'not' && matchOf(part.of) !== null))
  const words = all(inWords)
  const filters = matchOf(words) === null ? parts : [words, ...parts.filter(part => !inWords.includes(part))]
  const joinable = filters.filter(joinsWords)
  const wordParts = filters.filter(part => part === words || inWords.includes(part))
  // With the words added to each alternative, fewer hits are read than by the words alone.
  const plans = filters.flatMap((part): Plan[] => {
    if (part === words && joinable.length > 0) return []
    const joins = joinable.includes(part) && wordParts.length > 0
    const branches = branchesOf(db, joins && part.is === 'or' ? withEach(part.of, wordParts) : part, frame)
    return branches === null ? [] : [{ parts: joins ? [part, ...wordParts] : [part], branches }]
  })
  if (frame.from !== wideFrame.from || frame.to !== wideFrame.to || frame.collections !== wideFrame.collections) {
    plans.push({ parts: [], branches: [branch({ by: 'items' }, frame, () => countOfItems(db, frame))] })
  }
  const best = cheapest(plans, filters)
  if (best === null) return null
  const conditions = filters.filter(part => !best.parts.includes(part))
  return best.branches.map(found => ({ ...found, rest: all([...conditions, found.rest]) }))
}

/** Branches that find all items of a condition; null if every item must be read. */
function branchesOf(db: LibraryDatabase, filter: Filter, frame: Frame): Branch[] | null {
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
      return branchesOfAll(db, [filter], frame)
    case 'or':
      return branchesOfAny(db, filter.of, frame)
    case 'and':
      return branchesOfAll(db, filter.of, frame)
    default:
      return null
  }
}

export function createPlanner(db: LibraryDatabase) {
  return {
    liveKeys: (filter: KeyFilter, frame: Frame) => liveKeys(db, filter, frame),
    countOfItems: (frame: Frame) => countOfItems(db, frame),
    countOfArea: (area: AreaFilter, end?: number) => countOfArea(db, area, end),
    branchesOf: (filter: Filter, frame: Frame) => branchesOf(db, filter, frame),

    /** The frame with explicit collections. */
    withCollectionIds(frame: Frame): Frame & { collections: readonly number[] } {
      const { collections } = frame
      return { ...frame, collections: collections === 'all' ? db.all(collectionIds).map(({ id }) => id) : collections }
    },

    /** The first row's value; null for an empty page. */
    firstValue: (page: BoundStatement<{ value: number }>) => firstOf(db, page)?.value ?? null,

    /** Branches for a query; null when every item of the frame is read. */
    plan: (framed: FramedQuery) => branchesOf(db, restWithMonths(framed), framed.frame),

    /** Branches for the frame's items that do not satisfy the rest. */
    planNonMatching: (framed: FramedQuery) =>
      branchesOf(db, restWithMonths({ ...framed, rest: not(framed.rest) }), framed.frame),
  }
}

export type Planner = ReturnType<typeof createPlanner>
