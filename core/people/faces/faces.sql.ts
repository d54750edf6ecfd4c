/** Faces: known faces of people, detected faces on pictures, and pictures that are due. */
import { alias } from 'drizzle-orm/sqlite-core'
import { collections, dirs, files } from '../../../schema/tables/collections.ts'
import { faces, foundFaces } from '../../../schema/tables/faces.ts'
import { items, regions } from '../../../schema/tables/items.ts'
import { jobs } from '../../../schema/tables/jobs.ts'
import { current, unnamed } from '../../editing/boxes/boxes.sql.ts'
import { columns } from '../../kernel/database/columns.ts'
import { number, optional, select, string } from '../../kernel/database/statement.ts'

const f = alias(foundFaces, 'f')
const counted = { n: number('count(*)') }

const face = { person: faces.personId, object: faces.regionId, ...columns(faces, 'id', 'embedding', 'model') }
export const allFaces = select(face, 'FROM faces ORDER BY id')
export const facesOfModel = select(face, 'FROM faces WHERE model = ? ORDER BY id')

/** Binds the model, and a face to exclude. */
export const lengthOfModel = select(
  { length: number('json_array_length(embedding)') },
  'FROM faces WHERE model = ? AND id <> ? LIMIT 1',
)

export const itemOfRegion = select(
  { id: items.id, collection_id: items.collectionId },
  'FROM regions JOIN items ON items.id = regions.item_id WHERE regions.id = ?',
)

export const learntRegions = select(
  { id: regions.id },
  'FROM regions JOIN faces ON faces.region_id = regions.id WHERE regions.item_id = ? AND faces.model = ? ORDER BY regions.id',
)

export const facesFound = select(
  {
    ...columns(foundFaces, 'id', 'x', 'y', 'width', 'height', 'score', 'vector'),
    object: foundFaces.regionId,
    group: foundFaces.groupId,
    person: optional(regions.personId),
  },
  `FROM found_faces LEFT JOIN regions ON regions.id = found_faces.region_id
   WHERE found_faces.item_id = ? AND found_faces.model = ? ORDER BY found_faces.x, found_faces.id`,
)

const currentFaces = `FROM found_faces AS f JOIN items AS i ON i.id = f.item_id WHERE f.model = ? AND ${current}`
export const countFound = select(counted, currentFaces)
export const countUnnamed = select(counted, `${currentFaces} AND ${unnamed}`)
export const countLooked = select(
  counted,
  `FROM face_looks AS l JOIN items AS i ON i.id = l.item_id
   WHERE l.model = ? AND l.fault IS NULL AND l.content = i.content AND l.rotation = i.rotation`,
)
export const countShownGroups = select(
  { n: number('count(DISTINCT f.group_id)') },
  `FROM face_groups AS g JOIN found_faces AS f ON f.group_id = g.id JOIN items AS i ON i.id = f.item_id
   WHERE f.model = ? AND ${current} AND g.ignored = 0 AND ${unnamed}`,
)
export const countKnown = select(counted, 'FROM faces WHERE model = ?')

/** The latest job that was requested for this collection; 0: for all of them. */
export const lastFacesJob = select(
  { state: jobs.state, since: number(`input ->> '$.since'`) },
  `FROM jobs WHERE kind = 'faces' AND input ->> '$.collectionId' = ? ORDER BY id DESC LIMIT 1`,
)

const due = `FROM items AS i WHERE i.type = 'image' AND i.mime <> 'image/svg+xml' AND i.problem IS NULL AND i.content <> '' AND i.state <= 1
  AND (?1 = 0 OR i.collection_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM face_looks AS l WHERE l.item_id = i.id AND l.model = ?2 AND l.content = i.content
    AND l.rotation = i.rotation AND l.looked_at >= ?3)`

/** Binds the collection, the model and the time, as the next two statements do. */
export const countDueItems = select(counted, due)
export const countDueByCollection = select(
  { root: string('(SELECT path FROM collections WHERE id = i.collection_id)'), ...counted },
  `${due} GROUP BY i.collection_id ORDER BY i.collection_id`,
)
/** A page of due items. Also binds the id that it starts after. */
export const pageOfDue = select(
  {
    ...columns(items, 'id', 'collectionId', 'name', 'content', 'rotation', 'width', 'height'),
    root: collections.path,
    dir: dirs.path,
    dirBytes: dirs.pathBytes,
    nameBytes: files.nameBytes,
  },
  `FROM (SELECT i.id AS due ${due} AND i.id > ?4 ORDER BY i.id LIMIT 100)
   JOIN items ON items.id = due JOIN collections ON collections.id = items.collection_id
   JOIN files ON files.item_id = items.id AND files.role = 'main' JOIN dirs ON dirs.id = files.dir_id ORDER BY items.id`,
)

/** Items with detected faces that may match regions named elsewhere: from files, by a scan. */
export const itemsToMatch = select(
  { id: foundFaces.itemId },
  `FROM found_faces JOIN regions ON regions.item_id = found_faces.item_id AND regions.person_id IS NOT NULL
   WHERE found_faces.model = ? AND found_faces.region_id IS NULL`,
  { distinct: true },
)

/** Faces without a group, most certain first. Binds the model and the minimum certainty. */
export const ungroupedFaces = select(
  { id: f.id, item: f.itemId, vector: f.vector },
  `FROM found_faces AS f JOIN items AS i ON i.id = f.item_id
   WHERE f.model = ? AND f.group_id IS NULL AND f.score >= ? AND i.state <= 1 AND ${unnamed} AND ${current}
   ORDER BY f.score DESC, f.id`,
)

export const writeProblem = `INSERT INTO problems (job_id, collection_id, item_id, path, code, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (collection_id, path, code) DO UPDATE SET reason = excluded.reason, job_id = excluded.job_id, at = excluded.at`

/** Problems with pictures that this model has processed, or that are gone or recycled. Binds the code and the model. */
export const clearOldProblems = `DELETE FROM problems WHERE code = ? AND item_id IS NOT NULL AND (
  item_id NOT IN (SELECT id FROM items) OR item_id IN (
    SELECT l.item_id FROM face_looks AS l JOIN items AS i ON i.id = l.item_id
    WHERE l.model = ? AND l.fault IS NULL AND l.content = i.content
    UNION ALL SELECT id FROM items WHERE state > 1))`
