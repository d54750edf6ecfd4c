/** Rows of albums, and their changes as the history keeps them. */
import { eq } from 'drizzle-orm'
import type { AlbumRole } from '../../schema/api/albums.ts'
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { albums } from '../../schema/tables/albums.ts'
import { notFound, requireSignedIn, type Viewer } from '../accounts/access.ts'
import { markAlbumDue } from '../items/due-items.ts'
import type { Items } from '../items/items.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { findBy } from '../kernel/database/find-by.ts'
import { roleIncludes, type SeenAlbum, seenAlbum } from '../words/seen-albums.ts'
import { threeDeep } from './albums.sql.ts'

export type AlbumRow = typeof albums.$inferSelect
export const albumById = findBy(albums, albums.id)
export const albumByUid = findBy(albums, albums.uid)

export interface AlbumStore {
  db: LibraryDatabase
  clock: Clock
  items: Items
}

/** The album, if the viewer may do this with it: `notFound` if they do not see it, `denied` without the role. */
export function requireRole(
  tx: Pick<Transaction, 'all' | 'get'>,
  viewer: Viewer,
  id: number,
  role: AlbumRole,
): SeenAlbum {
  requireSignedIn(viewer)
  const album = seenAlbum(tx, viewer, id)
  if (album === undefined) throw notFound()
  if (!roleIncludes(album.role, role)) throw new Failure('denied', 'Permission Denied')
  return album
}

/** Whether more than two folders would be nested if this album were in that folder. */
export function isTooDeep(tx: Transaction, { id, parent }: Pick<AlbumRow, 'id' | 'parent'>): boolean {
  return tx.get(threeDeep, { id, parent }) !== null
}

/** The fields that a call changes. */
export const changedFields = [
  'parent',
  'name',
  'description',
  'sort',
  'query',
  'cover',
  'isPublic',
  'isPrivate',
] as const
export type AlbumFields = Pick<AlbumRow, (typeof changedFields)[number]>

/** Notifies all clients that albums have changed, without saying which. */
export function publishAlbums(tx: Transaction): void {
  tx.event(channels.albums, { action: 'update', album: {} })
}

/** A new album; returns its id. */
export function insertAlbum(tx: Transaction, row: Omit<typeof albums.$inferInsert, 'id'>): number {
  const { lastInsertRowid: id } = tx.orm.insert(albums).values(row).run()
  publishAlbums(tx)
  return id
}

/** A new album, which the history can undo; returns its id. */
export function createAlbum(tx: Transaction, row: Parameters<typeof insertAlbum>[1]): number {
  const id = insertAlbum(tx, row)
  tx.history({ operation: 'album.create', after: { id } })
  return id
}

export function setDeleted(tx: Transaction, id: number, deletedAt: number | null): void {
  tx.orm.update(albums).set({ deletedAt }).where(eq(albums.id, id)).run()
  markAlbumDue(tx, id)
  tx.history(
    deletedAt === null
      ? { operation: 'album.create', after: { id } }
      : { operation: 'album.remove', before: { id, deletedAt } },
  )
  publishAlbums(tx)
}

/** Writes fields of an album; returns whether any of them was different. */
export function writeFields(tx: Transaction, row: AlbumRow, fields: Partial<AlbumFields>): boolean {
  const changed = changedFields.filter(name => fields[name] !== undefined && fields[name] !== row[name])
  if (changed.length === 0) return false
  const pick = (source: Partial<AlbumFields>) => Object.fromEntries(changed.map(name => [name, source[name]]))
  tx.orm.update(albums).set(pick(fields)).where(eq(albums.id, row.id)).run()
  if (changed.includes('name') || changed.includes('isPrivate')) markAlbumDue(tx, row.id)
  tx.history({
    operation: 'album.update',
    before: { id: row.id, ...pick(row) },
    after: { id: row.id, ...pick(fields) },
  })
  publishAlbums(tx)
  return true
}
