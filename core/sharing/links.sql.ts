/** Links with the names of their creators, and their items. */
import { linkItems, links } from '../../schema/tables/sharing.ts'
import { users } from '../../schema/tables/users.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, select } from '../kernel/database/statement.ts'

const link = {
  ...columns(links, 'id', 'lookup', 'sealedName', 'kind', 'subject', 'title', 'userId', 'createdAt', 'expiresAt'),
  ...columns(links, 'endedAt', 'passwordHash', 'originals', 'details', 'views', 'viewedAt'),
  username: users.username,
  displayName: users.name,
}
const withUser = 'FROM links JOIN users ON users.id = links.user_id'

export const linkByLookup = select(link, `${withUser} WHERE links.lookup = ?`)
export const linkById = select(link, `${withUser} WHERE links.id = ?`)
export const allLinks = select(link, `${withUser} ORDER BY links.created_at DESC, links.id DESC`)
/** Binds the user and the present second. */
export const countOfActiveLinks = select(
  { n: number('count(*)') },
  'FROM links WHERE user_id = ? AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
)

export const itemsOfLink = select({ id: linkItems.itemId }, 'FROM link_items WHERE link_id = ? ORDER BY position')
export const linkHasItem = select({ id: linkItems.itemId }, 'FROM link_items WHERE link_id = ? AND item_id = ?')
export const addLinkItem = 'INSERT OR IGNORE INTO link_items (link_id, item_id, position) VALUES (?, ?, ?)'
export const countView = 'UPDATE links SET views = views + 1, viewed_at = ? WHERE id = ?'

/** The chosen items of a link that are in these collections (a JSON list). */
export const itemsOfLinkIn = select(
  { id: linkItems.itemId },
  `FROM link_items JOIN items ON items.id = link_items.item_id
   WHERE link_items.link_id = ? AND items.collection_id IN (SELECT value FROM json_each(?)) ORDER BY position`,
)
