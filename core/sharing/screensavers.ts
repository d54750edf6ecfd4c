/** Screen savers: their filters, which items they show next, and what a device may load of them. */
import { and, count, eq, isNull, lte, min, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type FilterQuery, filterQuery, type Item } from '../../schema/api/items.ts'
import { type SaverFilters, type Screensaver, saverFilters } from '../../schema/api/screensavers.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { screensavers } from '../../schema/tables/screensavers.ts'
import { notFound, type Viewer } from '../accounts/access.ts'
import { addressKey } from '../accounts/client-address.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import type { ItemForBytes } from '../items/item-bytes.ts'
import type { Items } from '../items/items.ts'
import { type OnThisDay, todayIn } from '../items/on-this-day.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { createRateLimit } from '../kernel/rate-limit.ts'
import { nextBatch, type Round, roundShape, type SaverItems } from './saver-rounds.ts'
import { saverById, saversOf } from './sharing.sql.ts'

type SaverRow = RowOfQuery<typeof saverById>
type ReadAccess = Pick<Transaction, 'get'>

/** Parameters of creating or changing a saver. It never shows hidden items: `includeHidden` is ignored. */
export interface SaverRequest extends FilterQuery {
  name?: string | undefined
  random?: boolean | undefined
  seconds?: number | undefined
  onthisdayTz?: string | undefined
}

/** Maximum number of attempts when concurrent requests conflict. */
const maxTries = 10

/** The two filters that a saver stores as the texts that calls send. */
const textFilters = filterQuery.pick({ filtergroups: true, searchInTags: true })

/** A call's filters, under the names by which savers store them. */
function filtersOf(request: SaverRequest): SaverFilters {
  const { filtergroups, searchInTags } = z.encode(textFilters, request)
  const collection = request.collection_id === 0 ? undefined : request.collection_id
  return {
    collectionId: collection,
    startMonth: request.startMonth,
    calendar: request.calendar,
    dateStart: request.timestampStart,
    dateEnd: request.timestampEnd,
    onthisdayTz: request.onthisdayTz === '' ? undefined : request.onthisdayTz,
    filtergroups,
    searchInTags,
    latitude: request.latitude,
    longitude: request.longitude,
    radius: request.radius,
    q: request.q,
    album: request.album,
  }
}

/** The filters as a call has them, without collection and time zone. Only this module writes a saver's filters. */
function queryOf(filters: SaverFilters): FilterQuery {
  const { filtergroups, searchInTags } = filters
  return {
    ...z.decode(textFilters, { filtergroups, searchInTags }),
    startMonth: filters.startMonth,
    calendar: filters.calendar,
    timestampStart: filters.dateStart,
    timestampEnd: filters.dateEnd,
    latitude: filters.latitude,
    longitude: filters.longitude,
    // Older versions stored a radius without a position, which has no effect.
    radius: filters.latitude === undefined ? undefined : filters.radius,
    q: filters.q,
    album: filters.album,
  }
}

function saverJson({ id, name, username, random, seconds, filters }: SaverRow): Screensaver {
  const kept = saverFilters.parse(JSON.parse(filters))
  return { id, name, owner: username ?? '', random: random === 1, seconds, filters: kept }
}

function roundOf(row: SaverRow): Round | null {
  if (row.queue === null) return null
  const kept = roundShape.safeParse(JSON.parse(row.queue))
  return kept.success ? kept.data : null
}

/** What a device's screen shows of an item: time and place, in words. No coordinates, people, keywords or paths. */
function itemForDevice(item: Item): Item {
  const { Locations: place } = item.tags
  const { name: path } = item
  if (place === undefined) return { ...item, path, tags: {} }
  const { placeName } = place.data
  return { ...item, path, tags: { Locations: { ...place, data: { latitude: null, longitude: null, placeName } } } }
}

interface SaverStore {
  db: LibraryDatabase
  clock: Clock
  items: Items
  onThisDay: OnThisDay
  rights: RightsTable
  madeByVisitors: ReturnType<typeof createRateLimit>
}

/** Whether a saver is the caller's own, or their browser's. Devices and the terminal own none. */
function isOwner({ clock }: SaverStore, viewer: Viewer, row: SaverRow): boolean {
  if (row.expiresAt !== null && row.expiresAt <= seconds(clock)) return false
  if (row.userId !== null) return row.userId === viewer.userId
  return viewer.kind === 'anonymous' && viewer.visitor !== undefined && row.visitor === viewer.visitor
}

function requireOwnSaver(store: SaverStore, tx: ReadAccess, viewer: Viewer, id: number): SaverRow {
  const row = tx.get(saverById, id)
  if (row === null || !isOwner(store, viewer, row)) throw notFound()
  return row
}

/** The saver to which a device is bound, as long as it belongs to the device's owner. */
function deviceSaver({ db }: SaverStore, { device }: Viewer): SaverRow | null {
  const row = db.get(saverById, device?.saverId ?? null)
  return row !== null && row.userId === device?.ownerId ? row : null
}

