/** Compares 1,500 random filters with a naive implementation, for viewers with different rights. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { randomOf } from '../../../bench/seed-library.ts'
import type { Viewer } from '../../../core/accounts/access.ts'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { createItems, type Items } from '../../../core/items/items.ts'
import type { FilterEntry, FilterQuery, ItemSort } from '../../../schema/api/items.ts'
import { type Calendar, monthStart } from '../../../schema/calendar.ts'
import { itemSorts, type SearchableTag } from '../../../schema/limits.ts'
import { openTestLibrary, secondsOf, type TestItem, type TestLibrary, unlockValue } from '../../support/library.ts'

type Stored = Required<Pick<TestItem, 'keywords' | 'category' | 'author' | 'people' | 'objects'>> & {
  id: number
  collection: number
  collectionName: string
  name: string
  type: 'image' | 'video'
  taken: number
  added: number
  description: string
  place: { latitude: number; longitude: number } | null
  placeName: string
  rating: number
  camera: string
  gone: boolean
}

/** A condition in the text language, with a naive implementation. */
interface Leaf {
  q: string
  holds(item: Stored): boolean
}

const random = randomOf(20_260_101)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const some = <T>(list: readonly T[], most: number): T[] => [
  ...new Set(Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(list))),
]
const chance = (share: number) => random() < share

const hidden = ['Secret garden', 'Private']
const keywords = [
  'Beach',
  'Beach holiday',
  'beachcomber',
  'Café',
  'Zürich',
  'Anna',
  'Cat',
  'Catering',
  'Sea',
  '東京タワー',
  ...hidden,
  'Later',
]
const categories = ['Family', 'Travel', 'Beach']
const authors = ['Anna', 'Ben Okri']
const people = ['Anna', 'Ben', 'Chloé Dubois']
const objects = ['Bicycle', 'Sea chest']
const cameras = ['Canon EOS 80D', 'Canon EOS R5', 'iPhone 12 Pro', '']
const places = ['Zürich, Switzerland', 'Sankt Gallen', '東京', '']
const positions = [
  { latitude: 47.37, longitude: 8.54 },
  { latitude: 47.42, longitude: 9.37 },
  { latitude: 35.68, longitude: 139.69 },
  { latitude: -17, longitude: 179.95 },
  { latitude: -17, longitude: -179.95 },
  { latitude: 89.9, longitude: 40 },
]

let library: TestLibrary
let items: Items
let merged: Items
const stored: Stored[] = []
const ids = {
  keystring: new Map<string, number>(),
  person: new Map<string, number>(),
  object: new Map<string, number>(),
}
const collections: { id: number; name: string; keepPrivate: boolean }[] = []
let viewers: {
  name: string
  viewer: Viewer
  sees: Set<number>
  member: boolean
  query: Pick<FilterQuery, 'includeHidden'>
}[] = []

const words = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\p{Script=Han}|\p{Script=Katakana}/gu, ' $& ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')

/** Whether `value` has the words of `text` in a row. The last word may be a prefix of a word unless `whole` is true. */
function hasWords(text: string, value: string, whole: boolean): boolean {
  const wanted = words(text)
  const found = words(value)
  return found.some((_, at) =>
    wanted.every((word, n) => {
      const other = found[at + n] ?? ''
      return n === wanted.length - 1 && !whole ? other.startsWith(word) : other === word
    }),
  )
}

const anyHasWords = (text: string, values: readonly string[], whole: boolean) =>
  values.some(value => hasWords(text, value, whole))

const fileTexts = ({ name }: Stored) => [name, name.replace(/\.\w+$/, '').replace(/([a-z])(\d)/gi, '$1 $2')]

function tagTexts(item: Stored, tags: readonly SearchableTag[]): string[] {
  const by = { Keywords: item.keywords, Category: item.category, People: item.people, Author: item.author }
  return tags.flatMap(tag => by[tag])
}

const freeTexts = (item: Stored, tags: readonly SearchableTag[]) => [
  ...tagTexts(item, tags),
  item.description,
  item.placeName,
  ...fileTexts(item),
]

