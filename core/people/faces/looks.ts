/** What the server has looked at, and what it saw: which pictures are due, and the rows of a picture that was looked at. */
import type { Box } from '../../../schema/boxes.ts'
import { learntOn } from '../../editing/boxes/box-faces.ts'
import { pairsOf, seatFaces } from '../../editing/boxes/seats.ts'
import { bytesOfVector, isAlike, vectorOfBytes } from '../../editing/boxes/vectors.ts'
import { insideBox, shownSides, uprightBox } from '../../items/region-geometry.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import { tellPerson } from '../people.ts'
import type { LookedFace } from './worker-messages.ts'

export interface DueItem {
  id: number
  collection_id: number
  name: string
  content: string
  rotation: number
  width: number
  height: number
  root: string
  dir: string
  dir_bytes: Uint8Array
  name_bytes: Uint8Array
}

/** Which pictures: of a collection (0: all), for a model; those looked at before `since` (milliseconds) count as not. */
export interface Due {
  model: string
  collectionId: number
  since: number
}

const pictures = `items AS i WHERE i.type = 'image' AND i.mime <> 'image/svg+xml' AND i.problem IS NULL AND i.content <> '' AND i.state <= 1
  AND (?1 = 0 OR i.collection_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM face_looks AS l WHERE l.item_id = i.id AND l.model = ?2 AND l.content = i.content
    AND l.rotation = i.rotation AND l.looked_at >= ?3)`

export function countDue(db: LibraryDatabase, { model, collectionId, since }: Due): number {
  return db.get<{ n: number }>(`SELECT count(*) AS n FROM ${pictures}`, collectionId, model, since)?.n ?? 0
}

/** The same for each collection that has some, by its directory. */
export function countDueByRoot(
  db: LibraryDatabase,
  { model, collectionId, since }: Due,
): { root: string; n: number }[] {
  return db.all<{ root: string; n: number }>(
    `SELECT (SELECT path FROM collections WHERE id = i.collection_id) AS root, count(*) AS n FROM ${pictures}
     GROUP BY i.collection_id ORDER BY i.collection_id`,
    collectionId,
    model,
    since,
  )
}

/** What is said of a collection that is away, and why. */
export function unlooked(reason: string): string {
  return `${reason} Its pictures were not looked at.`
}

/** A page of what is due, by id. */
export function dueItems(db: LibraryDatabase, { model, collectionId, since }: Due, after: number): DueItem[] {
  return db.all<DueItem>(
    `SELECT i.id, i.collection_id, i.name, i.content, i.rotation, i.width, i.height, c.path AS root, d.path AS dir,
       d.path_bytes AS dir_bytes, f.name_bytes
     FROM (SELECT i.id AS due FROM ${pictures} AND i.id > ?4 ORDER BY i.id LIMIT 100)
     JOIN items AS i ON i.id = due JOIN collections AS c ON c.id = i.collection_id
     JOIN files AS f ON f.item_id = i.id AND f.role = 'main' JOIN dirs AS d ON d.id = f.dir_id ORDER BY i.id`,
    collectionId,
    model,
    since,
    after,
  )
}

interface Looked {
  item: Pick<DueItem, 'id' | 'content' | 'rotation' | 'width' | 'height'>
  model: string
  confidence: number
  /** Milliseconds since the epoch. */
  at: number
}

/** The picture is no longer what was looked at. */
function isOther(tx: Transaction, { id, content, rotation }: Looked['item']): boolean {
  return tx.get('SELECT 1 FROM items WHERE id = ? AND content = ? AND rotation = ?', id, content, rotation) === null
}

