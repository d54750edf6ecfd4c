/** Faces that the server has found, as callers get them: of one item, how far looking is, and forgetting what faces look like. */
import type {
  FaceStatus,
  FaceSuggestions,
  FacesOutlook,
  FoundFace,
  GonePerson,
  ItemFaces,
} from '../../../schema/api/faces.ts'
import { Failure } from '../../../schema/errors.ts'
import type { LikePerson } from '../../../schema/faces.ts'
import { demandGlobalAdmin, demandUpdateSomewhere, notFound, type Viewer } from '../../accounts/access.ts'
import { current } from '../../editing/boxes/seats.ts'
import { roundedVector, vectorOfBytes } from '../../editing/boxes/vectors.ts'
import { createSeenItems } from '../../filter/seen-items.ts'
import { turnedBox } from '../../items/region-geometry.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { awayReason, rootState } from '../../survey/safety.ts'
import type { Jobs } from '../../work/jobs.ts'
import { demandVector } from './faces.ts'
import { deletedPeople, forgetFaces } from './forgetting.ts'
import { unnamed } from './grouping.ts'
import type { KnownFaces } from './known.ts'
import { countDue, countDueByRoot, unlooked } from './looks.ts'

interface Row {
  id: number
  x: number
  y: number
  width: number
  height: number
  score: number
  vector: Uint8Array
  region_id: number | null
  group_id: number | null
  person_id: number | null
}

interface ItemRow {
  content: string
  rotation: number
  width: number
  height: number
}

interface LookRow {
  content: string
  rotation: number
  confidence: number
  fault: string | null
  looked_at: number
}

/** How often, and how long apart, what was forgotten is tried to be overwritten before the answer goes out. */
const overwriteTries = 20
const overwriteMs = 100

const thousandths = (length: number) => Math.round(length * 1000) / 1000

