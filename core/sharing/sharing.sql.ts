/** Screen savers and shares with the names of their creators, and built files. */
import { screensavers } from '../../schema/tables/screensavers.ts'
import { builtFiles, shares } from '../../schema/tables/sharing.ts'
import { users } from '../../schema/tables/users.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, optional, select } from '../kernel/database/statement.ts'

const saver = {
  ...columns(screensavers, 'id', 'name', 'userId', 'visitor'),
  username: optional(users.username),
  ...columns(screensavers, 'random', 'seconds', 'filters', 'queue', 'expiresAt'),
}
const savers = 'FROM screensavers LEFT JOIN users ON users.id = screensavers.user_id'

export const saverById = select(saver, `${savers} WHERE screensavers.id = ?`)

/** Savers of an owner. Binds a user and a visitor. */
export const saversOf = select(
  saver,
  `${savers} WHERE screensavers.user_id = ? OR screensavers.visitor = ? ORDER BY screensavers.id`,
)

const share = {
  sealedName: shares.sealedName,
  item: shares.itemId,
  userId: shares.userId,
  username: users.username,
  displayName: users.name,
  created: shares.createdAt,
  expires: shares.expiresAt,
}
const sharesWithUser = 'FROM shares JOIN users ON users.id = shares.user_id'

export const shareByLookup = select(share, `${sharesWithUser} WHERE shares.lookup = ?`)

/** Binds the current time, 1 for all shares or 0 for those of one user, and the user's id. */
export const sharesToList = select(
  share,
  `${sharesWithUser} WHERE shares.expires_at > ? AND (? OR shares.user_id = ?)
   ORDER BY shares.created_at DESC, shares.lookup`,
)

/** Binds the file, its creator, the current time, and whether the creator's session is unlocked (1 or 0). */
export const builtFileOf = select(
  {
    id: builtFiles.id,
    name: builtFiles.name,
    items: number("coalesce((SELECT counts ->> 'built' FROM jobs WHERE jobs.id = job_id), 0)"),
  },
  'FROM built_files WHERE id = ? AND user_id = ? AND expires_at > ? AND shows_hidden <= ?',
)
