/** Suggestions for the field of a tag set: the words that are used in it. */

import { limits } from '../../../schema/limits.ts'
import { compareNames } from '../../../schema/locale.ts'
import { lengthOf, type Suggestion, suggestionsFor } from '../../../schema/suggestion-match.ts'
import { type WordTag, words } from '../../app/vocabulary.ts'

/** Maximum number of listed words; others have to be typed. */
const maxListed = 100

/** Words that match at least three letters; for less text none or, with `all`, the most used words. Reads signals. */
export function suggestWords(tag: WordTag, typed: string, all: boolean): Suggestion[] {
  const known = words[tag].value
  if (lengthOf(typed) >= limits.suggestionsFrom) return suggestionsFor(known, typed)
  if (!all) return []
  const often = [...known].sort((a, b) => b.count - a.count || compareNames(a.name, b.name))
  return often.slice(0, maxListed).map(one => ({ ...one, from: 0, to: 0 }))
}
