/** Takes away what faces look like, everywhere: by which people are known, what was found, and what the history keeps for undo. */
import { likeness } from '../../../schema/boxes.ts'
import { isAlike, vectorOfBytes } from '../../editing/boxes/vectors.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { keystringKey } from '../../words/keystrings.ts'
import { tellPerson } from '../people.ts'
import { tellGroups } from './group-steps.ts'

/** Those who were merged into somebody, one after the other, and are not there again: what was learnt of them is his. */
function mergedInto(tx: Transaction, person: number): number[] {
  return tx
    .all<{ id: number }>(
      `WITH RECURSIVE merged (id) AS (
         SELECT ?1
         UNION
         SELECT before ->> '$.other.id' FROM history JOIN merged ON before ->> '$.into.id' = merged.id
         WHERE operation = 'person.merge' AND item_id IS NULL AND before ->> '$.part' = 'begin'
           AND NOT EXISTS (SELECT 1 FROM people WHERE id = before ->> '$.other.id')
       ) SELECT id FROM merged WHERE id <> ?1`,
      person,
    )
    .map(({ id }) => id)
}

/** People who were deleted as they were on no item, with their last names: the history may keep their faces for undo. */
export function deletedPeople(tx: Pick<Transaction, 'all'>): { id: number; names: string[] }[] {
  return tx
    .all<{ id: number; names: string }>(
      `SELECT before ->> '$.id' AS id,
         (SELECT json_group_array(value ->> '$.name') FROM json_each(before, '$.names')) AS names
       FROM history WHERE item_id IS NULL AND operation = 'person.remove' ORDER BY history.id`,
    )
    .map(({ id, names }) => ({ id, names: JSON.parse(names) }))
}

/** Those who were deleted and called as he is, or was: whoever is named so by a file again is somebody new. */
function deletedNamesakes(tx: Transaction, person: number): number[] {
  const deleted = deletedPeople(tx)
  const keys = new Set([
    ...tx
      .all<{ key: string }>('SELECT name_key AS key FROM person_names WHERE person_id = ?', person)
      .map(row => row.key),
    ...deleted.filter(({ id }) => id === person).flatMap(({ names }) => names.map(keystringKey)),
  ])
  return deleted
    .filter(({ id, names }) => id !== person && names.some(name => keys.has(keystringKey(name))))
    .map(({ id }) => id)
}

/** A face in the history that is somebody's: by his name, or the same face under a wrong one. ?1 and ?2: lists of ids. */
const isHis = `(value ->> '$.person_id' IN (SELECT value FROM json_each(?1))
  OR value ->> '$.id' IN (SELECT value FROM json_each(?2)))`
const hasFaces = (column: string) => `"${column}" LIKE '%"embedding":%' AND json_type("${column}", '$.faces') = 'array'`
const columns = ['before', 'after'] as const

/** A vector that somebody is known by, or was, on this item. */
interface Look {
  item: number
  id: number
  model: string
  vector: Float32Array
}

const lookColumns = `h.item_id AS item, value ->> '$.id' AS id, value ->> '$.model' AS model, value ->> '$.embedding' AS embedding`

/** Faces that the history keeps of items, by a condition on them. */
function keptFaces(tx: Transaction, condition: string, ...values: string[]): Look[] {
  return columns.flatMap(column =>
    tx
      .all<Omit<Look, 'vector'> & { embedding: string }>(
        `SELECT ${lookColumns} FROM history AS h, json_each(h."${column}", '$.faces')
         WHERE h.item_id IS NOT NULL AND ${hasFaces(column)} AND ${condition}`,
        ...values,
      )
      // Written by the library alone.
      .map(({ embedding, ...look }) => ({ ...look, vector: Float32Array.from(JSON.parse(embedding)) })),
  )
}

/** What somebody is known by now. */
function knownLooks(tx: Transaction, person: number): Look[] {
  return tx
    .all<Omit<Look, 'vector'> & { embedding: string }>(
      `SELECT r.item_id AS item, f.id, f.model, f.embedding
       FROM faces AS f JOIN regions AS r ON r.id = f.region_id WHERE f.person_id = ?`,
      person,
    )
    .map(({ embedding, ...look }) => ({ ...look, vector: Float32Array.from(JSON.parse(embedding)) }))
}

/** Faces that were somebody's when he became another: what they are called since tells nobody. ?1: list of people. */
const hisThen = `SELECT value ->> '$.id' AS id FROM history, json_each(before, '$.faces')
  WHERE operation = 'person.merge' AND item_id IS NULL AND before ->> '$.part' = 'begin'
    AND before ->> '$.other.id' IN (SELECT value FROM json_each(?1))`

/**
 * All by which the history knows somebody: what stands under his name, under those of people who became him or were deleted
 * and called so, and the same faces under wrong names, of which one leads to the next. Lists of ids for `isHis`, and what he looked like.
 */
