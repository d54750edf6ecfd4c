/** Words and people that tag pickers suggest; loaded when first wanted, anew when the vocabulary changed. */
import { signal } from '@preact/signals-react'
import type { Known } from '../../schema/suggestion-match.ts'
import { api } from '../api.ts'
import { hiddenQuery, includeHidden } from './hidden.ts'
import { report } from './messages.ts'
import { user } from './session.ts'
import type { BulkTag } from './tag-plan.ts'
import { vocabularyVersion } from './vocabulary.ts'

const known = signal<ReadonlyMap<BulkTag, { key: string; words: readonly Known[] }>>(new Map())
const underway = new Map<BulkTag, string>()

const failures = {
  Category: 'Failed to load keystrings',
  Keywords: 'Failed to load keystrings',
  People: 'Failed to load person data',
} as const

async function ask(tag: BulkTag): Promise<Known[]> {
  const query = hiddenQuery()
  if (tag === 'People') {
    const people = await api.people.list({ query })
    return people.flatMap(({ id, names, itemcount }) =>
      names.map(({ name }) => ({ kind: 'People' as const, id, name, count: itemcount })),
    )
  }
  const words = await api.keystrings.byTag({ params: { tag }, query })
  return words.map(({ id, content, itemcount }) => ({ kind: tag, id, name: content, count: itemcount }))
}

async function load(tag: BulkTag, key: string): Promise<void> {
  if (underway.get(tag) === key) return
  underway.set(tag, key)
  let words: readonly Known[] = known.peek().get(tag)?.words ?? []
  try {
    words = await ask(tag)
  } catch (error) {
    report(error, failures[tag])
  }
  if (underway.get(tag) !== key) return
  underway.delete(tag)
  known.value = new Map(known.peek()).set(tag, { key, words })
}

/** What is known now; what lacks is on its way. */
export function wordsFor(tag: BulkTag): readonly Known[] {
  const key = JSON.stringify([user.value?.id ?? 0, includeHidden.value, vocabularyVersion.value])
  const entry = known.value.get(tag)
  if (entry?.key !== key) queueMicrotask(() => void load(tag, key))
  return entry?.words ?? []
}
