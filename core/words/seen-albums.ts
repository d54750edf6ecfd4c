/** Which albums a viewer sees, what they may do with each, and the items of an album as a filter. */
import { type AlbumRole, albumRoles } from '../../schema/api/albums.ts'
import { filterQuery } from '../../schema/api/items.ts'
import { Failure } from '../../schema/errors.ts'
import { keyOf, marks, tagBits } from '../../schema/keys.ts'
import type { Viewer } from '../accounts/access.ts'
import { any, type Filter, nothing, withKeys } from '../filter/filter.ts'
import { filterOfQuery } from '../filter/language/query.ts'
import type { FilterLookups } from '../filter/lookups.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { RowIn } from '../kernel/database/statement.ts'
import { albumsOfViewer } from './albums.sql.ts'
import { keystringKey } from './keystrings.ts'

type AlbumRow = RowIn<typeof albumsOfViewer>

export interface SeenAlbum extends Omit<AlbumRow, 'memberRole' | 'parent' | 'isOrphan'> {
  role: AlbumRole
  /** Nobody who can sign in owns or manages it. */
  isOrphan: boolean
  /** The folder it is in; null at the top, also if its folder was deleted. */
  parent: number | null
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

/** The albums that the viewer sees, and the folders that contain them, by id. */
export function seenAlbums(db: Pick<LibraryDatabase | Transaction, 'all'>, viewer: Viewer): Map<number, SeenAlbum> {
  const rows = new Map(db.all(albumsOfViewer, viewer.userId).map(row => [row.id, row]))
  const seen = new Map<number, SeenAlbum>()
  function add(row: AlbumRow, role: AlbumRole): void {
    if (seen.has(row.id)) return
    const folder = row.parent === null ? undefined : rows.get(row.parent)
    const { memberRole: _, ...rest } = row
    seen.set(row.id, { ...rest, role, parent: folder?.id ?? null, isOrphan: row.isOrphan === 1 })
    // Whoever sees an album sees the folders it is in.
    if (folder !== undefined) add(folder, roleOf(viewer, folder) ?? 'view')
  }
  for (const row of rows.values()) {
    const role = roleOf(viewer, row)
    if (role !== null) add(row, role)
  }
  return seen
}

const handFilter = (id: number) => withKeys([keyOf('mark', marks.album(id))], tagBits.Mark)

/** The items of an album, or of all albums in a folder. Within a search, other albums by a search have no items. */
function filterOfAlbum(
  albums: ReadonlyMap<number, SeenAlbum>,
  { id, kind, query }: SeenAlbum,
  lookups: FilterLookups | null,
): Filter {
  if (kind === 'hand') return handFilter(id)
  if (kind === 'folder') {
    const inside = [...albums.values()].filter(({ parent }) => parent === id)
    return any(inside.map(album => filterOfAlbum(albums, album, lookups)))
  }
  const parsed = filterQuery.safeParse(JSON.parse(query ?? '{}'))
  if (lookups === null || !parsed.success) return nothing
  try {
    return filterOfQuery(parsed.data, lookups)
  } catch (error) {
    // A search that is no longer valid, for example because it grew with the names in it, must not break whole lists.
    if (error instanceof Failure && error.code === 'invalid') return nothing
    throw error
  }
}

type AlbumLookups = Pick<FilterLookups, 'album' | 'albumsNamed'>

/** Looks up albums for one caller. `others`: the caller's other lookups, for searches of albums. */
export function albumLookups(
  db: Pick<LibraryDatabase, 'all'>,
  viewer: Viewer,
  others: Omit<FilterLookups, keyof AlbumLookups>,
): AlbumLookups {
  let known: ReadonlyMap<number, SeenAlbum> | null = null
  const albums = () => {
    known ??= seenAlbums(db, viewer)
    return known
  }
  const lookupsFor = (inSearch: boolean): AlbumLookups => {
    const inner = () => (inSearch ? null : { ...others, ...lookupsFor(true) })
    return {
      album(id) {
        const album = albums().get(id)
        return album === undefined ? null : filterOfAlbum(albums(), album, inner())
      },
      albumsNamed(name) {
        const key = keystringKey(name)
        const named = [...albums().values()].filter(album => keystringKey(album.name) === key)
        return named.map(album => filterOfAlbum(albums(), album, inner()))
      },
    }
  }
  return lookupsFor(false)
}
