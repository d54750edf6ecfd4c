/** Access groups, their members, and the collections that they open. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { collections } from './collections.ts'
import { users } from './users.ts'

export const accessGroups = sqliteTable('access_groups', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  admin: integer({ mode: 'boolean' }).notNull().default(false),
  public: integer({ mode: 'boolean' }).notNull().default(false),
  view: integer({ mode: 'boolean' }).notNull().default(false),
  create: integer({ mode: 'boolean' }).notNull().default(false),
  update: integer({ mode: 'boolean' }).notNull().default(false),
  /** The creator, until a collection uses the group. With neither owner nor collection, only global admins may use it. */
  ownerId: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
})

export const accessMembers = sqliteTable(
  'access_members',
  {
    groupId: integer('group_id')
      .notNull()
      .references(() => accessGroups.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  t => [primaryKey({ columns: [t.groupId, t.userId] }), index('access_members_user').on(t.userId)],
)

export const collectionAccess = sqliteTable(
  'collection_access',
  {
    collectionId: integer('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    groupId: integer('group_id')
      .notNull()
      .references(() => accessGroups.id, { onDelete: 'cascade' }),
    /** Position in the access list: the first is the admin group, the second the public one. */
    position: integer().notNull(),
  },
  t => [primaryKey({ columns: [t.collectionId, t.groupId] }), index('collection_access_group').on(t.groupId)],
)