/** A word of the free text: a year also means what was taken in it. */
const hasWord = (word: string, item: Stored, tags: readonly SearchableTag[]) =>
  anyHasWords(word, freeTexts(item, tags), false) || String(year(item.taken)) === word

const searched: readonly SearchableTag[] = ['Keywords', 'Category', 'People']

function distance(a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half =
    Math.sin(radians(a.latitude - b.latitude) / 2) ** 2 +
    Math.cos(radians(a.latitude)) *
      Math.cos(radians(b.latitude)) *
      Math.sin(radians(a.longitude - b.longitude) / 2) ** 2
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(half))
}

const month = (taken: number) => new Date(taken * 1000).getUTCMonth() + 1
const persian = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', { dateStyle: 'short', timeZone: 'UTC' })
/** Year * 100 + month, in the Persian calendar as `Intl` has it. */
function persianMonth(taken: number): number {
  const parts = persian.formatToParts(taken * 1000)
  const of = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value)
  return of('year') * 100 + of('month')
}
const year = (taken: number) => new Date(taken * 1000).getUTCFullYear()
const wordsToTry = [
  'beach',
  'bea',
  'Cafe',
  'café',
  'zürich',
  'anna',
  'cat',
  'sea',
  '東京',
  'タワー',
  'img',
  '0042',
  'dsc',
  'gallen',
  'holiday',
  'secret',
  'priv',
  'jpg',
  'b',
  '2017',
  '2018',
]

function leaf(): Leaf {
  const word = pick(wordsToTry)
  const fielded = (field: string, values: (item: Stored) => readonly string[]): Leaf => ({
    q: `${field}:${word}`,
    holds: item => anyHasWords(word, values(item), false),
  })
  const exactly = (field: string, list: readonly string[], values: (item: Stored) => readonly string[]): Leaf => {
    const name = pick(list)
    return { q: `${field}:="${name.toUpperCase()}"`, holds: item => values(item).includes(name) }
  }
  const makers: (() => Leaf)[] = [
    () => ({ q: word, holds: item => hasWord(word, item, searched) }),
    () => {
      const text = pick(['beach holiday', 'holiday beach', 'sankt gallen', 'beach', 'bea'])
      return { q: `"${text}"`, holds: item => anyHasWords(text, freeTexts(item, searched), true) }
    },
    () => fielded('keyword', item => item.keywords),
    () => fielded('category', item => item.category),
    () => fielded('author', item => item.author),
    () => fielded('person', item => item.people),
    () => fielded('object', item => item.objects),
    () => fielded('place', item => [item.placeName]),
    () => fielded('file', fileTexts),
    () => exactly('keyword', keywords, item => item.keywords),
    () => exactly('person', people, item => item.people),
    () => exactly('object', objects, item => item.objects),
    () => exactly('category', categories, item => item.category),
    () => {
      const name = pick(['canon', 'canon eos', 'R5', 'iphone', 'nikon'])
      return { q: `camera:"${name}"`, holds: item => hasWords(name, item.camera, true) }
    },
    () => {
      const of = pick(collections)
      return { q: `in:"${of.name}"`, holds: item => item.collection === of.id }
    },
    () => {
      const from = 2016 + Math.floor(random() * 5)
      const to = from + Math.floor(random() * 3)
      return { q: `year:${from}..${to}`, holds: item => year(item.taken) >= from && year(item.taken) <= to }
    },
    () => {
      const m = 1 + Math.floor(random() * 12)
      return { q: `month:${m}`, holds: item => month(item.taken) === m }
    },
    () => {
      const from = secondsOf(`20${16 + Math.floor(random() * 5)}-0${1 + Math.floor(random() * 9)}-15 00:00:00`)
      const day = new Date(from * 1000).toISOString().slice(0, 10)
      return chance(0.5)
        ? { q: `date:${day}..`, holds: item => item.taken >= from }
        : { q: `date:..${day}`, holds: item => item.taken < from + 86_400 }
    },
    () => {
      const center = pick(positions)
      const radius = pick([500, 5000, 70_000, 20_000_000])
      return {
        q: `near:${center.latitude},${center.longitude},${radius}`,
        holds: item => item.place !== null && distance(item.place, center) <= radius,
      }
    },
    () => {
      const type = pick(['image', 'video'] as const)
      return { q: `type:${type}`, holds: item => item.type === type }
    },
    () => {
      const stars = Math.floor(random() * 7) - 1
      const operator = pick(['>=', '<=', '>', '<', '='] as const)
      const compare = {
        '>=': (n: number) => n >= stars,
        '<=': (n: number) => n <= stars,
        '>': (n: number) => n > stars,
        '<': (n: number) => n < stars,
        '=': (n: number) => n === stars,
      }
      return { q: `rating:${operator}${stars}`, holds: item => compare[operator](item.rating) }
    },
    () => {
      const from = 1_600_000_000 + Math.floor(random() * 20) * 86_400
      const day = new Date(from * 1000).toISOString().slice(0, 10)
      const start = secondsOf(`${day} 00:00:00`)
      return { q: `added:${day}..`, holds: item => item.added >= start }
    },
  ]
  return pick(makers)()
}

