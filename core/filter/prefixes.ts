/** Replaces a prefix in a filter by the words of the index that have it, if they are few. */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Filter, mapLeaves, nothing, type TextFilter } from './filter.ts'
import { nextTerm } from './seen-items.sql.ts'

/** The index stores prefixes of 3 and 4 letters. For longer ones it collects all hits: 5 ms for 90,000 hits. */
const minLetters = 5
const maxTerms = 6

/** Only plain letters and digits: how the index normalizes others is not certain. */
const plain = /^[a-z0-9]+$/

function termsOf(db: LibraryDatabase, word: string): string[] | null {
  const terms: string[] = []
  let from = word
  for (;;) {
    const next = db.get(nextTerm, from, `${word}\u{10ffff}`)
    if (next === null) return terms
    if (terms.length === maxTerms) return null
    terms.push(next.term)
    from = `${next.term}\u0001`
  }
}

function expandPrefix(db: LibraryDatabase, filter: TextFilter): Filter {
  if (filter.phrase || filter.text.length < minLetters || !plain.test(filter.text)) return filter
  const terms = termsOf(db, filter.text)
  if (terms === null) return filter
  return terms.length === 0 ? nothing : { ...filter, terms }
}

/** Returns an equivalent, faster filter. A prefix that no word has matches nothing, and its negation everything. */
export function expandPrefixes(db: LibraryDatabase, filter: Filter): Filter {
  return mapLeaves(filter, part => (part.is === 'text' ? expandPrefix(db, part) : part))
}
