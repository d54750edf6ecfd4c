/** Whom the faces of the edited picture may show is asked anew when people are known by other faces than they were. */
import { computed, effect } from '@preact/signals-react'
import { api } from '../api.ts'
import { draft } from './item-editor.ts'
import { loadKnownPeople } from './known-faces.ts'
import { awaitsName, takeSuggestions } from './seen-faces.ts'
import { facesVersion } from './vocabulary.ts'

/** By which faces people were known when the server was asked last, by the pictures' ids. */
const asked = new Map<number, number>()

/** The server is about to be asked about this picture. */
export function noteAsked(item: number): void {
  asked.set(item, facesVersion.peek())
}

/** The picture that is edited, where a face on it waits for a name. */
const waiting = computed(() => {
  const now = draft.value
  return now !== null && awaitsName(now.form.boxes) ? now.item.id : null
})

async function ask(item: number): Promise<void> {
  noteAsked(item)
  const version = asked.get(item)
  try {
    const [{ faces }] = await Promise.all([api.faces.ofItem({ params: { id: item } }), loadKnownPeople()])
    const unnamed = faces.filter(({ person }) => person === null)
    if (asked.get(item) === version) takeSuggestions(item, new Map(unnamed.map(one => [one.id, one.suggestions])))
  } catch {
    // Nobody has asked for it here: what was suggested stays, until it is asked the next time.
    if (asked.get(item) === version) asked.delete(item)
  }
}

/** The screen is open: one picture is asked about at a time, the one that is shown. Answers what closes it. */
export function followSuggestions(): () => void {
  return effect(() => {
    const item = waiting.value
    const version = facesVersion.value
    if (item !== null && asked.get(item) !== version) void ask(item)
  })
}
