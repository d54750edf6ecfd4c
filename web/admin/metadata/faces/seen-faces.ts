/** Faces on the edited pictures by the keys of their boxes: their suggestions, and saving them. */
import { computed, signal } from '@preact/signals-react'
import { type Box, boxSimilarity } from '../../../../schema/boxes.ts'
import type { LikePerson } from '../../../../schema/faces.ts'
import { percentText } from '../../../../schema/figures.ts'
import { attempt } from '../../../app/messages.ts'
import { isKnownPerson, isReferenceRegion, personNameAt, storeReferenceFace } from '../../../people/known-faces.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import { nameBox } from '../boxes/box-choice.ts'
import { draft } from '../item-editor.ts'
import type { FormBox } from '../item-form.ts'
import { assignGuesses, placedPeople } from './face-guesses.ts'
import type { ModelFace } from './face-places.ts'

/** A face with the place where it was found, because the user may move the box to another face. */
interface SeenFace extends Pick<ModelFace, 'vector' | 'model' | 'people' | 'box' | 'found'> {
  item: number
  /** Ids of people whom the user has excluded. */
  rejected: ReadonlySet<number>
}

type Suggestions = readonly LikePerson[]

const seen = signal<ReadonlyMap<string, SeenFace>>(new Map())

function setSeen(key: string, one: SeenFace): void {
  seen.value = new Map(seen.peek()).set(key, one)
}

/** Assigns a face to a box; people whom the user has excluded for the box stay excluded. */
export function assignFace(
  key: string,
  item: number,
  { vector, model, people, box, found }: Pick<ModelFace, 'vector' | 'model' | 'people' | 'box' | 'found'>,
): void {
  setSeen(key, { item, vector, model, people, box, found, rejected: seen.peek().get(key)?.rejected ?? new Set() })
}

/** Whether the form has boxes of faces that the server has found. */
export function hasServerFaces(item: number, boxes: readonly FormBox[]): boolean {
  return boxes.some(({ key }) => {
    const one = seen.peek().get(key)
    return one?.item === item && one.found !== null
  })
}

/** Faces that this browser has found on a picture and that have boxes in the form. */
export function browserFaces(item: number, boxes: readonly FormBox[]): { key: string; vector: readonly number[] }[] {
  return boxes.flatMap(({ key }) => {
    const one = seen.peek().get(key)
    return one === undefined || one.item !== item || one.found !== null ? [] : [{ key, vector: one.vector }]
  })
}

/** Sets the suggestions for a picture's faces: `found` by the server's ids, `own` by the keys of their boxes. */
export function setSuggestions(
  item: number,
  { found, own }: { found: ReadonlyMap<number, Suggestions>; own: ReadonlyMap<string, Suggestions> },
): void {
  seen.value = new Map(
    [...seen.peek()].map(([key, one]) => {
      if (one.item !== item) return [key, one]
      const people = one.found === null ? own.get(key) : found.get(one.found)
      return [key, people === undefined ? one : { ...one, people }]
    }),
  )
}

/** Suggestions for the face in a box, most likely first. Reads signals. */
export function suggestionsFor(key: string): readonly LikePerson[] {
  const one = seen.value.get(key)
  if (one === undefined) return []
  return (one.people ?? []).filter(({ person }) => !one.rejected.has(person) && isKnownPerson(person))
}

/** Suggestions of people who have no other place on the picture; others can be typed. Reads signals. */
export function choicesFor(key: string): readonly LikePerson[] {
  const there = placedPeople(draft.value?.form.boxes ?? [], key)
  return suggestionsFor(key).filter(({ person }) => !there.has(person))
}

/** The suggestion for each unnamed face of a picture, by their boxes' keys. Reads signals. */
export function guessesFor(boxes: readonly FormBox[]): ReadonlyMap<string, LikePerson> {
  const faces = unnamedFaces(boxes).map(({ key }) => ({ key, people: suggestionsFor(key) }))
  return assignGuesses(faces, placedPeople(boxes))
}

const guesses = computed(() => guessesFor(draft.value?.form.boxes ?? []))

/** The most likely suggestion for a box, with the person's name at the time `taken`, or null. Reads signals. */
export function guessOf(key: string, taken: number): { person: number; name: string; percent: string } | null {
  const guess = guesses.value.get(key)
  if (guess === undefined) return null
  return { person: guess.person, name: personNameAt(guess.person, taken), percent: percentText(guess.similarity) }
}

/** Boxes with an unnamed face. Reads signals. */
export function unnamedFaces(boxes: readonly FormBox[]): FormBox[] {
  return boxes.filter(({ key, kind, subject, name }) => {
    return kind === 'person' && subject === 0 && name === '' && seen.value.has(key)
  })
}

/** Confirms a suggestion. `taken` is the picture's time. */
export function acceptPerson(key: string, { person }: Pick<LikePerson, 'person'>, taken: number): void {
  nameBox(key, { kind: 'person', subject: person, name: personNameAt(person, taken) })
}

/** Rejects a suggestion, so that the next one is shown. */
export function rejectPerson(key: string, { person }: Pick<LikePerson, 'person'>): void {
  const one = seen.peek().get(key)
  if (one !== undefined) setSeen(key, { ...one, rejected: new Set(one.rejected).add(person) })
}

/** Makes the face in a saved, named box a reference. Returns true if it has become one. */
export async function saveReferenceFace(key: string, region: number, person: number, place: Box): Promise<boolean> {
  const one = seen.peek().get(key)
  // The server already has the faces that it found itself, and those of boxes that were named before.
  if (one === undefined || one.found !== null || person === 0 || isReferenceRegion(one.item, region)) return false
  if (boxSimilarity(one.box, place) === 0) return false
  return attempt(metadataTexts.failedToSaveFace, () => storeReferenceFace(person, { item: one.item, region }, one))
}
