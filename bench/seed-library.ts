/** Fills a database with an invented library: bursts of pictures over twenty years, filed as users file theirs. */

import type { ItemDetailsColumn, ItemRow } from '../core/items/item-row.ts'
import { insertItem } from '../core/items/item-rows.ts'
import type { LibraryDatabase, Transaction } from '../core/kernel/database/database.ts'
import { keystringKey } from '../core/words/keystrings.ts'
import { keyOf } from '../schema/keys.ts'

export interface SeedOptions {
  items: number
  /** How many collections; their sizes fall by half from one to the next. The second and fourth are public. */
  collections?: number
  seed?: number
  /** Share of the items that keystrings hide (0.01). */
  hidden?: number
  /** Values from real pictures, which the items get in turn instead of invented ones. */
  pictureColumns?: readonly PictureColumns[]
}

/** The columns of an item that depend on its bytes. */
export type PictureColumns = Pick<ItemRow, 'content' | 'thumbhash' | 'phash' | 'width' | 'height' | 'size'>

/** Ids in a seeded library, for its callers. */
export interface Seeded {
  collections: number[]
  /** Collections that a visitor sees. */
  publicCollections: number[]
  /** Keystrings from the most to the least used. */
  keywords: number[]
  categories: number[]
  people: number[]
  /** Keystrings that hide their items. */
  hiding: number[]
}

/** Numbers in [0, 1) that are the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const day = 86_400
const firstDay = Date.UTC(2006, 0, 1) / 1000
const days = 20 * 365
/** The time of recycling: so late that no server purges the items during a measurement. */
const goneAt = Date.UTC(2100, 0, 1) / 1000

const syllables =
  'ba be bi bo da de di do fa fe ga ge la le li lo ma me mi mo na ne ni no ra re ri ro sa se ta te ti to'
    .split(' ')
    .concat(['stra', 'brü', 'gén', 'lund', 'berg', 'stein', 'haven', 'ford'])

/** The n-th word of an invented language: all different. */
function wordOf(n: number): string {
  let word = ''
  for (let rest = n + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length]
  }
  return word
}

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const cameras = [
  { make: 'Apple', model: 'iPhone 12 Pro', lens: 'iPhone 12 Pro back triple camera 4.2mm f/1.6' },
  { make: 'Canon', model: 'Canon EOS 80D', lens: 'EF-S18-135mm f/3.5-5.6 IS USM' },
  { make: 'Google', model: 'Pixel 7', lens: 'Pixel 7 back camera 6.81mm f/1.85' },
  { make: 'NIKON CORPORATION', model: 'NIKON D750' },
  { make: 'SONY', model: 'ILCE-7M3', lens: 'FE 24-105mm F4 G OSS' },
]

/** Writes the vocabulary and the collections; returns their ids. */
function writeVocabulary(tx: Transaction, count: number, random: () => number): Seeded {
  const now = firstDay
  const keystring = (content: string, hidden = 0, hides = 0) =>
    tx.run(
      'INSERT INTO keystrings (content, content_key, is_hidden, is_associated_items_hidden) VALUES (?, ?, ?, ?)',
      content,
      keystringKey(content),
      hidden,
      hides,
    ).lastInsertRowid
  const keywords = Array.from({ length: 2000 }, (_, n) =>
    keystring(
      n % 5 === 4 ? `${capitalise(wordOf(n))} ${wordOf(n * 7)}` : capitalise(wordOf(n)),
      n % 400 === 399 ? 1 : 0,
    ),
  )
  const hiding = ['Private', 'Medical'].map(content => keystring(content, 1, 1))
  const categories = [
    'Family',
    'Travel',
    'Friends',
    'Work',
    'Sport',
    'Food',
    'Home',
    'Party',
    'Animals',
    'Documents',
  ].map(content => keystring(content))
  const people = Array.from({ length: 150 }, (_, n) => {
    const id = tx.run('INSERT INTO people (birthdate) VALUES (NULL)').lastInsertRowid
    const name = `${capitalise(wordOf(5000 + n))} ${capitalise(wordOf(9000 + Math.floor(n / 4)))}`
    tx.run('INSERT INTO person_names (person_id, name, name_key) VALUES (?, ?, ?)', id, name, keystringKey(name))
    return id
  })
  for (let n = 0; n < 40; n++) {
    const name = capitalise(wordOf(20_000 + n))
    tx.run('INSERT INTO objects (name, name_key) VALUES (?, ?)', name, keystringKey(name))
  }
  const collections: number[] = []
  const publicCollections: number[] = []
  for (let n = 0; n < count; n++) {
    const id = tx.run(
      'INSERT INTO collections (name, path, created_at) VALUES (?, ?, ?)',
      `${capitalise(wordOf(100 + n))} pictures`,
      `/pictures/${n}-${Math.floor(random() * 1e6)}`,
      now,
    ).lastInsertRowid
    collections.push(id)
    const isPublic = n === 1 || n === 3
    if (isPublic) publicCollections.push(id)
    const addGroup = (name: string, admin: number, open: number, position: number) => {
      const group = tx.run('INSERT INTO access_groups (name, admin, public) VALUES (?, ?, ?)', name, admin, open)
      tx.run(
        'INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, ?)',
        id,
        group.lastInsertRowid,
        position,
      )
    }
    addGroup('administrators', 1, 0, 0)
    addGroup('visitors', 0, isPublic ? 1 : 0, 1)
  }
  return { collections, publicCollections, keywords, categories, people, hiding }
}

