/** Links to several items. Each shows what its creator sees at that moment without unlocking, to anyone who has its address. */
import { createHash, randomBytes } from 'node:crypto'
import { eq, lte, sql } from 'drizzle-orm'
import type { InputOf } from '../../schema/api/contract.ts'
import type { FilterQuery, Item } from '../../schema/api/items.ts'
import type { Link, LinkedItem, linkCalls, OpenLink } from '../../schema/api/shares.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { type albumSorts, limits } from '../../schema/limits.ts'
import { links } from '../../schema/tables/sharing.ts'
import { anonymousWith, collectionsWith, notFound, requireSignedIn, type Viewer } from '../accounts/access.ts'
import type { Passwords } from '../accounts/passwords.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import type { ItemForBytes } from '../items/item-bytes.ts'
import type { Items } from '../items/items.ts'
import { canTranscode, type TranscodeParts } from '../items/transcode-job.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { Seal } from '../kernel/data/sealed.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { equalTexts } from '../kernel/equal-texts.ts'
import { createRateLimit } from '../kernel/rate-limit.ts'
import { seenAlbums } from '../words/seen-albums.ts'
import * as statements from './links.sql.ts'

type LinkRow = RowOfQuery<typeof statements.linkById>
type Body<Name extends keyof typeof linkCalls> = InputOf<(typeof linkCalls)[Name]>['body']

interface LinkStore {
  db: LibraryDatabase
  clock: Clock
  settings: TranscodeParts['settings']
  items: Items
  rights: RightsTable
  passwords: Passwords
  seal: Seal
}

/** A link with its creator, who must see the items that it shows. */
interface Shown {
  row: LinkRow
  sharer: Viewer
  /** The filter of its items; null for chosen items. */
  query: (FilterQuery & { sort: (typeof albumSorts)[number] }) | null
}

/** Items of one page of a link. */
const pageSize = 500

function isActive({ clock }: LinkStore, { expiresAt, endedAt }: LinkRow): boolean {
  return endedAt === null && (expiresAt === null || expiresAt > seconds(clock))
}

/** The link with its creator as a viewer of this moment; null if its creator, album or person is not there any more. */
function withSharer({ db, rights }: LinkStore, row: LinkRow): Shown | null {
  const sharer = viewerOfUser(db, rights, row.userId)
  if (sharer === null) return null
  if (row.kind === 'items') return { row, sharer, query: null }
  const id = row.subject ?? 0
  if (row.kind === 'person')
    return { row, sharer, query: { filtergroups: [[{ type: 'Person', mode: 0, id }]], sort: '-taken' } }
  const album = seenAlbums(db, sharer).get(id)
  if (album === undefined || album.kind === 'folder') return null
  return { row, sharer, query: { album: id, sort: album.sort } }
}

/** The ids of the items that a link shows, at most `most`, in its order, and how many there are. */
function itemsOf({ db, items }: LinkStore, { row, sharer, query }: Shown, most: number) {
  if (query !== null) return items.idsOf(sharer, 0, query, { most })
  return visibleOf(items, sharer, db.all(statements.itemsOfLink, row.id), most)
}

/** Like `itemsOf`, of some collections only, and in no particular order. */
function itemsIn(
  { db, items }: LinkStore,
  { row, sharer, query }: Shown,
  most: number,
  collections: readonly number[],
) {
  if (query === null)
    return visibleOf(items, sharer, db.all(statements.itemsOfLinkIn, row.id, JSON.stringify(collections)), most)
  const found = collections.map(id => items.idsOf(sharer, id, query, { most }))
  return {
    ids: found.flatMap(({ ids }) => ids).slice(0, most),
    total: found.reduce((sum, { total }) => sum + total, 0),
  }
}

function visibleOf(items: Items, sharer: Viewer, chosen: readonly { id: number }[], most: number) {
  const ids = items.visibleIds(
    sharer,
    chosen.map(({ id }) => id),
    undefined,
  )
  return { ids: ids.slice(0, most), total: ids.length }
}

function isShown({ db, items }: LinkStore, { row, sharer, query }: Shown, id: number): boolean {
  if (query !== null) return items.matching(sharer, 0, query, { ids: [id] }).length > 0
  return db.get(statements.linkHasItem, row.id, id) !== null && items.visibleIds(sharer, [id], undefined).length > 0
}

/** The value with which a link is opened after its password was given; it changes with the password. */
const keyOf = ({ seal }: LinkStore, { lookup, passwordHash }: LinkRow) => seal.lookupOf(`${lookup} ${passwordHash}`)

