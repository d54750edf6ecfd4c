/** Names for boxes: people and objects. */
import { computed } from '@preact/signals-react'
import { limits } from '../../../../schema/limits.ts'
import { type KnownName, lengthOf, type Suggestion, suggestionsFor } from '../../../../schema/suggestion-match.ts'
import { objectNames, objects, personNames } from '../../../app/vocabulary.ts'
import { sameWord } from '../../../kit/words.ts'
import type { FormBox } from '../item-form.ts'

export const knownNames = computed(() => [...personNames.value, ...objectNames.value])

const nameOfObject = computed(() => new Map(objects.read().map(({ id, name }) => [id, name])))

/** The name of a box's person or object; an object's present one, in case it was renamed. Reads signals. */
export function nameOfBox({ kind, subject, name }: Pick<FormBox, 'kind' | 'subject' | 'name'>): string {
  if (kind !== 'object' || subject === 0) return name
  return nameOfObject.value.get(subject) ?? name
}

const maxAtOnce = 8

/** Suggestions while a name is typed: the most used names for an empty text, names that match from three letters on. */
export function suggestNames(known: readonly KnownName[], typed: string): Suggestion[] {
  const text = typed.trim()
  if (text === '') {
    const mostUsed = known.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
    const ids = new Set<string>()
    const firstOfEach = mostUsed.filter(({ kind, id }) => !ids.has(`${kind} ${id}`) && ids.add(`${kind} ${id}`))
    return firstOfEach.slice(0, maxAtOnce).map(one => ({ ...one, from: 0, to: 0 }))
  }
  const long = lengthOf(text) >= limits.suggestionsFrom
  // A shorter text matches only a whole name, such as Al.
  const whole = known.filter(({ name }) => sameWord(name, text))
  return suggestionsFor(long ? known : whole, text).slice(0, maxAtOnce)
}
