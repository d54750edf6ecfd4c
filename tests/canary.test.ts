import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { terminalViewer, type Viewer } from '../core/accounts/access.ts'
import { viewerOfUser } from '../core/accounts/viewers.ts'
import { newestEvent } from '../core/kernel/events.ts'
import type { Album, AlbumRole } from '../schema/api/albums.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { calls } from '../schema/api/calls.ts'
import type { Endpoint } from '../schema/api/contract.ts'
import { fieldsOf } from '../schema/api/reference/openapi.ts'
import type { LinkedItem } from '../schema/api/shares.ts'
import { channels } from '../schema/realtime.ts'
import { secondsOf } from './support/library.ts'
import { type CallerKind, openRightsServer, type RightsServer } from './support/rights-server.ts'

/**
 * Items that some callers must not see. Each has a word of its own in name, path, keyword, caption, person, object and
 * place, and all of them are in a public album. `album` is in the names, descriptions and searches of other users'
 * albums, and `member` is the name of one of their members. The test makes every reading call as each kind of caller,
 * with every parameter that might find the items. No response may contain the word of an item that the caller must not
 * see, or a count that includes such an item.
 */
const canaries = {
  private: 'quetzalcoatlus',
  hidden: 'archaeopteryx',
  recycled: 'microraptor',
  album: 'therizinosaurus',
  member: 'pachycephalosaurus',
} as const
type Canary = keyof typeof canaries

/** The properties of an item that the test set. The counts in responses must equal those computed from them. */
interface KnownItem {
  id: number
  collection: number
  hidden: boolean
  recycled: boolean
  keywords: string[]
  category: string[]
  author: string[]
  people: string[]
  objects: string[]
  taken: string
  placed: boolean
  rating: number | null
  /** Whether it is in the public album. */
  inAlbum: boolean
}

let opened: RightsServer | null = null
const ids = new Map<Canary, number>()
const knownItems: KnownItem[] = []
let shares: string[] = []
/** Names of links without details that show `private`: to items, to the public album and to a person. */
let links: string[] = []
let linkSubjects: { items?: number[]; album?: number; person?: number }[] = []
let shownId = 0
let commonId = 0
let openCollection = 0
let closedCollection = 0
/** Public albums by hand and by a search, and a public folder of them. */
let shownAlbums = { hand: 0, search: 0, folder: 0 }
let otherAlbums: number[] = []
/** A private album with all items; each of these callers has another role in it. */
let membersAlbum = 0
const roles: Partial<Record<CallerKind, AlbumRole>> = { viewer: 'view', creator: 'add', updater: 'manage' }

function viewerOf(kind: CallerKind | 'owner'): Viewer {
  const { library, idOf } = testServer()
  const viewer = viewerOfUser(library.db, library.rights, idOf(kind))
  if (viewer === null) throw new Error(`${kind} is not there`)
  return viewer
}

/** Makes links as the admin, who sees the closed collection. */
async function createLinks({ library }: RightsServer): Promise<void> {
  const maker = viewerOf('admin')
  const shown = { q: `keyword:"keyword ${canaries.private}"` }
  const [item] = library.items.list(maker, { collectionId: 0 }, shown).items
  const people = item?.tags.People?.data.map(({ person }) => person) ?? []
  linkSubjects = [
    { items: [ids.get('private') ?? 0, commonId] },
    { album: shownAlbums.hand },
    ...people.map(person => ({ person })),
  ]
  expect(linkSubjects.length).toBeGreaterThan(2)
  const made = linkSubjects.map(one => library.links.create(maker, { ...one, expires: null, originals: true }))
  links = (await Promise.all(made)).map(({ name }) => name)
}