function tree(depth: number): Leaf {
  const kind = depth === 0 ? 0 : Math.floor(random() * 6)
  if (kind <= 1) return leaf()
  if (kind === 2) {
    const inner = tree(depth - 1)
    return { q: `${pick(['NOT ', '-'])}(${inner.q})`, holds: item => !inner.holds(item) }
  }
  const parts = Array.from({ length: 2 + Math.floor(random() * 2) }, () => tree(depth - 1))
  if (kind <= 4) {
    return {
      q: `(${parts.map(({ q }) => q).join(pick([' ', ' AND ']))})`,
      holds: item => parts.every(part => part.holds(item)),
    }
  }
  return { q: `(${parts.map(({ q }) => q).join(' OR ')})`, holds: item => parts.some(part => part.holds(item)) }
}

/** Random filter groups and parameters, with a naive implementation. */
function parameters(): { query: FilterQuery; holds(item: Stored): boolean } {
  const query: FilterQuery = {}
  const conditions: ((item: Stored) => boolean)[] = []
  const tags: readonly SearchableTag[] = chance(0.3) ? ['Keywords', 'Author'] : searched
  if (tags !== searched) query.searchInTags = [...tags]
  if (chance(0.7)) {
    const groups = Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
      Array.from({ length: Math.floor(random() * 4) }, () => entry(tags)),
    )
    query.filtergroups = groups.map(group => group.map(({ request }) => request))
    const filled = groups.filter(group => group.length > 0)
    if (filled.length > 0) {
      conditions.push(item =>
        filled.some(group => group.every(({ request, holds }) => holds(item) === (request.mode === 0))),
      )
    }
  }
  if (chance(0.3)) {
    const from = secondsOf(`${2016 + Math.floor(random() * 4)}-03-10 08:00:00`)
    const to = from + Math.floor(random() * 600) * 86_400
    query.timestampStart = from
    query.timestampEnd = to
    conditions.push(item => item.taken >= from && item.taken < to)
  }
  if (chance(0.2)) {
    const m = 1 + Math.floor(random() * 12)
    query.startMonth = m
    if (chance(0.5)) query.calendar = 'persian'
    const monthOf = query.calendar === 'persian' ? (taken: number) => persianMonth(taken) % 100 : month
    conditions.push(item => monthOf(item.taken) === m)
  }
  if (chance(0.2)) {
    const of = pick(collections)
    query.collection_id = of.id
    conditions.push(item => item.collection === of.id)
  }
  if (chance(0.1)) {
    const center = pick(positions)
    Object.assign(query, { ...center, radius: 60_000 })
    conditions.push(item => item.place !== null && distance(item.place, center) <= 60_000)
  }
  if (chance(0.5)) {
    const condition = tree(1 + Math.floor(random() * 2))
    // `searchInTags` also limits free words, but the naive implementation of free words has only the default tags.
    if (tags === searched) {
      query.q = condition.q
      conditions.push(condition.holds)
    }
  }
  return { query, holds: item => conditions.every(holds => holds(item)) }
}

