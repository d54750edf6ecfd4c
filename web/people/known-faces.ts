/**
 * People by their names, and whom the library takes the faces for that this browser has found: it has the faces by which
 * people are known, many megabytes, and compares. Which boxes have taught whom they show already.
 */
import type { LikePerson } from '../../schema/faces.ts'
import { limits } from '../../schema/limits.ts'
import { api } from '../api.ts'
import { markStale } from '../app/loading/stale.ts'
import { people } from '../app/vocabulary.ts'
import { nameAt } from './person-names.ts'

/** Boxes by which somebody is known, as this browser's model sees them; by the items that were asked about. */
const taught = new Map<number, Set<number>>()

/** Whom faces of an item may show, in their order, the likeliest first. Throws what the server says. */
export async function suggestionsOf(
  item: number,
  faces: readonly { vector: readonly number[] }[],
): Promise<(readonly LikePerson[])[]> {
  if (faces.length === 0) return []
  const body = { model: limits.faceModel, faces: faces.map(({ vector }) => [...vector]) }
  const { suggestions, known } = await api.faces.suggest({ params: { id: item }, body })
  taught.set(item, new Set(known))
  return suggestions
}

/** Whether the person's name is known. Reads signals. */
export function hasName(person: number): boolean {
  return people.read().some(({ id }) => id === person)
}

/** What somebody is called on a picture of that time; seconds, local time read as if UTC. Reads signals. */
export function personNameAt(person: number, taken: number): string {
  return nameAt(people.read().find(({ id }) => id === person)?.names ?? [], taken)
}

/** Somebody is known already by what this browser's model saw in this box. */
export function isKnownRegion(item: number, region: number): boolean {
  return taught.get(item)?.has(region) ?? false
}

/** A box has been removed, or shows nobody now: the library forgets what was seen in it. */
export function forgetFaces(item: number, region: number): void {
  taught.get(item)?.delete(region)
}

/** Keeps a face of somebody, and the box that it is in. Throws what the server says. */
export async function keepFace(
  person: number,
  { item, region }: { item: number; region: number },
  { vector, model }: { vector: readonly number[]; model: string },
): Promise<void> {
  const body = { object: region, embedding_data: [...vector], model }
  await api.people.addFace({ params: { id: person }, body })
  taught.set(item, new Set(taught.get(item)).add(region))
  // A person who was only just created has no name here yet.
  if (!hasName(person)) {
    markStale('words')
    await people.load()
  }
}
