/** Queries of boxes, of the reference faces in them, and of the faces detected on an item. */
import { alias } from 'drizzle-orm/sqlite-core'
import { faces, foundFaces } from '../../../schema/tables/faces.ts'
import { regions } from '../../../schema/tables/items.ts'
import { columns } from '../../kernel/database/columns.ts'
import { number, numberOrNull, select } from '../../kernel/database/statement.ts'

/** Condition: the face `f` was found on the present picture of the item `i`. */
export const current = `EXISTS (SELECT 1 FROM face_looks AS l WHERE l.item_id = f.item_id AND l.model = f.model
  AND l.content = i.content)`

/** Condition: the found face `f` has no named box. */
export const unnamed = 'NOT EXISTS (SELECT 1 FROM regions AS r WHERE r.id = f.region_id AND r.person_id IS NOT NULL)'

const place = columns(regions, 'x', 'y', 'width', 'height')

/** The person or object in a box; null for an unnamed face. */
const subject = numberOrNull('coalesce(person_id, object_id)')
export const boxesOfItem = select(
  { id: regions.id, type: regions.type, subject, ...place, source: regions.source },
  'FROM regions WHERE item_id = ? ORDER BY id',
)
export const personBoxes = select(
  { id: regions.id, person_id: regions.personId, ...place },
  "FROM regions WHERE item_id = ? AND type = 'person' ORDER BY id",
)
export const namedBoxes = select(
  { id: regions.id, person_id: number('person_id'), ...place },
  "FROM regions WHERE item_id = ? AND type = 'person' AND person_id IS NOT NULL",
)

/** Binds the item, the type, and the ids of the boxes to keep as JSON. */
export const deleteOtherBoxes =
  'DELETE FROM regions WHERE item_id = ? AND type = ? AND id NOT IN (SELECT value FROM json_each(?))'
export const dropBoxesOfFile = "DELETE FROM regions WHERE item_id = ? AND type = ? AND source = 'file'"
export const writeBox = `INSERT INTO regions (id, item_id, type, person_id, object_id, x, y, width, height, source)
  VALUES ($id, $itemId, $type, $person, $object, $x, $y, $width, $height, $source)
  ON CONFLICT (id) DO UPDATE SET person_id = excluded.person_id, object_id = excluded.object_id, x = excluded.x,
    y = excluded.y, width = excluded.width, height = excluded.height, source = excluded.source, version = version + 1
  WHERE item_id = excluded.item_id`

export const existingPeople = select(
  { n: number('count(*)') },
  'FROM people WHERE id IN (SELECT value FROM json_each(?))',
)
export const existingObjects = select(
  { n: number('count(*)') },
  'FROM objects WHERE id IN (SELECT value FROM json_each(?))',
)

const referenceColumns = {
  id: faces.id,
  person_id: faces.personId,
  region_id: number('faces.region_id'),
  ...columns(faces, 'embedding', 'model'),
  created_at: faces.createdAt,
}
export const facesOfBox = select(referenceColumns, 'FROM faces WHERE region_id = ?')
export const faceOfBox = select(referenceColumns, 'FROM faces WHERE region_id = ? AND model = ?')
/** Binds the box, the model, and the ids of faces to leave out, as JSON. */
export const otherFacesOfBox = select(
  referenceColumns,
  'FROM faces WHERE region_id = ? AND model = ? AND id NOT IN (SELECT value FROM json_each(?))',
)
export const facesOfItem = select(
  { ...referenceColumns, ...place },
  "FROM regions JOIN faces ON faces.region_id = regions.id WHERE regions.item_id = ? AND regions.type = 'person'",
)
/** Reference faces whose box shows another person now. */
export const facesOfOthers = select(
  { id: faces.id, before: faces.personId, now: number('regions.person_id') },
  `FROM regions JOIN faces ON faces.region_id = regions.id
   WHERE regions.item_id = ? AND regions.person_id IS NOT NULL AND regions.person_id <> faces.person_id`,
)
export const faceWithoutRegion = select({ id: faces.id }, 'FROM faces WHERE id = ? AND region_id IS NULL')

export const deleteFace = 'DELETE FROM faces WHERE id = ?'
export const moveFace = 'UPDATE faces SET person_id = ? WHERE id = ?'
export const assignFace = 'UPDATE faces SET region_id = ?, person_id = ? WHERE id = ?'
export const insertReference = `INSERT INTO faces (person_id, region_id, embedding, model, created_at)
  VALUES (?, ?, ?, ?, unixepoch())`
/** Binds a face of the history; does nothing if its box or person is gone, or if the box shows somebody else. */
export const restoreFace = `INSERT INTO faces (id, person_id, region_id, embedding, model, created_at)
  SELECT $id, $person_id, $region_id, $embedding, $model, $created_at FROM regions AS r
  WHERE r.id = $region_id AND (r.person_id = $person_id
    OR (r.person_id IS NULL AND EXISTS (SELECT 1 FROM people WHERE id = $person_id)))
  ON CONFLICT (id) DO NOTHING`

const f = alias(foundFaces, 'f')
/** Faces that were detected on an item. `condition` may use the item as `i` and the face as `f`. */
export const foundOnItem = (condition: string) =>
  select(
    { ...columns(f, 'id', 'model', 'x', 'y', 'width', 'height'), region_id: f.regionId },
    `FROM found_faces AS f JOIN items AS i ON i.id = f.item_id WHERE f.item_id = ? AND ${condition}`,
  )
export const vectorOfFound = select({ vector: foundFaces.vector }, 'FROM found_faces WHERE id = ?')
export const setFaceRegion = 'UPDATE found_faces SET region_id = ? WHERE id = ?'
