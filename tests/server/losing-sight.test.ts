/** Whoever loses sight of an item loses it at once in every album, list of favourites and link; open pages are told. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { newestEvent } from '../../core/kernel/events.ts'
import type { Album } from '../../schema/api/albums.ts'
import type { ItemPage } from '../../schema/api/items.ts'
import type { Link, LinkedItem } from '../../schema/api/shares.ts'
import { channels } from '../../schema/realtime.ts'
import { picture } from '../support/scanning-library.ts'
import { openTestServer } from '../support/test-server.ts'

const testServer = openTestServer()
const { library, send, sendJson } = testServer
let made = 0
let admin = ''
beforeAll(async () => {
  admin = (await testServer.user('admin', { globalAdmin: true })).token
  await library.db.transact(terminalViewer, tx =>
    tx.run("INSERT INTO keystrings (content, content_key, is_associated_items_hidden) VALUES ('Secret', 'secret', 1)"),
  )
})
afterAll(() => testServer.close())

async function call<Result>(method: string, path: string, who: string | null, body?: unknown): Promise<Result> {
  const { status, json } = await sendJson(method, path, who, body)
  expect({ path, json, isDone: status < 300 }).toEqual({ path, json, isDone: true })
  return json as Result
}

async function runJob(id: number): Promise<void> {
  expect(await library.jobs.run(id)).toMatchObject({ state: 'done' })
}

/** A collection with one picture, of Mia. */
async function collectionWithPicture(name: string, userId: number) {
  const id = await testServer.collection(name)
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
    <Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Mia</rdf:li></rdf:Bag></Iptc4xmpExt:PersonInImage>
    </rdf:Description></rdf:RDF></x:xmpmeta>`
  const bytes = await picture({ seed: ++made, width: 64, xmp })
  writeFileSync(join(testServer.directory, name, `${name}.jpg`), bytes)
  await runJob(await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: id }, { inProcess: true }))
  const { id: group } = await library.groups.create(terminalViewer, { name, view: true })
  await library.groups.attach(terminalViewer, { collectionId: id, accessId: group })
  await library.db.transact(terminalViewer, tx =>
    tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', group, userId),
  )
  const item = library.db.get<{ id: number }>('SELECT id FROM items WHERE collection_id = ?', id)?.id ?? 0
  return { id, group, item }
}

/**
 * A user with a picture that they are about to lose, and one that they keep. Both are in an album by hand, whose cover is
 * the first one, in an album by a search, in the user's favourites, and in links to all that can be linked to.
 */
async function openScene(username: string) {
  const { id: userId, token } = await testServer.user(username)
  const lost = await collectionWithPicture(`lost ${username}`, userId)
  const kept = await collectionWithPicture(`kept ${username}`, userId)
  const items = [lost.item, kept.item]
  const create = (body: object) => call<Album>('POST', '/v1/albums', token, body)
  const hand = await create({ kind: 'hand', name: 'Summer', items })
  const search = await create({ kind: 'search', name: 'Mia', query: { q: 'person:Mia' } })
  await call('PUT', `/v1/albums/${hand.id}`, token, { cover: lost.item })
  await call('PUT', '/v1/favourites', token, { items, favourite: true })
  const [shown] = (await call<ItemPage>('GET', '/v1/item/list/0', token)).items
  const subjects = [
    { items },
    { album: hand.id },
    { album: search.id },
    { person: shown?.tags.People?.data[0]?.person },
  ]
  const links: Link[] = []
  for (const subject of subjects)
    links.push(await call('POST', '/v1/links', token, { ...subject, expires: null, originals: true }))

  return {
    username,
    userId,
    token,
    lost,
    kept,
    links,
    /** Ids of the items that each of these contains, or null if its own count is different. */
    async seen() {
      const found: Record<string, number[] | null> = {}
      const add = (what: string, ids: number[], total: number) => {
        found[what] = ids.length === total ? ids.sort((a, b) => a - b) : null
      }
      const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id)
      for (const { id, kind } of [hand, search]) {
        const { albums } = await call<{ albums: Album[] }>('GET', '/v1/albums', token)
        const album = albums.find(one => one.id === id)
        const { items } = await call<ItemPage>('GET', `/v1/item/list/0?album=${id}`, token)
        const timeline = await call<{ total_records: number }>('GET', `/v1/item/timeline/0?album=${id}`, token)
        add(`album by ${kind}`, idsOf(items), album?.items ?? 0)
        add(`timeline of album by ${kind}`, idsOf(items), timeline.total_records)
        found[`cover of album by ${kind}`] = album?.cover == null ? [] : [album.cover.id]
      }
      const favourites = await call<ItemPage>('GET', '/v1/item/list/0?q=favourite:yes', token)
      add(
        'favourites',
        (await call<{ items: number[] }>('GET', '/v1/favourites', token)).items,
        favourites.items.length,
      )
      const own = await call<{ links: Link[] }>('GET', '/v1/links', token)
      for (const [n, { id, name }] of links.entries()) {
        const page = await call<{ items: LinkedItem[] }>('GET', `/v1/link/${name}/items`, null)
        const { link } = await call<{ link: { items: number } | null }>('GET', `/v1/link/${name}`, null)
        const listed = own.links.find(one => one.id === id)
        add(`link ${n}`, idsOf(page.items), link?.items ?? 0)
        add(`listed link ${n}`, idsOf(page.items), listed?.items ?? 0)
        const responses = [lost.item, kept.item].map(item => send('GET', `/v1/link/${name}/image/${item}`))
        const statuses = (await Promise.all(responses)).map(({ status }) => status)
        found[`bytes of link ${n}`] = [lost.item, kept.item].filter((_, at) => statuses[at] === 200)
      }
      return found
    },
  }
}
type Scene = Awaited<ReturnType<typeof openScene>>

const save = (item: number, tagName: string, data: unknown) =>
  call('PUT', `/v1/item/${item}/tag/${tagName}`, admin, { data })

/** What may happen to the first picture, or to the user's right; and what prepares it. */
const causes: [
  what: string,
  happen: (scene: Scene) => Promise<unknown>,
  prepare?: (scene: Scene) => Promise<unknown>,
][] = [
  ['leaving', ({ lost, username }) => call('DELETE', `/v1/users/access/${lost.group}/${username}`, admin)],
  ['detached', ({ lost }) => call('DELETE', `/v1/collection/access/${lost.id}/${lost.group}`, admin)],
  ['powerless', ({ lost }) => call('PUT', `/v1/access/${lost.group}`, admin, { group: { view: false } })],
  ['hidden', ({ lost }) => save(lost.item, 'Keywords', ['Secret'])],
  [
    'hiding',
    async () => {
      const row = library.db.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'Attic'")
      await call('PUT', `/v1/keystrings/${row?.id}`, admin, { isHidden: true, isAssociatedItemsHidden: true })
    },
    ({ lost }) => save(lost.item, 'Keywords', ['Attic']),
  ],
  ['recycled', ({ lost }) => call('DELETE', `/v1/item/${lost.item}`, admin)],
  [
    'moved',
    async ({ lost }) => {
      const closed = await testServer.collection('Closed')
      const { taskid } = await call<{ taskid: number }>('PUT', `/v1/collection/transfer/${closed}`, admin, {
        items: [lost.item],
      })
      await runJob(taskid)
    },
  ],
]

for (const [what, happen, prepare] of causes) {
  test(`${what}: the picture is in nothing any more`, async () => {
    const scene = await openScene(what)
    await prepare?.(scene)
    const before = await scene.seen()
    const both = [scene.lost.item, scene.kept.item].sort((a, b) => a - b)
    expect(before['cover of album by hand']).toEqual([scene.lost.item])
    for (const [name, ids] of Object.entries(before))
      if (!name.startsWith('cover')) expect({ name, ids }).toEqual({ name, ids: both })
    const newest = newestEvent(library.db)
    await happen(scene)
    for (const [name, ids] of Object.entries(await scene.seen()))
      expect({ name, ids }).toEqual({ name, ids: [scene.kept.item] })
    // Pages listen to these channels, and load what they show again.
    const told = library.db.all<{ channel: string }>('SELECT channel FROM events WHERE id > ?', newest)
    const heard = [channels.collection(scene.lost.id), channels.rights]
    expect(told.some(({ channel }) => heard.includes(channel))).toBe(true)
  }, 60_000)
}

test('the links of a user who is disabled are not found any more', async () => {
  const { userId, token, links, lost } = await openScene('disabled')
  await call('PUT', `/v1/users/${userId}/disabled`, admin, { disabled: true })
  for (const { name } of links)
    for (const path of ['', '/items', `/image/${lost.item}`, '/download'])
      expect((await send('GET', `/v1/link/${name}${path}`)).status).toBe(404)
  for (const path of ['/v1/favourites', '/v1/links']) expect((await send('GET', path, token)).status).toBe(401)
}, 60_000)
