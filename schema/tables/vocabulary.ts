/** What items are filed under: keystrings (keywords, categories, authors), people and objects. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const keystrings = sqliteTable(
  'keystrings',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    content: text().notNull(),
    /** NFC, lower case; two keystrings are the same if this is the same. */
    contentKey: text('content_key').notNull(),
    isHidden: integer('is_hidden', { mode: 'boolean' }).notNull().default(false),
    isAssociatedItemsHidden: integer('is_associated_items_hidden', { mode: 'boolean' }).notNull().default(false),
  },
  t => [uniqueIndex('keystrings_content').on(t.contentKey)],
)

/** Keystrings whose items are being hidden: `visibleItems` filters by them until the job has marked the items. */
export const pendingHide = sqliteTable('pending_hide', {
  keystringId: integer('keystring_id').primaryKey(),
})

export const people = sqliteTable('people', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** 'YYYY-MM-DD'; null if unknown. */
  birthdate: text(),
  /** Id of the item with the chosen face. Not a reference: the item may be gone or no longer show the person. */
  cover: integer(),
})

/** A person's names over time; the name active at the picture's date is shown. */
export const personNames = sqliteTable(
  'person_names',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    personId: integer('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    nameKey: text('name_key').notNull(),
    /** Like `items.taken`; null: no start or no end. */
    activeFrom: integer('active_from'),
    activeTo: integer('active_to'),
  },
  t => [index('person_names_person').on(t.personId), index('person_names_name').on(t.nameKey)],
)

export const objects = sqliteTable(
  'objects',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
    nameKey: text('name_key').notNull(),
    description: text().notNull().default(''),
    parentId: integer('parent_id'),
  },
  t => [index('objects_name').on(t.nameKey)],
)

/** Properties of an object: names and values; only editors see hidden ones. */
export const objectProperties = sqliteTable(
  'object_properties',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    objectId: integer('object_id')
      .notNull()
      .references(() => objects.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    value: text().notNull(),
    hidden: integer({ mode: 'boolean' }).notNull().default(false),
  },
  t => [uniqueIndex('object_properties_name').on(t.objectId, t.name)],
)

/** Make, model and lens as one text, by which `camera:` finds the marks. */
export const cameras = sqliteTable(
  'cameras',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
  },
  t => [uniqueIndex('cameras_name').on(t.name)],
)