/** A random index into a list; the first ones are far more frequent than the last. */
function zipf(random: () => number, length: number): number {
  return Math.min(length - 1, Math.floor(length ** random()) - 1)
}

function pickSome<T>(random: () => number, list: readonly T[], most: number): T[] {
  const picked = new Set<T>()
  const count = Math.floor(random() * (most + 1))
  for (let n = 0; n < count; n++) {
    const one = list[zipf(random, list.length)]
    if (one !== undefined) picked.add(one)
  }
  return [...picked]
}

interface Burst {
  collectionId: number
  at: number
  size: number
}

/** Days on which something happened: more of them in later years and in summer. */
function burstsOf(random: () => number, collectionId: number, items: number): Burst[] {
  const bursts: Burst[] = []
  for (let left = items; left > 0; ) {
    const size = Math.min(left, 1 + Math.floor(random() ** 3 * 250))
    const at = firstDay + Math.floor(random() ** 0.7 * days) * day
    const month = new Date(at * 1000).getUTCMonth()
    if ((month < 4 || month > 8) && random() < 0.35) continue
    bursts.push({ collectionId, at, size })
    left -= size
  }
  return bursts.sort((a, b) => a.at - b.at)
}

const digits = (n: number, width: number) => String(n).padStart(width, '0')

function randomHex(random: () => number, length: number): string {
  let text = ''
  while (text.length < length)
    text += Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0')
  return text.slice(0, length)
}

/** Everything that the pictures of one day have in common. */
interface BurstContext {
  dirId: number
  keywords: number[]
  category: number[]
  people: number[]
  camera: ItemDetailsColumn['camera']
  place: { latitude: number; longitude: number; placeName: string } | null
}

function createBurstContext(random: () => number, tx: Transaction, burst: Burst, seeded: Seeded): BurstContext {
  const date = new Date(burst.at * 1000).toISOString().slice(0, 10)
  const path = `${date.slice(0, 4)}/${date} ${capitalise(wordOf(Math.floor(random() * 3000)))} ${randomHex(random, 4)}`
  const dirId = tx.run(
    'INSERT INTO dirs (collection_id, path, path_bytes) VALUES (?, ?, ?)',
    burst.collectionId,
    path,
    Buffer.from(path),
  ).lastInsertRowid
  // Three hundred towns; the first ones are far more frequent.
  const town = zipf(random, 300)
  const at = randomOf(town + 77)
  return {
    dirId,
    keywords: pickSome(random, seeded.keywords, 4),
    category: random() < 0.6 ? pickSome(random, seeded.categories, 1) : [],
    people: random() < 0.5 ? pickSome(random, seeded.people, 6) : [],
    camera: cameras[zipf(random, cameras.length)] ?? {},
    place:
      random() < 0.5
        ? {
            latitude: at() * 120 - 55,
            longitude: at() * 340 - 170,
            placeName: `${capitalise(wordOf(30_000 + town))}, Lund`,
          }
        : null,
  }
}

