/** Words that are in use under a tag set, for suggestions; loaded when first wanted, anew when the vocabulary changed. */
import { signal } from '@preact/signals-react'
import { limits } from '../../schema/limits.ts'
import { type Known, lengthOf, type Suggestion, suggestionsFor } from '../../schema/suggestion-match.ts'
import { api } from '../api.ts'
import { hiddenQuery, includeHidden } from './hidden.ts'
import { report } from './messages.ts'
import { vocabularyVersion } from './vocabulary.ts'

type Tag = 'Keywords' | 'Category' | 'Author'

const known = signal<ReadonlyMap<Tag, { key: string; words: readonly Known[] }>>(new Map())
const underway = new Set<Tag>()

const keyNow = () => `${vocabularyVersion.value} ${includeHidden.value}`

async function load(tag: Tag): Promise<void> {
  if (underway.has(tag)) return
  underway.add(tag)
  const key = keyNow()
  try {
    const list = await api.keystrings.byTag({ params: { tag }, query: hiddenQuery() })
    const words = list.map(({ id, content, itemcount }) => ({ kind: tag, id, name: content, count: itemcount }))
    known.value = new Map(known.value).set(tag, { key, words })
  } catch (error) {
    known.value = new Map(known.value).set(tag, { key, words: [] })
    report(error, 'Failed to load keystrings')
  } finally {
    underway.delete(tag)
  }
}

/** What is known now, with how often it is used; what lacks is on its way. Reads signals. */
function wordsOf(tag: Tag): readonly Known[] {
  const entry = known.value.get(tag)
  if (entry?.key !== keyNow()) queueMicrotask(() => void load(tag))
  return entry?.words ?? []
}

/** A picker shows at most so many; who looks for another one types. */
const mostPicked = 100

/** Words for what was typed, from three letters on; `all`: whatever is in use, used most first. */
export function wordsFor(tag: Tag, typed: string, all: boolean): Suggestion[] {
  const words = wordsOf(tag)
  if (lengthOf(typed) >= limits.suggestionsFrom) return suggestionsFor(words, typed)
  if (!all) return []
  const often = [...words].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
  return often.slice(0, mostPicked).map(one => ({ ...one, from: 0, to: 0 }))
}
