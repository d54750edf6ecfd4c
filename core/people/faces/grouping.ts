/** Groups unnamed faces: new faces join groups; existing groups keep their ids and the changes that users made. */
import { count, eq } from 'drizzle-orm'
import { limits } from '../../../schema/limits.ts'
import { faceGroups } from '../../../schema/tables/faces.ts'
import { vectorOfBytes } from '../../editing/boxes/vectors.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { assignFaces, type Cluster, clusterOf, type UngroupedFace } from './clusters.ts'
import { ungroupedFaces } from './faces.sql.ts'
import { publishGroups } from './group-steps.ts'
import { dropEmptyGroups, itemsOfGroup, setGroupOfFaces, vectorsOfGroup } from './groups.sql.ts'

const systemActor = { userId: null }
const rowsAtOnce = 500

/** The squared distance at which faces have this similarity (the inverse of `similarity` in schema/faces.ts). */
export function distanceOf(similarity: number): number {
  const { multiplier, min, max } = limits.faces
  const root = 100 * (1 - min - similarity * (max - min))
  return root ** 2 / multiplier
}

/**
 * For grouping, vectors of the built-in model are scaled to this squared length, which good faces have (the median of
 * the samples' named faces is 156). Without scaling, small or blurred faces of different people would be similar,
 * because their vectors are short.
 */
const normalizedSquare = 140

function normalized(vector: Float32Array, model: string): Float32Array {
  if (model !== limits.faceModel) return vector
  const square = vector.reduce((sum, number) => sum + number * number, 0)
  return square === 0 ? vector : vector.map(number => number * Math.sqrt(normalizedSquare / square))
}

export function ungroupedFace({ vector, item }: UngroupedFace, model: string): UngroupedFace {
  return { vector: normalized(vector, model), item }
}

function ungroupedFacesOf(rows: readonly { vector: Uint8Array; item: number }[], model: string): UngroupedFace[] {
  return rows.map(({ vector, item }) => ungroupedFace({ vector: vectorOfBytes(vector), item }, model))
}

/** Maximum number of faces that represent a group. */
const maxRepresentatives = 200

function existingClusters(db: LibraryDatabase, model: string): Cluster[] {
  const groups = db.orm.select().from(faceGroups).where(eq(faceGroups.model, model)).orderBy(faceGroups.id).all()
  return groups.flatMap(({ id }) => {
    const faces = ungroupedFacesOf(db.all(vectorsOfGroup, id, maxRepresentatives), model)
    const items = db.all(itemsOfGroup, id).map(item => item.id)
    return faces.length === 0 ? [] : clusterOf(id, faces, items)
  })
}

interface GroupingOptions {
  signal: AbortSignal
  onProgress: (done: number) => void
}

/** Runs one pass over faces without a group. Returns how many joined one. */
async function groupOnce(db: LibraryDatabase, model: string, { signal, onProgress }: GroupingOptions): Promise<number> {
  const rows = db.all(ungroupedFaces, model, limits.faces.confidence)
  const clusters = existingClusters(db, model)
  await assignFaces(clusters, ungroupedFacesOf(rows, model), distanceOf(limits.faces.sameGroup), async done => {
    onProgress(done)
    await Bun.sleep(0)
    signal.throwIfAborted()
  })
  let joined = 0
  // A single face does not make a group.
  for (const { group, members } of clusters.filter(one => one.group !== null || one.members.length > 1)) {
    const ids = members.map(place => rows[place]?.id ?? 0)
    let made = group
    for (let from = 0; from < ids.length; from += rowsAtOnce) {
      const part = ids.slice(from, from + rowsAtOnce)
      made = await db.transact(systemActor, tx => {
        const id = made ?? tx.orm.insert(faceGroups).values({ model }).run().lastInsertRowid
        joined += tx.run(setGroupOfFaces, id, null, JSON.stringify(part)).changes
        return id
      })
    }
  }
  return joined
}

/** Maximum number of passes: faces that joined no group in one pass may be similar to a group that it created. */
const maxPasses = 10

/** Groups faces without a group until no more can be assigned. Returns how many groups there are. */
export async function groupFaces(db: LibraryDatabase, model: string, options: GroupingOptions): Promise<number> {
  for (let n = 0; n < maxPasses; n++) if ((await groupOnce(db, model, options)) === 0) break
  await db.transact(systemActor, tx => {
    tx.run(dropEmptyGroups)
    publishGroups(tx)
  })
  return db.orm.select({ n: count() }).from(faceGroups).where(eq(faceGroups.model, model)).get()?.n ?? 0
}
