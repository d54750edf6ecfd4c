/** Suggestions of the search: names from the vocabulary, loaded when first needed, and places. */
import { computed, signal } from '@preact/signals-react'
import { limits } from '../../schema/limits.ts'
import { type KnownName, lengthOf, type Suggestion, suggestionsFor } from '../../schema/suggestion-match.ts'
import { api } from '../api.ts'
import { filter, searchedTags } from '../app/current-filter.ts'
import { type Near, queryOf } from '../app/filter.ts'
import { includeHidden } from '../app/hidden.ts'
import { createLoading } from '../app/loading/resource.ts'
import { signedIn } from '../app/session.ts'
import { isQueryText } from '../app/typed-text.ts'
import { objectNames, personNames, words } from '../app/vocabulary.ts'
import { loadFacesPart } from '../faces/part.ts'

const places = signal<{ text: string; found: readonly (KnownName & { near: Near })[] }>({ text: '', found: [] })
/** The text for which suggestions are shown. */
const latestText = signal('')

/** Whether there may be suggestions for the text: it is long enough, and no query. */
function isLikeName(text: string): boolean {
  return lengthOf(text) >= limits.suggestionsFrom && !isQueryText(text)
}

/** Names of objects and in the searched tag sets; a keystring in several sets is listed for the one that uses it most. */
const searchedNames = computed<readonly KnownName[]>(() => {
  const searched = searchedTags.value
  const best = new Map<number, KnownName>()
  for (const tag of ['Keywords', 'Category', 'Author'] as const) {
    if (!searched.includes(tag)) continue
    for (const { isHidden, ...word } of words[tag].value) {
      if (isHidden && includeHidden.value === '') continue
      if ((best.get(word.id)?.count ?? 0) < word.count) best.set(word.id, word)
    }
  }
  const people = searched.includes('People') ? personNames.value : []
  return [...best.values(), ...[...people, ...objectNames.value].filter(({ count }) => count > 0)]
})

/** Loads the names, unless they are loaded or being loaded. */
export function loadNames(): void {
  loadFacesPart()
  searchedNames.peek()
}

export const suggestions = computed<readonly Suggestion[]>(() => {
  const text = latestText.value
  if (!isLikeName(text)) return []
  const found = places.value.text === text ? places.value.found : []
  return suggestionsFor([...searchedNames.value, ...found], text)
})

const maxPlaces = 3
const loading = createLoading('')

/** Loads places with this name around which there are items, and how many items. */
async function loadCountedPlaces(text: string): Promise<(KnownName & { near: Near })[]> {
  const found = await api.map.places({ query: { q: text } })
  const counted = await Promise.all(
    found.slice(0, maxPlaces).map(async ({ name, country, latitude, longitude }) => {
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
  return counted.filter(({ count }) => count > 0)
}

/** Loads places. A failure is not shown, so that it does not disturb a search for words. */
async function loadPlaces(text: string): Promise<void> {
  const take = (found: Awaited<ReturnType<typeof loadCountedPlaces>>) => {
    places.value = { text, found }
  }
  await loading.load(() => loadCountedPlaces(text), take, { quiet: true })
}

/** The place of a suggestion; null if it is unknown. */
export function placeOfSuggestion({ name }: Suggestion): Near | null {
  return places.peek().found.find(one => one.name === name)?.near ?? null
}

/** Milliseconds from the last change of the text until suggestions are updated. */
export const suggestionDelayMs = 150

export function updateSuggestions(text: string): void {
  latestText.value = text.trim()
  if (!isLikeName(latestText.value)) return
  loadNames()
  if (signedIn.peek()) void loadPlaces(latestText.value)
}
