/** Access groups by the collections that use them, and their members. */
import { accessGroups } from '../../../schema/tables/access.ts'
import { users } from '../../../schema/tables/users.ts'
import { select } from '../../kernel/database/statement.ts'

const withUses = 'FROM collection_access JOIN access_groups ON access_groups.id = collection_access.group_id'

/** Another group that administers the collection. Binds the collection and the group. */
export const otherAdminGroup = select(
  { id: accessGroups.id },
  `${withUses} WHERE collection_access.collection_id = ? AND access_groups.admin = 1 AND access_groups.id <> ? LIMIT 1`,
)

/** The group that moves to the first place of a collection's list when the first group was detached. */
export const nextAdminGroup = select(
  { id: accessGroups.id },
  `${withUses} WHERE collection_access.collection_id = ? AND access_groups.admin = 1 AND access_groups.public = 0
   ORDER BY collection_access.position LIMIT 1`,
)

export const groupMembers = select(
  { id: users.id, username: users.username, name: users.name },
  `FROM access_members JOIN users ON users.id = access_members.user_id
   WHERE access_members.group_id = ? ORDER BY users.username_key`,
)
