/**
 * Faces: the vector that a model computes for a box, with the model's name, because only vectors of the same model are
 * compared. `faces` are the references that identify people; `foundFaces` are all faces that the server has found.
 */
import { blob, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { items, regions } from './items.ts'
import { people } from './vocabulary.ts'

export const faces = sqliteTable(
  'faces',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    personId: integer('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** The region with the face; null if there is none, or if it was deleted with its item. */
    regionId: integer('region_id').references(() => regions.id, { onDelete: 'set null' }),
    /** JSON: an array of numbers. */
    embedding: text().notNull(),
    /** Name and version of the model that made the vector. */
    model: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  t => [index('faces_person').on(t.personId), index('faces_region').on(t.regionId), index('faces_model').on(t.model)],
)

/** The last search of each item by each model. With another content or rotation, the item is searched again. */
export const faceSearches = sqliteTable(
  'face_looks',
  {
    itemId: integer('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    model: text().notNull(),
    content: text().notNull(),
    rotation: integer().notNull(),
    /** The search left out faces with less confidence. */
    confidence: real().notNull(),
    /** Why the picture could not be processed. It is tried again when it changes, or if all are searched again. */
    fault: text(),
    /** Milliseconds since the epoch. */
    lookedAt: integer('looked_at').notNull(),
  },
  t => [primaryKey({ columns: [t.itemId, t.model] })],
)

export const faceGroups = sqliteTable('face_groups', {
  id: integer().primaryKey({ autoIncrement: true }),
  model: text().notNull(),
  /** Whether the group is ignored, such as one of strangers. */
  ignored: integer({ mode: 'boolean' }).notNull().default(false),
})

/** A found face. Its box is stored as in `regions`: on the upright picture, before Rotation. */
export const foundFaces = sqliteTable(
  'found_faces',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    itemId: integer('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    model: text().notNull(),
    x: real().notNull(),
    y: real().notNull(),
    width: real().notNull(),
    height: real().notNull(),
    score: real().notNull(),
    /** 32-bit floats, little-endian. */
    vector: blob({ mode: 'buffer' }).notNull(),
    /** The region of a person at the same position. */
    regionId: integer('region_id').references(() => regions.id, { onDelete: 'set null' }),
    groupId: integer('group_id').references(() => faceGroups.id, { onDelete: 'set null' }),
  },
  t => [
    index('found_faces_item').on(t.itemId),
    index('found_faces_region').on(t.regionId),
    index('found_faces_group').on(t.groupId),
    index('found_faces_model').on(t.model, t.groupId),
  ],
)
