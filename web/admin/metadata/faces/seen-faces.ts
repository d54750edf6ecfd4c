/** Faces that were found on the pictures that are edited, by the keys of their boxes; whom they may show, and keeping them. */
import { computed, signal } from '@preact/signals-react'
import { type Box, likeness } from '../../../../schema/boxes.ts'
import type { LikePerson } from '../../../../schema/faces.ts'
import { succeeds } from '../../../app/messages.ts'
import { hasName, isKnownRegion, keepFace, personNameAt } from '../../../people/known-faces.ts'
import { nameBox } from '../boxes/box-choice.ts'
import { draft } from '../item-editor.ts'
import type { FormBox } from '../item-form.ts'
import { guessesOn, placedPeople } from './face-guesses.ts'
import type { ModelFace } from './face-places.ts'

/** With where it was seen: a box that is drawn to another face shows that one. */
interface SeenFace extends Pick<ModelFace, 'vector' | 'model' | 'people' | 'box' | 'found'> {
  /** On this picture. */
  item: number
  /** People that somebody has said it does not show. */
  not: ReadonlySet<number>
}

type Guessed = readonly LikePerson[]

const seen = signal<ReadonlyMap<string, SeenFace>>(new Map())

function setSeen(key: string, one: SeenFace): void {
  seen.value = new Map(seen.peek()).set(key, one)
}

/** A face is in this box; what was said of the box before stays. */
export function seeFace(
  key: string,
  item: number,
  { vector, model, people, box, found }: Pick<ModelFace, 'vector' | 'model' | 'people' | 'box' | 'found'>,
): void {
  setSeen(key, { item, vector, model, people, box, found, not: seen.peek().get(key)?.not ?? new Set() })
}

/** Has the form boxes for faces that the server has found? */
export function hasFound(item: number, boxes: readonly FormBox[]): boolean {
  return boxes.some(({ key }) => {
    const one = seen.peek().get(key)
    return one?.item === item && one.found !== null
  })
}

/** Faces of a picture that this browser has found, and that the form has boxes for. */
export function ownFaces(item: number, boxes: readonly FormBox[]): { key: string; vector: readonly number[] }[] {
  return boxes.flatMap(({ key }) => {
    const one = seen.peek().get(key)
    return one === undefined || one.item !== item || one.found !== null ? [] : [{ key, vector: one.vector }]
  })
}

/** Whom the server takes the faces of a picture for by now, by its numbers of them or by boxes; all are shown at once. */
export function takeSuggestions(
  item: number,
  { found, own }: { found: ReadonlyMap<number, Guessed>; own: ReadonlyMap<string, Guessed> },
): void {
  seen.value = new Map(
    [...seen.peek()].map(([key, one]) => {
      if (one.item !== item) return [key, one]
      const people = one.found === null ? own.get(key) : found.get(one.found)
      return [key, people === undefined ? one : { ...one, people }]
    }),
  )
}

/** Whom the face in a box may show, the likeliest first. Reads signals. */
export function suggestionsFor(key: string): readonly LikePerson[] {
  const one = seen.value.get(key)
  if (one === undefined) return []
  return (one.people ?? []).filter(({ person }) => !one.not.has(person) && hasName(person))
}

/** Those of them who have no other place on the picture; whoever was meant all the same can be typed. Reads signals. */
export function choicesFor(key: string): readonly LikePerson[] {
  const there = placedPeople(draft.value?.form.boxes ?? [], key)
  return suggestionsFor(key).filter(({ person }) => !there.has(person))
}

/** '82 %' */
export function percentText(similarity: number): string {
  return `${Math.round(similarity * 100)} %`
}

/** Who is suggested for each of the faces of a picture that nobody has named, by their boxes' keys. Reads signals. */
export function guessesFor(boxes: readonly FormBox[]): ReadonlyMap<string, LikePerson> {
  const faces = unnamedFaces(boxes).map(({ key }) => ({ key, people: suggestionsFor(key) }))
  return guessesOn(faces, placedPeople(boxes))
}

const guesses = computed(() => guessesFor(draft.value?.form.boxes ?? []))

/** Whom the face in a box of the edited picture shows most likely, called as at that time; null: nobody. Reads signals. */
export function guessOf(key: string, taken: number): { person: number; name: string; percent: string } | null {
  const guess = guesses.value.get(key)
  if (guess === undefined) return null
  return { person: guess.person, name: personNameAt(guess.person, taken), percent: percentText(guess.similarity) }
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
  if (one !== undefined) setSeen(key, { ...one, not: new Set(one.not).add(person) })
}

/**
 * The box of a face has somebody's name and is saved at this place: the face is known from now on. True when it was not
 * before.
 */
export async function faceNamed(key: string, region: number, person: number, place: Box): Promise<boolean> {
  const one = seen.peek().get(key)
  // A box that was named before has its face: the library takes that along.
  if (one === undefined || one.found !== null || person === 0 || isKnownRegion(one.item, region)) return false
  if (likeness(one.box, place) === 0) return false
  return succeeds('Failed to save face', () => keepFace(person, { item: one.item, region }, one))
}
