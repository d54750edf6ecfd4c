/** Screen savers: their filters, what they show next, and what a device may load of them. */
import { z } from 'zod'
import { type FilterQuery, filterQuery, type Item } from '../../schema/api/items.ts'
import { type SaverFilters, type Screensaver, saverFilters } from '../../schema/api/screensavers.ts'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { notFound, type Viewer } from '../accounts/access.ts'
import { addressKey } from '../accounts/client-address.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import type { Filter } from '../filter/filter.ts'
import type { ItemForBytes } from '../items/item-bytes.ts'
import type { Items } from '../items/items.ts'
import { type OnThisDay, todayIn } from '../items/on-this-day.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { createFailureCounter } from '../kernel/failure-counter.ts'
import { nextBatch, type Round, roundShape, type SaverItems } from './saver-rounds.ts'

interface SaverRow {
  id: number
  name: string
  user_id: number | null
  visitor: string | null
  username: string | null
  random: number
  seconds: number
  filters: string
  queue: string | null
  expires_at: number | null
}

/** What a saver is made of, or changed to. It never shows hidden items: `includeHidden` is left aside. */
export interface SaverWish extends FilterQuery {
  name?: string | undefined
  random?: boolean | undefined
  seconds?: number | undefined
  onthisdayTz?: string | undefined
}

const selectSaver = 'SELECT s.*, u.username FROM screensavers AS s LEFT JOIN users AS u ON u.id = s.user_id'

/** Two requests at once take turns; more often than this they don't meet. */
const mostTries = 10

/** The two filters that are kept as they travel. */
const textFilters = filterQuery.pick({ filtergroups: true, searchInTags: true })

/** A call's filters under the names that a saver has them by (specification §3). */
function filtersOf(wish: SaverWish): SaverFilters {
  const { filtergroups, searchInTags } = z.encode(textFilters, wish)
  const collection = wish.collection_id === 0 ? undefined : wish.collection_id
  return {
    collectionId: collection,
    startMonth: wish.startMonth,
    dateStart: wish.timestampStart,
    dateEnd: wish.timestampEnd,
    onthisdayTz: wish.onthisdayTz === '' ? undefined : wish.onthisdayTz,
    filtergroups,
    searchInTags,
    latitude: wish.latitude,
    longitude: wish.longitude,
    radius: wish.radius,
    q: wish.q,
  }
}

/** The same the other way round. The column is written by this module alone. */
function queryOf(filters: SaverFilters): FilterQuery {
  const { filtergroups, searchInTags } = filters
  return {
    ...z.decode(textFilters, { filtergroups, searchInTags }),
    startMonth: filters.startMonth,
    timestampStart: filters.dateStart,
    timestampEnd: filters.dateEnd,
    latitude: filters.latitude,
    longitude: filters.longitude,
    // Older versions kept a radius without a position, which filters nothing.
    radius: filters.latitude === undefined ? undefined : filters.radius,
    q: filters.q,
  }
}

function saverJson(row: SaverRow): Screensaver {
  return {
    id: row.id,
    name: row.name,
    owner: row.username ?? '',
    random: row.random === 1,
    seconds: row.seconds,
    filters: saverFilters.parse(JSON.parse(row.filters)),
  }
}

function roundOf(row: SaverRow): Round | null {
  if (row.queue === null) return null
  const kept = roundShape.safeParse(JSON.parse(row.queue))
  return kept.success ? kept.data : null
}

/** What a device's screen shows of an item: when and where, in words. No coordinates, people, keywords or paths. */
function forDevice(item: Item): Item {
  const { Locations: place } = item.tags
  const { name: path } = item
  if (place === undefined) return { ...item, path, tags: {} }
  const { placeName } = place.data
  return { ...item, path, tags: { Locations: { ...place, data: { latitude: null, longitude: null, placeName } } } }
}