export function createFoundFaces({
  db,
  known,
  jobs,
  model,
}: {
  db: LibraryDatabase
  known: KnownFaces
  jobs: Pick<Jobs, 'running' | 'waiting' | 'enqueue'>
  model: () => string
}) {
  const items = createSeenItems({ db })

  function jobNow(): number | null {
    const [job] = [...jobs.running(), ...jobs.waiting()].filter(({ kind }) => kind === 'faces')
    return job?.id ?? null
  }

  /** Since when the last look at all of them counts, where that was stopped: it goes on. */
  function begun(collection: number): number | null {
    const last = db.get<{ state: string; since: number }>(
      `SELECT state, input ->> '$.since' AS since FROM jobs WHERE kind = 'faces' AND input ->> '$.collectionId' = ?
       ORDER BY id DESC LIMIT 1`,
      collection,
    )
    return last !== null && last.since > 0 && ['cancelled', 'failed', 'stopped'].includes(last.state)
      ? last.since
      : null
  }

  const isSomebody = (person: number) =>
    db.get('SELECT 1 FROM people WHERE id = ?', person) !== null || deletedPeople(db).some(({ id }) => id === person)

  const count = (sql: string, ...values: (string | number)[]) => db.get<{ n: number }>(sql, ...values)?.n ?? 0

  return {
    /** What the library knows of the faces on an item that the viewer may change. */
    ofItem(viewer: Viewer, id: number): ItemFaces {
      items.demand(viewer, id, 'update')
      const name = model()
      const item = db.get<ItemRow>('SELECT content, rotation, width, height FROM items WHERE id = ?', id)
      const look = db.get<LookRow>(
        'SELECT content, rotation, confidence, fault, looked_at FROM face_looks WHERE item_id = ? AND model = ?',
        id,
        name,
      )
      if (item === null) throw notFound()
      const isCurrent = look !== null && look.fault === null && look.content === item.content
      if (!isCurrent || look.rotation !== item.rotation) return { looked: null, faces: [] }
      const rows = db.all<Row>(
        `SELECT f.id, f.x, f.y, f.width, f.height, f.score, f.vector, f.region_id, f.group_id, r.person_id
         FROM found_faces AS f LEFT JOIN regions AS r ON r.id = f.region_id
         WHERE f.item_id = ? AND f.model = ? ORDER BY f.x, f.id`,
        id,
        name,
      )
      return {
        looked: { at: look.looked_at, confidence: look.confidence, model: name },
        faces: rows.map((row): FoundFace => {
          const vector = vectorOfBytes(row.vector)
          const box = turnedBox(row, item.rotation, item)
          return {
            id: row.id,
            x: thousandths(box.x),
            y: thousandths(box.y),
            width: thousandths(box.width),
            height: thousandths(box.height),
            score: row.score,
            object: row.region_id,
            person: row.person_id,
            group: row.person_id === null ? row.group_id : null,
            suggestions: row.person_id === null ? known.suggest(name, row.id, vector) : [],
            embedding_data: roundedVector(vector),
            model: name,
          }
        }),
      }
    },

    /**
     * Whom these faces of an item may show, which somebody else has found there: a browser need not load everybody's.
     * Nothing of them is kept. Failure 'invalid': a vector is not one of that model.
     */
    async suggest(
      viewer: Viewer,
      id: number,
      { model, faces }: { model: string; faces: readonly (readonly number[])[] },
    ): Promise<FaceSuggestions> {
      items.demand(viewer, id, 'update')
      for (const vector of faces) demandVector(db, { model, vector }, 'faces')
      const suggestions: LikePerson[][] = []
      for (const vector of faces) {
        // Of a large library each takes a while: others are answered between two.
        await new Promise(resolve => setImmediate(resolve))
        suggestions.push(known.compare(model, Float32Array.from(vector)))
      }
      const regions = db.all<{ id: number }>(
        'SELECT r.id FROM regions AS r JOIN faces AS f ON f.region_id = r.id WHERE r.item_id = ? AND f.model = ? ORDER BY r.id',
        id,
        model,
      )
      return { suggestions, known: regions.map(region => region.id) }
    },

    /** Figures of the whole library, for those who edit somewhere. */
    status(viewer: Viewer): FaceStatus {
      demandUpdateSomewhere(viewer)
      const name = model()
      const there = `found_faces AS f JOIN items AS i ON i.id = f.item_id WHERE f.model = ? AND ${current}`
      const faces = count(`SELECT count(*) AS n FROM ${there}`, name)
      return {
        model: name,
        looked: count(
          `SELECT count(*) AS n FROM face_looks AS l JOIN items AS i ON i.id = l.item_id
           WHERE l.model = ? AND l.fault IS NULL AND l.content = i.content AND l.rotation = i.rotation`,
          name,
        ),
        due: countDue(db, { model: name, collectionId: 0, since: 0 }),
        faces,
        named: faces - count(`SELECT count(*) AS n FROM ${there} AND ${unnamed}`, name),
        groups: count(
          `SELECT count(DISTINCT f.group_id) AS n FROM face_groups AS g JOIN found_faces AS f ON f.group_id = g.id
           JOIN items AS i ON i.id = f.item_id WHERE f.model = ? AND ${current} AND g.ignored = 0 AND ${unnamed}`,
          name,
        ),
        known: count('SELECT count(*) AS n FROM faces WHERE model = ?', name),
        job: jobNow(),
      }
    },

    /** Starts looking; answers the job. `since`: now, where all are looked at again. */
    index(
      viewer: Viewer,
      wish: { collection?: number | undefined; all?: boolean | undefined; engine?: string; jobs?: number },
      { now, here = false }: { now: number; here?: boolean },
    ): Promise<number> {
      demandGlobalAdmin(viewer)
      const { collection = 0, all = false, engine = 'auto', jobs: width = 0 } = wish
      if (collection !== 0 && db.get('SELECT 1 FROM collections WHERE id = ?', collection) === null) throw notFound()
      const input = { collectionId: collection, since: all ? (begun(collection) ?? now) : 0, engine, jobs: width }
      return jobs.enqueue(viewer, 'faces', input, { here })
    },

    /** Pictures that a job with this wish would look at. */
    due(
      viewer: Viewer,
      { collection = 0, all = false }: { collection?: number | undefined; all?: boolean | undefined },
    ): number {
      demandGlobalAdmin(viewer)
      const since = all ? Number.MAX_SAFE_INTEGER : 0
      return countDue(db, { model: model(), collectionId: collection, since })
    },

    /** How many it would look at now, and why not at those of collections whose disk is away. */
    outlook(
      viewer: Viewer,
      { collection = 0, all = false }: { collection?: number | undefined; all?: boolean | undefined },
    ): FacesOutlook {
      demandGlobalAdmin(viewer)
      const since = all ? Number.MAX_SAFE_INTEGER : 0
      const found = countDueByRoot(db, { model: model(), collectionId: collection, since })
      const looked = found.map(({ root, n }) => ({ n, reason: awayReason(rootState(root)) }))
      return {
        pictures: looked.reduce((sum, { n, reason }) => sum + (reason === null ? n : 0), 0),
        away: looked.flatMap(({ reason }) => (reason === null ? [] : [unlooked(reason)])),
      }
    },

    /** People who were deleted: the history may keep their faces. */
    gone(viewer: Viewer): GonePerson[] {
      demandGlobalAdmin(viewer)
      return deletedPeople(db)
    },

    regroup(viewer: Viewer): Promise<number> {
      demandGlobalAdmin(viewer)
      return jobs.enqueue(viewer, 'face-groups', {})
    },

    /**
     * Forgets what faces look like, of every model: by which people are known, what was found, and what the history keeps
     * of them. Names and boxes stay. Of one person: what was seen in the boxes that show him; of one who was deleted, what
     * the history keeps.
     */
    async forget(
      viewer: Viewer,
      { person, all = false }: { person?: number | undefined; all?: boolean | undefined },
    ): Promise<{ known: number; found: number }> {
      demandGlobalAdmin(viewer)
      if ((person === undefined) !== all) {
        throw new Failure('invalid', 'Say whose faces: one person’s, or all.', { field: 'person' })
      }
      if (person !== undefined && !isSomebody(person)) throw notFound()
      if (jobNow() !== null) throw new Failure('busy', 'Faces are being looked for. Cancel that job first.')
      const forgotten = await db.transact(viewer, tx => forgetFaces(tx, person ?? null))
      // While somebody reads, the old pages have to stay: the server, or whoever ends last, overwrites them afterwards.
      for (let tried = 0; !db.checkpoint('TRUNCATE') && tried < overwriteTries; tried++) await Bun.sleep(overwriteMs)
      return forgotten
    },
  }
}
