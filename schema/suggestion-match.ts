/** Suggestions for typed text: matches at the start first, then at the start of a word, then by use. Pure. */

/** In the order of the list. */
const suggestionKinds = ['People', 'Keywords', 'Category', 'Author', 'Objects', 'Places'] as const
export type SuggestionKind = (typeof suggestionKinds)[number]

export interface KnownName {
  kind: SuggestionKind
  /** 0 for a place. */
  id: number
  name: string
  count: number
}

export interface Suggestion extends KnownName {
  /** The part that was typed. */
  from: number
  to: number
}

/** Most of each kind, unless more are asked for. */
const maxOfKind = 6

/** Letters without case and accents, each with its index in the original. */
function fold(text: string): { letters: string; at: number[] } {
  let letters = ''
  const at: number[] = []
  let place = 0
  for (const character of text) {
    const plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    for (const _ of plain) at.push(place)
    letters += plain
    place += character.length
  }
  at.push(place)
  return { letters, at }
}

/** 0 begins the name, 1 begins a word of it, 2 is inside one; null is no match. */
function rankOf(letters: string, wanted: string): { rank: number; index: number } | null {
  if (letters.startsWith(wanted)) return { rank: 0, index: 0 }
  for (let index = letters.indexOf(wanted); index !== -1; index = letters.indexOf(wanted, index + 1)) {
    if (!/[\p{L}\p{N}]/u.test(letters[index - 1] ?? '')) return { rank: 1, index }
  }
  const index = letters.indexOf(wanted)
  return index === -1 ? null : { rank: 2, index }
}

/** Characters as people count them. */
export function lengthOf(text: string): number {
  return [...text.trim()].length
}

export function suggestionsFor(known: readonly KnownName[], typed: string, most = maxOfKind): Suggestion[] {
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
    return ofKind.slice(0, most)
  })
}
