/** Faces that were found on the pictures that are edited, by the keys of their boxes; whom they may show, and keeping them. */
import { signal } from '@preact/signals-react'
import { type KnownFace, type LikePerson, suggestPeople } from '../../schema/faces.ts'
import { nameBox } from './box-choice.ts'
import type { FormBox } from './item-form.ts'
import { isKnownRegion, keepFace, knownFaces, personNameAt } from './known-faces.ts'
import { report } from './messages.ts'

interface Seen {
  vector: readonly number[]
  /** People that somebody has said it does not show. */
  not: ReadonlySet<number>
}

const seen = signal<ReadonlyMap<string, Seen>>(new Map())

/** Comparing with thousands takes a while, and is asked for again and again. */
const compared = new Map<string, { vector: readonly number[]; known: readonly KnownFace[]; people: LikePerson[] }>()

function put(key: string, one: Seen): void {
  seen.value = new Map(seen.peek()).set(key, one)
}

/** A face is in this box; what was said of the box before stays. */
export function seeFace(key: string, vector: readonly number[]): void {
  put(key, { vector, not: seen.peek().get(key)?.not ?? new Set() })
}

/** Whom the face in a box may show, the likeliest first. Reads signals. */
export function suggestionsFor(key: string): readonly LikePerson[] {
  const one = seen.value.get(key)
  if (one === undefined) return []
  const known = knownFaces.value
  const before = compared.get(key)
  const people =
    before?.known === known && before.vector === one.vector ? before.people : suggestPeople(one.vector, known)
  compared.set(key, { vector: one.vector, known, people })
  return people.filter(({ person }) => !one.not.has(person))
}

/** '82 %' */
export function percentText(similarity: number): string {
  return `${Math.round(similarity * 100)} %`
}

/** Whom the face in a box shows most likely, called as on a picture of that time; null: nobody who is known. Reads signals. */
export function guessOf(key: string, taken: number): { person: number; name: string; percent: string } | null {
  const [first] = suggestionsFor(key)
  if (first === undefined) return null
  return { person: first.person, name: personNameAt(first.person, taken), percent: percentText(first.similarity) }
}

/** Boxes with a face that nobody has named yet. Reads signals. */
export function unnamedFaces(boxes: readonly FormBox[]): FormBox[] {
  return boxes.filter(({ key, kind, subject, name }) => {
    return kind === 'person' && subject === 0 && name === '' && seen.value.has(key)
  })
}

/** It is that person. `taken` is the picture's time. */
export function acceptPerson(key: string, { person }: Pick<LikePerson, 'person'>, taken: number): void {
  nameBox(key, { kind: 'person', subject: person, name: personNameAt(person, taken) })
}

/** It is somebody else: the next one is suggested. */
export function rejectPerson(key: string, { person }: Pick<LikePerson, 'person'>): void {
  const one = seen.peek().get(key)
  if (one !== undefined) put(key, { ...one, not: new Set(one.not).add(person) })
}

/** The box of a face has somebody's name and is saved: the face is known from now on. True when it was not before. */
export async function faceNamed(key: string, region: number, person: number): Promise<boolean> {
  const one = seen.peek().get(key)
  // A box that was named before has its face: the library takes that along.
  if (one === undefined || person === 0 || isKnownRegion(region)) return false
  try {
    await keepFace(person, region, one.vector)
    return true
  } catch (error) {
    report(error, 'Failed to save face')
    return false
  }
}
