/**
 * Faces: what a model saw in a box, as a vector, with the model's name: only like is compared with like. `faces` are those
 * by which people are known; `foundFaces` are all that the server has found, whoever they show.
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
    /** The region that it was seen in; null once that is gone. */
    regionId: integer('region_id').references(() => regions.id, { onDelete: 'set null' }),
    /** JSON: an array of numbers. */
    embedding: text().notNull(),
    /** Name and version of the model that made it. */
    model: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  t => [index('faces_person').on(t.personId), index('faces_region').on(t.regionId), index('faces_model').on(t.model)],
)

/** Which picture a model has looked at, and how: another content or turn is another picture. */
export const faceLooks = sqliteTable(
  'face_looks',
  {
    itemId: integer('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    model: text().notNull(),
    content: text().notNull(),
    rotation: integer().notNull(),
    confidence: real().notNull(),
    /** Why it could not be looked at; it is not tried again until it changes. */
    fault: text(),
    /** Milliseconds since the epoch. */
    lookedAt: integer('looked_at').notNull(),
  },
  t => [primaryKey({ columns: [t.itemId, t.model] })],
)

/** Groups of faces that nobody has named. */
export const faceGroups = sqliteTable('face_groups', {
  id: integer().primaryKey({ autoIncrement: true }),
  model: text().notNull(),
  /** Strangers, whom nobody wants to see again. */
  ignored: integer({ mode: 'boolean' }).notNull().default(false),
})

/** A face that was found. Its box is as those of `regions`: on the upright picture, before Rotation. */
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
    /** Numbers of 32 bits, the lowest byte first. */
    vector: blob({ mode: 'buffer' }).notNull(),
    /** The region of somebody that lies where it lies. */
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
