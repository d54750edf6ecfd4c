/** People and objects that a box can be named after, loaded when first needed, anew when the vocabulary changed. */
import { computed, signal } from '@preact/signals-react'
import { limits } from '../../schema/limits.ts'
import { type Known, lengthOf, type Suggestion, suggestionsFor } from '../../schema/suggestion-match.ts'
import { api } from '../api.ts'
import { hiddenQuery, includeHidden } from './hidden.ts'
import { type FormBox, sameWord } from './item-form.ts'
import { orNull } from './messages.ts'
import { user } from './session.ts'
import { vocabularyVersion } from './vocabulary.ts'

const loaded = signal<{ key: string; known: readonly Known[] }>({ key: '', known: [] })
let underway = ''

const keyNow = () => JSON.stringify([user.value?.id ?? 0, includeHidden.value, vocabularyVersion.value])

async function people(query: { includeHidden?: string }): Promise<Known[]> {
  const all = (await orNull('Failed to load person data', () => api.people.list({ query }))) ?? []
  return all.flatMap(({ id, names, itemcount }) =>
    names.map(({ name }) => ({ kind: 'People' as const, id, name, count: itemcount })),
  )
}

async function objects(query: { includeHidden?: string }): Promise<Known[]> {
  const all = (await orNull('Failed to load objects', () => api.objects.list({ query }))) ?? []
  return all.map(({ id, name, itemcount }) => ({ kind: 'Objects' as const, id, name, count: itemcount }))
}

async function load(key: string): Promise<void> {
  if (underway === key) return
  underway = key
  const query = hiddenQuery()
  const known = await Promise.all([people(query), objects(query)])
  if (underway !== key) return
  underway = ''
  loaded.value = { key, known: known.flat() }
}

/** What is known now; what lacks is on its way. Reads signals. */
export function knownNames(): readonly Known[] {
  const key = keyNow()
  if (loaded.value.key !== key) queueMicrotask(() => void load(key))
  return loaded.value.known
}

const objectNames = computed(
  () => new Map(loaded.value.known.flatMap(({ kind, id, name }) => (kind === 'Objects' ? [[id, name] as const] : []))),
)

/** What a box shows is called now: an object may have got another name. Reads signals. */
export function nameOf({ kind, subject, name }: Pick<FormBox, 'kind' | 'subject' | 'name'>): string {
  if (kind !== 'object' || subject === 0) return name
  knownNames()
  return objectNames.value.get(subject) ?? name
}

const mostAtOnce = 8

/** What may be meant by what was typed: nothing typed brings those that are used most, three letters suggest. */
export function namesFor(known: readonly Known[], typed: string): Suggestion[] {
  const text = typed.trim()
  if (text === '') {
    const often = known.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
    const ids = new Set<string>()
    const firstOfEach = often.filter(({ kind, id }) => !ids.has(`${kind} ${id}`) && ids.add(`${kind} ${id}`))
    return firstOfEach.slice(0, mostAtOnce).map(one => ({ ...one, from: 0, to: 0 }))
  }
  const long = lengthOf(text) >= limits.suggestionsFrom
  // Whoever is called Al is found all the same.
  const whole = known.filter(({ name }) => sameWord(name, text))
  return suggestionsFor(long ? known : whole, text).slice(0, mostAtOnce)
}