function entry(tags: readonly SearchableTag[]): { request: FilterEntry; holds(item: Stored): boolean } {
  const mode = chance(0.3) ? (1 as const) : (0 as const)
  const kind = Math.floor(random() * 4)
  if (kind === 0) {
    const text = pick(['bea', 'zurich', 'holiday beach', 'img 0042', 'anna', '2017', '2018 img', 'sea 2017 anna'])
    if (chance(0.2)) {
      return {
        request: { type: 'Keyword', mode, id: 0, text: `"${text}" img` },
        holds: item => anyHasWords(text, freeTexts(item, tags), true) && hasWord('img', item, tags),
      }
    }
    return {
      request: { type: 'Keyword', mode, id: 0, text },
      holds: item => words(text).every(word => hasWord(word, item, tags)),
    }
  }
  if (kind === 1) {
    const name = pick(people)
    return {
      request: { type: 'Person', mode, id: ids.person.get(name) ?? 0 },
      holds: item => item.people.includes(name),
    }
  }
  if (kind === 2) {
    const name = pick(objects)
    return {
      request: { type: 'Object', mode, id: ids.object.get(name) ?? 0 },
      holds: item => item.objects.includes(name),
    }
  }
  const name = pick(keywords)
  return {
    request: { type: 'Keyword', mode, id: ids.keystring.get(name) ?? 0 },
    holds: item => tagTexts(item, tags).includes(name),
  }
}

/** The items that the viewer may see, with only the metadata that the viewer may see. */
function seenBy({ sees, member, viewer, query }: (typeof viewers)[number]): Stored[] {
  const unlocked = query.includeHidden !== undefined
  const withheld = new Set(
    viewer.globalAdmin || member ? [] : collections.filter(of => of.keepPrivate).map(({ id }) => id),
  )
  return stored
    .filter(item => !item.gone && sees.has(item.collection))
    .filter(item => unlocked || !item.keywords.some(word => word === 'Private' || word === 'Later'))
    .map(item => ({
      ...item,
      keywords: unlocked ? item.keywords : item.keywords.filter(word => !hidden.includes(word)),
    }))
    .map(item =>
      withheld.has(item.collection) ? { ...item, people: [], objects: [], place: null, placeName: '' } : item,
    )
}

