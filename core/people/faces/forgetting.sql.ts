/** Faces in every table: known, detected, and in the history. Lists of ids are bound as JSON. */
import { faces, foundFaces } from '../../../schema/tables/faces.ts'
import { regions } from '../../../schema/tables/items.ts'
import { personNames } from '../../../schema/tables/vocabulary.ts'
import { columns } from '../../kernel/database/columns.ts'
import { number, select, string } from '../../kernel/database/statement.ts'

const mergeBegins = `operation = 'person.merge' AND item_id IS NULL AND before ->> '$.part' = 'begin'`

/** People who were merged into this one, transitively, and have not been restored. */
export const mergedPeople = select({ id: number('id') }, 'FROM merged WHERE id <> ?1', {
  before: `WITH RECURSIVE merged (id) AS (
    SELECT ?1
    UNION
    SELECT before ->> '$.other.id' FROM history JOIN merged ON before ->> '$.into.id' = merged.id
    WHERE ${mergeBegins} AND NOT EXISTS (SELECT 1 FROM people WHERE id = before ->> '$.other.id'))`,
})

/** Deleted people, except merged ones, with the names that they had last, as a JSON list. */
export const personRemovals = select(
  {
    id: number(`before ->> '$.id'`),
    names: string(`(SELECT json_group_array(value ->> '$.name') FROM json_each(before, '$.names'))`),
  },
  `FROM history WHERE item_id IS NULL AND operation = 'person.remove' ORDER BY history.id`,
)

export const nameKeys = select({ key: personNames.nameKey }, 'FROM person_names WHERE person_id = ?')

export const facesOfPerson = select({ id: faces.id }, 'FROM faces WHERE person_id = ?')

export const knownVectors = select(
  { item: regions.itemId, id: faces.id, model: faces.model, embedding: faces.embedding },
  'FROM faces JOIN regions ON regions.id = faces.region_id WHERE faces.person_id = ?',
)

/** Faces of people who were merged into another person. Binds a list of people. */
export const facesBeforeMerge = select(
  { id: number(`value ->> '$.id'`) },
  `FROM history, json_each(before, '$.faces')
   WHERE ${mergeBegins} AND before ->> '$.other.id' IN (SELECT value FROM json_each(?1))`,
)

const hasFaces = (column: Side) => `"${column}" LIKE '%"embedding":%' AND json_type("${column}", '$.faces') = 'array'`

type Side = 'before' | 'after'

/** Condition: a face in the history belongs to one of the people (?1), or is one of the faces (?2). */
const belongsToPerson = `(value ->> '$.person_id' IN (SELECT value FROM json_each(?1))
  OR value ->> '$.id' IN (SELECT value FROM json_each(?2)))`

const facesInHistory = (column: Side, condition: string) =>
  select(
    {
      item: number('history.item_id'),
      id: number(`value ->> '$.id'`),
      model: string(`value ->> '$.model'`),
      embedding: string(`value ->> '$.embedding'`),
    },
    `FROM history, json_each(history."${column}", '$.faces')
     WHERE history.item_id IS NOT NULL AND ${hasFaces(column)} AND ${condition}`,
  )

/** Faces in the history. Binds lists of people and faces. */
export const facesInHistoryOf = (column: Side) => facesInHistory(column, belongsToPerson)

/** Faces of items in the history. Binds a list of items. */
export const facesInHistoryOn = (column: Side) =>
  facesInHistory(column, 'history.item_id IN (SELECT value FROM json_each(?))')

/** Removes faces of people from the history. Binds lists of people and faces. */
export function dropFacesInHistoryOf(column: Side): string {
  const faces = `json_each("${column}", '$.faces')`
  const others = `${faces} WHERE ${belongsToPerson} IS NOT TRUE`
  return `UPDATE history SET "${column}" = CASE WHEN EXISTS (SELECT 1 FROM ${others})
      THEN json_set("${column}", '$.faces', json((SELECT json_group_array(json(value)) FROM ${others})))
      ELSE json_remove("${column}", '$.faces') END
    WHERE ${hasFaces(column)} AND EXISTS (SELECT 1 FROM ${faces} WHERE ${belongsToPerson})`
}

export const dropFacesInHistory = (column: Side) =>
  `UPDATE history SET "${column}" = json_remove("${column}", '$.faces') WHERE ${hasFaces(column)}`

export const dropFoundOf = `DELETE FROM found_faces WHERE region_id IN (SELECT id FROM regions WHERE person_id = ?1)
  OR region_id IN (SELECT region_id FROM faces WHERE person_id = ?1)`

/** Detected faces without a region, with each region of the item that shows the person. */
export const looseFaces = select(
  {
    ...columns(foundFaces, 'id', 'x', 'y', 'width', 'height'),
    rx: regions.x,
    ry: regions.y,
    rwidth: regions.width,
    rheight: regions.height,
  },
  `FROM regions JOIN found_faces ON found_faces.item_id = regions.item_id
   WHERE regions.person_id = ? AND found_faces.region_id IS NULL`,
)

/** Binds a person; null: everybody. */
export const peopleWithFaces = select({ id: faces.personId }, 'FROM faces WHERE ?1 IS NULL OR person_id = ?1', {
  distinct: true,
})
