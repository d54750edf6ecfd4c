/** Faces of people: vectors of a model, compared only with those of the same model. */
import { and, eq } from 'drizzle-orm'
import type { Face } from '../../../schema/api/people.ts'
import { Failure, sentence } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { channels } from '../../../schema/realtime.ts'
import { faces, foundFaces } from '../../../schema/tables/faces.ts'
import { regions } from '../../../schema/tables/items.ts'
import { notFound, requireUpdateSomewhere, type Viewer } from '../../accounts/access.ts'
import { createSeenItems } from '../../filter/seen-items.ts'
import { type Clock, seconds } from '../../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import { publishPerson, requirePerson } from '../people.ts'
import { allFaces, itemOfRegion, lengthOfModel } from './faces.sql.ts'

export interface FaceInput {
  /** The region that the face was seen in; undefined: unchanged. */
  object?: number | null | undefined
  embedding_data: readonly number[]
  /** Undefined: the browser's model for a new face, the unchanged model for an existing one. */
  model?: string | undefined
}

function faceJson({ id, person, object, embedding, model }: RowOfQuery<typeof allFaces>): Face {
  return { id, person, object, embedding_data: JSON.parse(embedding), model }
}

/** Throws `invalid` unless a vector is as long as others of its model. `exceptId`: the face that it replaces. */
export function requireVector(
  tx: Pick<Transaction, 'get'>,
  { model, vector, exceptId = 0 }: { model: string; vector: readonly number[]; exceptId?: number },
  field = 'embedding_data',
): void {
  if (!vector.every(Number.isFinite)) {
    throw new Failure('invalid', sentence`${field} may contain only finite numbers`, { field })
  }
  const lengthSoFar = () => tx.get(lengthOfModel, model, exceptId)?.length ?? null
  const length = model === limits.faceModel ? limits.faces.numbers : lengthSoFar()
  if (length !== null && length !== vector.length) {
    throw new Failure(
      'invalid',
      sentence`Faces of the model '${model}' have ${length} numbers, not ${vector.length}.`,
      {
        field,
      },
    )
  }
}

function requireFace(tx: Transaction, person: number, id: number) {
  requirePerson(tx, person)
  const faceOfPerson = and(eq(faces.id, id), eq(faces.personId, person))
  const row = tx.orm.select().from(faces).where(faceOfPerson).get()
  if (row === undefined) throw notFound()
  return row
}

/** Publishes changed faces. Items show the id of a region's face, so their viewers are notified. */
function publishFaces(tx: Transaction, person: number, regions: readonly (number | null)[]): void {
  publishPerson(tx, 'update', person)
  for (const region of new Set(regions)) {
    const item = tx.get(itemOfRegion, region)
    if (item !== null) tx.event(channels.collection(item.collection_id), { action: 'update', item })
  }
}

export function createFaces({ db, clock }: { db: LibraryDatabase; clock: Clock }) {
  const items = createSeenItems({ db })

  /** Requires a region of an item that the viewer sees, of this person or unnamed. */
  function requireRegion(viewer: Viewer, tx: Transaction, person: number, id: number): void {
    const field = { field: 'object' }
    const region = tx.orm.select().from(regions).where(eq(regions.id, id)).get()
    const isSeen = (item: number) => items.canSee(viewer, item, viewer.unlockValue !== null)
    if (region === undefined || !isSeen(region.itemId))
      throw new Failure('invalid', sentence`There is no region with the id ${id}.`, field)
    if (region.type !== 'person' || (region.personId !== null && region.personId !== person)) {
      throw new Failure('invalid', sentence`The region ${id} shows another person or object.`, field)
    }
  }

  return {
    list(viewer: Viewer): Face[] {
      requireUpdateSomewhere(viewer)
      return db.all(allFaces).map(faceJson)
    },

    async add(viewer: Viewer, person: number, input: FaceInput): Promise<Face> {
      requireUpdateSomewhere(viewer)
      const { object = null, embedding_data: vector, model = limits.faceModel } = input
      return db.transact(viewer, tx => {
        requirePerson(tx, person)
        if (object !== null) requireRegion(viewer, tx, person, object)
        // A region has one face of a model: two browsers that show the region may both send theirs.
        const inBox = and(eq(faces.regionId, object ?? 0), eq(faces.model, model))
        const existing = tx.orm.select({ id: faces.id }).from(faces).where(inBox).get()
        requireVector(tx, { model, vector, exceptId: existing?.id ?? 0 })
        const seen = { personId: person, embedding: JSON.stringify(vector) }
        const fresh = { ...seen, regionId: object, model, createdAt: seconds(clock) }
        if (existing !== undefined) tx.orm.update(faces).set(seen).where(eq(faces.id, existing.id)).run()
        const id = existing?.id ?? tx.orm.insert(faces).values(fresh).run().lastInsertRowid
        publishFaces(tx, person, [object])
        return { id, person, object, embedding_data: [...vector], model }
      })
    },

    async update(
      viewer: Viewer,
      { id: person, faceId }: { id: number; faceId: number },
      input: FaceInput,
    ): Promise<Face> {
      requireUpdateSomewhere(viewer)
      return db.transact(viewer, tx => {
        const before = requireFace(tx, person, faceId)
        const { object = before.regionId, model = before.model, embedding_data: vector } = input
        if (object !== null && object !== before.regionId) requireRegion(viewer, tx, person, object)
        requireVector(tx, { model, vector, exceptId: faceId })
        const face = { regionId: object, embedding: JSON.stringify(vector), model }
        tx.orm.update(faces).set(face).where(eq(faces.id, faceId)).run()
        publishFaces(tx, person, [before.regionId, object])
        return { id: faceId, person, object, embedding_data: [...vector], model }
      })
    },

    async remove(viewer: Viewer, { id: person, faceId }: { id: number; faceId: number }): Promise<void> {
      requireUpdateSomewhere(viewer)
      await db.transact(viewer, tx => {
        const { regionId, model } = requireFace(tx, person, faceId)
        tx.orm.delete(faces).where(eq(faces.id, faceId)).run()
        // Otherwise a face that the server detected in that region would be learned again.
        const inBox = and(eq(foundFaces.regionId, regionId ?? 0), eq(foundFaces.model, model))
        tx.orm.delete(foundFaces).where(inBox).run()
        publishFaces(tx, person, [regionId])
      })
    },
  }
}
