/** Faces: what a model saw in a region, as a vector, with the model's name: only like is compared with like. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { regions } from './items.ts'
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
