/**
 * Asks the server whose faces this browser has found, because the reference faces are many megabytes. Also remembers
 * which boxes are references, and finds people's names.
 */
import type { LikePerson } from '../../schema/faces.ts'
import { limits } from '../../schema/limits.ts'
import { api } from '../api.ts'
import { markStale } from '../app/loading/stale.ts'
import { people } from '../app/vocabulary.ts'
import { nameAt } from './person-names.ts'

/** Reference boxes for this browser's model, by item. */
const referenceRegions = new Map<number, Set<number>>()

/** Suggestions for an item's faces, in their order, most likely first. Throws the server's refusal. */
export async function loadSuggestions(
  item: number,
  faces: readonly { vector: readonly number[] }[],
): Promise<(readonly LikePerson[])[]> {
  if (faces.length === 0) return []
  const body = { model: limits.faceModel, faces: faces.map(({ vector }) => [...vector]) }
  const { suggestions, known } = await api.faces.suggest({ params: { id: item }, body })
  referenceRegions.set(item, new Set(known))
  return suggestions
}

/** Whether this page knows the person, and so their names. Reads signals. */
export function isKnownPerson(person: number): boolean {
  return people.read().some(({ id }) => id === person)
}

/** The person's name at a time; seconds, local time read as if UTC. Reads signals. */
export function personNameAt(person: number, taken: number): string {
  return nameAt(people.read().find(({ id }) => id === person)?.names ?? [], taken)
}

/** Whether this box is already a reference for this browser's model. */
export function isReferenceRegion(item: number, region: number): boolean {
  return referenceRegions.get(item)?.has(region) ?? false
}

/** Called when a box was removed or has lost its name, because the library then forgets its face. */
export function forgetReferenceRegion(item: number, region: number): void {
  referenceRegions.get(item)?.delete(region)
}

/** Saves a reference face with its box. Throws the server's refusal. */
export async function storeReferenceFace(
  person: number,
  { item, region }: { item: number; region: number },
  { vector, model }: { vector: readonly number[]; model: string },
): Promise<void> {
  const body = { object: region, embedding_data: [...vector], model }
  await api.people.addFace({ params: { id: person }, body })
  referenceRegions.set(item, new Set(referenceRegions.get(item)).add(region))
  // The page does not know a new person's name yet.
  if (!isKnownPerson(person)) {
    markStale('words')
    await people.ready()
  }
}
