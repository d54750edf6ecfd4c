/** The filter tree: every kind of query compiles to it, and it alone compiles to SQL. */
import type { Calendar } from '../../schema/calendar.ts'

const textColumns = ['keywords', 'category', 'people', 'objects', 'author', 'description', 'place', 'file'] as const
export type TextColumn = (typeof textColumns)[number]

export interface KeyFilter {
  is: 'key'
  /** Numbers of `schema/keys.ts`. An item matches if it has any of these keys in any of the tag sets. */
  keys: readonly number[]
  /** The tag sets, as bits of `tagBits`. */
  tags: number
}

export interface TextFilter {
  is: 'text'
  /** One word, which also matches as a prefix; if `phrase`, whole words in this order. */
  text: string
  phrase: boolean
  columns: readonly TextColumn[]
  /** All words of the index with the prefix `text`, if they are few: querying each is faster (see `expandPrefixes`). */
  terms?: readonly string[]
  /** How the text was indexed before texts were folded; set while some items still have it in the index. */
  former?: string
}

/** Seconds, `to` excluded. `taken` is a local time read as if UTC; `added` is when the library added the item. */
interface RangeFilter<Is> {
  is: Is
  from: number
  to: number
}
type TakenFilter = RangeFilter<'taken'>
export type AddedFilter = RangeFilter<'added'>

/** Months of every year: of the Persian calendar only from parameters of a call, as the text language names Gregorian ones. */
export interface MonthFilter {
  is: 'month'
  months: readonly number[]
  calendar: Calendar
}

/** `radius` is in metres, the others in degrees. */
export interface NearFilter {
  is: 'near'
  latitude: number
  longitude: number
  radius: number
}

/** Degrees; `west` greater than `east` crosses the date line. */
export interface BoxFilter {
  is: 'box'
  south: number
  west: number
  north: number
  east: number
}

/** A condition on the position. An item without one never matches. */
export type AreaFilter = NearFilter | BoxFilter

export const somewhere: BoxFilter = { is: 'box', south: -90, west: -180, north: 90, east: 180 }

interface CollectionFilter {
  is: 'collection'
  ids: readonly number[]
}

/** Items in these directories: those of a folder and of the folders below it. */
export interface FolderFilter {
  is: 'folder'
  /** As the user wrote it; `exact`: from the root of a collection. */
  text: string
  exact: boolean
  dirs: readonly number[]
}

export type LeafFilter =
  | KeyFilter
  | TextFilter
  | TakenFilter
  | AddedFilter
  | MonthFilter
  | NearFilter
  | BoxFilter
  | CollectionFilter
  | FolderFilter

export type Filter =
  | { is: 'everything' }
  | { is: 'nothing' }
  | { is: 'and'; of: readonly Filter[] }
  | { is: 'or'; of: readonly Filter[] }
  | { is: 'not'; of: Filter }
  | LeafFilter

export const everything: Filter = { is: 'everything' }
export const nothing: Filter = { is: 'nothing' }

/** Bounds for open ranges of time: beyond all real dates, yet a rowid of the search index (time * 2^28 + id) fits 64 bits. */
export const firstMoment = -(2 ** 34)
export const lastMoment = 2 ** 34

/** Drops duplicates: filters with equal JSON. */
function distinct(filters: readonly Filter[]): Filter[] {
  return [...new Map(filters.map(filter => [JSON.stringify(filter), filter])).values()]
}

function isRange(filter: Filter): filter is TakenFilter | AddedFilter {
  return filter.is === 'taken' || filter.is === 'added'
}

/** The conjunction of two conditions as one; null when they can't be combined. */
function conjunctionOf(a: Filter, b: Filter): Filter | null {
  if (isRange(a) && isRange(b) && a.is === b.is) {
    const from = Math.max(a.from, b.from)
    const to = Math.min(a.to, b.to)
    return from < to ? { is: a.is, from, to } : nothing
  }
  if (a.is === 'month' && b.is === 'month' && a.calendar === b.calendar)
    return inMonths(
      a.months.filter(month => b.months.includes(month)),
      a.calendar,
    )
  if (a.is === 'collection' && b.is === 'collection') return inCollections(a.ids.filter(id => b.ids.includes(id)))
  if (a.is === 'not' && b.is === 'not' && a.of.is === 'key' && b.of.is === 'key' && a.of.tags === b.of.tags) {
    return not(withKeys([...a.of.keys, ...b.of.keys], a.of.tags))
  }
  return null
}

