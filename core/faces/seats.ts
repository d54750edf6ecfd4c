/** Which of the faces that were found lie on boxes with names: these teach whom they show. */
import { type Box, isNowhere, likeness } from '../../schema/boxes.ts'
import { channels } from '../../schema/realtime.ts'
import type { Transaction } from '../database.ts'
import { roundedVector, vectorOfBytes } from './vectors.ts'

interface FoundRow extends Box {
  id: number
  model: string
  region_id: number | null
}

interface RegionRow extends Box {
  id: number
  person_id: number
}

/** Pairs of what lies in the same place, the most alike first; each belongs to one. */
export function pairsOf<A extends Box, B extends Box>(some: readonly A[], others: readonly B[]): [A, B][] {
  const alike = some
    .flatMap(a => others.map(b => ({ a, b, likeness: likeness(a, b) })))
    .filter(pair => pair.likeness > 0)
    .sort((one, two) => two.likeness - one.likeness)
  const pairs: [A, B][] = []
  for (const { a, b } of alike) {
    if (!pairs.some(pair => pair[0] === a || pair[1] === b)) pairs.push([a, b])
  }
  return pairs
}

/** Makes a found face one by which this person is known, unless the box has one of that model. True when it was new. */
function teach(tx: Transaction, face: FoundRow, region: RegionRow): boolean {
  if (tx.get('SELECT 1 FROM faces WHERE region_id = ? AND model = ?', region.id, face.model) !== null) return false
  const row = tx.get<{ vector: Uint8Array }>('SELECT vector FROM found_faces WHERE id = ?', face.id)
  if (row === null) return false
  tx.run(
    'INSERT INTO faces (person_id, region_id, embedding, model, created_at) VALUES (?, ?, ?, ?, unixepoch())',
    region.person_id,
    region.id,
    JSON.stringify(roundedVector(vectorOfBytes(row.vector))),
    face.model,
  )
  tx.event(channels.person(region.person_id), { action: 'update', person: { id: region.person_id } })
  return true
}

/** Notes which box with a name each face that was found on an item lies on. Answers how many were learnt by that. */
export function seatFaces(tx: Transaction, itemId: number): number {
  const found = tx.all<FoundRow>(
    'SELECT id, model, region_id, x, y, width, height FROM found_faces WHERE item_id = ?',
    itemId,
  )
  if (found.length === 0) return 0
  const regions = tx
    .all<RegionRow>(
      "SELECT id, person_id, x, y, width, height FROM regions WHERE item_id = ? AND type = 'person' AND person_id IS NOT NULL",
      itemId,
    )
    .filter(region => !isNowhere(region))
  let learnt = 0
  for (const model of new Set(found.map(face => face.model))) {
    const faces = found.filter(face => face.model === model)
    const pairs = pairsOf(faces, regions)
    for (const face of faces) {
      const region = pairs.find(([one]) => one === face)?.[1]
      if (face.region_id !== (region?.id ?? null))
        tx.run('UPDATE found_faces SET region_id = ? WHERE id = ?', region?.id ?? null, face.id)
      if (region !== undefined && teach(tx, face, region)) learnt++
    }
  }
  return learnt
}
