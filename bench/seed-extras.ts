/** Adds more than items to a seeded library: accounts, faces, copies, shares, history, jobs, problems and albums. */
import { appendAlbumItems } from '../core/items/albums/album-items.ts'
import { setFavourite } from '../core/items/favourites/favourites.ts'
import type { LibraryDatabase, Transaction } from '../core/kernel/database/database.ts'
import { randomOf, type Seeded } from './seed-library.ts'

/** Ids of rows that the benchmark requests. */
export interface Extras {
  /** A global admin, and a user who may view three collections and update one of them. */
  admin: number
  member: number
  /** Screen savers of the admin: everything at random, newest first, one keyword, and On This Day. */
  savers: { what: string; id: number }[]
  /** Ids of albums of the admin, which the member may fill and visitors see. */
  albums: { thousand: number; many: number; search: number }
}

const now = Date.UTC(2026, 5, 1) / 1000

function writeUsers(tx: Transaction, { collections }: Seeded): { admin: number; member: number } {
  const user = (name: string, isAdmin: number) =>
    tx.run(
      `INSERT INTO users (username, username_key, name, email, password_hash, pin_hash, global_admin, created_at)
       VALUES (?, ?, ?, '', '', '', ?, ?)`,
      name,
      name,
      name,
      isAdmin,
      now,
    ).lastInsertRowid
  const admin = user('admin', 1)
  const member = user('member', 0)
  for (const [n, id] of collections.slice(0, 3).entries()) {
    const inserted = tx.run(
      'INSERT INTO access_groups (name, "view", "update", admin) VALUES (?, 1, ?, 0)',
      `friends ${id}`,
      n === 0 ? 1 : 0,
    )
    const group = inserted.lastInsertRowid
    tx.run('INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, 2)', id, group)
    tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', group, member)
  }
  return { admin, member }
}

/** Seven faces of each person, on their boxes; the vectors are like those of the browser's model. */
function writeFaces(tx: Transaction, random: () => number, people: readonly number[]): void {
  for (const person of people) {
    const boxes = tx.all<{ id: number }>('SELECT id FROM regions WHERE person_id = ? LIMIT 7', person)
    for (const { id } of boxes) {
      const vector = Array.from({ length: 1024 }, () => Number((random() * 0.4 - 0.1).toFixed(6)))
      tx.run(
        "INSERT INTO faces (person_id, region_id, embedding, model, created_at) VALUES (?, ?, ?, 'human-faceres-1', ?)",
        person,
        id,
        JSON.stringify(vector),
        now,
      )
    }
  }
}

function writeObjectProperties(tx: Transaction): void {
  for (const { id } of tx.all<{ id: number }>('SELECT id FROM objects')) {
    for (const [n, name] of ['Colour', 'Maker', 'Price'].entries()) {
      tx.run(
        'INSERT INTO object_properties (object_id, name, value, hidden) VALUES (?, ?, ?, ?)',
        id,
        name,
        `${name} of ${id}`,
        n === 2 ? 1 : 0,
      )
    }
  }
}

/** One item in a hundred is a copy of the one before it, and one in fifty looks like another. */
function writeCopies(tx: Transaction): void {
  tx.run(`UPDATE items SET content = (SELECT o.content FROM items AS o WHERE o.id = items.id - 1),
      size = (SELECT o.size FROM items AS o WHERE o.id = items.id - 1) WHERE id % 100 = 50`)
  tx.run('INSERT INTO near_duplicates (item_id, group_id) SELECT id, id / 100 FROM items WHERE id % 100 IN (20, 21)')
}

function writeShares(tx: Transaction, users: readonly number[]): void {
  const items = tx.all<{ id: number }>('SELECT id FROM items WHERE state = 0 ORDER BY id DESC LIMIT 200')
  for (const [n, { id }] of items.entries()) {
    tx.run(
      'INSERT INTO shares (lookup, item_id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
      `share-${n}`,
      id,
      users[n % users.length] ?? 1,
      now + n,
      now + 40 * 365 * 86_400,
    )
  }
}

/** An edit for every fiftieth item, one step each, with a bulk edit of one item in twenty in the middle of them. */
function writeHistory(tx: Transaction, users: readonly number[]): void {
  const insert = `INSERT INTO history (at, user_id, step, operation, collection_id, item_id, before, after)
    SELECT ?, ?, ?, 'item.tags', collection_id, id, '{"rating":null}', '{"rating":4}' FROM items`
  const editEachItem = (rest: number) => {
    for (const { id } of tx.all<{ id: number }>('SELECT id FROM items WHERE id % 100 = ?', rest)) {
      tx.run(`${insert} WHERE id = ?`, now + id, users[id % users.length] ?? 1, `step-${rest}-${id}`, id)
    }
  }
  editEachItem(1)
  tx.run(`${insert} WHERE id % 20 = 3`, now, users[0] ?? 1, 'bulk')
  editEachItem(2)
  // A recent bulk edit, with which the newest page starts.
  tx.run(`${insert} WHERE id % 20 = 4`, now, users[0] ?? 1, 'bulk-newest')
}

