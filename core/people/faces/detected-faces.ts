/** Detected faces for callers: those of an item, the progress of detection, and deleting face data. */
import { eq } from 'drizzle-orm'
import type {
  DeletedPerson,
  DuePictures,
  FaceStatus,
  FaceSuggestions,
  FoundFace,
  ItemFaces,
} from '../../../schema/api/faces.ts'
import { Failure } from '../../../schema/errors.ts'
import type { LikePerson } from '../../../schema/faces.ts'
import { collections } from '../../../schema/tables/collections.ts'
import { items as itemsTable } from '../../../schema/tables/items.ts'
import { notFound, requireGlobalAdmin, requireUpdateSomewhere, type Viewer } from '../../accounts/access.ts'
import { roundedVector, vectorOfBytes } from '../../editing/boxes/vectors.ts'
import { createSeenItems } from '../../filter/seen-items.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import type { Query } from '../../kernel/database/statement.ts'
import { rootState, unavailableReason } from '../../survey/safety.ts'
import type { Jobs } from '../../work/jobs.ts'
import { personRow } from '../people.ts'
import { countDue, countDueByRoot, lastDetection, notInspected } from './detections.ts'
import { displayedBox } from './displayed-box.ts'
import * as statements from './faces.sql.ts'
import { requireVector } from './faces.ts'
import { deletedPeople, forgetFaces } from './forgetting.ts'
import type { KnownFaces } from './known.ts'

interface DetectedFacesStore {
  db: LibraryDatabase
  known: KnownFaces
  jobs: Pick<Jobs, 'running' | 'waiting' | 'enqueue'>
  model: string
}

/** How often overwriting the deleted data is tried before the response is sent. */
const maxOverwriteTries = 20
const overwriteMs = 100

function facesJobId({ jobs }: DetectedFacesStore): number | null {
  const [job] = [...jobs.running(), ...jobs.waiting()].filter(({ kind }) => kind === 'faces')
  return job?.id ?? null
}

function createItemFaces({ db, known, model }: DetectedFacesStore) {
  const items = createSeenItems({ db })
  return {
    /** Detected faces, named ones too, on an item that the viewer may change. */
    ofItem(viewer: Viewer, id: number): ItemFaces {
      items.requireRight(viewer, id, 'update')
      const item = db.orm.select().from(itemsTable).where(eq(itemsTable.id, id)).get()
      const detection = lastDetection(db, id, model)
      if (item === undefined) throw notFound()
      const isCurrent =
        detection?.fault === null && detection.content === item.content && detection.rotation === item.rotation
      if (!isCurrent) return { looked: null, faces: [] }
      return {
        looked: { at: detection.lookedAt, confidence: detection.confidence, model },
        faces: db.all(statements.facesFound, id, model).map((row): FoundFace => {
          const vector = vectorOfBytes(row.vector)
          return {
            id: row.id,
            ...displayedBox(row, item.rotation, item),
            score: row.score,
            object: row.object,
            person: row.person,
            group: row.person === null ? row.group : null,
            suggestions: row.person === null ? known.suggest(model, row.id, vector) : [],
            embedding_data: roundedVector(vector),
            model,
          }
        }),
      }
    },

    /** People whom a browser's detected faces may show. Stores nothing. Throws `invalid` for another model's vector. */
    async suggest(
      viewer: Viewer,
      id: number,
      { model, faces }: { model: string; faces: readonly (readonly number[])[] },
    ): Promise<FaceSuggestions> {
      items.requireRight(viewer, id, 'update')
      for (const vector of faces) requireVector(db, { model, vector }, 'faces')
      const suggestions: LikePerson[][] = []
      for (const vector of faces) {
        // Each face takes a while in a large library, so other work runs in between.
        await new Promise(resolve => setImmediate(resolve))
        suggestions.push(known.compare(model, Float32Array.from(vector)))
      }
      return { suggestions, known: db.all(statements.learntRegions, id, model).map(region => region.id) }
    },
  }
}

/** The pictures to process: of one collection or of all of them; with `all` also those that are not due. */
interface DetectionRequest {
  collection?: number | undefined
  all?: boolean | undefined
}

