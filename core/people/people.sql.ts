/** People, their names, and the history of both. */
import { regions } from '../../schema/tables/items.ts'
import { people, personNames } from '../../schema/tables/vocabulary.ts'
import { number, select, string } from '../kernel/database/statement.ts'

const name = {
  id: personNames.id,
  person: personNames.personId,
  name: personNames.name,
  active_from: personNames.activeFrom,
  active_to: personNames.activeTo,
}
const inOrder = 'ORDER BY person_id, active_from NULLS FIRST, active_to NULLS LAST, id'
export const allNames = select(name, `FROM person_names ${inOrder}`)
export const namesOfPerson = select(name, `FROM person_names WHERE person_id = ? ${inOrder}`)

export const everybody = select({ id: people.id, birthdate: people.birthdate }, 'FROM people ORDER BY id')

/** Binds the maximum number; -1 means all. */
export const unusedPeople = select(
  { id: people.id },
  'FROM people WHERE NOT EXISTS (SELECT 1 FROM regions AS r WHERE r.person_id = people.id) ORDER BY id LIMIT ?',
)

/** Changes of names, newest first, whose former data match a text. Binds a pattern. */
export const renamings = select(
  { before: string('before'), after: string('after') },
  `FROM history WHERE item_id IS NULL AND operation = 'person.names' AND before LIKE ? ESCAPE '!' ORDER BY id DESC`,
)

const mergeBegins = `item_id IS NULL AND operation = 'person.merge' AND before ->> '$.part' = 'begin'`

export const personMergedInto = select(
  { into: number(`before ->> '$.into.id'`) },
  `FROM history WHERE ${mergeBegins} AND before ->> '$.other.id' = ? ORDER BY id DESC LIMIT 1`,
)

/** Whether a region shows the person, or they have a known face. */
export const isUsed = select(
  { seen: number('1') },
  'FROM (SELECT 1 FROM regions WHERE person_id = ?1 UNION ALL SELECT 1 FROM faces WHERE person_id = ?1) LIMIT 1',
)

/** Binds the person, and the maximum number. */
export const itemsWithPerson = select({ id: regions.itemId }, 'FROM regions WHERE person_id = ? LIMIT ?', {
  distinct: true,
})

/** Returns a face to its former person (?1), unless its region shows the present one (?3). Binds the face as ?2. */
export const giveFaceBack = `UPDATE faces SET person_id = ?1 WHERE id = ?2 AND person_id = ?3
  AND NOT EXISTS (SELECT 1 FROM regions AS r WHERE r.id = faces.region_id AND r.person_id = ?3)`

/** Attaches a face without a region to this region, if it shows the person. Binds region, person and face. */
export const giveBoxBack = `UPDATE faces SET region_id = (SELECT r.id FROM regions AS r WHERE r.id = ?1 AND r.person_id = ?2)
  WHERE id = ?3 AND region_id IS NULL AND person_id = ?2`
