/** Groups of faces that nobody has named: new ones join, groups that are there keep their ids, and what people did to them. */
import { limits } from '../../../schema/limits.ts'
import { current } from '../../editing/boxes/seats.ts'
import { vectorOfBytes } from '../../editing/boxes/vectors.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { type Cluster, clusterOf, joinClusters, type LooseFace } from './clusters.ts'
import { dropEmptyGroups, tellGroups } from './group-steps.ts'

const nobody = { userId: null }
const rowsAtOnce = 500

/** The square of the distance at which faces are so much alike (the formula of `similarity` in schema/faces.ts, backwards). */
export function distanceOf(similarity: number): number {
  const { multiplier, min, max } = limits.faces
  const root = 100 * (1 - min - similarity * (max - min))
  return root ** 2 / multiplier
}

/** `f` is a found face: nobody has said whom it shows. */
export const unnamed = `NOT EXISTS (SELECT 1 FROM regions AS r WHERE r.id = f.region_id AND r.person_id IS NOT NULL)`

interface Row {
  id: number
  item_id: number
  vector: Uint8Array
}

/**
 * The vector as groups are made by it. A small or blurred face has a short vector, and short ones are near each other
 * whomever they show: of the built-in model all are brought to the length of a good one (squared: 140; the median of the
 * samples' named faces is 156). Those of other models have one length.
 */
const goodSquare = 140

function atLength(vector: Float32Array, model: string): Float32Array {
  if (model !== limits.faceModel) return vector
  const square = vector.reduce((sum, number) => sum + number * number, 0)
  return square === 0 ? vector : vector.map(number => number * Math.sqrt(goodSquare / square))
}

/** A face as groups are made by it. */
export function looseFace({ vector, item }: { vector: Float32Array; item: number }, model: string): LooseFace {
  return { vector: atLength(vector, model), item }
}

/** Faces of a group by which it is known. */
const judged = 200

function clustersThere(db: LibraryDatabase, model: string): Cluster[] {
  const groups = db.all<{ id: number }>('SELECT id FROM face_groups WHERE model = ? ORDER BY id', model)
  return groups.flatMap(({ id }) => {
    const rows = db.all<Row>(
      `SELECT id, item_id, vector FROM found_faces WHERE group_id = ? ORDER BY id LIMIT ${judged}`,
      id,
    )
    if (rows.length === 0) return []
    const items = db.all<{ id: number }>('SELECT item_id AS id FROM found_faces WHERE group_id = ?', id)
    const faces = rows.map(row => looseFace({ vector: vectorOfBytes(row.vector), item: row.item_id }, model))
    return clusterOf(
      id,
      faces,
      items.map(item => item.id),
    )
  })
}

interface Going {
  signal: AbortSignal
  onProgress: (done: number) => void
}

/** One pass over what is in no group yet. Answers how many faces have found one. */
async function pass(db: LibraryDatabase, model: string, { signal, onProgress }: Going): Promise<number> {
  const rows = db.all<Row>(
    `SELECT f.id, f.item_id, f.vector FROM found_faces AS f JOIN items AS i ON i.id = f.item_id
     WHERE f.model = ? AND f.group_id IS NULL AND f.score >= ? AND i.state <= 1 AND ${unnamed} AND ${current}
     ORDER BY f.score DESC, f.id`,
    model,
    limits.faces.confidence,
  )
  const clusters = clustersThere(db, model)
  await joinClusters(
    clusters,
    rows.map(row => looseFace({ vector: vectorOfBytes(row.vector), item: row.item_id }, model)),
    distanceOf(limits.faces.sameGroup),
    async done => {
      onProgress(done)
      await Bun.sleep(0)
      signal.throwIfAborted()
    },
  )
  let joined = 0
  // A face that is like no other makes no group.
  for (const { group, members } of clusters.filter(one => one.group !== null || one.members.length > 1)) {
    const ids = members.map(place => rows[place]?.id ?? 0)
    let made = group
    for (let from = 0; from < ids.length; from += rowsAtOnce) {
      const part = ids.slice(from, from + rowsAtOnce)
      made = await db.transact(nobody, tx => {
        const id = made ?? tx.run('INSERT INTO face_groups (model) VALUES (?)', model).lastInsertRowid
        joined += tx.run(
          'UPDATE found_faces SET group_id = ? WHERE group_id IS NULL AND id IN (SELECT value FROM json_each(?))',
          id,
          JSON.stringify(part),
        ).changes
        return id
      })
    }
  }
  return joined
}

/** Faces that one pass has left may be like the groups that it has made. */
const passesMost = 10

/** Groups what is in none yet, until nothing more finds one: doing it again changes nothing. Answers how many groups there are. */
export async function groupFaces(db: LibraryDatabase, model: string, going: Going): Promise<number> {
  for (let n = 0; n < passesMost; n++) if ((await pass(db, model, going)) === 0) break
  await db.transact(nobody, tx => {
    dropEmptyGroups(tx)
    tellGroups(tx)
  })
  return db.get<{ n: number }>('SELECT count(*) AS n FROM face_groups WHERE model = ?', model)?.n ?? 0
}
