/** Groups of faces that nobody has named: new ones join, groups that are there keep their ids, and what people did to them. */
import { limits } from '../../schema/limits.ts'
import type { LibraryDatabase } from '../database.ts'
import { type Cluster, clusterOf, joinClusters } from './clusters.ts'
import { vectorOfBytes } from './vectors.ts'

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
  vector: Uint8Array
}

function clustersThere(db: LibraryDatabase, model: string): Cluster[] {
  const groups = db.all<{ id: number }>('SELECT id FROM face_groups WHERE model = ? ORDER BY id', model)
  return groups.flatMap(({ id }) => {
    const rows = db.all<Row>('SELECT id, vector FROM found_faces WHERE group_id = ? ORDER BY id LIMIT 200', id)
    return rows.length === 0
      ? []
      : clusterOf(
          id,
          rows.map(({ vector }) => vectorOfBytes(vector)),
        )
  })
}

/** Groups what is in none yet. Answers how many groups there are. */
export async function groupFaces(
  db: LibraryDatabase,
  model: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<number> {
  const rows = db.all<Row>(
    `SELECT f.id, f.vector FROM found_faces AS f JOIN items AS i ON i.id = f.item_id
     WHERE f.model = ? AND f.group_id IS NULL AND f.score >= ? AND i.state <= 1 AND ${unnamed} ORDER BY f.score DESC, f.id`,
    model,
    limits.faces.confidence,
  )
  const clusters = clustersThere(db, model)
  await joinClusters(
    clusters,
    rows.map(({ vector }) => vectorOfBytes(vector)),
    distanceOf(limits.faces.sameGroup),
    async done => {
      onProgress(done)
      await Bun.sleep(0)
      signal.throwIfAborted()
    },
  )
  // A face that is like no other makes no group.
  for (const { group, members } of clusters.filter(one => one.group !== null || one.members.length > 1)) {
    const ids = members.map(place => rows[place]?.id ?? 0)
    let made = group
    for (let from = 0; from < ids.length; from += rowsAtOnce) {
      const part = ids.slice(from, from + rowsAtOnce)
      made = await db.transact(nobody, tx => {
        const id = made ?? tx.run('INSERT INTO face_groups (model) VALUES (?)', model).lastInsertRowid
        tx.run(
          'UPDATE found_faces SET group_id = ? WHERE group_id IS NULL AND id IN (SELECT value FROM json_each(?))',
          id,
          JSON.stringify(part),
        )
        return id
      })
    }
  }
  await db.transact(nobody, tx => {
    tx.run('DELETE FROM face_groups WHERE NOT EXISTS (SELECT 1 FROM found_faces WHERE group_id = face_groups.id)')
  })
  return db.get<{ n: number }>('SELECT count(*) AS n FROM face_groups WHERE model = ?', model)?.n ?? 0
}