function tracesOf(tx: Transaction, person: number): { his: readonly [string, string]; looks: Look[] } {
  const own = [person, ...deletedNamesakes(tx, person)]
  const people = JSON.stringify(own.flatMap(id => [id, ...mergedInto(tx, id)]))
  const ids = (text: string, value: number | string) => tx.all<{ id: number }>(text, value).map(({ id }) => id)
  const faces = new Set([...ids('SELECT id FROM faces WHERE person_id = ?', person), ...ids(hisThen, people)])
  const known = knownLooks(tx, person)
  for (;;) {
    const before = faces.size
    const his = [people, JSON.stringify([...faces])] as const
    const looks = [...known, ...keptFaces(tx, isHis, ...his)]
    const byItem = Map.groupBy(looks, look => look.item)
    // Named anew in another box: the same face on the same picture.
    const others = keptFaces(tx, 'h.item_id IN (SELECT value FROM json_each(?))', JSON.stringify([...byItem.keys()]))
    const same = others.filter(other =>
      byItem.get(other.item)?.some(({ model, vector }) => model === other.model && isAlike(vector, other.vector)),
    )
    for (const { id } of [...looks, ...same]) faces.add(id)
    if (before === faces.size) return { his, looks: [...looks, ...same] }
  }
}

/** What was found where a box shows him, though it lies on none: the file has changed since. Answers how many. */
function forgetFoundIn(tx: Transaction, person: number): number {
  const rows = tx.all<Record<'id' | 'x' | 'y' | 'width' | 'height' | 'rx' | 'ry' | 'rwidth' | 'rheight', number>>(
    `SELECT f.id, f.x, f.y, f.width, f.height, r.x AS rx, r.y AS ry, r.width AS rwidth, r.height AS rheight
     FROM regions AS r JOIN found_faces AS f ON f.item_id = r.item_id WHERE r.person_id = ? AND f.region_id IS NULL`,
    person,
  )
  const lies = rows.filter(({ rx, ry, rwidth, rheight, ...face }) => {
    return likeness(face, { x: rx, y: ry, width: rwidth, height: rheight }) > 0
  })
  return lies.reduce((sum, { id }) => sum + tx.run('DELETE FROM found_faces WHERE id = ?', id).changes, 0)
}

/** Undoing brings his box back, and what was found there would teach it anew. Answers how many were found. */
function forgetFoundOf(tx: Transaction, looks: readonly Look[]): number {
  let count = 0
  for (const { item, model, vector } of looks) {
    const found = tx.all<{ id: number; vector: Uint8Array }>(
      'SELECT id, vector FROM found_faces WHERE item_id = ? AND model = ? AND region_id IS NULL',
      item,
      model,
    )
    for (const face of found.filter(one => isAlike(vectorOfBytes(one.vector), vector)))
      count += tx.run('DELETE FROM found_faces WHERE id = ?', face.id).changes
  }
  return count
}

function forgetOne(tx: Transaction, person: number): { known: number; found: number } {
  const { his, looks } = tracesOf(tx, person)
  const found = tx.run(
    `DELETE FROM found_faces WHERE region_id IN (SELECT id FROM regions WHERE person_id = ?1)
       OR region_id IN (SELECT region_id FROM faces WHERE person_id = ?1)`,
    person,
  ).changes
  const known = tx.run('DELETE FROM faces WHERE person_id = ?', person).changes
  const more = forgetFoundIn(tx, person) + forgetFoundOf(tx, looks)
  for (const column of columns) {
    const faces = `json_each("${column}", '$.faces')`
    const others = `${faces} WHERE ${isHis} IS NOT TRUE`
    tx.run(
      `UPDATE history SET "${column}" = CASE WHEN EXISTS (SELECT 1 FROM ${others})
         THEN json_set("${column}", '$.faces', json((SELECT json_group_array(json(value)) FROM ${others})))
         ELSE json_remove("${column}", '$.faces') END
       WHERE ${hasFaces(column)} AND EXISTS (SELECT 1 FROM ${faces} WHERE ${isHis})`,
      ...his,
    )
  }
  return { known, found: found + more }
}

function forgetAll(tx: Transaction): { known: number; found: number } {
  const found = tx.run('DELETE FROM found_faces').changes
  const known = tx.run('DELETE FROM faces').changes
  for (const column of columns)
    tx.run(`UPDATE history SET "${column}" = json_remove("${column}", '$.faces') WHERE ${hasFaces(column)}`)
  tx.run('DELETE FROM face_looks')
  tx.run('DELETE FROM face_groups')
  tellGroups(tx)
  return { known, found }
}

/** Of one person, or null: everybody's. Names and boxes stay. Answers how many vectors went. */
export function forgetFaces(tx: Transaction, person: number | null): { known: number; found: number } {
  const people = tx.all<{ id: number }>(
    'SELECT DISTINCT person_id AS id FROM faces WHERE ?1 IS NULL OR person_id = ?1',
    person,
  )
  const forgotten = person === null ? forgetAll(tx) : forgetOne(tx, person)
  for (const { id } of people) tellPerson(tx, 'update', id)
  return forgotten
}
