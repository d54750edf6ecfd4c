/** Suggestions for the fields of a tag set, from the words it uses. */
import { limits } from '../../../schema/limits.ts'
import { lengthOf, type Suggestion, suggestionsFor } from '../../../schema/suggestion-match.ts'
import { type WordTag, words } from '../../app/vocabulary.ts'

/** Maximum number of entries in a list; others have to be typed. */
const maxPicked = 100

/** Words for typed text, from three letters on; `all`: all used words, most used first. Reads signals. */
export function wordsFor(tag: WordTag, typed: string, all: boolean): Suggestion[] {
  const known = words[tag].value
  if (lengthOf(typed) >= limits.suggestionsFrom) return suggestionsFor(known, typed)
  if (!all) return []
  const often = [...known].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
  return often.slice(0, maxPicked).map(one => ({ ...one, from: 0, to: 0 }))
}