/** Makes the public albums of these items, and albums that no caller sees. */
async function createAlbums({ library, make, idOf }: RightsServer, items: number[]): Promise<void> {
  const { albums } = library
  const userId = idOf('owner')
  const owner: Viewer = { ...terminalViewer, kind: 'user', userId, unlockValue: 'value' }
  const publicAlbum = async (...[, body]: Parameters<typeof albums.create>) => {
    const { id } = await albums.create(owner, body)
    await albums.update(owner, id, { public: true })
    return id
  }
  const folder = await publicAlbum(owner, { kind: 'folder', name: 'Common folder' })
  const hand = await publicAlbum(owner, { kind: 'hand', name: 'Common album', parent: folder, items })
  await albums.update(owner, hand, { cover: ids.get('hidden') ?? 0 })
  const query = { q: 'category:common' }
  const search = await publicAlbum(owner, { kind: 'search', name: 'Common search', parent: folder, query })
  await albums.update(owner, search, { cover: ids.get('private') ?? 0 })
  shownAlbums = { hand, search, folder }

  const { album: word, member } = canaries
  await make.user(member)
  const secret = { name: `name ${word}`, description: `description ${word}` }
  const secretFolder = await albums.create(owner, { ...secret, kind: 'folder' })
  const secretQuery = { q: `keyword:${word} OR category:common` }
  const made = [
    // In a folder that others see, and in one that they do not see.
    await albums.create(owner, { ...secret, kind: 'hand', items, parent: folder }),
    secretFolder,
    await albums.create(owner, { ...secret, kind: 'search', query: secretQuery, parent: secretFolder.id }),
    await albums.create(owner, { ...secret, kind: 'hand', items }),
  ]
  membersAlbum = (await albums.create(owner, { kind: 'hand', name: 'Members', items })).id
  await albums.update(owner, membersAlbum, { private: true, cover: ids.get('private') ?? 0 })
  for (const [username, role] of Object.entries(roles)) await albums.setMember(owner, membersAlbum, { username, role })
  otherAlbums = made.map(({ id }) => id)
  for (const { id, kind } of made) {
    if (kind === 'folder') continue
    await albums.setMember(owner, id, { username: member, role: 'manage' })
    // The caller `viewer` was a member.
    for (const role of ['manage', null] as const) await albums.setMember(owner, id, { username: 'viewer', role })
  }
  // The last album is deleted; a member of it would see it otherwise.
  const last = made.at(-1)?.id ?? 0
  await albums.setMember(owner, last, { username: 'updater', role: 'manage' })
  await albums.remove(owner, last)
}

beforeAll(async () => {
  opened = await openRightsServer()
  const { make, collection, library } = opened
  openCollection = await collection('public')
  closedCollection = await make.collection({ name: 'zanzibar-closed' })
  const plain = { category: [], author: [], people: [], objects: [], placed: false, rating: null, inAlbum: false }
  // The items that the server already has; only its admin sees them.
  for (const { id, home } of library.db.all<{ id: number; home: number }>(
    'SELECT id, collection_id AS home FROM items',
  ))
    knownItems.push({
      ...plain,
      keywords: [],
      taken: '2020-01-01',
      id,
      collection: home,
      hidden: false,
      recycled: false,
    })
  const beach = { ...plain, keywords: ['Beach'], taken: '2020-01-01' }
  shownId = await make.item({
    collection: openCollection,
    name: 'shown.jpg',
    keywords: beach.keywords,
    taken: beach.taken,
  })
  knownItems.push({ ...beach, id: shownId, collection: openCollection, hidden: false, recycled: false, inAlbum: true })
  await make.keystring('Locked', { hidesItems: true })
  // An item that everybody may see has these words too: their counts must not include the items below.
  const common = { category: ['Common'], author: ['Common'], people: ['Common person'], objects: ['Common thing'] }
  const both = { ...common, keywords: ['Common'], taken: '1901-01-01', rating: 5 }
  commonId = await make.item({
    collection: openCollection,
    ...both,
    place: { latitude: 11, longitude: 20, placeName: 'Common' },
  })
  knownItems.push({
    ...both,
    id: commonId,
    collection: openCollection,
    hidden: false,
    recycled: false,
    placed: true,
    inAlbum: true,
  })
  const createCanary = async (canary: Canary, inCollection: number, also: string[]) => {
    const word = canaries[canary]
    const words = {
      keywords: [`keyword ${word}`, 'Common', ...also],
      category: [`category ${word}`, 'Common'],
      author: [`author ${word}`, 'Common'],
      people: [`person ${word}`, 'Common person'],
      objects: [`object ${word}`, 'Common thing'],
      taken: `190${ids.size}-01-01`,
      rating: 5,
    }
    const id = await make.item({
      ...words,
      collection: inCollection,
      folder: `folder-${word}`,
      name: `${word}.jpg`,
      description: `description ${word}`,
      content: `content-${word}`,
      place: { latitude: 10 + ids.size, longitude: 20, placeName: `place ${word}` },
    })
    ids.set(canary, id)
    const path = `folder-${word}/${word}.jpg`
    await library.db.transact(terminalViewer, tx => {
      tx.run(
        "INSERT INTO problems (collection_id, item_id, path, code, reason, at) VALUES (?, ?, ?, 'unreadable', ?, 1)",
        inCollection,
        id,
        path,
        `${path} cannot be read`,
      )
      tx.run('INSERT INTO safety_stop_items (collection_id, item_id) VALUES (?, ?)', inCollection, id)
      tx.run(
        "UPDATE collections SET safety_stop = 'Too many are gone', safety_stop_items = 1 WHERE id = ?",
        inCollection,
      )
      tx.run(
        `INSERT INTO jobs (kind, collection_id, input, state, message, created_at, started_at, lease_until)
         VALUES ('scan', ?, '{}', 'running', ?, 1, 1, 99999999999999)`,
        inCollection,
        path,
      )
      tx.history({ operation: 'item.tag', collectionId: inCollection, itemId: id, before: { path }, after: { path } })
      tx.history({ operation: 'file.move', collectionId: inCollection, itemId: id, before: { path }, after: { path } })
    })
    const [hidden, recycled] = [canary === 'hidden', canary === 'recycled']
    knownItems.push({ ...words, id, collection: inCollection, hidden, recycled, placed: true, inAlbum: true })
  }
  await createCanary('private', closedCollection, [])
  await createCanary('hidden', openCollection, ['Locked'])
  await createCanary('recycled', openCollection, [])
  await createAlbums(opened, [commonId, shownId, ...ids.values()])
  await library.db.transact(terminalViewer, tx => {
    tx.run('UPDATE items SET deleted = unixepoch() WHERE id = ?', ids.get('recycled') ?? 0)
    tx.event(channels.collection(closedCollection), {
      action: 'update',
      item: { id: ids.get('private'), collection_id: closedCollection },
    })
  })
  // A user who could see all these items shared them.
  shares = await Promise.all([...ids.values()].map(id => opened?.share(id) ?? ''))
  await createLinks(opened)
}, 60_000)
afterAll(async () => {
  await opened?.close()
})
function testServer(): RightsServer {
  if (opened === null) throw new Error('the server is not open')
  return opened
}