/** The viewer for whom a saver shows items: its owner, with current rights and never unlocked, or the visitor. */
function viewerOf({ db, rights }: SaverStore, viewer: Viewer, { userId }: SaverRow): Viewer | null {
  return userId === null ? viewer : viewerOfUser(db, rights, userId)
}

function requireFilters({ items, clock }: SaverStore, viewer: Viewer, request: SaverRequest): SaverFilters {
  items.requireFilter(viewer, request)
  if (request.onthisdayTz !== undefined && request.onthisdayTz !== '') {
    try {
      todayIn(request.onthisdayTz, clock.now())
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      throw new Failure('invalid', error.message, { field: 'onthisdayTz' })
    }
  }
  return filtersOf(request)
}

function filterOf({ onThisDay }: SaverStore, owner: Viewer, row: SaverRow) {
  const filters = saverFilters.parse(JSON.parse(row.filters))
  const query = queryOf(filters)
  const { collectionId = 0, onthisdayTz } = filters
  const also = onthisdayTz === undefined ? undefined : onThisDay.filterFor(owner, collectionId, query, onthisdayTz)
  return { collectionId, query, also }
}

function itemsOf(store: SaverStore, owner: Viewer, row: SaverRow): SaverItems {
  const { items } = store
  const { collectionId, query, also } = filterOf(store, owner, row)
  return {
    few(limit) {
      const { total } = items.idsOf(owner, collectionId, query, { limit: 1, also })
      return total > limit ? null : items.idsOf(owner, collectionId, query, { limit, also }).ids
    },
    matching: ids => items.matching(owner, collectionId, query, { ids, also }),
    highestId: items.highestId,
    newest(after, limit) {
      const { ids, last } = items.idsOf(owner, collectionId, query, { limit, also, after })
      // The list is sorted by date, so the value of a position is a time.
      return { ids, last: last === null ? null : { value: Number(last.value), id: last.id } }
    },
  }
}

/** Ids of the next batch; two devices, or two tabs, with one saver never get the same items. */
async function nextItems(store: SaverStore, owner: Viewer, id: number): Promise<number[]> {
  const { db } = store
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const row = db.get(saverById, id)
    if (row === null) throw notFound()
    const { ids, round } = nextBatch(itemsOf(store, owner, row), roundOf(row), row.random === 1, limits.saverBatch)
    const queue = round === null ? null : JSON.stringify(round)
    if (queue === row.queue) return ids
    const isAsBefore = and(eq(screensavers.id, id), sql`${screensavers.queue} IS ${row.queue}`)
    const { changes } = await db.transact({ userId: owner.userId }, tx =>
      tx.orm.update(screensavers).set({ queue }).where(isAsBefore).run(),
    )
    if (changes > 0) return ids
  }
  throw new Failure('unavailable', 'There are too many requests for this screen saver at once.', { retryAfter: 1 })
}

function requireBelowLimit({ clock }: SaverStore, { orm }: Transaction, { userId, visitor = '' }: Viewer) {
  const counted = (which: SQL) =>
    orm
      .select({ n: count(), first: min(screensavers.expiresAt) })
      .from(screensavers)
      .where(which)
      .get()
  if (userId !== null) {
    if ((counted(eq(screensavers.userId, userId))?.n ?? 0) < limits.saversOfUser) return
    throw new Failure(
      'conflict',
      sentence`An account has at most ${limits.saversOfUser} screen savers. Delete one first.`,
    )
  }
  if ((counted(eq(screensavers.visitor, visitor))?.n ?? 0) >= limits.saversOfVisitor) {
    throw new Failure(
      'conflict',
      sentence`Without an account there are at most ${limits.saversOfVisitor} screen savers. Delete one first.`,
    )
  }
  const all = counted(isNull(screensavers.userId))
  if (all === undefined || all.n < limits.saversOfVisitors) return
  throw new Failure('tooMany', 'Visitors have too many screen savers. Try again later, or sign in.', {
    retryAfter: Math.max(1, (all.first ?? 0) - seconds(clock)),
  })
}

/** Counts a saver that a visitor is about to create; returns a function that reverts it. */
function countVisitorSaver({ madeByVisitors }: SaverStore, { userId, address = '' }: Viewer): () => void {
  if (userId !== null || address === '') return () => {}
  const place = addressKey(address)
  const wait = madeByVisitors.secondsToWait(place)
  if (wait === 0) return madeByVisitors.count(place)
  throw new Failure('tooMany', 'Too many screen savers were made from this address. Try again later, or sign in.', {
    retryAfter: wait,
  })
}