/** The active link with this name; null if there is none. */
function findActiveLink(store: LinkStore, name: string): Shown | null {
  const row = store.db.get(statements.linkByLookup, store.seal.lookupOf(name))
  return row === null || !isActive(store, row) ? null : withSharer(store, row)
}

/** The active link with this name. Throws the same `notFound` for every reason, so that addresses reveal nothing. */
function requireActiveLink(store: LinkStore, name: string): Shown {
  const shown = findActiveLink(store, name)
  if (shown === null) throw notFound()
  return shown
}

function isUnlocked(store: LinkStore, { row }: Shown, key: string | undefined): boolean {
  return row.passwordHash === null || (key !== undefined && equalTexts(key, keyOf(store, row)))
}

/** A link whose password was given; `notFound` otherwise. */
function requireOpenLink(store: LinkStore, name: string, key: string | undefined): Shown {
  const shown = requireActiveLink(store, name)
  if (!isUnlocked(store, shown, key)) throw notFound()
  return shown
}

/** The fields of an item that visitors get. `privateIds`: collections whose people and places are hidden from visitors. */
function linkedItem(store: LinkStore, { row }: Shown, item: Item, privateIds: ReadonlySet<number>): LinkedItem {
  const { id, type, width, height, taken, duration, live, thumbhash, reloads, tags, properties } = item
  const hasDetails = row.details === 1 && !privateIds.has(item.collection_id)
  return {
    id,
    type,
    width,
    height,
    taken,
    duration,
    // A motion part is sent only if it can be transcoded, which removes its metadata.
    live: live && canTranscode(store.settings),
    thumbhash,
    rotation: Number(properties.find(({ name }) => name === 'Rotation')?.value ?? 0),
    // Hashed, so that nobody with a copy of the file can recognise it.
    reloads: createHash('sha256').update(`${row.lookup} ${reloads}`).digest('base64url').slice(0, 12),
    place: hasDetails ? (tags.Locations?.data.placeName ?? '') : null,
    people: hasDetails ? [...new Set((tags.People?.data ?? []).map(({ name }) => name))] : null,
  }
}

/** Whether the viewer may change a link: their own, or any for global admins. */
const mayEdit = (viewer: Viewer, { userId }: LinkRow): boolean => viewer.globalAdmin || userId === viewer.userId

/** Collections whose administrators may see and end a link to their items. */
function administeredCollections(viewer: Viewer): readonly number[] {
  const collections = collectionsWith(viewer, 'admin')
  return collections === 'all' ? [] : collections
}

/** Whether the viewer may see and end a link: one that they may edit, or one to items that they administer. */
function maySeeAndEnd(store: LinkStore, viewer: Viewer, row: LinkRow): boolean {
  if (mayEdit(viewer, row)) return true
  const collections = administeredCollections(viewer)
  if (collections.length === 0) return false
  if (row.kind === 'items') return store.db.get(statements.itemsOfLinkIn, row.id, JSON.stringify(collections)) !== null
  const shown = withSharer(store, row)
  return shown !== null && itemsIn(store, shown, 1, collections).total > 0
}

/** The title of a link to a person is their name, which only links with details may show. */
const titleForGuests = ({ kind, title, details }: LinkRow): string => (kind === 'person' && details !== 1 ? '' : title)

/** A viewer who may only end the link gets nothing about items in other collections, and cannot open it. */
function linkJson(store: LinkStore, viewer: Viewer, row: LinkRow): Link {
  const canEdit = mayEdit(viewer, row)
  const shown = isActive(store, row) ? withSharer(store, row) : null
  const contents = (of: Shown) =>
    canEdit ? itemsOf(store, of, 1) : itemsIn(store, of, 1, administeredCollections(viewer))
  const { ids, total } = shown === null ? { ids: [], total: 0 } : contents(shown)
  const [cover = null] = store.items.byIds(viewer, ids, undefined)
  const end = row.endedAt ?? row.expiresAt
  return {
    id: row.id,
    name: canEdit ? (store.seal.unseal(row.sealedName) ?? '') : '',
    kind: row.kind,
    subject: canEdit ? row.subject : null,
    title: canEdit ? row.title : '',
    username: row.username,
    created: row.createdAt,
    expires: end,
    active: shown !== null,
    password: row.passwordHash !== null,
    originals: row.originals === 1,
    details: row.details === 1,
    views: row.views,
    viewed: row.viewedAt,
    items: total,
    cover,
  }
}