function itemOf(
  random: () => number,
  n: number,
  burst: Burst,
  taken: number,
  context: BurstContext,
  seeded: Seeded,
  hidden: number,
): ItemRow {
  const film = random() < 0.05
  const upright = random() < 0.3
  const people = context.people.filter(() => random() < 0.6)
  const objects = random() < 0.05 ? [1 + zipf(random, 40)] : []
  const keywords = [
    ...new Set([
      ...context.keywords.filter(() => random() < 0.8),
      ...(random() < 0.2 ? pickSome(random, seeded.keywords, 3) : []),
      ...(random() < hidden ? seeded.hiding.slice(0, 1 + Math.floor(random() * 2)) : []),
    ]),
  ]
  const caption =
    random() < 0.1 ? Array.from({ length: 3 + Math.floor(random() * 8) }, () => wordOf(zipf(random, 8000))) : []
  const place =
    context.place !== null && random() < 0.8
      ? {
          latitude: Number((context.place.latitude + (random() - 0.5) * 0.05).toFixed(6)),
          longitude: Number((context.place.longitude + (random() - 0.5) * 0.05).toFixed(6)),
          placeName: context.place.placeName,
        }
      : null
  const stamp = new Date(taken * 1000).toISOString()
  const name = film
    ? `VID_${stamp.slice(0, 10).replaceAll('-', '')}_${stamp.slice(11, 19).replaceAll(':', '')}.mp4`
    : n % 3 === 0
      ? `DSC${digits(n % 100_000, 5)}.JPG`
      : `IMG_${digits(n % 10_000, 4)}.JPG`
  return {
    collectionId: burst.collectionId,
    dirId: context.dirId,
    name,
    type: film ? 'video' : 'image',
    taken,
    takenOffset: random() < 0.5 ? 60 : null,
    takenSource: 'exif',
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    rating: random() < 0.15 ? 1 + Math.floor(random() * 5) : null,
    width: upright ? 3024 : 4032,
    height: upright ? 4032 : 3024,
    duration: film ? Number((random() * 60).toFixed(2)) : null,
    mime: film ? 'video/mp4' : 'image/jpeg',
    size: 1_500_000 + Math.floor(random() * 4_000_000),
    content: `${randomHex(random, 16)}-${Math.floor(random() * 4_000_000 + 1_500_000).toString(36)}`,
    thumbhash: Buffer.from(randomHex(random, 48), 'hex').toString('base64'),
    phash: randomHex(random, 16),
    renditions: 7,
    problem: random() < 0.001 ? 'The picture is cut off' : null,
    motion: !film && random() < 0.05,
    tags: {
      ...(caption.length > 0 ? { Description: { v: 1, d: caption.join(' ') } } : {}),
      ...(context.category.length > 0 ? { Category: { v: 1, d: context.category } } : {}),
      ...(keywords.length > 0 ? { Keywords: { v: 1, d: keywords } } : {}),
      ...(place === null ? {} : { Locations: { v: 1, d: place } }),
      ...(people.length > 0 ? { People: { v: 1, d: true } } : {}),
      ...(objects.length > 0 ? { Object: { v: 1, d: true } } : {}),
    },
    details: {
      camera: { ...context.camera, focalLength: 4.2, aperture: 1.6, exposure: 0.008, iso: 64 },
      orientation: upright ? 6 : 1,
    },
    people,
    objects,
  }
}

function writeRegions(tx: Transaction, random: () => number, id: number, item: ItemRow): void {
  const insert = `INSERT INTO regions (item_id, type, person_id, object_id, x, y, width, height, source)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'file')`
  const at = () => Number((random() * 600).toFixed(1))
  for (const person of item.people) tx.run(insert, id, 'person', person, null, at(), at(), 90, 120)
  for (const object of item.objects) tx.run(insert, id, 'object', null, object, at(), at(), 150, 100)
}

interface SchemaRow {
  name: string
  type: string
  sql: string
}

/**
 * Drops the triggers and indexes of `items` while the rows are written. `fillDerived` then computes what they maintain,
 * with the same result as if the items had been written one by one (a test compares both).
 */
function dropDerived(tx: Transaction): SchemaRow[] {
  const rows = tx.all<SchemaRow>(
    "SELECT name, type, sql FROM sqlite_schema WHERE tbl_name = 'items' AND type IN ('index', 'trigger') AND sql IS NOT NULL",
  )
  for (const { name, type } of rows) tx.run(`DROP ${type} ${name}`)
  return rows
}

