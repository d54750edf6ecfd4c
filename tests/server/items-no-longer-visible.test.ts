/**
 * An item that a user may no longer see disappears at once from the user's albums, favourites and links, and open pages
 * are notified.
 */
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
let pictureCount = 0
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
  const bytes = await picture({ seed: ++pictureCount, width: 64, xmp })
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
async function createScenario(username: string) {
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
    /** Ids of the items in each album, link and list, or null if its count differs from the number of its items. */
    async listContents() {
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
type Scenario = Awaited<ReturnType<typeof createScenario>>

const save = (item: number, tagName: string, data: unknown) =>
  call('PUT', `/v1/item/${item}/tag/${tagName}`, admin, { data })

/** Why the user may no longer see the first picture, how it happens, and what prepares it. */
const causes: [
  why: string,
  happen: (scenario: Scenario) => Promise<unknown>,
  prepare?: (scenario: Scenario) => Promise<unknown>,
][] = [
  [
    'the user is removed from the access group',
    ({ lost, username }) => call('DELETE', `/v1/users/access/${lost.group}/${username}`, admin),
  ],
  [
    'the access group is detached from its collection',
    ({ lost }) => call('DELETE', `/v1/collection/access/${lost.id}/${lost.group}`, admin),
  ],
  [
    'the access group loses its right',
    ({ lost }) => call('PUT', `/v1/access/${lost.group}`, admin, { group: { view: false } }),
  ],
  ['it gets a keyword that hides items', ({ lost }) => save(lost.item, 'Keywords', ['Secret'])],
  [
    'its keyword is set to hide items',
    async () => {
      const row = library.db.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'Attic'")
      await call('PUT', `/v1/keystrings/${row?.id}`, admin, { isHidden: true, isAssociatedItemsHidden: true })
    },
    ({ lost }) => save(lost.item, 'Keywords', ['Attic']),
  ],
  ['it is recycled', ({ lost }) => call('DELETE', `/v1/item/${lost.item}`, admin)],
  [
    'it is moved to a collection that the user may not view',
    async ({ lost }) => {
      const closed = await testServer.collection('Closed')
      const { taskid } = await call<{ taskid: number }>('PUT', `/v1/collection/transfer/${closed}`, admin, {
        items: [lost.item],
      })
      await runJob(taskid)
    },
  ],
]

for (const [n, [why, happen, prepare]] of causes.entries()) {
  test(`a picture disappears from albums, favourites and links when ${why}`, async () => {
    const scenario = await createScenario(`user${n}`)
    await prepare?.(scenario)
    const before = await scenario.listContents()
    const both = [scenario.lost.item, scenario.kept.item].sort((a, b) => a - b)
    expect(before['cover of album by hand']).toEqual([scenario.lost.item])
    for (const [name, ids] of Object.entries(before))
      if (!name.startsWith('cover')) expect({ name, ids }).toEqual({ name, ids: both })
    const newest = newestEvent(library.db)
    await happen(scenario)
    for (const [name, ids] of Object.entries(await scenario.listContents()))
      expect({ name, ids }).toEqual({ name, ids: [scenario.kept.item] })
    // Pages subscribe to these channels, and load again what they show.
    const events = library.db.all<{ channel: string }>('SELECT channel FROM events WHERE id > ?', newest)
    const subscribed = [channels.collection(scenario.lost.id), channels.rights]
    expect(events.some(({ channel }) => subscribed.includes(channel))).toBe(true)
  }, 60_000)
}

test('the links of a user who is disabled are not found any more', async () => {
  const { userId, token, links, lost } = await createScenario('disabled')
  await call('PUT', `/v1/users/${userId}/disabled`, admin, { disabled: true })
  for (const { name } of links)
    for (const path of ['', '/items', `/image/${lost.item}`, '/download'])
      expect((await send('GET', `/v1/link/${name}${path}`)).status).toBe(404)
  for (const path of ['/v1/favourites', '/v1/links']) expect((await send('GET', path, token)).status).toBe(401)
}, 60_000)
