/** A real database in a temporary directory, and builders for its rows; a test gives only the fields that matter to it. */
import { join } from 'node:path'
import { rightsOf, type Viewer } from '../../core/accounts/access.ts'
import type { ItemDetailsColumn, StoredTags } from '../../core/items/item-row.ts'
import { insertItem } from '../../core/items/item-rows.ts'
import {
  type LibraryDatabase,
  openDatabase,
  type Transaction,
  terminalWaiting,
} from '../../core/kernel/database/database.ts'
import { findOrCreatePerson } from '../../core/people/people.ts'
import { findOrCreateObject } from '../../core/vocabulary/objects.ts'
import { cleanKeystring, findOrCreateKeystrings, keystringKey } from '../../core/words/keystrings.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'
import { temporaryDirectory } from './temporary.ts'

export interface CollectionOptions {
  name?: string
  path?: string
  /** Every visitor sees it. */
  public?: boolean
  keepPrivate?: boolean
  /** Ids of users by the right they have. */
  viewers?: number[]
  updaters?: number[]
  admins?: number[]
}

interface PlaceOptions {
  latitude: number
  longitude: number
  placeName?: string
}

/** A box on a picture: who or what, and where (unknown by default). */
interface BoxOptions {
  person?: string
  object?: string
  x?: number
  y?: number
  width?: number
  height?: number
}

export interface TestItem {
  collection?: number
  /** Directory within the collection. */
  folder?: string
  name?: string
  type?: 'image' | 'video'
  /** 'YYYY-MM-DD' with or without ' HH:MM:SS', or seconds. */
  taken?: string | number
  added?: number
  keywords?: string[]
  category?: string[]
  author?: string[]
  people?: string[]
  objects?: string[]
  boxes?: BoxOptions[]
  description?: string
  place?: PlaceOptions
  placeName?: string
  rating?: number
  camera?: string
  width?: number
  height?: number
  rotation?: number
  content?: string
  problem?: string
  /** Since when it is recycled, in seconds; `missing` likewise. */
  deleted?: number
  missing?: number
  details?: ItemDetailsColumn
}

const nobody = { userId: null }

/** The seconds of 'YYYY-MM-DD[ HH:MM:SS]' as if in UTC; noon if the time is missing. */
export function secondsOf(text: string): number {
  return Date.parse(`${text.length === 10 ? `${text} 12:00:00` : text}Z`) / 1000
}

function tagsOf(tx: Transaction, options: TestItem, hasPeople: boolean, hasObjects: boolean): StoredTags {
  const tags: StoredTags = {}
  if (options.description !== undefined) tags.Description = { v: 1, d: options.description }
  if (options.keywords !== undefined) tags.Keywords = { v: 1, d: findOrCreateKeystrings(tx, options.keywords) }
  if (options.category !== undefined) tags.Category = { v: 1, d: findOrCreateKeystrings(tx, options.category) }
  if (options.author !== undefined) tags.Author = { v: 1, d: findOrCreateKeystrings(tx, options.author) }
  const placeName = options.place?.placeName ?? options.placeName
  if (options.place !== undefined || placeName !== undefined) {
    tags.Locations = {
      v: 1,
      d: {
        latitude: options.place?.latitude ?? null,
        longitude: options.place?.longitude ?? null,
        placeName: placeName ?? '',
      },
    }
  }
  if (hasPeople) tags.People = { v: 1, d: true }
  if (hasObjects) tags.Object = { v: 1, d: true }
  return tags
}

/** The id of the row that `find` selects, or that `insert` creates. */
function findOrInsert(tx: Transaction, find: string, values: (string | number)[], insert: () => number): number {
  return tx.get<{ id: number }>(find, ...values)?.id ?? insert()
}

function isNumber(value: number | null): value is number {
  return value !== null
}

export interface TestLibrary {
  db: LibraryDatabase
  clock: FakeClock
  /** Absolute path of the directory that the database is in. */
  directory: string
  make: ReturnType<typeof createBuilders>
  /** A caller: a user by id, null for a visitor. */
  viewer(userId: number | null, more?: { unlocked?: boolean }): Viewer
}