function fillDerived(tx: Transaction): void {
  tx.run('DELETE FROM item_month')
  tx.run('INSERT INTO item_month SELECT collection_id, state, ym, count(*) FROM items GROUP BY 1, 2, 3')
  tx.run('DELETE FROM keyed')
  tx.run(`INSERT INTO keyed (key, taken, item_id, collection_id, state, tags)
    SELECT j.value ->> 0, i.taken, i.id, i.collection_id, i.state, j.value ->> 1
    FROM items AS i, json_each(i.keys) AS j ORDER BY 1, 2, 3`)
  tx.run('DELETE FROM key_count')
  tx.run('INSERT INTO key_count SELECT key, collection_id, state, tags, count(*) FROM keyed GROUP BY 1, 2, 3, 4')
}

/** Writes a library of `items` items into a fresh database. The same options make the same library. */
export async function seedLibrary(db: LibraryDatabase, options: SeedOptions): Promise<Seeded> {
  const random = randomOf(options.seed ?? 1)
  const { hidden = 0.01, pictureColumns = [] } = options
  const actor = { userId: null }
  const seeded = await db.transact(actor, tx => writeVocabulary(tx, options.collections ?? 5, random))
  const dropped = await db.transact(actor, dropDerived)
  // Merging the search index and sorting a million keys needs memory; measurements use the usual cache size.
  const usual = db.get<{ cache_size: number }>('PRAGMA cache_size')?.cache_size ?? -16_384
  db.all('PRAGMA cache_size = -524288')

  const shares = seeded.collections.map((_, n) => 0.5 ** (n + 1))
  const whole = shares.reduce((sum, share) => sum + share, 0)
  let written = 0
  for (const [n, collectionId] of seeded.collections.entries()) {
    const last = n === seeded.collections.length - 1
    const size = last ? options.items - written : Math.floor((options.items * (shares[n] ?? 0)) / whole)
    const bursts = burstsOf(random, collectionId, size)
    while (bursts.length > 0) {
      written += await db.transact(actor, tx =>
        writeBursts(tx, random, bursts, seeded, { before: written, hidden, pictureColumns }),
      )
    }
  }
  await db.transact(actor, tx => {
    for (const { type, sql } of dropped) if (type === 'index') tx.run(sql)
    fillDerived(tx)
    for (const { type, sql } of dropped) if (type === 'trigger') tx.run(sql)
    tx.run('ANALYZE')
  })
  db.all(`PRAGMA cache_size = ${usual}`)
  return seeded
}

/**
 * Takes bursts off the list and writes their items, oldest first: the search index is keyed by date and flushes whenever a
 * date goes backwards (measured: 230 µs an item instead of 25). Returns how many were written.
 */
function writeBursts(
  tx: Transaction,
  random: () => number,
  bursts: Burst[],
  seeded: Seeded,
  { before, hidden, pictureColumns }: { before: number; hidden: number; pictureColumns: readonly PictureColumns[] },
): number {
  const items: { item: ItemRow; fileName: string }[] = []
  while (items.length < 20_000) {
    const burst = bursts.shift()
    if (burst === undefined) break
    const setting = createBurstContext(random, tx, burst, seeded)
    let taken = burst.at + 8 * 3600
    for (let n = 0; n < burst.size; n++) {
      taken += Math.floor(random() ** 4 * ((12 * 3600) / burst.size) * 4)
      const number = before + items.length + 1
      const item = itemOf(random, number, burst, taken, setting, seeded, hidden)
      items.push({
        item: { ...item, ...pictureColumns[number % pictureColumns.length] },
        fileName: `${n}-${item.name}`,
      })
    }
  }
  items.sort((a, b) => a.item.taken - b.item.taken)
  for (const [n, { item, fileName }] of items.entries()) {
    const id = insertItem(tx, item, firstDay + days * day + before + n)
    writeRegions(tx, random, id, item)
    const gone = random()
    if (gone < 0.01) tx.run(`UPDATE items SET ${gone < 0.005 ? 'deleted' : 'missing'} = ? WHERE id = ?`, goneAt + n, id)
    tx.run(
      "INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns, content) VALUES (?, ?, ?, 'main', ?, ?, 0, ?)",
      item.dirId,
      Buffer.from(fileName),
      id,
      item.size,
      item.taken,
      item.content,
    )
  }
  return items.length
}

/** Key of a seeded keystring, as `keyed` has it. */
export const keyOfKeystring = (id: number) => keyOf('keystring', id)
