/** Groups of unnamed faces. Faces are `f`, their items `i`; `where` restricts them to faces that the viewer may see. */
import { alias } from 'drizzle-orm/sqlite-core'
import { faceGroups, foundFaces } from '../../../schema/tables/faces.ts'
import { items } from '../../../schema/tables/items.ts'
import { columns } from '../../kernel/database/columns.ts'
import { number, query, select } from '../../kernel/database/statement.ts'

const f = alias(foundFaces, 'f')
const i = alias(items, 'i')
const face = {
  ...columns(f, 'id', 'x', 'y', 'width', 'height', 'score', 'vector'),
  ...columns(i, 'name', 'rotation', 'taken', 'content', 'problem'),
  item_id: f.itemId,
  collection_id: i.collectionId,
  item_width: i.width,
  item_height: i.height,
}
const faces = 'FROM found_faces AS f JOIN items AS i ON i.id = f.item_id WHERE f.group_id = ?'

/** Faces of a group, most certain first. Binds the group, the values of `where`, and the maximum number. */
export const facesOfGroup = (where: string) => select(face, `${faces} AND ${where} ORDER BY f.score DESC, f.id LIMIT ?`)

/** Chosen faces by picture, the most certain first. Binds the group, the faces' ids as JSON, and `where`'s values. */
export const chosenFaces = (where: string) =>
  select(face, `${faces} AND f.id IN (SELECT value FROM json_each(?)) AND ${where} ORDER BY f.item_id, f.score DESC`)

/** Groups with the number of their faces, largest first. `which` is a condition on the group `g`. */
export const groupsWith = (which: string, where: string) =>
  query(
    { id: faceGroups.id, ignored: faceGroups.ignored, n: number('n') },
    `SELECT g.id, g.ignored, count(*) AS n FROM found_faces AS f JOIN items AS i ON i.id = f.item_id
     JOIN face_groups AS g ON g.id = f.group_id WHERE ${which} AND ${where} GROUP BY g.id ORDER BY n DESC, g.id`,
  )

export const dropEmptyGroups =
  'DELETE FROM face_groups WHERE NOT EXISTS (SELECT 1 FROM found_faces WHERE group_id = face_groups.id)'

/** Binds the new group, the old one, and the faces' ids as JSON. */
export const setGroupOfFaces =
  'UPDATE found_faces SET group_id = ? WHERE group_id IS ? AND id IN (SELECT value FROM json_each(?))'

export const groupsOfFaces = select(
  { id: foundFaces.id, group: foundFaces.groupId },
  'FROM found_faces WHERE id IN (SELECT value FROM json_each(?))',
)

/** Vectors of a group. Binds the group, and the maximum number. */
export const vectorsOfGroup = select(
  { item: foundFaces.itemId, vector: foundFaces.vector },
  'FROM found_faces WHERE group_id = ? ORDER BY id LIMIT ?',
)
export const itemsOfGroup = select({ id: foundFaces.itemId }, 'FROM found_faces WHERE group_id = ?')
