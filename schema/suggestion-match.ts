/** Suggestions for typed text: matches at the start, then at the start of a word, then others. Pure. */

import { searchKey } from './search-text.ts'

/** Kinds of suggestions, in the order of the list. */
const suggestionKinds = ['People', 'Keywords', 'Category', 'Author', 'Objects', 'Places'] as const
export type SuggestionKind = (typeof suggestionKinds)[number]

export interface KnownName {
  kind: SuggestionKind
  /** Id; 0 for a place. */
  id: number
  name: string
  count: number
}

export interface Suggestion extends KnownName {
  /** Start of the matching part. */
  from: number
  to: number
}

/** Maximum number of each kind, unless more are requested. */
const maxOfKind = 6

/** Letters in the form of `searchKey`, each with its index in the original text. */
function fold(text: string): { letters: string; at: number[] } {
  let letters = ''
  const at: number[] = []
  let place = 0
  for (const character of text) {
    const plain = searchKey(character)
    for (const _ of plain) at.push(place)
    letters += plain
    place += character.length
  }
  at.push(place)
  return { letters, at }
}

/** 0: at the start of the name; 1: at the start of a word; 2: inside a word; null: no match. */
function rankOf(letters: string, wanted: string): { rank: number; index: number } | null {
  if (letters.startsWith(wanted)) return { rank: 0, index: 0 }
  for (let index = letters.indexOf(wanted); index !== -1; index = letters.indexOf(wanted, index + 1)) {
    if (!/[\p{L}\p{N}]/u.test(letters[index - 1] ?? '')) return { rank: 1, index }
  }
  const index = letters.indexOf(wanted)
  return index === -1 ? null : { rank: 2, index }
}

/** Number of characters (code points), without blanks at the start and end. */
export function lengthOf(text: string): number {
  return [...text.trim()].length
}

export function suggestionsFor(known: readonly KnownName[], typed: string, maxOfEach = maxOfKind): Suggestion[] {
  const wanted = fold(typed.trim()).letters
  if (wanted === '') return []
  const found: { rank: number; suggestion: Suggestion }[] = []
  for (const one of known) {
    const { letters, at } = fold(one.name)
    const match = rankOf(letters, wanted)
    if (match === null) continue
    const [from = 0, to = one.name.length] = [at[match.index], at[match.index + wanted.length]]
    found.push({ rank: match.rank, suggestion: { ...one, from, to } })
  }
  found.sort(
    (a, b) =>
      a.rank - b.rank || b.suggestion.count - a.suggestion.count || a.suggestion.name.localeCompare(b.suggestion.name),
  )
  return suggestionKinds.flatMap(kind => {
    const ids = new Set<number>()
    const ofKind = found.flatMap(({ suggestion }) => {
      // A person with three names is one suggestion.
      if (suggestion.kind !== kind || (suggestion.id !== 0 && ids.has(suggestion.id))) return []
      ids.add(suggestion.id)
      return [suggestion]
    })
    return ofKind.slice(0, maxOfEach)
  })
}
