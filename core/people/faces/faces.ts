/** Faces of people: vectors that a model made, compared only with those of the same model. */
import type { Face } from '../../../schema/api/people.ts'
import { Failure } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { channels } from '../../../schema/realtime.ts'
import { demandUpdateSomewhere, notFound, type Viewer } from '../../accounts/access.ts'
import { createSeenItems } from '../../filter/seen-items.ts'
import { type Clock, seconds } from '../../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import { tellPerson } from '../people.ts'

export interface FaceInput {
  /** The region that it was seen in; undefined: as it is. */
  object?: number | null | undefined
  embedding_data: readonly number[]
  /** Undefined: the browser's, or as it is. */
  model?: string | undefined
}

interface FaceRow {
  id: number
  person_id: number
  region_id: number | null
  embedding: string
  model: string
}

const columns = 'id, person_id, region_id, embedding, model'

function faceJson(row: FaceRow): Face {
  return {
    id: row.id,
    person: row.person_id,
    object: row.region_id,
    // Written by this module alone.
    embedding_data: JSON.parse(row.embedding),
    model: row.model,
  }
}

/** Numbers of the vectors that are there of a model; null: none are. */
function lengthOf(tx: Pick<Transaction, 'get'>, model: string, exceptId: number): number | null {
  const known = tx.get<{ length: number }>(
    'SELECT json_array_length(embedding) AS length FROM faces WHERE model = ? AND id <> ? LIMIT 1',
    model,
    exceptId,
  )
  return known?.length ?? null
}

/**
 * Vectors of a model all have one length: the others' could not be compared with it. `exceptId`: a face that is about to
 * have this one. Failure 'invalid'; `field` is what the caller calls it.
 */
export function demandVector(
  tx: Pick<Transaction, 'get'>,
  { model, vector, exceptId = 0 }: { model: string; vector: readonly number[]; exceptId?: number },
  field = 'embedding_data',
): void {
  if (!vector.every(Number.isFinite)) {
    throw new Failure('invalid', `${field} has finite numbers only`, { field })
  }
  const length = model === limits.faceModel ? limits.faces.numbers : lengthOf(tx, model, exceptId)
  if (length !== null && length !== vector.length) {
    throw new Failure('invalid', `Faces of the model '${model}' have ${length} numbers, not ${vector.length}.`, {
      field,
    })
  }
}

export function createFaces({ db, clock }: { db: LibraryDatabase; clock: Clock }) {
  const items = createSeenItems({ db })

  function demandPerson(tx: Pick<Transaction, 'get'>, id: number): void {
    if (tx.get('SELECT 1 FROM people WHERE id = ?', id) === null) throw notFound()
  }

  function demandFace(tx: Pick<Transaction, 'get'>, person: number, id: number): FaceRow {
    demandPerson(tx, person)
    const row = tx.get<FaceRow>(`SELECT ${columns} FROM faces WHERE id = ? AND person_id = ?`, id, person)
    if (row === null) throw notFound()
    return row
  }

  /** A region on an item that the viewer sees, of this person or of somebody whom nobody has named. */
  function demandRegion(viewer: Viewer, tx: Transaction, person: number, id: number): void {
    const field = { field: 'object' }
    const region = tx.get<{ item_id: number; type: string; person_id: number | null }>(
      'SELECT item_id, type, person_id FROM regions WHERE id = ?',
      id,
    )
    const isSeen = region !== null && items.seen(viewer, region.item_id, viewer.unlockValue !== null, 'i.id') !== null
    if (!isSeen) throw new Failure('invalid', `There is no region with the id ${id}.`, field)
    if (region.type !== 'person' || (region.person_id !== null && region.person_id !== person)) {
      throw new Failure('invalid', `The region ${id} shows somebody or something else.`, field)
    }
  }

  /** The item of a region shows the face's id: whoever has it on the screen is told. */
  function tell(tx: Transaction, person: number, regions: readonly (number | null)[]): void {
    tellPerson(tx, 'update', person)
    for (const region of new Set(regions)) {
      const item = tx.get<{ id: number; collection_id: number }>(
        'SELECT i.id, i.collection_id FROM regions AS r JOIN items AS i ON i.id = r.item_id WHERE r.id = ?',
        region,
      )
      if (item !== null) tx.event(channels.collection(item.collection_id), { action: 'update', item })
    }
  }

  return {
    list(viewer: Viewer): Face[] {
      demandUpdateSomewhere(viewer)
      return db.all<FaceRow>(`SELECT ${columns} FROM faces ORDER BY id`).map(faceJson)
    },

    async add(viewer: Viewer, person: number, input: FaceInput): Promise<Face> {
      demandUpdateSomewhere(viewer)
      const { object = null, embedding_data: vector, model = limits.faceModel } = input
      return db.transact(viewer, tx => {
        demandPerson(tx, person)
        if (object !== null) demandRegion(viewer, tx, person, object)
        // A box shows one face: two browsers that look at it both bring theirs.
        const known = tx.get<{ id: number }>('SELECT id FROM faces WHERE region_id = ? AND model = ?', object, model)
        demandVector(tx, { model, vector, exceptId: known?.id ?? 0 })
        if (known !== null) {
          tx.run('UPDATE faces SET person_id = ?, embedding = ? WHERE id = ?', person, JSON.stringify(vector), known.id)
          tell(tx, person, [object])
          return { id: known.id, person, object, embedding_data: [...vector], model }
        }
        const { lastInsertRowid: id } = tx.run(
          'INSERT INTO faces (person_id, region_id, embedding, model, created_at) VALUES (?, ?, ?, ?, ?)',
          person,
          object,
          JSON.stringify(vector),
          model,
          seconds(clock),
        )
        tell(tx, person, [object])
        return { id, person, object, embedding_data: [...vector], model }
      })
    },

    async update(
      viewer: Viewer,
      { id: person, faceId }: { id: number; faceId: number },
      input: FaceInput,
    ): Promise<Face> {
      demandUpdateSomewhere(viewer)
      return db.transact(viewer, tx => {
        const before = demandFace(tx, person, faceId)
        const object = input.object === undefined ? before.region_id : input.object
        const model = input.model ?? before.model
        if (object !== null && object !== before.region_id) demandRegion(viewer, tx, person, object)
        demandVector(tx, { model, vector: input.embedding_data, exceptId: faceId })
        tx.run(
          'UPDATE faces SET region_id = ?, embedding = ?, model = ? WHERE id = ?',
          object,
          JSON.stringify(input.embedding_data),
          model,
          faceId,
        )
        tell(tx, person, [before.region_id, object])
        return { id: faceId, person, object, embedding_data: [...input.embedding_data], model }
      })
    },

    async remove(viewer: Viewer, { id: person, faceId }: { id: number; faceId: number }): Promise<void> {
      demandUpdateSomewhere(viewer)
      await db.transact(viewer, tx => {
        const before = demandFace(tx, person, faceId)
        tx.run('DELETE FROM faces WHERE id = ?', faceId)
        // What the server has seen there would teach the same again.
        tx.run('DELETE FROM found_faces WHERE region_id = ? AND model = ?', before.region_id, before.model)
        tell(tx, person, [before.region_id])
      })
    },
  }
}
