/** Matches boxes of people and objects, as callers draw them on the picture as shown, to saved boxes. */
import { and, eq, sql } from 'drizzle-orm'
import type { ObjectRegionInput, PersonRegionInput } from '../../../schema/api/tags.ts'
import { type Box, boxSimilarity, hasNoBox } from '../../../schema/boxes.ts'
import { Failure, sentence } from '../../../schema/errors.ts'
import { faces } from '../../../schema/tables/faces.ts'
import { notFound } from '../../accounts/access.ts'
import { insideBox, isUnmoved, shownSides, turnedBox, uprightBox } from '../../items/region-geometry.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { ItemToEdit } from '../item-edit.ts'
import type { StoredBox } from '../item-parts.ts'
import { requireSubject } from '../tag-data.ts'

export type RegionTag = 'People' | 'Object'

export interface RegionRequest {
  /** Id of a saved box; 0 if the caller does not know of a saved one. */
  id: number
  /** Null for an unnamed face. */
  subject: number | null
  /** Id of the reference face in this box; null: no face; undefined: unchanged. */
  face?: number | null | undefined
  /** On the picture as shown. */
  box: Box
  /** The picture's rotation in degrees when the box was drawn; undefined: the present rotation. */
  rotation?: number | undefined
  /** Name of the request in errors. */
  field: string
}

export function regionRequest(input: PersonRegionInput | ObjectRegionInput, field: string): RegionRequest {
  const { id = 0, x, y, width, height, rotation } = input
  const drawn = { id, box: { x, y, width, height }, rotation, field }
  if ('object' in input) return { ...drawn, subject: input.object }
  return { ...drawn, subject: input.person === 0 ? null : input.person, face: input.face }
}

/** Whether the picture was rotated after one of these boxes had been drawn: the box would be in the wrong place. */
export function wasRotatedSince(item: ItemToEdit, requests: readonly RegionRequest[]): boolean {
  return requests.some(({ rotation = item.parts.rotation }) => rotation !== item.parts.rotation)
}

export function savedBoxes(item: ItemToEdit, tag: RegionTag): readonly StoredBox[] {
  return tag === 'People' ? item.parts.people : item.parts.objects
}

/** Throws unless the named person or object exists, and the face is that person's. */
export function requireSubjectAndFace(tx: Transaction, tag: RegionTag, { subject, face, field }: RegionRequest): void {
  if (subject !== null) requireSubject(tx, tag, subject, field)
  if (face === undefined || face === null) return
  const known = tx.orm.select().from(faces).where(eq(faces.id, face)).get()
  if (known === undefined)
    throw new Failure('invalid', sentence`There is no face with the id ${face}.`, { field: `${field}.face` })
  if (known.personId !== subject) {
    throw new Failure('invalid', 'The face is not one of this person’s.', { field: `${field}.face` })
  }
}

/** How well a saved box matches a request; 0: not at all. Among equal places, the box of the same subject wins. */
function matchOf(item: ItemToEdit, saved: StoredBox, request: RegionRequest): number {
  if (hasNoBox(request.box) || hasNoBox(saved)) {
    return hasNoBox(request.box) && hasNoBox(saved) && saved.subject === request.subject ? 1 : 0
  }
  const shown = turnedBox(saved, item.parts.rotation, item)
  return boxSimilarity(shown, request.box) + (saved.subject === request.subject ? 0.001 : 0)
}

/**
 * Finds the saved box for each request, or null: by the request's id (throws `notFound` if there is no such box),
 * otherwise by place. No box is returned twice.
 */
function matchBoxes(
  item: ItemToEdit,
  saved: readonly StoredBox[],
  requests: readonly RegionRequest[],
): (StoredBox | null)[] {
  const taken = new Set<number | null>()
  const found = requests.map(request => {
    if (request.id === 0) return null
    const box = saved.find(({ id }) => id === request.id)
    if (box === undefined) throw notFound()
    if (taken.has(box.id)) throw new Failure('invalid', 'This region is given twice.', { field: `${request.field}.id` })
    taken.add(box.id)
    return box
  })
  const candidates = requests.flatMap((request, n) =>
    request.id !== 0
      ? []
      : saved.map(box => ({ n, box, match: matchOf(item, box, request) })).filter(({ match }) => match > 0.01),
  )
  for (const { n, box } of candidates.sort((a, b) => b.match - a.match)) {
    if (found[n] !== null || taken.has(box.id)) continue
    found[n] = box
    taken.add(box.id)
  }
  return found
}

/** The box to save. If it was not moved, it keeps exactly its old place. */
function boxToSave(item: ItemToEdit, before: StoredBox | null, request: RegionRequest): StoredBox {
  const { rotation } = item.parts
  const source = typeof request.face === 'number' ? 'face' : 'user'
  if (before !== null && isUnmoved(turnedBox(before, rotation, item), request.box)) {
    return before.subject === request.subject ? before : { ...before, subject: request.subject, source }
  }
  const inside = insideBox(request.box, shownSides(item, rotation))
  if (inside === null) throw new Failure('invalid', 'The box lies outside the picture.', { field: request.field })
  return { id: before?.id ?? null, subject: request.subject, ...uprightBox(inside, rotation, item), source }
}

/** The resulting boxes of a tag set if `requests` is the whole list: boxes without a request are deleted. */
export function boxesForWholeList(item: ItemToEdit, tag: RegionTag, requests: readonly RegionRequest[]): StoredBox[] {
  const matches = matchBoxes(item, savedBoxes(item, tag), requests)
  return requests.map((request, n) => boxToSave(item, matches[n] ?? null, request))
}

/** The list with one box added or changed. A new box is not added if its subject has a saved box in the same place. */
export function withBox(item: ItemToEdit, tag: RegionTag, request: RegionRequest): StoredBox[] {
  const saved = savedBoxes(item, tag)
  const comparable = request.id === 0 ? saved.filter(({ subject }) => subject === request.subject) : saved
  const [before = null] = matchBoxes(item, comparable, [request])
  // The box is saved already: drawing it again does not move it.
  if (request.id === 0 && before !== null) return [...saved]
  const box = boxToSave(item, before, request)
  return before === null ? [...saved, box] : saved.map(other => (other.id === before.id ? box : other))
}

export function savedId(item: ItemToEdit, tag: RegionTag, request: RegionRequest): number {
  if (request.id !== 0) return request.id
  const saved = savedBoxes(item, tag).filter(({ subject }) => subject === request.subject)
  const [box] = matchBoxes(item, saved, [request])
  if (typeof box?.id !== 'number') throw new Error('the region that was just saved is not there')
  return box.id
}

export function linkFace(tx: Transaction, regionId: number, face: number | null | undefined): boolean {
  if (face === undefined) return false
  const { changes } =
    face === null
      ? tx.orm.update(faces).set({ regionId: null }).where(eq(faces.regionId, regionId)).run()
      : tx.orm
          .update(faces)
          .set({ regionId })
          .where(and(eq(faces.id, face), sql`${faces.regionId} IS NOT ${regionId}`))
          .run()
  return changes > 0
}
