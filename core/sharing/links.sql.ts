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
export const countOfLinks = select({ n: number('count(*)') }, 'FROM links WHERE user_id = ?')

export const itemsOfLink = select({ id: linkItems.itemId }, 'FROM link_items WHERE link_id = ? ORDER BY position')
export const linkHasItem = select({ id: linkItems.itemId }, 'FROM link_items WHERE link_id = ? AND item_id = ?')
export const addLinkItem = 'INSERT OR IGNORE INTO link_items (link_id, item_id, position) VALUES (?, ?, ?)'
export const countView = 'UPDATE links SET views = views + 1, viewed_at = ? WHERE id = ?'

/** Whether a link shows an item of these collections (a JSON list): a chosen one, or one of its album by hand. */
export const linkHasItemIn = select(
  { id: links.id },
  `FROM links WHERE links.id = ?1 AND (
    EXISTS (SELECT 1 FROM link_items AS l JOIN items AS i ON i.id = l.item_id
      WHERE l.link_id = links.id AND i.collection_id IN (SELECT value FROM json_each(?2)))
    OR links.kind = 'album' AND EXISTS (SELECT 1 FROM album_items AS a JOIN items AS i ON i.id = a.item_id
      WHERE a.album_id = links.subject AND i.collection_id IN (SELECT value FROM json_each(?2))))`,
)
