/** Which albums a viewer sees, what they may do with each, and the items of an album as a filter. */
import { favouritesName } from '../../schema/album-words.ts'
import { type AlbumRole, albumRoles } from '../../schema/api/albums.ts'
import { filterQuery } from '../../schema/api/items.ts'
import { Failure } from '../../schema/errors.ts'
import { keyOf, marks, tagBits } from '../../schema/keys.ts'
import type { Viewer } from '../accounts/access.ts'
import { any, type Filter, nothing, withKeys } from '../filter/filter.ts'
import { filterOfQuery } from '../filter/language/query.ts'
import type { FilterLookups } from '../filter/lookups.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { albumOfViewer, albumsOfViewer } from './albums.sql.ts'
import { foldedName } from './keystrings.ts'

type Reader = Pick<LibraryDatabase | Transaction, 'all' | 'get'>
type AlbumRow = RowOfQuery<typeof albumsOfViewer>

export interface SeenAlbum extends Omit<AlbumRow, 'memberRole' | 'isOwnerless' | 'isOrphan' | 'deletedAt'> {
  role: AlbumRole
  /** Nobody who can sign in owns or manages it. */
  isOrphan: boolean
  /** Whether the viewer owns it, is a member, or manages it; others see only that it is public. */
  isParticipant: boolean
  /** Whether the viewer may delete it: as its owner or as a global admin who manages it; as a manager if it has no owner. */
  mayDelete: boolean
}

/** Each role includes the ones before it. */
export const roleIncludes = (role: AlbumRole, wanted: AlbumRole): boolean =>
  albumRoles.indexOf(role) >= albumRoles.indexOf(wanted)

function roleOf(viewer: Viewer, { ownerId, memberRole, isOrphan, isPublic }: AlbumRow): AlbumRole | null {
  if (viewer.kind === 'terminal') return 'manage'
  if (viewer.userId !== null && ownerId === viewer.userId) return 'manage'
  if (viewer.globalAdmin && isOrphan === 1) return 'manage'
  return memberRole ?? (isPublic === 1 ? 'view' : null)
}

/** `role`: the viewer's role in the album. */
function mayDelete(viewer: Viewer, { ownerId, isOwnerless }: AlbumRow, role: AlbumRole | null): boolean {
  const isOwner = ownerId !== null && ownerId === viewer.userId
  return role === 'manage' && (isOwner || viewer.globalAdmin || isOwnerless === 1)
}

/** Whether the viewer may delete an album that may be deleted already. */
export function mayDeleteAlbum(tx: Reader, viewer: Viewer, id: number): boolean {
  const row = tx.get(albumOfViewer, viewer.userId, id)
  return row !== null && mayDelete(viewer, row, roleOf(viewer, row))
}

/** The viewer's role in an album that may be deleted; null if they have none. */
export function roleInAlbum(tx: Reader, viewer: Viewer, id: number): AlbumRole | null {
  const row = tx.get(albumOfViewer, viewer.userId, id)
  return row === null ? null : roleOf(viewer, row)
}

function toSeenAlbum(viewer: Viewer, album: AlbumRow, role: AlbumRole): SeenAlbum {
  const { memberRole, isOwnerless: _isOwnerless, deletedAt: _deletedAt, ...row } = album
  const isParticipant =
    memberRole !== null || role === 'manage' || (row.ownerId !== null && row.ownerId === viewer.userId)
  return { ...row, role, isOrphan: row.isOrphan === 1, isParticipant, mayDelete: mayDelete(viewer, album, role) }
}

/** One album of `seenAlbums`. Reads only its row, unless it is a folder, which may be visible for its contents. */
export function seenAlbum(db: Reader, viewer: Viewer, id: number): SeenAlbum | undefined {
  const row = db.get(albumOfViewer, viewer.userId, id)
  if (row === null || row.deletedAt !== null) return undefined
  const role = roleOf(viewer, row)
  if (role !== null) return toSeenAlbum(viewer, row, role)
  return row.kind === 'folder' ? seenAlbums(db, viewer).get(id) : undefined
}

/** The albums that the viewer sees, and the folders that contain them, by id. */
export function seenAlbums(db: Reader, viewer: Viewer): Map<number, SeenAlbum> {
  const rows = new Map(db.all(albumsOfViewer, viewer.userId).map(row => [row.id, row]))
  const seen = new Map<number, SeenAlbum>()
  function add(row: AlbumRow, role: AlbumRole): void {
    if (seen.has(row.id)) return
    const folder = row.parent === null ? undefined : rows.get(row.parent)
    seen.set(row.id, toSeenAlbum(viewer, row, role))
    // A viewer who sees an album also sees the folders that contain it.
    if (folder !== undefined) add(folder, roleOf(viewer, folder) ?? 'view')
  }
  for (const row of rows.values()) {
    const role = roleOf(viewer, row)
    if (role !== null) add(row, role)
  }
  return seen
}

type AlbumLookups = Pick<FilterLookups, 'album' | 'albumsNamed'>

/** Looks up albums for one caller. `others`: the caller's other lookups, for searches of albums. */
export function albumLookups(
  db: Reader,
  viewer: Viewer,
  others: Omit<FilterLookups, keyof AlbumLookups>,
): AlbumLookups {
  let seen: ReadonlyMap<number, SeenAlbum> | null = null
  const albums = () => {
    seen ??= seenAlbums(db, viewer)
    return seen
  }
  const searches = new Map<number, Filter | 'in progress'>()

  /** Throws `Failure('invalid')` for a search that lists refuse, or that uses itself. */
  function filterOfSearch({ id, query }: SeenAlbum): Filter {
    const found = searches.get(id) ?? 'new'
    if (found === 'in progress') throw new Failure('invalid', 'An album by a search cannot use itself.')
    if (found !== 'new') return found
    searches.set(id, 'in progress')
    try {
      const { data, error } = filterQuery.safeParse(JSON.parse(query ?? '{}'))
      if (data === undefined) throw new Failure('invalid', error.message)
      const filter = filterOfQuery(data, { ...others, ...lookups(filterOf) })
      searches.set(id, filter)
      return filter
    } catch (error) {
      searches.delete(id)
      throw error
    }
  }

  /** The items of an album, or of all albums in a folder. */
  function filterOf(album: SeenAlbum): Filter {
    if (album.kind === 'hand') return withKeys([keyOf('mark', marks.album(album.id))], tagBits.Mark)
    if (album.kind === 'search') return filterOfSearch(album)
    return any([...albums().values()].filter(({ parent }) => parent === album.id).map(filterOrNothing))
  }

  /** A search that is no longer valid, for example because it grew with the names in it, must not break whole lists. */
  function filterOrNothing(album: SeenAlbum): Filter {
    try {
      return filterOf(album)
    } catch (error) {
      if (error instanceof Failure && error.code === 'invalid') return nothing
      throw error
    }
  }

  const lookups = (filterOfOne: (album: SeenAlbum) => Filter): AlbumLookups => ({
    album(id) {
      const album = seenAlbum(db, viewer, id)
      return album === undefined ? null : filterOfOne(album)
    },
    albumsNamed(name) {
      const key = foldedName(name)
      const named = [...albums().values()].filter(album => foldedName(album.name) === key).map(filterOfOne)
      const favourites = key === foldedName(favouritesName) ? others.favourites() : null
      return favourites === null ? named : [...named, withKeys([favourites], tagBits.Mark)]
    },
  })
  return lookups(filterOrNothing)
}
