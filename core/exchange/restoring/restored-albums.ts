/**
 * Restores albums of an export: creates those that the library lacks, and adds items. Existing albums keep their fields,
 * and albums that were deleted in this library stay deleted.
 */

import { userByName } from '../../accounts/user-rows.ts'
import { albumQuery, albumQueryText } from '../../albums/album-query.ts'
import { albumByUid, createAlbum, publishAlbums } from '../../albums/album-rows.ts'
import { setMember } from '../../albums/albums.sql.ts'
import { addAlbumItem } from '../../items/albums/album-items.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { setAlbumCover, setPersonCover } from '../exchange.sql.ts'
import type { AlbumLine, ItemLine, PersonLine, QueryEntry } from '../exporting/export-format.ts'
import type { NameResolver } from './restored-parts.ts'

/** An id that no row has. */
const noId = 2 ** 40

export interface RestoreTarget {
  names: NameResolver
  /** The id of the collection for a name in the export; null if the library does not have it. */
  collection(name: string): number | null
}

function idOf({ type, subject }: QueryEntry, { names }: RestoreTarget): number {
  if (subject === undefined) return 0
  if (typeof subject === 'number') return (type === 'Person' ? names.person(subject) : null) ?? noId
  if (subject === null || subject.trim() === '') return noId
  return (type === 'Keyword' ? names.keystring(subject) : type === 'Object' ? names.object(subject) : null) ?? noId
}

/** The search to store; null if it is not valid, or its collection does not exist in this library. */
function convertQuery(
  { parameters, collection, filtergroups }: NonNullable<AlbumLine['query']>,
  target: RestoreTarget,
) {
  const collectionId = collection === undefined ? 0 : collection === null ? noId : target.collection(collection)
  if (collectionId === null) return null
  const groups = filtergroups?.map(group =>
    group.map(entry => {
      const { subject: _, ...rest } = entry
      return { ...rest, id: idOf(entry, target) }
    }),
  )
  const parsed = albumQuery.safeParse({
    ...parameters,
    ...(collectionId === 0 ? {} : { collection_id: String(collectionId) }),
    ...(groups === undefined ? {} : { filtergroups: JSON.stringify(groups) }),
  })
  return parsed.success ? albumQueryText(parsed.data) : null
}

/** The lines of albums that the library lacks: each folder before what is in it. */
export function missingAlbums(tx: Pick<Transaction, 'orm'>, lines: readonly AlbumLine[]): AlbumLine[] {
  const rank = ({ kind, parent }: AlbumLine) => (kind !== 'folder' ? 2 : parent === null ? 0 : 1)
  return lines.filter(({ uid }) => albumByUid(tx, uid) === undefined).sort((a, b) => rank(a) - rank(b))
}

/** The id of an album's folder; null for the top level, which is also used if the folder is gone or too deep. */
function folderOf(tx: Transaction, { kind, parent }: AlbumLine): number | null {
  const folder = parent === null ? undefined : albumByUid(tx, parent)
  if (folder === undefined || folder.kind !== 'folder' || folder.deletedAt !== null) return null
  return kind === 'folder' && folder.parent !== null ? null : folder.id
}

/** Creates an album without its items and its cover. Users whom this library lacks are left out. */
export function restoreAlbum(tx: Transaction, line: AlbumLine, target: RestoreTarget): void {
  const { uid, kind, name, description, sort, created: createdAt } = line
  const query = line.query === null ? null : convertQuery(line.query, target)
  if (albumByUid(tx, uid) !== undefined || (kind === 'search' && query === null)) return
  const owner = line.owner === null ? undefined : userByName(tx, line.owner)
  const fields = { uid, kind, name, description, sort, query, createdAt }
  const access = { ownerId: owner?.id ?? null, isPublic: line.public, isPrivate: line.private }
  const id = createAlbum(tx, { ...fields, ...access, parent: folderOf(tx, line) })
  for (const { username, role } of line.members) {
    const user = userByName(tx, username)
    if (user !== undefined && user.id !== owner?.id) tx.run(setMember, id, user.id, role)
  }
}

/** The albums and people of an export whose cover is in this collection, by the path of the cover. */
export function coversIn<Line extends Pick<PersonLine, 'cover'>>(
  lines: readonly Line[],
  collection: string,
): ReadonlyMap<string, readonly Line[]> {
  return Map.groupBy(
    lines.filter(({ cover }) => cover?.collection === collection),
    ({ cover }) => cover?.path ?? '',
  )
}

interface Membership {
  albumCovers: ReadonlyMap<string, readonly AlbumLine[]>
  peopleCovers: ReadonlyMap<string, readonly PersonLine[]>
  ids: ReadonlyMap<number, number>
  /** Seconds. */
  at: number
}

/**
 * Adds an item to its albums, and makes it the cover of albums and people that have none. The history does not record
 * this, as with favourites. `ids`: the library's people by their numbers in the export.
 */
export function restoreMembership(
  tx: Transaction,
  itemId: number,
  { albums = [], path }: ItemLine,
  { albumCovers, peopleCovers, ids, at }: Membership,
): void {
  let changed = false
  for (const { uid, position } of albums) {
    const album = albumByUid(tx, uid)
    if (album?.kind !== 'hand' || album.deletedAt !== null) continue
    if (addAlbumItem(tx, album.id, { itemId, position, addedAt: at, addedBy: null })) changed = true
  }
  for (const { uid } of albumCovers.get(path) ?? []) if (tx.run(setAlbumCover, itemId, uid).changes > 0) changed = true
  for (const { person } of peopleCovers.get(path) ?? []) tx.run(setPersonCover, itemId, ids.get(person) ?? null)
  if (changed) publishAlbums(tx)
}