/**
 * The canaries that each caller may not see. Only the admin, who has not unlocked, sees the closed collection and the
 * names of all users. The albums belong to a user who is not one of the callers.
 */
const callers = (
  [
    { kind: 'anonymous', unseen: ['private', 'hidden', 'recycled'] },
    { kind: 'outsider', unseen: ['private', 'hidden', 'recycled'] },
    { kind: 'viewer', unseen: ['private', 'hidden', 'recycled'] },
    { kind: 'creator', unseen: ['private', 'hidden', 'recycled'] },
    { kind: 'foreignValue', unseen: ['private', 'hidden', 'recycled'] },
    { kind: 'updater', unseen: ['private', 'hidden'] },
    { kind: 'unlocked', unseen: ['private', 'recycled'] },
    { kind: 'device', unseen: ['private', 'hidden', 'recycled'] },
    { kind: 'forged', unseen: ['private', 'hidden', 'recycled'] },
    { kind: 'share', unseen: ['private', 'hidden', 'recycled'] },
    { kind: 'admin', unseen: ['hidden'] },
  ] satisfies { kind: CallerKind; unseen: Canary[] }[]
).map(({ kind, unseen }) => ({
  kind,
  unseen: [...unseen, 'album', ...(kind === 'admin' ? [] : ['member'])] as Canary[],
}))

/** `items.explain` repeats the query. Returns '' if the response to an unused word is the same, else `text`. */
async function withoutEcho(kind: CallerKind, url: string, text: string): Promise<string> {
  const nobody = 'gallimimus'
  const word = Object.values(canaries).find(one => url.includes(one))
  if (word === undefined) return text
  const control = await testServer().send(kind, 'GET', url.replaceAll(word, nobody), undefined)
  return text === (await control.text()).replaceAll(nobody, word) ? '' : text
}