/** Builders for a library that is open already. */
export function createBuilders(db: LibraryDatabase) {
  let created = 0
  let firstCollection: number | null = null

  function group(
    tx: Transaction,
    collection: number,
    position: number,
    rights: Record<string, number>,
    users: number[],
  ) {
    const columns = Object.keys(rights)
    const { lastInsertRowid: id } = tx.run(
      `INSERT INTO access_groups (name${columns.map(column => `, "${column}"`).join('')})
       VALUES ('group'${columns.map(() => ', ?').join('')})`,
      ...Object.values(rights),
    )
    tx.run(
      'INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, ?)',
      collection,
      id,
      position,
    )
    for (const user of users) tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', id, user)
  }

  async function collection(options: CollectionOptions = {}): Promise<number> {
    const n = ++created
    return db.transact(nobody, tx => {
      const { lastInsertRowid: id } = tx.run(
        'INSERT INTO collections (name, path, keep_private, created_at) VALUES (?, ?, ?, 0)',
        options.name ?? `Collection ${n}`,
        options.path ?? `/pictures/${n}`,
        options.keepPrivate === true ? 1 : 0,
      )
      group(tx, id, 0, { admin: 1 }, options.admins ?? [])
      group(tx, id, 1, { public: options.public === true ? 1 : 0 }, [])
      if (options.viewers !== undefined) group(tx, id, 2, { view: 1 }, options.viewers)
      if (options.updaters !== undefined) group(tx, id, 3, { update: 1 }, options.updaters)
      return id
    })
  }

  return {
    collection,

    /** A user who can't sign in, for tests of rights. */
    user: (username = `user ${++created}`, more: { globalAdmin?: boolean } = {}): Promise<number> =>
      db.transact(
        nobody,
        tx =>
          tx.run(
            `INSERT INTO users (username, username_key, name, email, password_hash, pin_hash, global_admin, created_at)
             VALUES (?, ?, ?, '', '', '', ?, 0)`,
            username,
            username.toLowerCase(),
            username,
            more.globalAdmin === true ? 1 : 0,
          ).lastInsertRowid,
      ),

    keystring: (content: string, flags: { hidden?: boolean; hidesItems?: boolean } = {}): Promise<number> =>
      db.transact(nobody, tx => {
        const [id] = findOrCreateKeystrings(tx, [content])
        if (id === undefined) throw new Error(`'${content}' is not a keystring`)
        tx.run(
          'UPDATE keystrings SET is_hidden = ?, is_associated_items_hidden = ? WHERE id = ?',
          flags.hidden === true ? 1 : 0,
          flags.hidesItems === true ? 1 : 0,
          id,
        )
        return id
      }),

    /** A person with one name, or with several in turn (times in seconds, like `items.taken`). */
    person: (...names: (string | { name: string; from?: number; to?: number })[]): Promise<number> =>
      db.transact(nobody, tx => {
        const { lastInsertRowid: id } = tx.run('INSERT INTO people (birthdate) VALUES (NULL)')
        for (const entry of names) {
          const { name, from, to } = typeof entry === 'string' ? { name: entry, from: undefined, to: undefined } : entry
          tx.run(
            'INSERT INTO person_names (person_id, name, name_key, active_from, active_to) VALUES (?, ?, ?, ?, ?)',
            id,
            cleanKeystring(name),
            keystringKey(name),
            from ?? null,
            to ?? null,
          )
        }
        return id
      }),

    /** Makes a keystring hide its items, while the items' rows are not updated yet. */
    pendingHide: (keystring: number): Promise<void> =>
      db.transact(nobody, tx => {
        tx.run('INSERT INTO pending_hide (keystring_id) VALUES (?)', keystring)
      }),

    /** An item with its directory and main file; its keywords, people and so on are found or created by name. */
    async item(options: TestItem = {}): Promise<number> {
      firstCollection ??= options.collection ?? (await collection())
      const inCollection = options.collection ?? firstCollection
      const n = ++created
      const name = options.name ?? `IMG_${String(n).padStart(4, '0')}.JPG`
      const taken = typeof options.taken === 'number' ? options.taken : secondsOf(options.taken ?? '2020-01-01')
      const boxes: BoxOptions[] = [
        ...(options.people ?? []).map(person => ({ person })),
        ...(options.objects ?? []).map(object => ({ object })),
        ...(options.boxes ?? []),
      ]
      return db.transact(nobody, tx => {
        const folder = options.folder ?? ''
        const dirId = findOrInsert(
          tx,
          'SELECT id FROM dirs WHERE collection_id = ? AND path = ?',
          [inCollection, folder],
          () =>
            tx.run(
              'INSERT INTO dirs (collection_id, path, path_bytes) VALUES (?, ?, ?)',
              inCollection,
              folder,
              Buffer.from(folder),
            ).lastInsertRowid,
        )
        const subjects = boxes.map(box => ({
          ...box,
          personId: box.person === undefined ? null : findOrCreatePerson(tx, box.person),
          objectId: box.object === undefined ? null : findOrCreateObject(tx, box.object),
        }))
        const people = [...new Set(subjects.map(({ personId }) => personId).filter(isNumber))]
        const objects = [...new Set(subjects.map(({ objectId }) => objectId).filter(isNumber))]
        const id = insertItem(
          tx,
          {
            collectionId: inCollection,
            dirId,
            name,
            type: options.type ?? 'image',
            taken,
            takenOffset: null,
            takenSource: 'exif',
            latitude: options.place?.latitude ?? null,
            longitude: options.place?.longitude ?? null,
            rating: options.rating ?? null,
            width: options.width ?? 4000,
            height: options.height ?? 3000,
            duration: options.type === 'video' ? 10 : null,
            mime: options.type === 'video' ? 'video/mp4' : 'image/jpeg',
            size: 1000,
            content: options.content ?? `${n.toString(16).padStart(16, '0')}-rs`,
            thumbhash: null,
            phash: null,
            renditions: 3,
            problem: options.problem ?? null,
            motion: false,
            tags: tagsOf(tx, options, people.length > 0, objects.length > 0),
            details: {
              ...options.details,
              ...(options.camera === undefined ? {} : { camera: { model: options.camera } }),
            },
            people,
            objects,
          },
          options.added ?? 1_700_000_000 + n,
        )
        tx.run(
          'UPDATE items SET rotation = ?, deleted = ?, missing = ? WHERE id = ?',
          options.rotation ?? 0,
          options.deleted ?? null,
          options.missing ?? null,
          id,
        )
        for (const { personId, objectId, x, y, width, height } of subjects) {
          tx.run(
            `INSERT INTO regions (item_id, type, person_id, object_id, x, y, width, height, source)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'file')`,
            id,
            personId === null ? 'object' : 'person',
            personId,
            objectId,
            x ?? 0,
            y ?? 0,
            width ?? 0,
            height ?? 0,
          )
        }
        tx.run(
          "INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns) VALUES (?, ?, ?, 'main', 1000, ?, 0)",
          dirId,
          Buffer.from(name),
          id,
          taken,
        )
        return id
      })
    },
  }
}

/** An empty library; removed at the end of the process. */
export function openTestLibrary(): TestLibrary {
  const clock = fakeClock()
  const directory = temporaryDirectory()
  const db = openDatabase(join(directory, 'library.db'), { waiting: terminalWaiting, clock, durable: false })
  return {
    db,
    clock,
    directory,
    make: createBuilders(db),
    viewer(userId, more = {}) {
      const user = db.get<{ username: string; global_admin: number }>(
        'SELECT username, global_admin FROM users WHERE id = ?',
        userId,
      )
      return {
        kind: userId === null ? 'anonymous' : 'user',
        userId,
        username: user?.username ?? null,
        sessionId: userId === null ? null : `session-${userId}`,
        globalAdmin: user?.global_admin === 1,
        unlockValue: more.unlocked === true ? unlockValue : null,
        rights: rightsOf(db, userId),
      }
    },
  }
}

/** What `includeHidden` must be for viewers that `viewer(…, { unlocked: true })` created. */
export const unlockValue = 'open sesame'
