/**
 * People by their names, and the faces that somebody has named, as the library has them: whom faces are compared with that this
 * browser found itself. Those that the server found it has compared already: many megabytes stay where they are.
 */
import { computed, signal } from '@preact/signals-react'
import type { Face, Person } from '../../schema/api/people.ts'
import type { KnownFace } from '../../schema/faces.ts'
import { api } from '../api.ts'
import { report } from './messages.ts'
import { nameAt } from './person-names.ts'
import { user } from './session.ts'
import { vocabularyVersion } from './vocabulary.ts'

interface StoredFace extends KnownFace {
  id: number
  model: string
  /** The box that it was seen in; null where that is gone. */
  region: number | null
}

const loaded = signal<{ key: string; faces: readonly StoredFace[] }>({ key: '', faces: [] })
const people = signal<{ key: string; list: readonly Person[] }>({ key: '', list: [] })

const keyNow = () => `${user.peek()?.id ?? 0} ${vocabularyVersion.peek()}`

const byModel = computed(() => {
  const models = new Map<string, StoredFace[]>()
  for (const face of loaded.value.faces) {
    const alike = models.get(face.model)
    if (alike === undefined) models.set(face.model, [face])
    else alike.push(face)
  }
  return models
})
const nobody: readonly KnownFace[] = []

/** Faces of one model: only like is compared with like. The same list until one changes. Reads signals. */
export function knownFaces(model: string): readonly KnownFace[] {
  return byModel.value.get(model) ?? nobody
}

function stored({ id, person, object, embedding_data, model }: Face): StoredFace {
  return { id, person, model, region: object, vector: Float32Array.from(embedding_data) }
}

/** Loads names anew where people have changed. Without them there are boxes, and nobody is suggested. */
export async function loadKnownPeople(): Promise<void> {
  const key = keyNow()
  if (people.peek().key === key) return
  try {
    people.value = { key, list: await api.people.list({ query: {} }) }
  } catch (error) {
    report(error, 'Failed to load person data')
  }
}

/** Loads the faces, where there are some that the server has not compared. */
export async function loadKnownFaces(): Promise<void> {
  const key = keyNow()
  if (loaded.peek().key === key) return
  try {
    loaded.value = { key, faces: (await api.people.faces()).map(stored) }
  } catch (error) {
    report(error, 'Failed to load person data')
  }
}

/** Whether there is anything to compare with. Reads signals. */
export function hasKnownFaces(): boolean {
  return loaded.value.key !== ''
}

/** Whether it can be told what he is called. Reads signals. */
export function hasName(person: number): boolean {
  return people.value.list.some(({ id }) => id === person)
}

/** What somebody is called on a picture of that time; seconds, local time read as if UTC. Reads signals. */
export function personNameAt(person: number, taken: number): string {
  return nameAt(people.value.list.find(({ id }) => id === person)?.names ?? [], taken)
}

/** Somebody is known by what a model saw in this box; by what any of them saw, where none is named. */
export function isKnownRegion(region: number, model?: string): boolean {
  return loaded.peek().faces.some(face => face.region === region && (model === undefined || face.model === model))
}

function changeFaces(faces: readonly StoredFace[]): void {
  if (loaded.peek().key !== '') loaded.value = { ...loaded.peek(), faces }
}

/** A box has been removed: the library forgets what was seen in it. */
export function forgetFaces(region: number): void {
  if (isKnownRegion(region)) changeFaces(loaded.peek().faces.filter(face => face.region !== region))
}

/** A box shows this person now, 0: nobody; so does what was seen in it. */
export function moveFaces(region: number, person: number): void {
  const { faces } = loaded.peek()
  if (person === 0) forgetFaces(region)
  else if (faces.some(face => face.region === region && face.person !== person)) {
    changeFaces(faces.map(face => (face.region === region ? { ...face, person } : face)))
  }
}

/** Keeps a face of somebody, and the box that it is in. Throws what the server says. */
export async function keepFace(
  person: number,
  region: number,
  { vector, model }: { vector: readonly number[]; model: string },
): Promise<void> {
  const body = { object: region, embedding_data: [...vector], model }
  const face = await api.people.addFace({ params: { id: person }, body })
  // Another browser may have kept it already.
  changeFaces([...loaded.peek().faces.filter(({ id }) => id !== face.id), stored(face)])
  // Somebody who was only just made.
  if (!people.peek().list.some(({ id }) => id === person)) {
    people.value = { ...people.peek(), list: await api.people.list({ query: {} }) }
  }
}