/** Values of a query field that might find the items. */
function valuesToTry(name: string): string[] {
  const words = Object.values(canaries)
  if (name === 'q') {
    return words.flatMap(word => [
      word,
      `keyword:${word}`,
      `person:${word}`,
      `place:${word}`,
      `file:${word}`,
      `NOT ${word}`,
      `album:${word}`,
      `album:"name ${word}"`,
    ])
  }
  if (name === 'filtergroups') {
    return words.map(text => JSON.stringify([[{ type: 'Keyword', mode: 0, id: 0, text }]]))
  }
  if (name === 'includeHidden') return ['true', '1', testServer().values.get('unlocked') ?? '']
  if (name === 'bbox') return ['-180,-90,180,90']
  if (name === 'items') return [[...ids.values()].join(',')]
  if (name === 'kind') return ['exact', 'near']
  if (name === 'state') return ['all']
  if (name === 'onthisday') return ['UTC']
  if (name === 'album') return [...Object.values(shownAlbums), membersAlbum, ...otherAlbums].map(String)
  if (name === 'item') return [...ids.values()].map(String)
  return []
}

/** Whoever may update at least one collection sees all names (authorisation.md), but not the items that have them. */
const wholeVocabulary = new Set([
  'people.list',
  'people.names',
  'objects.list',
  'keystrings.listAll',
  'bytes.exportPeople',
])

interface Address {
  name: string
  url: string
}

const readable = [
  ...Object.entries(calls).flatMap(([group, table]) =>
    Object.entries<Endpoint>(table).map(([name, call]) => ({ name: `${group}.${name}`, ...call })),
  ),
  ...Object.entries(byteRoutes).map(([name, route]) => ({ name: `bytes.${name}`, ...route })),
].filter(({ method, name }) => method === 'GET' && name !== 'users.logout' && name !== 'users.renew')

/** Every reading address, with every id and every value that might find the items. */
function* addresses(): Generator<Address> {
  for (const { name, path, query } of readable) {
    const subjects: (number | string)[] = path.includes(':')
      ? [0, openCollection, closedCollection, ...ids.values(), 1, 2, 3, 4, 5]
      : [0]
    if (path.includes(':name')) subjects.push(...shares, ...links)
    if (path.startsWith('/v1/albums/')) subjects.push(...Object.values(shownAlbums), membersAlbum, ...otherAlbums)
    for (const id of subjects) {
      const others: Record<string, string> = {
        tag: 'Keywords',
        ...(typeof id === 'string' ? { id: String(ids.get('private')) } : {}),
      }
      const filled = path.replace(/:(\w+)/g, (_, part: string) => others[part] ?? String(id))
      yield { name, url: filled }
      for (const field of fieldsOf(query)) {
        for (const value of valuesToTry(field.name))
          yield { name, url: `${filled}?${field.name}=${encodeURIComponent(value)}` }
      }
    }
  }
}