beforeAll(async () => {
  library = openTestLibrary()
  const { db, make } = library
  items = createItems({ db })
  merged = createItems({ db, minMerged: 0 })
  const member = await make.user('member')
  const stranger = await make.user('stranger')
  for (const [name, request] of [
    ['Attic', { updaters: [member] }],
    ['Balcony', { public: true }],
    ['Cellar', { public: true, keepPrivate: true, viewers: [member] }],
    ['Den', {}],
  ] as const) {
    const id = await make.collection({
      ...request,
      name,
      viewers: 'viewers' in request ? [...request.viewers] : [],
      updaters: 'updaters' in request ? [...request.updaters] : [],
    })
    collections.push({ id, name, keepPrivate: name === 'Cellar' })
  }
  for (const name of keywords) {
    ids.keystring.set(
      name,
      await make.keystring(name, { hidden: hidden.includes(name), hidesItems: name === 'Private' }),
    )
  }
  for (const name of people) ids.person.set(name, await make.person(name))
  for (let n = 0; n < 320; n++) {
    const of = pick(collections)
    const request = {
      name: chance(0.5) ? `IMG_00${40 + (n % 7)}.JPG` : `dsc${String(n).padStart(4, '0')}.jpg`,
      type: chance(0.1) ? ('video' as const) : ('image' as const),
      // Many items have the same time, so that pages split equal values.
      taken: secondsOf('2016-01-01') + Math.floor(random() * 60) * 86_400 * 33,
      added: 1_600_000_000 + Math.floor(random() * 30) * 86_400,
      keywords: some(
        keywords.filter(word => chance(0.5) || !['Private', 'Later'].includes(word)),
        4,
      ),
      category: some(categories, 1),
      author: some(authors, 1),
      people: some(people, 2),
      objects: some(objects, 1),
      description: chance(0.2)
        ? pick(['A day at the sea', 'Beach café in Zürich', 'cat', 'Before the storm of 2018'])
        : '',
      rating: chance(0.3) ? Math.floor(random() * 7) - 1 : 0,
      camera: pick(cameras),
      placeName: pick(places),
    }
    const place = chance(0.5) ? pick(positions) : null
    const gone = chance(0.08)
    const id = await make.item({
      ...request,
      collection: of.id,
      folder: `${n}`,
      place: place === null ? undefined : { ...place, placeName: request.placeName },
      rating: request.rating === 0 && chance(0.5) ? undefined : request.rating,
      ...(gone ? (chance(0.5) ? { deleted: 5 } : { missing: 5 }) : {}),
    })
    stored.push({ ...request, id, collection: of.id, collectionName: of.name, place, gone })
  }
  for (const { id, name } of db.all<{ id: number; name: string }>('SELECT id, name FROM objects'))
    ids.object.set(name, id)
  await make.pendingHide(ids.keystring.get('Later') ?? 0)
  const idsOf = (...names: string[]) =>
    new Set(collections.filter(({ name }) => names.includes(name)).map(({ id }) => id))
  const everywhere = idsOf('Attic', 'Balcony', 'Cellar', 'Den')
  const members = idsOf('Attic', 'Balcony', 'Cellar')
  const open = idsOf('Balcony', 'Cellar')
  viewers = [
    { name: 'the terminal', viewer: terminalViewer, sees: everywhere, member: true, query: {} },
    {
      name: 'an unlocked administrator',
      viewer: { ...terminalViewer, kind: 'user', unlockValue },
      sees: everywhere,
      member: true,
      query: { includeHidden: unlockValue },
    },
    { name: 'a member', viewer: library.viewer(member), sees: members, member: true, query: {} },
    {
      name: 'an unlocked member',
      viewer: library.viewer(member, { unlocked: true }),
      sees: members,
      member: true,
      query: { includeHidden: unlockValue },
    },
    { name: 'somebody in no group', viewer: library.viewer(stranger), sees: open, member: false, query: {} },
    { name: 'a visitor', viewer: library.viewer(null), sees: open, member: false, query: {} },
  ]
})

function compare(a: Stored, b: Stored, sort: ItemSort): number {
  const way = sort.startsWith('-') ? -1 : 1
  const column = sort.replace('-', '')
  const by =
    column === 'name'
      ? Number(a.name.toLowerCase() > b.name.toLowerCase()) - Number(a.name.toLowerCase() < b.name.toLowerCase())
      : column === 'added'
        ? a.added - b.added
        : a.taken - b.taken
  return way * (by === 0 ? a.id - b.id : by)
}

function monthsOf(list: readonly Stored[], calendar: Calendar = 'gregorian') {
  const counts = new Map<number, number>()
  for (const { taken } of list) {
    const key = calendar === 'persian' ? persianMonth(taken) : year(taken) * 100 + month(taken)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a], [b]) => b - a)
    .map(([key, count]) => ({ year: Math.floor(key / 100), month: key % 100, count }))
}

/** Each day's date and count, in the order of lists. */
function daysOf(list: readonly Stored[]) {
  const counts = new Map<string, number>()
  for (const { taken } of list.toSorted((a, b) => b.taken - a.taken)) {
    const date = new Date(taken * 1000).toISOString().slice(0, 10)
    counts.set(date, (counts.get(date) ?? 0) + 1)
  }
  return [...counts]
}