function writeJobs(tx: Transaction, { collections }: Seeded, user: number): void {
  for (let n = 0; n < 2000; n++) {
    const collection = collections[n % collections.length] ?? 1
    tx.run(
      `INSERT INTO jobs (kind, collection_id, input, lane, state, done, total, user_id, created_at, started_at, finished_at)
       VALUES ('scan', ?, ?, ?, 'done', 1000, 1000, ?, ?, ?, ?)`,
      collection,
      JSON.stringify({ collectionId: collection }),
      `collection-${collection}`,
      user,
      (now + n) * 1000,
      (now + n) * 1000,
      (now + n) * 1000,
    )
  }
  tx.run(`INSERT INTO problems (job_id, collection_id, item_id, path, code, reason, at)
    SELECT 1, collection_id, id, 'folder/' || name || id, 'damaged', 'The picture is cut off', ${now}
    FROM items WHERE id % 1000 = 7`)
}

function writeSavers(tx: Transaction, user: number, keyword: number): Extras['savers'] {
  const saver = (what: string, random: number, filters: object) => ({
    what,
    id: tx.run(
      `INSERT INTO screensavers (name, user_id, random, seconds, filters, created_at) VALUES (?, ?, ?, 5, ?, ?)`,
      what,
      user,
      random,
      JSON.stringify(filters),
      now,
    ).lastInsertRowid,
  })
  const entry = { type: 'Keyword', mode: 0, id: keyword }
  return [
    saver('all, at random', 1, {}),
    saver('all, newest first', 0, {}),
    saver('a keyword, at random', 1, { filtergroups: JSON.stringify([[entry]]) }),
    saver('On This Day', 1, { onthisdayTz: 'Europe/Madrid' }),
  ]
}

/** Albums of about this many items each. */
const albumSizes = { small: 100, thousand: 1000, many: 100_000 }
const smallAlbums = 97

/** 100 public albums, and 500 favourites of each user. Items of an album are spread over all years. */
function writeAlbums(
  tx: Transaction,
  { admin, member }: { admin: number; member: number },
  keyword: string,
): Extras['albums'] {
  const ids = tx.all<{ id: number }>('SELECT id FROM items WHERE state = 0 ORDER BY id').map(({ id }) => id)
  const album = (name: string, query: object | null) => {
    const id = tx.run(
      `INSERT INTO albums (uid, kind, name, owner_id, query, is_public, created_at) VALUES (?, ?, ?, ?, ?, 1, ?)`,
      name,
      query === null ? 'hand' : 'search',
      name,
      admin,
      query === null ? null : JSON.stringify(query),
      now,
    ).lastInsertRowid
    tx.run("INSERT INTO album_members (album_id, user_id, role) VALUES (?, ?, 'add')", id, member)
    return id
  }
  const albumOfSize = (name: string, size: number, offset: number) => {
    const id = album(name, null)
    const step = Math.max(1, Math.floor(ids.length / size))
    const chosen = ids.filter((_, n) => n % step === offset % step)
    appendAlbumItems(tx, id, chosen, { addedAt: now, addedBy: admin })
    return id
  }
  for (let n = 0; n < smallAlbums; n++) albumOfSize(`Album ${n}`, albumSizes.small, n)
  const thousand = albumOfSize('A thousand', albumSizes.thousand, 0)
  const many = albumOfSize('Many', albumSizes.many, 1)
  const search = album('Search', { q: `keyword:${keyword} rating:>=3` })
  for (const userId of [admin, member])
    for (const itemId of ids.slice(-500)) setFavourite(tx, { userId, itemId, favourite: true, at: now })
  return { thousand, many, search }
}

/** Writes all these rows. The same library gets the same rows. */
export function seedExtras(db: LibraryDatabase, seeded: Seeded): Promise<Extras> {
  return db.transact({ userId: null }, tx => {
    const users = writeUsers(tx, seeded)
    const both = [users.admin, users.member]
    writeFaces(tx, randomOf(5), seeded.people)
    writeObjectProperties(tx)
    writeCopies(tx)
    writeShares(tx, both)
    writeHistory(tx, both)
    writeJobs(tx, seeded, users.member)
    const savers = writeSavers(tx, users.admin, seeded.keywords[0] ?? 1)
    const keyword = tx.get<{ content: string }>('SELECT content FROM keystrings WHERE id = ?', seeded.keywords[0] ?? 1)
    const albums = writeAlbums(tx, users, keyword?.content ?? '')
    tx.run('ANALYZE')
    return { ...users, savers, albums }
  })
}
