/** Free text, outside fields: words in any order, phrases in quotes, and years. */
import type { SearchableTag } from '../../../schema/limits.ts'
import { foldForSearch } from '../../../schema/search-text.ts'
import { systemClock } from '../../kernel/clock.ts'
import { all, any, type Filter } from '../filter.ts'
import { type FilterLookups, freeTextColumns, wholeName } from '../lookups.ts'
import { everyWord, hasWord, phrase } from '../words.ts'
import { rangeOf, takenIn } from './dates.ts'

const firstYear = 1700

/** Start and end (excluded) of the year that a word names; null for other words. Clocks may be ahead: next year counts. */
function yearOf(word: string): [number, number] | null {
  const lastYear = new Date(systemClock.now()).getUTCFullYear() + 1
  const isYear = /^\d{4}$/.test(word) && Number(word) >= firstYear && Number(word) <= lastYear
  return isYear ? rangeOf(word) : null
}

/** A word in any of the columns; a year also matches what was taken in it. Null for symbols that are not a name. */
export function freeWord(word: string, tags: readonly SearchableTag[], lookups: FilterLookups): Filter | null {
  if (!hasWord(word)) return wholeName(word, tags, lookups)
  const found = everyWord(word, freeTextColumns(tags))
  const year = yearOf(foldForSearch(word))
  // The year first: it is checked without the search index.
  return year === null ? found : any([takenIn(year), found])
}

/** These words one after the other, in one value. Null for symbols that are not a name. */
export function freePhrase(text: string, tags: readonly SearchableTag[], lookups: FilterLookups): Filter | null {
  return hasWord(text) ? phrase(text, freeTextColumns(tags)) : wholeName(text.trim(), tags, lookups)
}

/** A chip's text: every word and every phrase in quotes must match. Null if there is none. */
export function freeText(text: string, tags: readonly SearchableTag[], lookups: FilterLookups): Filter | null {
  if (!hasWord(text)) return wholeName(text.trim(), tags, lookups)
  const parts = [...text.matchAll(/(?<!\S)"([^"]+)"(?!\S)|\S+/g)].filter(([part]) => hasWord(part))
  return all(
    parts.flatMap(([word, quoted]) =>
      quoted === undefined ? (freeWord(word, tags, lookups) ?? []) : (freePhrase(quoted, tags, lookups) ?? []),
    ),
  )
}
