/** Queries of albums for those who see them. */
import { albumItems, albumMembers, albums } from '../../schema/tables/albums.ts'
import { users } from '../../schema/tables/users.ts'
import { columns } from '../kernel/database/columns.ts'
import { number, query, select } from '../kernel/database/statement.ts'

const member = { albumId: albumMembers.albumId, role: albumMembers.role, ...columns(users, 'username', 'name') }
export const allMembers = select(
  member,
  'FROM album_members JOIN users ON users.id = album_members.user_id ORDER BY users.username_key',
)
export const roleOfMember = select({ role: albumMembers.role }, 'FROM album_members WHERE album_id = ? AND user_id = ?')
export const countOfMembers = select({ n: number('count(*)') }, 'FROM album_members WHERE album_id = ?')
export const setMember = `INSERT INTO album_members (album_id, user_id, role) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET role = excluded.role`
export const removeMember = 'DELETE FROM album_members WHERE album_id = ? AND user_id = ?'

export const albumsOfItem = select({ id: albumItems.albumId }, 'FROM album_items WHERE item_id = ?')
export const adderOfItem = select(
  { addedBy: albumItems.addedBy },
  'FROM album_items WHERE album_id = ? AND item_id = ?',
)
export const countOfAlbums = select({ n: number('count(*)') }, 'FROM albums WHERE deleted_at IS NULL')
/** Finds a folder within a folder within a folder, if the folder $id were there and in $parent. */
export const threeDeep = query(
  { id: albums.id },
  `WITH folders AS (SELECT id, CASE WHEN id = $id THEN $parent ELSE parent END AS parent FROM albums
     WHERE kind = 'folder' AND (deleted_at IS NULL OR id = $id))
   SELECT f.id FROM folders AS f JOIN folders AS g ON g.id = f.parent JOIN folders AS h ON h.id = g.parent LIMIT 1`,
)