function requireExpiry({ clock }: LinkStore, expires: number | null): void {
  const now = seconds(clock)
  if (expires === null || (expires > now && expires <= now + limits.maxLinkSeconds)) return
  throw new Failure('invalid', 'A link ends in the future, and within two years, or never.', { field: 'expires' })
}

/** The kind of a new link and what it is about; `notFound` for what the viewer does not see without unlocking. */
function subjectOf({ db, items }: LinkStore, viewer: Viewer, { items: ids, album, person }: Body<'create'>) {
  if ([ids, album, person].filter(one => one !== undefined).length !== 1)
    throw new Failure('invalid', 'A link is to items, an album or a person.', { field: 'items' })
  if (ids !== undefined) {
    const distinct = [...new Set(ids)]
    if (items.visibleIds(viewer, distinct, undefined).length < distinct.length) throw notFound()
    return { kind: 'items', subject: null, ids: distinct } as const
  }
  if (album !== undefined) {
    const seen = seenAlbums(db, viewer).get(album)
    if (seen === undefined) throw notFound()
    if (seen.kind === 'folder') throw new Failure('conflict', 'Share the albums in a folder, not the folder.')
    return { kind: 'album', subject: album, ids: [] } as const
  }
  const query: FilterQuery = { filtergroups: [[{ type: 'Person', mode: 0, id: person ?? 0 }]] }
  if (items.idsOf(viewer, 0, query, { most: 1 }).total === 0) throw notFound()
  return { kind: 'person', subject: person ?? 0, ids: [] } as const
}

function requireBelowLimit(tx: Pick<Transaction, 'get'>, userId: number, now: number): void {
  if ((tx.get(statements.countOfActiveLinks, userId, now)?.n ?? 0) >= limits.maxLinks)
    throw new Failure('conflict', sentence`An account has at most ${limits.maxLinks} active links. End one first.`)
}

/** Lists, creates, updates and ends links for users. */
function createManagement(store: LinkStore) {
  const { db, clock, passwords, seal } = store

  const hashOf = async (password: string | null | undefined) =>
    password == null ? password : await passwords.hash(password)

  function ownLink(tx: Pick<Transaction, 'get'>, viewer: Viewer, id: number): LinkRow {
    const row = tx.get(statements.linkById, id)
    if (row === null || !mayEdit(viewer, row)) throw notFound()
    return row
  }

  return {
    list(viewer: Viewer): Link[] {
      requireSignedIn(viewer)
      const rows = db.all(statements.allLinks).filter(row => maySeeAndEnd(store, viewer, row))
      // The address of a link that was sealed with another key of `secrets.json` is lost.
      return rows.filter(row => seal.unseal(row.sealedName) !== null).map(row => linkJson(store, viewer, row))
    },

    async create(viewer: Viewer, body: Body<'create'>): Promise<Link> {
      requireSignedIn(viewer)
      const { userId } = viewer
      if (userId === null) throw new Failure('denied', 'Only a user can create a link: the terminal has no account.')
      requireExpiry(store, body.expires)
      const { kind, subject, ids } = subjectOf(store, viewer, body)
      const name = randomBytes(16).toString('base64url')
      const passwordHash = await hashOf(body.password)
      const now = seconds(clock)
      const id = await db.transact(viewer, tx => {
        tx.orm
          .delete(links)
          .where(lte(sql`coalesce(${links.endedAt}, ${links.expiresAt})`, now - limits.endedLinkSeconds))
          .run()
        requireBelowLimit(tx, userId, now)
        const { title = '', originals, details, expires: expiresAt } = body
        const row = { lookup: seal.lookupOf(name), sealedName: seal.seal(name), kind, subject, userId, createdAt: now }
        const made = tx.orm
          .insert(links)
          .values({ ...row, title, originals, details, expiresAt, passwordHash })
          .run()
        for (const [position, item] of ids.entries())
          tx.run(statements.addLinkItem, made.lastInsertRowid, item, position)
        return made.lastInsertRowid
      })
      return linkJson(store, viewer, ownLink(db, viewer, id))
    },

    async update(viewer: Viewer, id: number, { expires, password, ...rest }: Body<'update'>): Promise<Link> {
      requireSignedIn(viewer)
      ownLink(db, viewer, id)
      if (expires !== undefined) requireExpiry(store, expires)
      const passwordHash = await hashOf(password)
      await db.transact(viewer, tx => {
        const row = ownLink(tx, viewer, id)
        const isEnded = row.endedAt !== null || (row.expiresAt !== null && row.expiresAt <= seconds(clock))
        if (expires !== undefined && isEnded) requireBelowLimit(tx, row.userId, seconds(clock))
        const end = expires === undefined ? {} : { expiresAt: expires, endedAt: null }
        const change = { ...rest, ...end, ...(passwordHash === undefined ? {} : { passwordHash }) }
        if (Object.keys(change).length > 0) tx.orm.update(links).set(change).where(eq(links.id, id)).run()
      })
      return linkJson(store, viewer, ownLink(db, viewer, id))
    },

    async end(viewer: Viewer, id: number): Promise<void> {
      requireSignedIn(viewer)
      await db.transact(viewer, tx => {
        const row = tx.get(statements.linkById, id)
        if (row === null || !maySeeAndEnd(store, viewer, row)) throw notFound()
        // Otherwise its creator could open it again.
        if (row.userId !== viewer.userId) tx.orm.delete(links).where(eq(links.id, id)).run()
        else if (row.endedAt === null)
          tx.orm
            .update(links)
            .set({ endedAt: seconds(clock) })
            .where(eq(links.id, id))
            .run()
      })
    },
  }
}

