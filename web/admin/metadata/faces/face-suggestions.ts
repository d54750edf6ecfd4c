/** Reloads suggestions for the edited picture when reference faces have changed. */
import { computed, effect } from '@preact/signals-react'
import type { LikePerson } from '../../../../schema/faces.ts'
import { api } from '../../../api.ts'
import { onRecovery } from '../../../app/loading/recovery.ts'
import { versionOf } from '../../../app/loading/stale.ts'
import { people } from '../../../app/vocabulary.ts'
import { loadSuggestions } from '../../../people/known-faces.ts'
import { draft, draftOf } from '../item-editor.ts'
import { browserFaces, hasServerFaces, setSuggestions, unnamedFaces } from './seen-faces.ts'

/** Version of the reference faces at the last request, by item id. */
const latestRequests = new Map<number, number>()

/** Notes that a picture's suggestions are being requested now, with the present reference faces. */
export function noteRequested(item: number): void {
  latestRequests.set(item, versionOf('faces'))
}

/** Id of the edited picture, if it has an unnamed face. */
const itemWithUnnamedFace = computed(() => {
  const now = draft.value
  return now !== null && unnamedFaces(now.form.boxes).length > 0 ? now.item.id : null
})

const boxesOf = (item: number) => draftOf(item)?.form.boxes ?? []

/** Suggestions for faces that the server has found, by the server's ids. */
async function loadServerSuggestions(item: number): Promise<Map<number, readonly LikePerson[]>> {
  if (!hasServerFaces(item, boxesOf(item))) return new Map()
  const { faces } = await api.faces.ofItem({ params: { id: item } })
  const unnamed = faces.filter(({ person }) => person === null)
  return new Map(unnamed.map(one => [one.id, one.suggestions]))
}

/** Suggestions for faces that this browser has found, by the keys of their boxes. */
async function loadBrowserSuggestions(item: number): Promise<Map<string, readonly LikePerson[]>> {
  const faces = browserFaces(item, boxesOf(item))
  const suggestions = await loadSuggestions(item, faces)
  return new Map(faces.map(({ key }, n) => [key, suggestions[n] ?? []]))
}

async function reloadSuggestions(item: number): Promise<void> {
  noteRequested(item)
  const version = latestRequests.get(item)
  try {
    const [found, own] = await Promise.all([loadServerSuggestions(item), loadBrowserSuggestions(item), people.ready()])
    if (latestRequests.get(item) === version) setSuggestions(item, { found, own })
  } catch {
    // The user did not request this, so on failure old suggestions stay until the next attempt.
    if (latestRequests.get(item) === version) latestRequests.delete(item)
  }
}

/** Keeps the suggestions for the edited picture up to date. Returns the function that stops this. */
export function keepSuggestionsFresh(): () => void {
  const loadMissing = () => {
    const [item, version] = [itemWithUnnamedFace.value, versionOf('faces')]
    if (item !== null && latestRequests.get(item) !== version) void reloadSuggestions(item)
  }
  const [stop, stopWaiting] = [effect(loadMissing), onRecovery(loadMissing)]
  return () => {
    stop()
    stopWaiting()
  }
}
