/** Words that are in use under a tag set, for suggestions; loaded when first wanted, anew when the vocabulary changed. */
import { signal } from '@preact/signals-react'
import { api } from '../api.ts'
import { report } from './messages.ts'
import { vocabularyVersion } from './vocabulary.ts'

type Tag = 'Keywords' | 'Category' | 'Author'

const known = signal<ReadonlyMap<Tag, { version: number; words: readonly string[] }>>(new Map())
const underway = new Set<Tag>()

async function load(tag: Tag): Promise<void> {
  if (underway.has(tag)) return
  underway.add(tag)
  const version = vocabularyVersion.peek()
  try {
    const list = await api.keystrings.byTag({ params: { tag } })
    known.value = new Map(known.value).set(tag, { version, words: list.map(({ content }) => content) })
  } catch (error) {
    known.value = new Map(known.value).set(tag, { version, words: [] })
    report(error, 'Failed to load keystrings')
  } finally {
    underway.delete(tag)
  }
}

/** What is known now; what lacks is on its way. */
export function wordsOf(tag: Tag): readonly string[] {
  const entry = known.value.get(tag)
  if (entry === undefined || entry.version !== vocabularyVersion.value) queueMicrotask(() => void load(tag))
  return entry?.words ?? []
}