function note(tx: Transaction, { item, model, confidence, at }: Looked, fault: string | null): void {
  tx.run(
    `INSERT OR REPLACE INTO face_looks (item_id, model, content, rotation, confidence, fault, looked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    item.id,
    model,
    item.content,
    item.rotation,
    confidence,
    fault,
    at,
  )
}

/** What was seen before was seen on another content. */
function isNewPicture(tx: Transaction, { item, model }: Looked): boolean {
  const last = tx.get<{ content: string }>(
    'SELECT content FROM face_looks WHERE item_id = ? AND model = ?',
    item.id,
    model,
  )
  return last !== null && last.content !== item.content
}

/** Boxes outlive a picture that is put in another's place; what they had learnt of faces that are not on it goes. */
function unlearn(
  tx: Transaction,
  { item, model }: Looked,
  before: readonly { vector: Uint8Array }[],
  now: readonly LookedFace[],
): void {
  const gone = before
    .map(face => vectorOfBytes(face.vector))
    .filter(vector => !now.some(face => isAlike(face.vector, vector)))
  for (const { id, person_id, embedding } of learntOn(tx, item.id).faces.filter(face => face.model === model)) {
    // Written by the library alone.
    const vector = Float32Array.from(JSON.parse(embedding))
    if (!gone.some(other => isAlike(other, vector))) continue
    tx.run('DELETE FROM faces WHERE id = ?', id)
    tellPerson(tx, 'update', person_id)
  }
}

/** It could not be looked at. What was found on another picture in its place goes. */
export function storeFault(tx: Transaction, looked: Looked, fault: string): void {
  const { item, model } = looked
  if (isOther(tx, item)) return
  const before = tx.get(
    'SELECT 1 FROM face_looks WHERE item_id = ? AND model = ? AND content = ?',
    item.id,
    model,
    item.content,
  )
  if (before === null) {
    const seen = tx.all<{ vector: Uint8Array }>(
      'SELECT vector FROM found_faces WHERE item_id = ? AND model = ?',
      item.id,
      model,
    )
    unlearn(tx, looked, seen, [])
    tx.run('DELETE FROM found_faces WHERE item_id = ? AND model = ?', item.id, model)
  }
  note(tx, looked, fault)
}

/**
 * Puts what was seen in the place of what had been seen before; a face that was there already is the same one. Answers
 * how many faces there are, and how many of them taught somebody's; null where the item has changed meanwhile.
 */
export function storeLook(
  tx: Transaction,
  looked: Looked,
  faces: readonly LookedFace[],
): { faces: number; learnt: number } | null {
  const { item, model } = looked
  if (isOther(tx, item)) return null
  const before = tx.all<Box & { id: number; group_id: number | null; vector: Uint8Array }>(
    'SELECT id, x, y, width, height, group_id, vector FROM found_faces WHERE item_id = ? AND model = ?',
    item.id,
    model,
  )
  const placed = faces.flatMap(face => {
    const inside = insideBox(face, shownSides(item, item.rotation))
    return inside === null ? [] : { ...face, ...uprightBox(inside, item.rotation, item) }
  })
  const pairs = pairsOf(placed, before)
  if (isNewPicture(tx, looked)) unlearn(tx, looked, before, placed)
  tx.run('DELETE FROM found_faces WHERE item_id = ? AND model = ?', item.id, model)
  for (const face of placed) {
    const there = pairs.find(([one]) => one === face)?.[1]
    // Another picture may have somebody else in the same place.
    const isSame = there !== undefined && isAlike(face.vector, vectorOfBytes(there.vector))
    tx.run(
      `INSERT INTO found_faces (id, item_id, model, x, y, width, height, score, vector, group_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      // Who looks at groups, and the history of these, know it by its id.
      isSame ? there.id : null,
      item.id,
      model,
      face.x,
      face.y,
      face.width,
      face.height,
      face.score,
      bytesOfVector(face.vector),
      isSame ? there.group_id : null,
    )
  }
  note(tx, looked, null)
  return { faces: placed.length, learnt: seatFaces(tx, item.id).learnt }
}

/** Items with faces that may lie on boxes which have got their names elsewhere: from files, by a scan. */
export function unseatedItems(db: LibraryDatabase, model: string): number[] {
  return db
    .all<{ id: number }>(
      `SELECT DISTINCT f.item_id AS id FROM found_faces AS f
       JOIN regions AS r ON r.item_id = f.item_id AND r.person_id IS NOT NULL
       WHERE f.model = ? AND f.region_id IS NULL`,
      model,
    )
    .map(({ id }) => id)
}
