/** Favourites: items that a user has marked for themselves. */
import { index, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { items } from './items.ts'
import { users } from './users.ts'

/** Each row is also a mark in `items.keys` (`marks.favourite`), by which lists are filtered. */
export const favourites = sqliteTable(
  'favourites',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    itemId: integer('item_id')
      .notNull()
      .references(() => items.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  t => [primaryKey({ columns: [t.userId, t.itemId] }), index('favourites_item').on(t.itemId)],
)