export function createLinks(store: LinkStore) {
  const { db, clock, items, passwords } = store
  const { linkFailuresAMinute: failures } = limits
  const ofAddress = createRateLimit(clock, failures.address)
  const ofLink = createRateLimit(clock, failures.all)

  return {
    ...createManagement(store),

    /** Whether a link can be opened now, perhaps with its password. */
    isActive(name: string): boolean {
      return findActiveLink(store, name) !== null
    },

    /** Describes a link; null while its password is missing. Counts the view. */
    async open(name: string, key: string | undefined): Promise<{ link: OpenLink | null }> {
      const shown = requireActiveLink(store, name)
      if (!isUnlocked(store, shown, key)) return { link: null }
      const { row } = shown
      await db.transact({ userId: null }, tx => tx.run(statements.countView, seconds(clock), row.id))
      return {
        link: {
          kind: row.kind,
          title: titleForGuests(row),
          from: row.displayName,
          expires: row.expiresAt,
          originals: row.originals === 1,
          details: row.details === 1,
          items: itemsOf(store, shown, 1).total,
        },
      }
    },

    /** The key of a link for its password; wrong ones are counted by address and by link. */
    async unlock(name: string, password: string, address: string): Promise<{ key: string }> {
      const { row } = requireActiveLink(store, name)
      passwords.requireRoom()
      const place = `${row.id} ${address}`
      const wait = Math.max(ofAddress.secondsToWait(place), ofLink.secondsToWait(String(row.id)))
      if (wait > 0)
        throw new Failure('tooMany', 'Too many wrong passwords. Wait a minute and try again.', { retryAfter: wait })
      const undo = [ofAddress.count(place), ofLink.count(String(row.id))]
      if (row.passwordHash !== null && !(await passwords.matches(password, row.passwordHash)))
        throw new Failure('denied', 'This password is wrong.', { field: 'password' })
      for (const undoCount of undo) undoCount()
      return { key: keyOf(store, row) }
    },

    items(name: string, key: string | undefined, page = 1): { items: LinkedItem[]; total: number } {
      const shown = requireOpenLink(store, name, key)
      const { ids, total } = itemsOf(store, shown, page * pageSize)
      const found = items.byIds(shown.sharer, ids.slice((page - 1) * pageSize), undefined)
      const privateIds = new Set(items.privateCollections(anonymousWith(new Map())))
      return { items: found.map(item => linkedItem(store, shown, item, privateIds)), total }
    },

    /** What sending an item's pictures needs: re-encoded without metadata, never cached. Null if it is not shown. */
    findForBytes(name: string, key: string | undefined, id: number): ItemForBytes | null {
      const shown = requireOpenLink(store, name, key)
      const item = isShown(store, shown, id) ? items.findForBytes(shown.sharer, id) : null
      return item === null ? null : { ...item, isPrivate: true, withholdsPlaces: true }
    },

    /** The items of a link that can be downloaded, and the viewer who must see them. `notFound` if it allows none. */
    forDownload(name: string, key: string | undefined) {
      const shown = requireOpenLink(store, name, key)
      if (shown.row.originals === 0) throw notFound()
      const { ids } = itemsOf(store, shown, limits.downloadItems + 1)
      const privateIds = new Set(items.privateCollections(anonymousWith(new Map())))
      return {
        title: titleForGuests(shown.row),
        sharer: shown.sharer,
        ids,
        privateIds,
        details: shown.row.details === 1,
      }
    },
  }
}

export type Links = ReturnType<typeof createLinks>
