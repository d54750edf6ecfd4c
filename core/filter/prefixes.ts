/** Prepares conditions on words for the index as it is: replaces prefixes by the words that have them, if they are few. */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Filter, mapLeaves, nothing, type TextFilter } from './filter.ts'
import { anySearchTextDue, nextTerm } from './seen-items.sql.ts'
import { formerFormOf, onlyFormOf } from './words.ts'

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
  const form = onlyFormOf(filter.text)
  if (filter.phrase || form === null || form.length < minLetters || !plain.test(form)) return filter
  const terms = termsOf(db, form)
  if (terms === null) return filter
  return terms.length === 0 ? nothing : { ...filter, terms }
}

/** Returns an equivalent, faster filter. A prefix that no word has matches nothing, and its negation everything. */
export function expandPrefixes(db: LibraryDatabase, filter: Filter): Filter {
  const isTextDue = db.get(anySearchTextDue) !== null
  return mapLeaves(filter, part => {
    if (part.is !== 'text') return part
    const former = isTextDue ? formerFormOf(part.text) : null
    return former === null ? expandPrefix(db, part) : { ...part, former }
  })
}