/** The disjunction of two conditions as one; null when they can't be combined. */
function disjunctionOf(a: Filter, b: Filter): Filter | null {
  if (a.is === 'key' && b.is === 'key' && a.tags === b.tags) return withKeys([...a.keys, ...b.keys], a.tags)
  if (a.is === 'month' && b.is === 'month' && a.calendar === b.calendar)
    return inMonths([...a.months, ...b.months], a.calendar)
  if (a.is === 'collection' && b.is === 'collection') return inCollections([...a.ids, ...b.ids])
  return null
}

function merged(filters: readonly Filter[], merge: (a: Filter, b: Filter) => Filter | null): Filter[] {
  const kept: Filter[] = []
  for (const filter of filters) {
    const at = kept.findIndex(other => merge(other, filter) !== null)
    const other = kept[at]
    const both = other === undefined ? null : merge(other, filter)
    if (both === null) kept.push(filter)
    else kept[at] = both
  }
  return kept
}

/** Combines filters by `is`: `neutral` ones are dropped, and a `decisive` one is the whole result. */
function joint(
  is: 'and' | 'or',
  filters: readonly Filter[],
  merge: (a: Filter, b: Filter) => Filter | null,
  { neutral, decisive }: { neutral: Filter; decisive: Filter },
): Filter {
  const flat = filters.flatMap(filter => (filter.is === is ? filter.of : [filter]))
  const kept = merged(distinct(flat.filter(filter => filter.is !== neutral.is)), merge)
  if (kept.some(filter => filter.is === decisive.is)) return decisive
  const [first] = kept
  return kept.length > 1 ? { is, of: kept } : (first ?? neutral)
}

export function all(filters: readonly Filter[]): Filter {
  return joint('and', filters, conjunctionOf, { neutral: everything, decisive: nothing })
}

export function any(filters: readonly Filter[]): Filter {
  return joint('or', filters, disjunctionOf, { neutral: nothing, decisive: everything })
}

export const everyMonth: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/** Negates a filter. Negations are pushed down to the leaves, so that simple conditions stay recognizable. */
export function not(filter: Filter): Filter {
  switch (filter.is) {
    case 'everything':
      return nothing
    case 'nothing':
      return everything
    case 'not':
      return filter.of
    case 'and':
      return any(filter.of.map(not))
    case 'or':
      return all(filter.of.map(not))
    case 'taken':
      return any([takenBetween(firstMoment, filter.from), takenBetween(filter.to, lastMoment)])
    case 'month':
      return inMonths(
        everyMonth.filter(month => !filter.months.includes(month)),
        filter.calendar,
      )
    default:
      return { is: 'not', of: filter }
  }
}

export function mapLeaves(filter: Filter, leaf: (filter: LeafFilter) => Filter): Filter {
  switch (filter.is) {
    case 'everything':
    case 'nothing':
      return filter
    case 'not':
      return not(mapLeaves(filter.of, leaf))
    case 'and':
      return all(filter.of.map(part => mapLeaves(part, leaf)))
    case 'or':
      return any(filter.of.map(part => mapLeaves(part, leaf)))
    default:
      return leaf(filter)
  }
}

export function withKeys(keys: readonly number[], tags: number): Filter {
  const sorted = [...new Set(keys)].sort((a, b) => a - b)
  return sorted.length === 0 || tags === 0 ? nothing : { is: 'key', keys: sorted, tags }
}

export function takenBetween(from: number, to: number): Filter {
  if (from >= to) return nothing
  if (from <= firstMoment && to >= lastMoment) return everything
  return { is: 'taken', from: Math.max(from, firstMoment), to: Math.min(to, lastMoment) }
}

export function addedBetween(from: number, to: number): Filter {
  return from < to ? { is: 'added', from: Math.max(from, firstMoment), to: Math.min(to, lastMoment) } : nothing
}

export function inMonths(months: readonly number[], calendar: Calendar = 'gregorian'): Filter {
  const sorted = [...new Set(months)].sort((a, b) => a - b)
  if (sorted.length === 0) return nothing
  return sorted.length === 12 ? everything : { is: 'month', months: sorted, calendar }
}

export function inCollections(ids: readonly number[]): Filter {
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  return sorted.length === 0 ? nothing : { is: 'collection', ids: sorted }
}

export function sizeOf(filter: Filter): number {
  if (filter.is === 'and' || filter.is === 'or') return filter.of.reduce((sum, part) => sum + sizeOf(part), 0)
  return filter.is === 'not' ? sizeOf(filter.of) : 1
}