async function insert(
  store: SaverStore,
  viewer: Viewer,
  { name, random = true, seconds: duration = limits.saverSeconds }: SaverRequest & { name: string },
  filters: SaverFilters,
): Promise<Screensaver> {
  const now = seconds(store.clock)
  const { userId, visitor = null } = viewer
  const owner = userId === null ? { visitor, expiresAt: now + limits.visitorSaverSeconds } : { userId }
  const row = { name, random, seconds: duration, filters: JSON.stringify(filters), createdAt: now, ...owner }
  return store.db.transact(viewer, tx => {
    tx.orm.delete(screensavers).where(lte(screensavers.expiresAt, now)).run()
    requireBelowLimit(store, tx, viewer)
    const { lastInsertRowid: id } = tx.orm.insert(screensavers).values(row).run()
    return saverJson(requireOwnSaver(store, tx, viewer, id))
  })
}

export function createScreensavers(ground: Omit<SaverStore, 'madeByVisitors'>) {
  const store = { ...ground, madeByVisitors: createRateLimit(ground.clock, limits.saversAnHour, 3600) }
  const { db, items } = store
  return {
    /** The caller's own savers, oldest first; a device gets the one to which it is bound. */
    list(viewer: Viewer): Screensaver[] {
      if (viewer.kind === 'device') {
        const row = deviceSaver(store, viewer)
        return row === null ? [] : [saverJson(row)]
      }
      const rows = db.all(saversOf, viewer.userId, viewer.visitor ?? null)
      return rows.filter(row => isOwner(store, viewer, row)).map(saverJson)
    },

    /** Creates a saver. A visitor needs the key of their browser (`Viewer.visitor`). */
    async create(viewer: Viewer, request: SaverRequest & { name: string }): Promise<Screensaver> {
      if (viewer.kind === 'device') throw new Failure('unauthenticated', 'Sign in first.')
      if (viewer.userId === null && viewer.visitor === undefined) {
        throw new Failure('invalid', 'A screen saver belongs to an account, or to a browser.')
      }
      const filters = requireFilters(store, viewer, request)
      const undo = countVisitorSaver(store, viewer)
      return insert(store, viewer, request, filters).catch((error: unknown) => {
        undo()
        throw error
      })
    },

    /** Changes the given fields; filters only with `setfilters`, and then all of them. */
    async save(
      viewer: Viewer,
      id: number,
      request: SaverRequest & { setfilters?: boolean | undefined },
    ): Promise<Screensaver> {
      requireOwnSaver(store, db, viewer, id)
      const filters = request.setfilters === true ? JSON.stringify(requireFilters(store, viewer, request)) : undefined
      return db.transact(viewer, tx => {
        const row = requireOwnSaver(store, tx, viewer, id)
        const random = request.random ?? row.random === 1
        // The current round is discarded if the items or their order change.
        const endsRound = random !== (row.random === 1) || (filters !== undefined && filters !== row.filters)
        const { name, seconds } = request
        const changes = { name, random, seconds, filters, ...(endsRound ? { queue: null } : {}) }
        tx.orm.update(screensavers).set(changes).where(eq(screensavers.id, id)).run()
        return saverJson(requireOwnSaver(store, tx, viewer, id))
      })
    },

    async remove(viewer: Viewer, id: number): Promise<void> {
      await db.transact(viewer, tx => {
        requireOwnSaver(store, tx, viewer, id)
        tx.orm.delete(screensavers).where(eq(screensavers.id, id)).run()
      })
    },

    /** The next items, as the saver's owner sees them now; a device gets only the fields that its screen shows. */
    async next(viewer: Viewer, id: number): Promise<Item[]> {
      const row = viewer.kind === 'device' ? deviceSaver(store, viewer) : requireOwnSaver(store, db, viewer, id)
      if (row === null || row.id !== id) throw notFound()
      const owner = viewerOf(store, viewer, row)
      if (owner === null) throw notFound()
      const found = items.byIds(owner, await nextItems(store, owner, id), undefined)
      return viewer.kind === 'device' ? found.map(itemForDevice) : found
    },

    /**
     * What sending a picture to a device needs; null unless its saver shows the item. Pictures are re-encoded or sent
     * without metadata, and never cached: a public screen needs no coordinates, and a thief would have the token.
     */
    findForBytes(viewer: Viewer, itemId: number): ItemForBytes | null {
      const row = deviceSaver(store, viewer)
      const owner = row === null ? null : viewerOf(store, viewer, row)
      if (row === null || owner === null) return null
      const { collectionId, query, also } = filterOf(store, owner, row)
      // A batch that was just sent is shown to its end, even if it has stopped matching, for example at midnight.
      const shownNow = roundOf(row)?.recent.includes(itemId)
        ? items.visibleIds(owner, [itemId], undefined)
        : items.matching(owner, collectionId, query, { ids: [itemId], also })
      const item = shownNow.length === 0 ? null : items.findForBytes(owner, itemId)
      return item === null ? null : { ...item, isPrivate: true, withholdsPlaces: true }
    },
  }
}

export type Screensavers = ReturnType<typeof createScreensavers>