function createDetection(store: DetectedFacesStore) {
  const { db, jobs, model } = store
  const count = (query: Query<{ n: number }>) => db.get(query, model)?.n ?? 0
  const dueOf = ({ collection = 0, all = false }: DetectionRequest) => ({
    model,
    collectionId: collection,
    since: all ? Number.MAX_SAFE_INTEGER : 0,
  })

  /** The start of an interrupted detection of all pictures, which the next one continues. */
  function interruptedSince(collection: number): number | null {
    const last = db.get(statements.lastFacesJob, collection)
    const isStopped = last !== null && ['cancelled', 'failed', 'stopped'].includes(last.state)
    return isStopped && last.since > 0 ? last.since : null
  }

  return {
    status(viewer: Viewer): FaceStatus {
      requireUpdateSomewhere(viewer)
      const faces = count(statements.countFound)
      return {
        model,
        looked: count(statements.countLooked),
        due: countDue(db, dueOf({})),
        faces,
        named: faces - count(statements.countUnnamed),
        groups: count(statements.countShownGroups),
        known: count(statements.countKnown),
        job: facesJobId(store),
      }
    },

    /** Starts detection; returns the job. With `all`, continues an interrupted detection of all pictures. */
    index(
      viewer: Viewer,
      { collection = 0, all = false, jobs: width = 0 }: DetectionRequest & { jobs?: number },
      { now, inProcess = false }: { now: number; inProcess?: boolean },
    ): Promise<number> {
      requireGlobalAdmin(viewer)
      const collectionExists = () =>
        db.orm.select().from(collections).where(eq(collections.id, collection)).get() !== undefined
      if (collection !== 0 && !collectionExists()) throw notFound()
      const input = { collectionId: collection, since: all ? (interruptedSince(collection) ?? now) : 0, jobs: width }
      return jobs.enqueue(viewer, 'faces', input, { inProcess })
    },

    /** Number of pictures that a job with this request would process. */
    due(viewer: Viewer, request: DetectionRequest): number {
      requireGlobalAdmin(viewer)
      return countDue(db, dueOf(request))
    },

    /** How many pictures detection would process now, and why collections with an unavailable disk are skipped. */
    outlook(viewer: Viewer, request: DetectionRequest): DuePictures {
      requireGlobalAdmin(viewer)
      const inspected = countDueByRoot(db, dueOf(request)).map(({ root, n }) => ({
        n,
        reason: unavailableReason(rootState(root)),
      }))
      return {
        pictures: inspected.reduce((sum, { n, reason }) => sum + (reason === null ? n : 0), 0),
        away: inspected.flatMap(({ reason }) => (reason === null ? [] : [notInspected(reason)])),
      }
    },

    regroup(viewer: Viewer): Promise<number> {
      requireGlobalAdmin(viewer)
      return jobs.enqueue(viewer, 'face-groups', {})
    },
  }
}

export function createFoundFaces(store: DetectedFacesStore) {
  const { db } = store

  const isOrWasPerson = (person: number) =>
    personRow(db, person) !== null || deletedPeople(db).some(({ id }) => id === person)

  return {
    ...createItemFaces(store),
    ...createDetection(store),

    gone(viewer: Viewer): DeletedPerson[] {
      requireGlobalAdmin(viewer)
      return deletedPeople(db)
    },

    /**
     * Deletes face data of every model: known faces, detected ones, and those in the history. Names and regions stay.
     * For one person: also faces detected in their regions. For a deleted person: the faces in the history.
     */
    async forget(
      viewer: Viewer,
      { person, all = false }: { person?: number | undefined; all?: boolean | undefined },
    ): Promise<{ known: number; found: number }> {
      requireGlobalAdmin(viewer)
      if ((person === undefined) !== all) {
        throw new Failure('invalid', 'Give one person, or all.', { field: 'person' })
      }
      if (person !== undefined && !isOrWasPerson(person)) throw notFound()
      if (facesJobId(store) !== null) throw new Failure('busy', 'Faces are being looked for. Cancel that job first.')
      const forgotten = await db.transact(viewer, tx => forgetFaces(tx, person ?? null))
      // While there are readers, old pages cannot be overwritten; the server or the last process does it later.
      for (let tried = 0; !db.checkpoint('TRUNCATE') && tried < maxOverwriteTries; tried++) await Bun.sleep(overwriteMs)
      return forgotten
    },
  }
}
