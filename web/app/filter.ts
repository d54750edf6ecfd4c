/** The filter in addresses and in calls. Pure. */
import type { FilterQuery } from '../../schema/api/items.ts'
import { type Calendar, calendarOfYear, dateIn, monthStart } from '../../schema/calendar.ts'
import { albumSorts, defaultSearchTags, limits, type SearchableTag, searchableTags } from '../../schema/limits.ts'
import { localSeconds, ownCalendar } from '../kit/dates.ts'

export type AlbumSort = (typeof albumSorts)[number]

const entryKinds = ['Keyword', 'Person', 'Object'] as const
export type ChipKind = (typeof entryKinds)[number]

/** A chip of the search box: a required or excluded entry. */
export interface ChipEntry {
  kind: ChipKind
  /** Id; 0 for free text. */
  id: number
  text: string
  not: boolean
}

/** A position to search around; `name` is the name by which the user found it. */
export interface Near {
  latitude: number
  longitude: number
  /** Metres. */
  radius: number
  name?: string
}

export interface Filter {
  /** 0 means every collection. */
  collection: number
  /** Id of the album whose items are shown; 0 means all items. */
  album: number
  /** The order of the album's items; null means newest first. */
  sort: AlbumSort | null
  year: number | null
  /** 1–12; without a year it means this month in every year. */
  month: number | null
  /** The calendar of the year and month; without them, that of the language. */
  calendar: Calendar
  /** An item must match one of the groups: all entries that are required, and none that is excluded. Empty: no filter. */
  groups: readonly (readonly ChipEntry[])[]
  near: Near | null
  q: string
  /** The tag sets in which `groups` and `q` are searched. */
  tags: readonly SearchableTag[]
}

export const emptyFilter: Filter = {
  collection: 0,
  album: 0,
  sort: null,
  year: null,
  month: null,
  calendar: ownCalendar,
  groups: [],
  near: null,
  q: '',
  tags: defaultSearchTags,
}

const most = { groups: 50, entries: 100, text: 200, q: 2000, radius: limits.maxRadius * 1000 } as const

/** An entry for text as the user typed it. */
export function freeText(text: string, not = false): ChipEntry {
  return { kind: 'Keyword', id: 0, text, not }
}

function wholeNumber(text: string | null, least: number, greatest: number): number | null {
  if (text === null || !/^\d{1,15}$/.test(text)) return null
  const number = Number(text)
  return number >= least && number <= greatest ? number : null
}

/** Range of years in the picker: 1700 to next year, in a calendar. */
export function yearRange(calendar: Calendar, now = new Date()): { least: number; most: number } {
  const least = dateIn(calendar, monthStart(limits.minFilterYear, 1)).year
  return { least, most: dateIn(calendar, localSeconds(now)).year + 1 }
}

/** Names and keywords are compared without case, in NFC. */
function sameText(a: string, b: string): boolean {
  return a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase()
}

/** Whether two entries stand for the same thing, even if one requires it and the other excludes it. */
export function sameEntry(a: ChipEntry, b: ChipEntry): boolean {
  if (a.kind !== b.kind) return false
  return a.id !== 0 && b.id !== 0 ? a.id === b.id : sameText(a.text, b.text)
}

function sameGroup(a: readonly ChipEntry[], b: readonly ChipEntry[]): boolean {
  return a.length === b.length && a.every(one => b.some(other => one.not === other.not && sameEntry(one, other)))
}

/** Drops empty groups and duplicates. */
export function tidy(groups: readonly (readonly ChipEntry[])[]): ChipEntry[][] {
  const kept: ChipEntry[][] = []
  for (const group of groups) {
    const entries: ChipEntry[] = []
    for (const entry of group) if (!entries.some(known => sameEntry(known, entry))) entries.push(entry)
    if (entries.length > 0 && !kept.some(known => sameGroup(known, entries))) kept.push(entries.slice(0, most.entries))
  }
  return kept.slice(0, most.groups)
}

