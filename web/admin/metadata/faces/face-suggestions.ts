/** Whom the faces of the edited picture may show is asked again when people are known by other faces than they were. */
import { computed, effect } from '@preact/signals-react'
import type { LikePerson } from '../../../../schema/faces.ts'
import { api } from '../../../api.ts'
import { versionOf } from '../../../app/loading/stale.ts'
import { people } from '../../../app/vocabulary.ts'
import { suggestionsOf } from '../../../people/known-faces.ts'
import { draft, draftOf } from '../item-editor.ts'
import { hasFound, ownFaces, takeSuggestions, unnamedFaces } from './seen-faces.ts'

/** By which faces people were known when the server was asked last, by the pictures' ids. */
const latestRequests = new Map<number, number>()

/** The server is about to be asked about this picture. */
export function noteAsked(item: number): void {
  latestRequests.set(item, versionOf('faces'))
}

/** The picture that is edited, where a face on it waits for a name. */
const waiting = computed(() => {
  const now = draft.value
  return now !== null && unnamedFaces(now.form.boxes).length > 0 ? now.item.id : null
})

const boxesOf = (item: number) => draftOf(item)?.form.boxes ?? []

/** Of those that the server has found, by its numbers of them. */
async function suggestForFound(item: number): Promise<Map<number, readonly LikePerson[]>> {
  if (!hasFound(item, boxesOf(item))) return new Map()
  const { faces } = await api.faces.ofItem({ params: { id: item } })
  const unnamed = faces.filter(({ person }) => person === null)
  return new Map(unnamed.map(one => [one.id, one.suggestions]))
}

/** Of those that this browser has found, by the keys of their boxes. */
async function suggestForNamed(item: number): Promise<Map<string, readonly LikePerson[]>> {
  const faces = ownFaces(item, boxesOf(item))
  const suggestions = await suggestionsOf(item, faces)
  return new Map(faces.map(({ key }, n) => [key, suggestions[n] ?? []]))
}

async function loadSuggestions(item: number): Promise<void> {
  noteAsked(item)
  const version = latestRequests.get(item)
  try {
    const [found, own] = await Promise.all([suggestForFound(item), suggestForNamed(item), people.load()])
    if (latestRequests.get(item) === version) takeSuggestions(item, { found, own })
  } catch {
    // Nobody has requested it here: what was suggested stays, until it is asked the next time.
    if (latestRequests.get(item) === version) latestRequests.delete(item)
  }
}

/** The screen is open: one picture is asked about at a time, the one that is shown. Returns what closes it. */
export function followSuggestions(): () => void {
  return effect(() => {
    const item = waiting.value
    const version = versionOf('faces')
    if (item !== null && latestRequests.get(item) !== version) void loadSuggestions(item)
  })
}