/** Follows the links of a list to its end and back to its start. */
function walk(viewer: Viewer, collectionId: number, query: FilterQuery, sort: ItemSort, limit: number) {
  const forward: number[] = []
  const back: number[] = []
  let page = items.list(viewer, { collectionId }, { ...query, sort, limit })
  forward.push(...page.items.map(({ id }) => id))
  const follow = (link: string) => {
    const parameters = new URL(link, 'http://localhost').searchParams
    return items.list(
      viewer,
      { collectionId },
      {
        ...query,
        sort,
        limit,
        page: Number(parameters.get('page')),
        cursor: parameters.get('cursor') ?? undefined,
      },
    )
  }
  while (page._links.next !== null) {
    page = follow(page._links.next)
    forward.push(...page.items.map(({ id }) => id))
  }
  back.unshift(...page.items.map(({ id }) => id))
  while (page._links.prev !== null) {
    page = follow(page._links.prev)
    back.unshift(...page.items.map(({ id }) => id))
  }
  return { forward, back, endPage: page._meta.page }
}

describe('a filtered list', () => {
  test('equals the naive result for every viewer and order, page by page', () => {
    for (let round = 0; round < 1500; round++) {
      const { query: filter, holds }: { query: FilterQuery; holds(item: Stored): boolean } = chance(0.5)
        ? parameters()
        : (() => {
            const condition = tree(1 + Math.floor(random() * 3))
            return { query: { q: condition.q }, holds: condition.holds }
          })()
      // The calendar of the response, unless the filter names months.
      const query: FilterQuery =
        filter.startMonth === undefined && chance(0.3) ? { ...filter, calendar: 'persian' } : filter
      const { calendar } = query
      const who = pick(viewers)
      const request = { ...query, ...who.query }
      const sort = chance(0.5) ? '-taken' : pick(itemSorts)
      const collectionId = chance(0.7) ? 0 : pick(collections).id
      const expected = seenBy(who)
        .filter(item => collectionId === 0 || item.collection === collectionId)
        .filter(holds)
        .sort((a, b) => compare(a, b, sort))
      const wanted = expected.map(({ id }) => id)
      const context = `${who.name}, ${sort}, collection ${collectionId}: ${JSON.stringify(query)}`

      const limit = 1 + Math.floor(random() * 12)
      const pageNumber = 1 + Math.floor(random() * (wanted.length / limit + 1))
      const page = items.list(who.viewer, { collectionId }, { ...request, sort, limit, page: pageNumber })
      expect([context, page._meta.total_records]).toEqual([context, wanted.length])
      expect([context, page.items.map(({ id }) => id)]).toEqual([
        context,
        wanted.slice((pageNumber - 1) * limit, pageNumber * limit),
      ])
      const timeline = items.timeline(who.viewer, { collectionId }, request)
      expect([context, timeline.months]).toEqual([context, monthsOf(expected, calendar)])
      expect(timeline.total_records).toBe(wanted.length)
      const { months } = items.layout(who.viewer, { collectionId }, request)
      const days = months.flatMap(month =>
        month.days.map(({ day, count }) => [
          new Date((monthStart(month.year, month.month) + (day - 1) * 86_400) * 1000).toISOString().slice(0, 10),
          count,
        ]),
      )
      expect([context, days]).toEqual([context, daysOf(expected)])
      expect(months.map(({ days: _, shapes: __, ...month }) => month)).toEqual(timeline.months)
      // `merged` counts in the way that is meant for words with very many hits.
      expect([context, merged.list(who.viewer, { collectionId }, request)._meta.total_records]).toEqual([
        context,
        wanted.length,
      ])
      expect([context, merged.timeline(who.viewer, { collectionId }, request).months]).toEqual([
        context,
        monthsOf(expected, calendar),
      ])
      if (round % 5 === 0) {
        const walked = walk(who.viewer, collectionId, request, sort, 1 + Math.floor(wanted.length / 6))
        expect([context, walked]).toEqual([context, { forward: wanted, back: wanted, endPage: 1 }])
      }
    }
  }, 120_000)
})