/** Parses '12 Mia': an id and its name. */
function readNamed(kind: ChipKind, value: string, not: boolean): ChipEntry | null {
  const [, digits = '', text = ''] = /^(\d{1,15})(?:\s+(.*))?$/s.exec(value.trim()) ?? []
  const id = Number(digits)
  return id > 0 ? { kind, id, text: text.trim().slice(0, most.text), not } : null
}

function readEntry(key: string, value: string): ChipEntry | null {
  if (key === 'and' || key === 'not') {
    const text = value.trim()
    return text === '' || text.length > most.text ? null : freeText(text, key === 'not')
  }
  const not = key.startsWith('not-')
  const kind = entryKinds.find(one => one.toLowerCase() === (not ? key.slice(4) : key))
  return kind === undefined ? null : readNamed(kind, value, not)
}

/** Parses '48.1,11.6,5000,Munich'; metres and name are optional. */
function readNear(value: string | null): Near | null {
  const number = String.raw`-?\d{1,9}(?:\.\d{1,15})?`
  const parts = new RegExp(`^(${number}),(${number})(?:,(${number})?(?:,(.*))?)?$`, 's').exec(value?.trim() ?? '')
  if (parts === null) return null
  const [latitude, longitude] = [Number(parts[1]), Number(parts[2])]
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null
  const given = parts[3] === undefined ? limits.radiusMetres : Number(parts[3])
  const radius = Math.min(most.radius, Math.max(limits.minRadius, given))
  const name = (parts[4] ?? '').trim().slice(0, most.text)
  return { latitude, longitude, radius, ...(name === '' ? {} : { name }) }
}

/** Parses 'People,Author'. Drops unknown names, sorts the others as in `searchableTags`; the default if there are none. */
function readTags(value: string | null): readonly SearchableTag[] {
  const names = value?.split(',') ?? []
  const tags = searchableTags.filter(tag => names.includes(tag))
  return tags.length === 0 || isDefaultTags(tags) ? defaultSearchTags : tags
}

function isDefaultTags(tags: readonly SearchableTag[]): boolean {
  return tags.length === defaultSearchTags.length && defaultSearchTags.every(tag => tags.includes(tag))
}

export function hasWords({ groups, q }: Filter): boolean {
  return groups.length > 0 || q !== ''
}

/**
 * The calendar of the date in an address, which may have been written in another language: a year below 1700 is Persian;
 * a month or day without a year is Persian only if the address says so.
 */
function readCalendar(query: URLSearchParams, year: number | null): Calendar {
  if (year !== null) return calendarOfYear(year)
  if (query.get('calendar') === 'persian') return 'persian'
  return query.has('month') || query.has('day') ? 'gregorian' : ownCalendar
}

/** Reads the filter from an address' query. Drops invalid parts without an error: an address may have been cut off. */
export function readFilter(search: string): Filter {
  const query = new URLSearchParams(search)
  const groups: ChipEntry[][] = [[]]
  for (const [key, value] of query) {
    if (key === 'or') groups.push([])
    const entry = readEntry(key, value)
    if (entry !== null) groups.at(-1)?.push(entry)
  }
  const q = (query.get('q') ?? '').trim()
  const album = wholeNumber(query.get('album'), 0, 1e15) ?? 0
  const year = wholeNumber(query.get('year'), 1, 9999)
  return {
    collection: wholeNumber(query.get('collection'), 0, 1e15) ?? 0,
    album,
    sort: album === 0 ? null : (albumSorts.find(sort => sort === query.get('sort') && sort !== '-taken') ?? null),
    year,
    month: wholeNumber(query.get('month'), 1, 12),
    calendar: readCalendar(query, year),
    groups: tidy(groups),
    near: readNear(query.get('near')),
    q: q.length > most.q ? '' : q,
    tags: readTags(query.get('in')),
  }
}

