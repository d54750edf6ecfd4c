/** Changes of albums, each a step of the history. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Album, AlbumRole, albumCalls } from '../../schema/api/albums.ts'
import type { InputOf } from '../../schema/api/contract.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { notFound, requireAdminSomewhere, requireSignedIn, type Viewer } from '../accounts/access.ts'
import { type UserRow, userNamed } from '../accounts/user-rows.ts'
import { seconds } from '../kernel/clock.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { createRateLimit } from '../kernel/rate-limit.ts'
import { type SeenAlbum, seenAlbum } from '../words/seen-albums.ts'
import { addItems, requireVisible } from './album-item-changes.ts'
import { albumQuery, albumQueryText } from './album-query.ts'
import {
  type AlbumFields,
  type AlbumStore,
  albumById,
  createAlbum,
  isTooDeep,
  publishAlbums,
  requireRole,
  setDeleted,
  writeFields,
} from './album-rows.ts'
import * as statements from './albums.sql.ts'

type Body<Name extends keyof typeof albumCalls> = InputOf<(typeof albumCalls)[Name]>['body']

/** Checks that the viewer may put albums into this folder. */
function requireFolder(tx: Transaction, viewer: Viewer, id: number): void {
  const folder = requireRole(tx, viewer, id, 'manage')
  if (folder.kind !== 'folder')
    throw new Failure('conflict', sentence`'${folder.name}' is not a folder.`, { field: 'parent' })
}

function requireAllowedDepth(tx: Transaction, album: { id: number; parent: number | null }): void {
  if (isTooDeep(tx, album))
    throw new Failure('conflict', 'Folders of albums are at most two deep.', { field: 'parent' })
}

/** The query of an album by a search as it is stored; `invalid` if a list would refuse it, or if it finds everything. */
function storedQuery({ items }: AlbumStore, viewer: Viewer, query: Record<string, string> | undefined): string {
  const parsed = albumQuery.safeParse(query ?? {})
  if (!parsed.success) throw new Failure('invalid', z.prettifyError(parsed.error), { field: 'query' })
  const everything = items.requireFilter(viewer, parsed.data).is === 'everything'
  const text = everything ? null : albumQueryText(parsed.data)
  if (text === null) throw new Failure('invalid', 'An album by a search needs a search.', { field: 'query' })
  return text
}

function requireSort(kind: SeenAlbum['kind'], sort: string | undefined): void {
  if (sort === 'hand' && kind !== 'hand')
    throw new Failure('invalid', 'Only albums whose items are chosen by hand can be sorted by hand.', { field: 'sort' })
}

const newUid = () => randomBytes(12).toString('base64url')

function requireNoQuery(query: unknown): void {
  if (query !== undefined) throw new Failure('invalid', 'Only albums by a search have a query.', { field: 'query' })
}

