/** Queries of albums for looking up their names, and the viewer's role in each. */
import { albumMembers, albums } from '../../schema/tables/albums.ts'
import { users } from '../../schema/tables/users.ts'
import { columns } from '../kernel/database/columns.ts'
import { type Expression, number, optional, select } from '../kernel/database/statement.ts'

/** Whether nobody who can sign in owns the album. */
const isOwnerless = '(users.id IS NULL OR users.disabled = 1)'

/** Whether nobody who can sign in owns or manages the album. */
const isOrphan = `${isOwnerless} AND NOT EXISTS (
  SELECT 1 FROM album_members AS m JOIN users AS u ON u.id = m.user_id
  WHERE m.album_id = albums.id AND m.role = 'manage' AND u.disabled = 0)`

/** The folder it is in; null at the top, also if its folder was deleted. */
const folder: Expression<number | null> = {
  expression: '(SELECT f.id FROM albums AS f WHERE f.id = albums.parent AND f.deleted_at IS NULL)',
}

const ofViewer = {
  ...columns(albums, 'id', 'kind', 'name', 'description', 'ownerId', 'query', 'sort', 'cover'),
  ...columns(albums, 'isPublic', 'isPrivate', 'createdAt', 'deletedAt'),
  parent: folder,
  memberRole: optional(albumMembers.role),
  ownerUsername: optional(users.username),
  ownerName: optional(users.name),
  isOwnerless: number(isOwnerless),
  isOrphan: number(isOrphan),
}
const fromAlbums = `FROM albums LEFT JOIN users ON users.id = albums.owner_id
  LEFT JOIN album_members ON album_members.album_id = albums.id AND album_members.user_id = ?`

/** All albums that are not deleted. Binds the id of the viewer. */
export const albumsOfViewer = select(ofViewer, `${fromAlbums} WHERE albums.deleted_at IS NULL`)
/** An album, deleted or not. Binds the ids of the viewer and the album. */
export const albumOfViewer = select(ofViewer, `${fromAlbums} WHERE albums.id = ?`)