/** Whether an address' query names an album but no order: it is to be shown in its own order. */
export function lacksOrder(search: string): boolean {
  const query = new URLSearchParams(search)
  return readFilter(search).album !== 0 && albumSorts.every(sort => sort !== query.get('sort'))
}

/** The page number of an address' query, from 1. */
export function readPage(search: string): number {
  return wholeNumber(new URLSearchParams(search).get('page'), 1, 1e9) ?? 1
}

/** The query of an address, with '?' unless empty: `?and=summer&not=screenshot` means 'summer, not screenshot'. */
export function writeFilter(filter: Filter, page = 1): string {
  const { collection, album, sort, year, month, calendar, groups, near, q, tags } = filter
  const query = new URLSearchParams()
  if (album !== 0) query.set('album', String(album))
  // An address without the parameter stands for the album's own order.
  if (album !== 0) query.set('sort', sort ?? '-taken')
  if (collection !== 0) query.set('collection', String(collection))
  if (year !== null) query.set('year', String(year))
  if (month !== null) query.set('month', String(month))
  if (month !== null && year === null && calendar === 'persian') query.set('calendar', calendar)
  groups.forEach((group, at) => {
    if (at > 0) query.append('or', '')
    for (const { kind, id, text, not } of group) {
      if (id === 0) query.append(not ? 'not' : 'and', text)
      else query.append((not ? 'not-' : '') + kind.toLowerCase(), `${id} ${text}`.trim())
    }
  })
  if (near !== null) {
    const { latitude, longitude, radius, name } = near
    const numbers = [latitude, longitude, radius].map(number => Number(number.toFixed(6)))
    query.set('near', [...numbers, ...(name === undefined ? [] : [name])].join(','))
  }
  if (q !== '') query.set('q', q)
  if (hasWords(filter) && !isDefaultTags(tags)) query.set('in', tags.join(','))
  if (page > 1) query.set('page', String(page))
  // Users read addresses, so characters that need no escape in a query are not escaped.
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('or=&', 'or&')
  return text === '' ? '' : `?${text}`
}

/** Whether nothing is filtered; an album is a place, not a filter. */
export function isEmpty({ collection, year, month, groups, near, q }: Filter): boolean {
  return collection === 0 && year === null && month === null && groups.length === 0 && near === null && q === ''
}

/** The parameter of calls for a calendar. */
export function calendarQuery(calendar: Calendar): Pick<FilterQuery, 'calendar'> {
  return calendar === 'gregorian' ? {} : { calendar }
}

export function dateQuery({ year, month, calendar }: Filter): FilterQuery {
  if (year === null) return month === null ? {} : { startMonth: month, ...calendarQuery(calendar) }
  return month === null
    ? { timestampStart: monthStart(year, 1), timestampEnd: monthStart(year + 1, 1) }
    : { timestampStart: monthStart(year, month), timestampEnd: monthStart(year, month + 1) }
}

/** A query without the filter's date. */
export function dateless({
  timestampStart: _from,
  timestampEnd: _to,
  startMonth: _month,
  calendar: _calendar,
  ...query
}: FilterQuery): FilterQuery {
  return query
}

/** The parameters of a filtered call. The collection is in the path. */
export function queryOf(filter: Filter, includeHidden = ''): FilterQuery {
  const query = dateQuery(filter)
  const { album, groups, near, q, tags } = filter
  if (album !== 0) query.album = album
  if (groups.length > 0) {
    query.filtergroups = groups.map(group =>
      group.map(({ kind, id, text, not }) => ({ type: kind, mode: not ? 1 : 0, id, ...(id === 0 ? { text } : {}) })),
    )
  }
  if (near !== null) {
    query.latitude = near.latitude
    query.longitude = near.longitude
    query.radius = near.radius
  }
  if (q !== '') query.q = q
  if (hasWords(filter) && !isDefaultTags(tags)) query.searchInTags = [...tags]
  if (includeHidden !== '') query.includeHidden = includeHidden
  return query
}
