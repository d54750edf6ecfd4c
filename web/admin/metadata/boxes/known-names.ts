/** What a box can be named after: people and objects. */
import { computed } from '@preact/signals-react'
import { limits } from '../../../../schema/limits.ts'
import { type KnownName, lengthOf, type Suggestion, suggestionsFor } from '../../../../schema/suggestion-match.ts'
import { objectNames, objects, personNames } from '../../../app/vocabulary.ts'
import { sameWord } from '../../../kit/words.ts'
import type { FormBox } from '../item-form.ts'

export const knownNames = computed(() => [...personNames.value, ...objectNames.value])

const nameOfObject = computed(() => new Map(objects.read().map(({ id, name }) => [id, name])))

/** The present name of what a box shows: an object may have been renamed. Reads signals. */
export function nameOf({ kind, subject, name }: Pick<FormBox, 'kind' | 'subject' | 'name'>): string {
  if (kind !== 'object' || subject === 0) return name
  return nameOfObject.value.get(subject) ?? name
}

const mostAtOnce = 8

/** What may be meant by what was typed: nothing typed brings those that are used most, three letters suggest. */
export function namesFor(known: readonly KnownName[], typed: string): Suggestion[] {
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
