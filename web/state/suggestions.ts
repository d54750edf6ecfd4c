/** The names that a search suggests: the vocabulary that this person sees, loaded when first needed, and places. */
import { computed, signal } from '@preact/signals-react'
import { limits, type SearchableTag } from '../../schema/limits.ts'
import { type Known, lengthOf, type Suggestion, suggestionsFor } from '../../schema/suggestion-match.ts'
import { api } from '../api.ts'
import { filter, tagsSearched } from './current-filter.ts'
import { type Near, queryOf } from './filter.ts'
import { hiddenQuery, includeHidden } from './hidden.ts'
import { orNull } from './messages.ts'
import { signedIn, user } from './session.ts'
import { isQueryText } from './typed-text.ts'
import { vocabularyVersion } from './vocabulary.ts'

const vocabulary = signal<{ key: string; known: readonly Known[] } | null>(null)
const places = signal<{ text: string; found: readonly (Known & { near: Near })[] }>({ text: '', found: [] })
/** What was typed, a moment after the last letter. */
const asked = signal('')

const key = computed(() =>
  JSON.stringify([user.value?.id ?? 0, includeHidden.value, vocabularyVersion.value, tagsSearched.value]),
)

/** Too short for suggestions, or not a name. */
function isName(text: string): boolean {
  return lengthOf(text) >= limits.suggestionsFrom && !isQueryText(text)
}

export const suggestions = computed<readonly Suggestion[]>(() => {
  const text = asked.value
  if (!isName(text)) return []
  const found = places.value.text === text ? places.value.found : []
  return suggestionsFor([...(vocabulary.value?.known ?? []), ...found], text)
})

/** Keystrings of the tags that are searched; one that is under several tags is one suggestion, where it is used most. */
async function keystrings(tags: readonly SearchableTag[]): Promise<Known[]> {
  const best = new Map<number, Known>()
  for (const tag of ['Keywords', 'Category', 'Author'] as const) {
    if (!tags.includes(tag)) continue
    for (const { id, content, itemcount, isHidden } of await api.keystrings.byTag({
      params: { tag },
      query: hiddenQuery(),
    })) {
      if (isHidden && includeHidden.peek() === '') continue
      if ((best.get(id)?.count ?? 0) < itemcount) best.set(id, { kind: tag, id, name: content, count: itemcount })
    }
  }
  return [...best.values()]
}

async function people(tags: readonly SearchableTag[]): Promise<Known[]> {
  if (!tags.includes('People')) return []
  const all = await api.people.list({ query: hiddenQuery() })
  return all
    .filter(({ itemcount }) => itemcount > 0)
    .flatMap(({ id, names, itemcount }) =>
      names.map(({ name }) => ({ kind: 'People' as const, id, name, count: itemcount })),
    )
}

async function objects(): Promise<Known[]> {
  const all = await api.objects.list({ query: hiddenQuery() })
  return all
    .filter(({ itemcount }) => itemcount > 0)
    .map(({ id, name, itemcount }) => ({ kind: 'Objects' as const, id, name, count: itemcount }))
}

let underway = ''

/** Loads the vocabulary, unless it is there or on its way. */
export async function loadVocabulary(): Promise<void> {
  const wanted = key.peek()
  if (vocabulary.peek()?.key === wanted || underway === wanted) return
  underway = wanted
  const tags = tagsSearched.peek()
  const known = await Promise.all([
    orNull('Failed to load keystrings', () => keystrings(tags)),
    orNull('Failed to load person data', () => people(tags)),
    orNull('Failed to load objects', objects),
  ])
  underway = ''
  if (key.peek() === wanted) vocabulary.value = { key: wanted, known: known.flatMap(one => one ?? []) }
}

const placesAsked = 3

/** Places of that name where there are pictures. */
async function loadPlaces(text: string): Promise<void> {
  try {
    const found = await api.map.places({ query: { q: text } })
    const counted = await Promise.all(
      found.slice(0, placesAsked).map(async ({ name, country, latitude, longitude }) => {
        const near = { latitude, longitude, radius: limits.suggestedRadius, name }
        const { _meta } = await api.items.list({
          params: { collectionId: filter.peek().collection },
          query: {
            ...queryOf({ ...filter.peek(), groups: [], near, q: '' }, includeHidden.peek()),
            limit: 1,
          },
        })
        return { kind: 'Places' as const, id: 0, name: `${name}, ${country}`, count: _meta.total_records, near }
      }),
    )
    if (asked.peek() === text) places.value = { text, found: counted.filter(({ count }) => count > 0) }
  } catch {
    // Whoever looks for a keyword is not told that a town could not be looked up.
  }
}

/** The place behind a suggestion. */
export function placeBehind({ name }: Suggestion): Near | null {
  return places.peek().found.find(one => one.name === name)?.near ?? null
}

/** Milliseconds after the last letter. */
export const suggestAfterMs = 150

/** Asks for suggestions for what is typed now. */
export function suggest(text: string): void {
  asked.value = text.trim()
  if (!isName(asked.value)) return
  void loadVocabulary()
  if (signedIn.peek()) void loadPlaces(asked.value)
}