/** The canaries in a response. Links and errors may repeat the request: that reveals nothing. */
function findCanaries(text: string, url: string, unseen: readonly Canary[]): string[] {
  const request = decodeURIComponent(url)
  return unseen
    .filter(canary => {
      const word = canaries[canary]
      const count = text.toLowerCase().split(word).length - 1
      if (count === 0) return false
      const withoutLinks = text.replace(/"(self|first|prev|next|last)":"[^"]*"/g, '').toLowerCase()
      const inError = /^\{"error"/.test(text) && request.includes(word)
      return withoutLinks.includes(word) && !inError
    })
    .map(canary => `${canary} (${canaries[canary]})`)
}

describe('what a user may not see', () => {
  for (const { kind, unseen } of callers) {
    test(`is in no response to ${kind}`, async () => {
      const leaks: string[] = []
      let requests = 0
      for (const { name, url } of addresses()) {
        if ((kind === 'updater' || kind === 'admin') && wholeVocabulary.has(name)) continue
        const response = await testServer().send(kind, 'GET', url, undefined)
        requests++
        const type = response.headers.get('content-type') ?? ''
        const headers = [...response.headers].map(([key, value]) => `${key}: ${value}`).join('\n')
        const text = /json|text|csv/.test(type)
          ? await response.text()
          : Buffer.from(await response.arrayBuffer()).toString('latin1')
        const checked = name === 'items.explain' ? await withoutEcho(kind, url, text) : text
        for (const word of findCanaries(checked, url, unseen)) leaks.push(`${name} ${url} contains ${word}`)
        for (const word of findCanaries(headers, url, unseen))
          leaks.push(`${name} ${url} contains ${word} in its headers`)
      }
      expect(leaks).toEqual([])
      expect(requests).toBeGreaterThan(500)
    }, 240_000)
  }
})

/** The responses to everything that might reveal a user's favourites, for a few callers. */
async function responsesAboutFavourites(): Promise<string[]> {
  const found: string[] = []
  const terms = ['favourite:yes', 'favourite:no', 'NOT favourite:yes'].map(term => `?q=${encodeURIComponent(term)}`)
  // The audit log lists the refusals of this test, and archives contain the time.
  for (const { name, path, query } of readable.filter(one => one.name !== 'audit.list')) {
    const queries = fieldsOf(query).some(field => field.name === 'q') ? ['', ...terms] : ['']
    const subjects = path.includes(':') ? [0, openCollection, commonId, shownAlbums.hand] : [0]
    const urls = subjects.flatMap(id => {
      const url = path.replace(':tag', 'Keywords').replace(/:\w+/g, String(id))
      return queries.map(more => `${url}${more}`)
    })
    for (const kind of ['anonymous', 'viewer', 'admin'] as const)
      for (const url of urls) {
        const response = await testServer().send(kind, 'GET', url, undefined)
        const { status, headers } = response
        const body = await response.text()
        const text = headers.get('content-type') === 'application/zip' ? '' : body.replace(/"event":\d+/, '')
        found.push([kind, name, url, status, [...headers].join(), text].join(' '))
      }
  }
  return found
}

test('no response and no event reveals the favourites of another user', async () => {
  const { favourites, db } = testServer().library
  const items = [commonId, shownId]
  await favourites.set(viewerOf('viewer'), { items: [shownId], favourite: true })
  const before = await responsesAboutFavourites()
  const newest = newestEvent(db)
  expect(await favourites.set(viewerOf('owner'), { items, favourite: true })).toEqual({ changed: 2 })
  const events = db.all<{ channel: string }>('SELECT channel FROM events WHERE id > ?', newest)
  expect(events).toEqual([{ channel: channels.rpc(String(testServer().idOf('owner'))) }])
  expect(await responsesAboutFavourites()).toEqual(before)
}, 60_000)

test('a link contains people and places only with details, and nothing else', async () => {
  const { library } = testServer()
  const password = await Bun.password.hash('boat', { algorithm: 'argon2id', memoryCost: 1024, timeCost: 1 })
  const expires = null
  for (const subject of linkSubjects)
    for (const details of [false, true])
      for (const originals of [false, true]) {
        const { id, name } = await library.links.create(viewerOf('admin'), { ...subject, expires, details, originals })
        const get = async (path: string, key = '') => {
          const response = await testServer().send('anonymous', 'GET', `/v1/link/${name}${path}${key}`, undefined)
          return { status: response.status, text: await response.text() }
        }
        const check = async (key: string) => {
          const page = await get('', key)
          const list = await get('/items', key)
          const { items, total }: { items: LinkedItem[]; total: number } = JSON.parse(list.text)
          expect(total).toBe(items.length)
          expect(JSON.parse(page.text).link.items).toBe(total)
          expect(items.map(item => item.id)).toContain(ids.get('private') ?? 0)
          const of = items.find(item => item.id === ids.get('private'))
          const word = canaries.private
          expect([of?.place, of?.people]).toEqual(
            details ? [`place ${word}`, [`person ${word}`, 'Common person']] : [null, null],
          )
          const rest = JSON.stringify(items.map(({ place: _, people: __, ...item }) => item))
          const texts = `${page.text}${rest}`.toLowerCase()
          const secrets = [...Object.values(canaries), 'common', 'keyword', 'collection', 'person":']
          expect(secrets.filter(secret => texts.includes(secret))).toEqual([])
          for (const hidden of ['hidden', 'recycled'] as const) {
            expect(list.text).not.toContain(canaries[hidden])
            expect(items.map(item => item.id)).not.toContain(ids.get(hidden))
          }
          const download = await get('/download', key)
          expect(download.status).toBe(200)
          if (!(originals && details))
            expect(secrets.filter(secret => download.text.toLowerCase().includes(secret))).toEqual([])
        }
        await check('')
        await library.db.transact(terminalViewer, tx =>
          tx.run('UPDATE links SET password_hash = ? WHERE id = ?', password, id),
        )
        expect(JSON.parse((await get('')).text)).toEqual({ link: null })
        for (const path of ['/items', '/download', `/image/${commonId}`]) expect((await get(path)).status).toBe(404)
        await check(`?key=${(await library.links.unlock(name, 'boat', '192.0.2.1')).key}`)
      }
}, 60_000)

/** How often each name occurs. */
function countNames(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

interface Counted {
  itemcount: number
}

describe('counts', () => {
  for (const { kind } of callers.filter(one => one.kind !== 'device')) {
    test(`that ${kind} receives include only items that they may see`, async () => {
      const get = async (path: string) => {
        const value = testServer().values.get(kind)
        const more = value === undefined ? '' : `${path.includes('?') ? '&' : '?'}includeHidden=${value}`
        const response = await testServer().send(kind, 'GET', `${path}${more}`, undefined)
        return JSON.parse(await response.text())
      }
      // The gallery does not list the recycled item; only the admin sees the closed collection.
      const isAdmin = kind === 'admin'
      const isMember = roles[kind] !== undefined
      const seen = knownItems.filter(
        one => (isAdmin || one.collection === openCollection) && !one.recycled && (!one.hidden || kind === 'unlocked'),
      )
      const seenIn = (collection: number) => seen.filter(one => collection === 0 || one.collection === collection)
      const totals: (readonly [query: string, of: (one: KnownItem) => boolean])[] = [
        ['', () => true],
        ['q=common', one => one.keywords.includes('Common')],
        ['q=keyword:common', one => one.keywords.includes('Common')],
        ['q=person:common', one => one.people.includes('Common person')],
        ['q=object:common', one => one.objects.includes('Common thing')],
        ['q=NOT%20common', one => !one.keywords.includes('Common')],
        ['q=rating:5', one => one.rating === 5],
        ['q=year:1901', one => one.taken.startsWith('1901')],
        ['startMonth=1', () => true],
        ['latitude=11&longitude=20&radius=500000', one => one.placed],
        ['q=locked', one => one.hidden],
        [`album=${shownAlbums.hand}`, one => one.inAlbum],
        [`album=${shownAlbums.search}`, one => one.category.includes('Common')],
        [`album=${shownAlbums.folder}`, one => one.inAlbum],
        ['q=album:"Common%20album"', one => one.inAlbum],
        ['q=NOT%20album:"Common%20album"', one => !one.inAlbum],
        [`album=${membersAlbum}`, one => isMember && one.inAlbum],
        ...otherAlbums.map(id => [`album=${id}`, () => false] as const),
      ]
      for (const [query, of] of totals) {
        for (const collection of [0, openCollection, closedCollection]) {
          const expected = seenIn(collection).filter(of)
          const list = await get(`/v1/item/list/${collection}?${query}`)
          const returned = list.items.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b)
          expect([query, list._meta.total_records, returned]).toEqual([
            query,
            expected.length,
            expected.map(({ id }) => id).sort((a, b) => a - b),
          ])
          const timeline = await get(`/v1/item/timeline/${collection}?${query}`)
          const months = Object.fromEntries(
            timeline.months.map(({ year, count }: { year: number; count: number }) => [year, count]),
          )
          expect([query, timeline.total_records, months]).toEqual([
            query,
            expected.length,
            countNames(expected.map(({ taken }) => taken.slice(0, 4))),
          ])
          const layout = await get(`/v1/item/layout/${collection}?${query}`)
          const laidOut = layout.months.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
          expect([query, laidOut]).toEqual([query, expected.length])
          const days: Record<string, unknown[]> = await get(
            `/v1/item/onthisday/${collection}?${query}&onthisday=UTC&day=01-01`,
          )
          expect([query, Object.fromEntries(Object.entries(days).map(([year, list]) => [year, list.length]))]).toEqual([
            query,
            months,
          ])
          const places = await get(`/v1/geojson/features/${collection}?${query}`)
          expect([query, places._meta.total_records]).toEqual([query, expected.filter(one => one.placed).length])
        }
      }
      const inHandAlbum = seen.filter(one => one.inAlbum)
      const times = inHandAlbum.map(({ taken }) => secondsOf(taken)).sort((a, b) => a - b)
      const { albums: listed }: { albums: Album[] } = await get('/v1/albums')
      expect(listed.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
        [...Object.values(shownAlbums), ...(isMember ? [membersAlbum] : [])].sort((a, b) => a - b),
      )
      expect(listed.find(({ id }) => id === membersAlbum)?.role).toBe(roles[kind])
      for (const [id, of, from, to] of [
        [shownAlbums.hand, inHandAlbum, times[0], times.at(-1)],
        [shownAlbums.search, seen.filter(one => one.category.includes('Common')), null, null],
        ...(isMember ? [[membersAlbum, inHandAlbum, times[0], times.at(-1)] as const] : []),
      ] as const) {
        const album = await get(`/v1/albums/${id}`)
        expect({ ...album, cover: of.some(one => one.id === album.cover?.id) }).toMatchObject({
          items: of.length,
          from,
          to,
          cover: true,
        })
      }
      const byHand = await get(`/v1/item/list/0?album=${shownAlbums.hand}&sort=hand`)
      expect(byHand.items.map((one: { id: number }) => one.id)).toEqual(
        [commonId, shownId, ...ids.values()].filter(id => inHandAlbum.some(one => one.id === id)),
      )
      for (const one of knownItems) {
        const { albums } = await get(`/v1/albums?item=${one.id}`)
        const isShown = inHandAlbum.some(({ id }) => id === one.id)
        expect(albums.map(({ id }: Album) => id)).toEqual(
          isShown ? [...(isMember ? [membersAlbum] : []), shownAlbums.hand] : [],
        )
      }
      const collections: { id: number; itemcount: number }[] = await get('/v1/collection')
      expect(collections.find(({ id }) => id === openCollection)?.itemcount).toBe(seenIn(openCollection).length)
      expect(collections.find(({ id }) => id === 0)?.itemcount).toBe(seen.length)
      expect(collections.some(({ id }) => id === closedCollection)).toBe(isAdmin)

      // A caller who may update at least one collection sees all names, but not the items that have them.
      const isEditor = kind === 'updater' || isAdmin
      const inUse = <T extends Counted>(list: T[]) => list.filter(({ itemcount }) => !isEditor || itemcount > 0)
      const counted = <T extends Counted>(list: T[], nameOf: (one: T) => string) =>
        Object.fromEntries(inUse(list).map(one => [nameOf(one), one.itemcount]))
      const people: (Counted & { names: { name: string }[] })[] = await get('/v1/person')
      expect(counted(people, one => one.names[0]?.name ?? '')).toEqual(countNames(seen.flatMap(one => one.people)))
      const shown: { name: string; count: number }[] = await get('/v1/person/overview')
      expect(Object.fromEntries(shown.map(({ name, count }) => [name, count]))).toEqual(
        countNames(seen.flatMap(one => one.people)),
      )
      const things: (Counted & { name: string })[] = await get('/v1/object')
      expect(counted(things, one => one.name)).toEqual(countNames(seen.flatMap(one => one.objects)))
      const contents = (list: (Counted & { content: string })[]) => counted(list, one => one.content)
      for (const [tag, of] of [
        ['Keywords', (one: KnownItem) => one.keywords],
        ['Category', (one: KnownItem) => one.category],
        ['Author', (one: KnownItem) => one.author],
      ] as const) {
        expect([tag, contents(await get(`/v1/keystrings/bytag/${tag}`))]).toEqual([tag, countNames(seen.flatMap(of))])
      }
      const all = countNames(seen.flatMap(one => [...new Set([...one.keywords, ...one.category, ...one.author])]))
      expect(contents(await get('/v1/keystrings'))).toEqual(all)
      if (isEditor) expect(contents(await get('/v1/keystrings/list-all'))).toEqual(all)
    })
  }
})

test('the same calls find items that the caller may see', async () => {
  const response = await testServer().send('anonymous', 'GET', '/v1/item/list/0?q=beach', undefined)
  expect(await response.text()).toContain(`"id":${shownId}`)
  const admin = await testServer().send('admin', 'GET', `/v1/item/list/0?q=${canaries.private}`, undefined)
  expect(await admin.text()).toContain(canaries.private)
  for (const name of links) {
    const ofLink = await testServer().send('anonymous', 'GET', `/v1/link/${name}/items`, undefined)
    expect(await ofLink.text()).toContain(`"id":${ids.get('private')},`)
  }
  const { albums, db } = testServer().library
  const texts = JSON.stringify(albums.list(viewerOf('owner')))
  for (const word of ['album', 'member'] as const) expect(texts.split(canaries[word]).length).toBeGreaterThan(2)
  expect(db.all('SELECT 1 FROM album_items').length).toBe(4 * (ids.size + 2))
})
