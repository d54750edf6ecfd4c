/** Queries for pages of people: faces, companions and places. `seen`: condition on `items AS i`. */
import { alias } from 'drizzle-orm/sqlite-core'
import { items, regions } from '../../schema/tables/items.ts'
import { bound, boundSelect } from '../filter/bound.ts'
import { columns } from '../kernel/database/columns.ts'
import { type Fragment, sql } from '../kernel/database/sql-fragment.ts'
import { number, string } from '../kernel/database/statement.ts'

const [i, r] = [alias(items, 'i'), alias(regions, 'r')]

const faceColumns = {
  ...columns(i, 'id', 'content', 'problem', 'thumbhash', 'width', 'height', 'rotation'),
  ...columns(r, 'x', 'y'),
  boxWidth: number('r.width'),
  boxHeight: number('r.height'),
}

/** Only this many of a person's last added faces are compared: reading all takes long if there are many. */
const maxCompared = 40

/** The best face: the largest that a user confirmed, or else the largest of all. */
export const bestFace = (person: number, seen: Fragment) =>
  boundSelect(
    faceColumns,
    sql`FROM (
      SELECT r.id FROM regions AS r INDEXED BY regions_person CROSS JOIN items AS i ON i.id = r.item_id
      WHERE r.person_id = ${person} AND r.width > 0 AND r.height > 0 AND i.problem IS NULL AND ${seen}
      ORDER BY r.id DESC LIMIT ${maxCompared}
    ) AS best CROSS JOIN regions AS r ON r.id = best.id CROSS JOIN items AS i ON i.id = r.item_id
    ORDER BY r.source <> 'file' DESC, r.width * r.height DESC, r.id DESC LIMIT 1`,
  )

/** The face on a chosen item, without width and height if its place on the picture is unknown. */
export const chosenFace = (person: number, item: number, seen: Fragment) =>
  boundSelect(
    faceColumns,
    sql`FROM regions AS r INDEXED BY regions_item CROSS JOIN items AS i ON i.id = r.item_id
      WHERE r.item_id = ${item} AND r.person_id = ${person} AND i.problem IS NULL AND ${seen}
      ORDER BY r.width * r.height DESC LIMIT 1`,
  )

const itemsOf = (person: number, seen: Fragment) => sql`(
  SELECT DISTINCT r.item_id AS id FROM regions AS r INDEXED BY regions_person CROSS JOIN items AS i ON i.id = r.item_id
  WHERE r.person_id = ${person} AND ${seen}
) AS own`

/** The people who are most often on the items of a person. */
export const peopleWith = (person: number, seen: Fragment, limit: number) =>
  bound(
    { id: number('r.person_id'), n: number('n') },
    sql`SELECT r.person_id AS id, count(DISTINCT own.id) AS n FROM ${itemsOf(person, seen)}
      CROSS JOIN regions AS r INDEXED BY regions_item ON r.item_id = own.id
      WHERE r.person_id <> ${person} GROUP BY r.person_id ORDER BY n DESC, r.person_id LIMIT ${limit}`,
  )

/** The people on items, most frequent first. */
export const peopleOn = (items: readonly number[], seen: Fragment) =>
  bound(
    { id: number('r.person_id'), n: number('n') },
    sql`SELECT r.person_id AS id, count(DISTINCT i.id) AS n FROM json_each(${JSON.stringify(items)}) AS listed
      CROSS JOIN items AS i ON i.id = listed.value CROSS JOIN regions AS r INDEXED BY regions_item ON r.item_id = i.id
      WHERE r.person_id IS NOT NULL AND ${seen} GROUP BY r.person_id ORDER BY n DESC, r.person_id`,
  )

export const placesOfPerson = (person: number, seen: Fragment) =>
  bound(
    { place: string('place'), n: number('n') },
    sql`SELECT i.tags ->> '$.Locations.d.placeName' AS place, count(*) AS n FROM ${itemsOf(person, seen)}
      CROSS JOIN items AS i ON i.id = own.id GROUP BY place HAVING place <> '' ORDER BY n DESC, place`,
  )