export function createAlbumChanges(store: AlbumStore, get: (viewer: Viewer, id: number) => Album) {
  const { db, clock } = store
  const unknownNames = createRateLimit(clock, limits.unknownMembersAMinute)

  /**
   * The user with this name. Whoever shares an album must learn that they have mistyped a name, so the failure says that
   * there is no such user; the limit keeps signed-in users from finding out all names by trying.
   */
  function memberNamed(tx: Transaction, viewer: Viewer, username: string): UserRow {
    const key = String(viewer.userId)
    const wait = unknownNames.secondsToWait(key)
    if (wait > 0) throw new Failure('tooMany', 'Too many attempts. Wait a minute and try again.', { retryAfter: wait })
    const undoCount = unknownNames.count(key)
    const user = userNamed(tx, username)
    undoCount()
    return user
  }

  return {
    async create(viewer: Viewer, { kind, query, parent = null, sort, items: ids = [], ...texts }: Body<'create'>) {
      requireSignedIn(viewer)
      requireSort(kind, sort)
      if (kind !== 'hand' && ids.length > 0)
        throw new Failure('invalid', 'Only albums whose items are chosen by hand take items.', { field: 'items' })
      if (kind !== 'search') requireNoQuery(query)
      const chosen = requireVisible(store.items, viewer, ids)
      const kept = kind === 'search' ? storedQuery(store, viewer, query) : null
      const actor = { ...viewer, step: crypto.randomUUID() }
      const id = await db.transact(actor, tx => {
        if ((tx.get(statements.countOfAlbums)?.n ?? 0) >= limits.maxAlbums)
          throw new Failure('conflict', sentence`There are ${limits.maxAlbums} albums already. Delete one first.`)
        if (parent !== null) requireFolder(tx, viewer, parent)
        const row = { kind, parent, query: kept, ownerId: viewer.userId, createdAt: seconds(clock), uid: newUid() }
        const created = createAlbum(tx, { ...texts, sort, ...row })
        requireAllowedDepth(tx, { id: created, parent })
        return created
      })
      await addItems(store, actor, id, chosen)
      return get(viewer, id)
    },

    async update(viewer: Viewer, id: number, { public: isPublic, private: isPrivate, query, ...rest }: Body<'update'>) {
      const { kind } = requireRole(db, viewer, id, 'manage')
      requireSort(kind, rest.sort)
      if (kind !== 'search') requireNoQuery(query)
      if (isPublic === true) requireAdminSomewhere(viewer)
      const kept = query === undefined ? undefined : storedQuery(store, viewer, query)
      await db.transact(viewer, tx => {
        requireRole(tx, viewer, id, 'manage')
        if (rest.parent != null) {
          requireFolder(tx, viewer, rest.parent)
          requireAllowedDepth(tx, { id, parent: rest.parent })
        }
        if (rest.cover != null) requireVisible(store.items, viewer, [rest.cover])
        const row = albumById(tx, id)
        if (row === undefined) throw notFound()
        const fields: Partial<AlbumFields> = { ...rest, query: kept, isPublic, isPrivate }
        writeFields(tx, row, fields)
      })
      return get(viewer, id)
    },

    async remove(viewer: Viewer, id: number): Promise<{ step: string }> {
      return db.transact(viewer, tx => {
        const { mayDelete } = requireRole(tx, viewer, id, 'manage')
        if (!mayDelete) throw new Failure('denied', 'Only its owner can delete an album. You can leave it.')
        setDeleted(tx, id, seconds(clock))
        return { step: tx.step }
      })
    },

    async setMember(viewer: Viewer, id: number, { username, role }: Body<'setMember'>): Promise<Album | null> {
      requireRole(db, viewer, id, 'view')
      await db.transact(viewer, tx => {
        const leaves = role === null && viewer.username === username
        const album = requireRole(tx, viewer, id, leaves ? 'view' : 'manage')
        if (album.kind === 'folder') throw new Failure('conflict', 'Share the albums in a folder, not the folder.')
        const { id: userId } = memberNamed(tx, viewer, username)
        if (userId === album.ownerId) throw new Failure('conflict', sentence`'${username}' owns this album.`)
        const was = tx.get(statements.roleOfMember, id, userId)?.role ?? null
        if (was === role) return
        if (role !== null && was === null && (tx.get(statements.countOfMembers, id)?.n ?? 0) >= limits.maxAlbumMembers)
          throw new Failure('conflict', sentence`An album has at most ${limits.maxAlbumMembers} members.`)
        writeMember(tx, { id, userId, role, was })
      })
      return seenAlbum(db, viewer, id) === undefined ? null : get(viewer, id)
    },
  }
}

/** Sets or ends (null) the role of a member who had the role `was`. */
export function writeMember(
  tx: Transaction,
  { id, userId, role, was }: { id: number; userId: number; role: AlbumRole | null; was: AlbumRole | null },
): void {
  if (role === null) tx.run(statements.removeMember, id, userId)
  else tx.run(statements.setMember, id, userId, role)
  tx.history({ operation: 'album.member', before: { id, userId, role: was }, after: { id, userId, role } })
  publishAlbums(tx)
}