export function createScreensavers({
  db,
  clock,
  items,
  onThisDay,
  rights,
}: {
  db: LibraryDatabase
  clock: Clock
  items: Items
  onThisDay: OnThisDay
  rights: RightsTable
}) {
  const madeByVisitors = createFailureCounter(clock, limits.saversAnHour, 3600)

  function isOver(row: SaverRow): boolean {
    return row.expires_at !== null && row.expires_at <= seconds(clock)
  }

  /** His own, or his browser's. Devices own nothing, and neither does the terminal. */
  function isOwner(viewer: Viewer, row: SaverRow): boolean {
    if (isOver(row)) return false
    if (row.user_id !== null) return row.user_id === viewer.userId
    return viewer.kind === 'anonymous' && viewer.visitor !== undefined && row.visitor === viewer.visitor
  }

  function rowOf(tx: Pick<Transaction, 'get'>, id: number): SaverRow | null {
    return tx.get<SaverRow>(`${selectSaver} WHERE s.id = ?`, id)
  }

  function owned(tx: Pick<Transaction, 'get'>, viewer: Viewer, id: number): SaverRow {
    const row = rowOf(tx, id)
    if (row === null || !isOwner(viewer, row)) throw notFound()
    return row
  }

  /** The saver that a device is bound to, as long as it is its owner's. */
  function deviceSaver(viewer: Viewer): SaverRow | null {
    const { device } = viewer
    if (device === undefined || device.saverId === null) return null
    const row = rowOf(db, device.saverId)
    return row !== null && row.user_id === device.ownerId ? row : null
  }

  /** Whoever a saver shows things for, with the rights of this moment and never unlocked. */
  function showsFor(viewer: Viewer, row: SaverRow): Viewer | null {
    return row.user_id === null ? viewer : viewerOfUser(db, rights, row.user_id)
  }

  function demandFilters(viewer: Viewer, wish: SaverWish): SaverFilters {
    items.demandFilter(viewer, wish)
    if (wish.onthisdayTz !== undefined && wish.onthisdayTz !== '') {
      try {
        todayIn(wish.onthisdayTz, clock.now())
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        throw new Failure('invalid', error.message, { field: 'onthisdayTz' })
      }
    }
    return filtersOf(wish)
  }

  /** What a saver shows to whom: the list's own arguments. */
  function asked(owner: Viewer, row: SaverRow): { collectionId: number; query: FilterQuery; also: Filter | undefined } {
    const filters = saverFilters.parse(JSON.parse(row.filters))
    const query = queryOf(filters)
    const { collectionId = 0, onthisdayTz } = filters
    const also = onthisdayTz === undefined ? undefined : onThisDay.filterFor(owner, collectionId, query, onthisdayTz)
    return { collectionId, query, also }
  }

  function itemsOf(owner: Viewer, row: SaverRow): SaverItems {
    const { collectionId, query, also } = asked(owner, row)
    return {
      few(most) {
        const { total } = items.idsOf(owner, collectionId, query, { most: 1, also })
        return total > most ? null : items.idsOf(owner, collectionId, query, { most, also }).ids
      },
      matching: ids => items.matching(owner, collectionId, query, { ids, also }),
      highestId: items.highestId,
      newest(after, most) {
        const { ids, last } = items.idsOf(owner, collectionId, query, { most, also, after })
        // Sorted by date: the place is a time.
        return { ids, last: last === null ? null : { value: Number(last.value), id: last.id } }
      },
    }
  }

  /** Ids of the next batch; two devices, or two tabs, of one saver never get the same. */
  async function takeNext(owner: Viewer, id: number): Promise<number[]> {
    for (let attempt = 0; attempt < mostTries; attempt++) {
      const row = rowOf(db, id)
      if (row === null) throw notFound()
      const { ids, round } = nextBatch(itemsOf(owner, row), roundOf(row), row.random === 1, limits.saverBatch)
      const queue = round === null ? null : JSON.stringify(round)
      if (queue === row.queue) return ids
      const { changes } = await db.transact({ userId: owner.userId }, tx =>
        tx.run('UPDATE screensavers SET queue = ? WHERE id = ? AND queue IS ?', queue, id, row.queue),
      )
      if (changes > 0) return ids
    }
    throw new Failure('unavailable', 'This screen saver is asked for too often at once.', { retryAfter: 1 })
  }

  function demandRoom(tx: Transaction, viewer: Viewer) {
    if (viewer.userId !== null) {
      const mine = tx.get<{ n: number }>('SELECT count(*) AS n FROM screensavers WHERE user_id = ?', viewer.userId)
      if ((mine?.n ?? 0) < limits.saversOfUser) return
      throw new Failure('conflict', `An account has at most ${limits.saversOfUser} screen savers. Delete one first.`)
    }
    const mine = tx.get<{ n: number }>('SELECT count(*) AS n FROM screensavers WHERE visitor = ?', viewer.visitor ?? '')
    if ((mine?.n ?? 0) >= limits.saversOfVisitor) {
      throw new Failure(
        'conflict',
        `Without an account there are at most ${limits.saversOfVisitor} screen savers. Delete one first.`,
      )
    }
    const all = tx.get<{ n: number; first: number }>(
      'SELECT count(*) AS n, min(expires_at) AS first FROM screensavers WHERE user_id IS NULL',
    )
    if (all === null || all.n < limits.saversOfVisitors) return
    throw new Failure('tooMany', 'Visitors have too many screen savers. Try again later, or sign in.', {
      retryAfter: Math.max(1, all.first - seconds(clock)),
    })
  }

  /** Counts a saver that a visitor is about to make; the result takes it back. */
  function countVisitor(viewer: Viewer): () => void {
    const { address = '' } = viewer
    if (viewer.userId !== null || address === '') return () => {}
    const place = addressKey(address)
    const wait = madeByVisitors.wait(place)
    if (wait === 0) return madeByVisitors.add(place)
    throw new Failure('tooMany', 'Too many screen savers were made from this address. Try again later, or sign in.', {
      retryAfter: wait,
    })
  }

  async function insert(
    viewer: Viewer,
    wish: SaverWish & { name: string },
    filters: SaverFilters,
  ): Promise<Screensaver> {
    const now = seconds(clock)
    return db.transact(viewer, tx => {
      tx.run('DELETE FROM screensavers WHERE expires_at <= ?', now)
      demandRoom(tx, viewer)
      const { lastInsertRowid: id } = tx.run(
        `INSERT INTO screensavers (name, user_id, visitor, random, seconds, filters, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        wish.name,
        viewer.userId,
        viewer.userId === null ? (viewer.visitor ?? null) : null,
        wish.random === false ? 0 : 1,
        wish.seconds ?? limits.saverSeconds,
        JSON.stringify(filters),
        now,
        viewer.userId === null ? now + limits.visitorSaverSeconds : null,
      )
      return saverJson(owned(tx, viewer, id))
    })
  }

  return {
    /** The caller's own, oldest first; a device gets the one that it is bound to. */
    list(viewer: Viewer): Screensaver[] {
      if (viewer.kind === 'device') {
        const row = deviceSaver(viewer)
        return row === null ? [] : [saverJson(row)]
      }
      return db
        .all<SaverRow>(
          `${selectSaver} WHERE s.user_id = ? OR s.visitor = ? ORDER BY s.id`,
          viewer.userId,
          viewer.visitor ?? null,
        )
        .filter(row => isOwner(viewer, row))
        .map(saverJson)
    },

    /** A visitor must come with what his browser is known by (`Viewer.visitor`). */
    async create(viewer: Viewer, wish: SaverWish & { name: string }): Promise<Screensaver> {
      if (viewer.kind === 'device') throw new Failure('unauthenticated', 'Sign in first.')
      if (viewer.userId === null && viewer.visitor === undefined) {
        throw new Failure('invalid', 'A screen saver belongs to an account, or to a browser.')
      }
      const filters = demandFilters(viewer, wish)
      const takeBack = countVisitor(viewer)
      return insert(viewer, wish, filters).catch((error: unknown) => {
        takeBack()
        throw error
      })
    },

    /** Changes what is given; the filters only with `setfilters`, and then all of them. */
    async save(
      viewer: Viewer,
      id: number,
      wish: SaverWish & { setfilters?: boolean | undefined },
    ): Promise<Screensaver> {
      owned(db, viewer, id)
      const filters = wish.setfilters === true ? JSON.stringify(demandFilters(viewer, wish)) : null
      return db.transact(viewer, tx => {
        const row = owned(tx, viewer, id)
        const random = wish.random === undefined ? row.random : Number(wish.random)
        // Other items, or another order: the round that was begun is none any more.
        const isOther = random !== row.random || (filters !== null && filters !== row.filters)
        tx.run(
          'UPDATE screensavers SET name = ?, random = ?, seconds = ?, filters = ?, queue = ? WHERE id = ?',
          wish.name ?? row.name,
          random,
          wish.seconds ?? row.seconds,
          filters ?? row.filters,
          isOther ? null : row.queue,
          id,
        )
        return saverJson(owned(tx, viewer, id))
      })
    },

    async remove(viewer: Viewer, id: number): Promise<void> {
      await db.transact(viewer, tx => {
        owned(tx, viewer, id)
        tx.run('DELETE FROM screensavers WHERE id = ?', id)
      })
    },

    /** The next items, as its owner sees them now; a device is told as much of them as its screen shows. */
    async next(viewer: Viewer, id: number): Promise<Item[]> {
      const row = viewer.kind === 'device' ? deviceSaver(viewer) : owned(db, viewer, id)
      if (row === null || row.id !== id) throw notFound()
      const owner = showsFor(viewer, row)
      if (owner === null) throw notFound()
      const found = items.byIds(owner, await takeNext(owner, id), undefined)
      return viewer.kind === 'device' ? found.map(forDevice) : found
    },

    /**
     * What sending a picture to a device needs: only items of its saver, re-encoded or without metadata (a screen in a
     * hall needs no coordinates, and whoever takes it has its token), and kept by nobody's cache.
     */
    findForBytes(viewer: Viewer, itemId: number): ItemForBytes | null {
      const row = deviceSaver(viewer)
      const owner = row === null ? null : showsFor(viewer, row)
      if (row === null || owner === null) return null
      const { collectionId, query, also } = asked(owner, row)
      // What was handed out a moment ago is shown to its end, though midnight or a new filter came between.
      const isOfSaver = roundOf(row)?.recent.includes(itemId)
        ? items.visibleIds(owner, [itemId], undefined)
        : items.matching(owner, collectionId, query, { ids: [itemId], also })
      const item = isOfSaver.length === 0 ? null : items.findForBytes(owner, itemId)
      return item === null ? null : { ...item, isPrivate: true, keepsPlaces: true }
    },
  }
}

export type Screensavers = ReturnType<typeof createScreensavers>
