/** What is looked for, as the address has it and as a call has it. Pure. */
import type { FilterQuery } from '../../schema/api/items.ts'
import { defaultSearchTags, limits, type SearchableTag } from '../../schema/limits.ts'

/** A chip of the search box: an item must have it, or must not. */
export interface Word {
  text: string
  not: boolean
}

export interface Filter {
  /** 0 is every collection. */
  collection: number
  year: number | null
  /** 1–12; without a year it means that month in every year. */
  month: number | null
  words: readonly Word[]
}

export const emptyFilter: Filter = { collection: 0, year: null, month: null, words: [] }

function wholeNumber(text: string | null, least: number, most: number): number | null {
  if (text === null || !/^\d{1,15}$/.test(text)) return null
  const number = Number(text)
  return number >= least && number <= most ? number : null
}

/** Years that the picker offers: 1700 to next year. */
export function yearRange(now = new Date()): { least: number; most: number } {
  return { least: limits.filterYearLeast, most: now.getFullYear() + 1 }
}

/** Reads the filter of an address' query. What makes no sense is left out, never an error: addresses get cut. */
export function readFilter(search: string): Filter {
  const query = new URLSearchParams(search)
  const words: Word[] = []
  for (const [key, value] of query) {
    if (key === 'and' || key === 'not') addWord(words, { text: value, not: key === 'not' })
  }
  return {
    collection: wholeNumber(query.get('collection'), 0, 1e15) ?? 0,
    year: wholeNumber(query.get('year'), 1, 9999),
    month: wholeNumber(query.get('month'), 1, 12),
    words,
  }
}

/** The page number of an address' query, from 1. */
export function readPage(search: string): number {
  return wholeNumber(new URLSearchParams(search).get('page'), 1, 1e9) ?? 1
}

/** The query of an address, with its '?' where there is anything to say. */
export function writeFilter(filter: Filter, page = 1): string {
  const query = new URLSearchParams()
  if (filter.collection !== 0) query.set('collection', String(filter.collection))
  if (filter.year !== null) query.set('year', String(filter.year))
  if (filter.month !== null) query.set('month', String(filter.month))
  for (const { text, not } of filter.words) query.append(not ? 'not' : 'and', text)
  if (page > 1) query.set('page', String(page))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

function addWord(words: Word[], word: Word): void {
  const text = word.text.trim()
  if (text === '' || text.length > 200) return
  if (words.some(known => sameWord(known.text, text))) return
  words.push({ text, not: word.not })
}

/** Keywords are the same whatever their case; 'é' typed in one or two characters is one. */
export function sameWord(a: string, b: string): boolean {
  return a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase()
}

/** Adds what was typed: a comma separates entries, nothing is added twice. */
export function withTyped(filter: Filter, typed: string): Filter {
  const words = [...filter.words]
  for (const text of typed.split(',')) addWord(words, { text, not: false })
  return { ...filter, words }
}

/** Splits what is in the search box: entries that a comma has ended, and what is still being typed. */
export function splitTyped(typed: string): { done: string; rest: string } {
  const at = typed.lastIndexOf(',')
  return at === -1 ? { done: '', rest: typed } : { done: typed.slice(0, at), rest: typed.slice(at + 1).trimStart() }
}

/** AND, then NOT, then AND. */
export function toggled(filter: Filter, index: number): Filter {
  return { ...filter, words: filter.words.map((word, at) => (at === index ? { ...word, not: !word.not } : word)) }
}

export function withoutWord(filter: Filter, index: number): Filter {
  return { ...filter, words: filter.words.filter((_, at) => at !== index) }
}

/** True where everything is shown that there is. */
export function isEmpty(filter: Filter): boolean {
  return filter.collection === 0 && filter.year === null && filter.month === null && filter.words.length === 0
}

/** Seconds of a month's first moment, as if the local time were UTC; months beyond 12 run into the next year. */
export function monthStart(year: number, month: number): number {
  const date = new Date(0)
  // Date.UTC takes years below 100 for years of the 20th century.
  date.setUTCFullYear(year, month - 1, 1)
  return date.getTime() / 1000
}

/** The parameters that a filtered call takes (§7). The collection stands in the path. */
export function queryOf(filter: Filter, searchTags: readonly SearchableTag[] = defaultSearchTags): FilterQuery {
  const query: FilterQuery = {}
  const { year, month, words } = filter
  if (year !== null && month !== null) {
    query.timestampStart = monthStart(year, month)
    query.timestampEnd = monthStart(year, month + 1)
  } else if (year !== null) {
    query.timestampStart = monthStart(year, 1)
    query.timestampEnd = monthStart(year + 1, 1)
  } else if (month !== null) query.startMonth = month
  if (words.length > 0) {
    query.filtergroups = [words.map(({ text, not }) => ({ type: 'Keyword' as const, mode: not ? 1 : 0, id: 0, text }))]
    const usual =
      searchTags.length === defaultSearchTags.length && defaultSearchTags.every(tag => searchTags.includes(tag))
    if (!usual) query.searchInTags = [...searchTags]
  }
  return query
}
