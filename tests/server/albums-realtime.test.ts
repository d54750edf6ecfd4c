import { afterAll, beforeAll, expect, test } from 'bun:test'
import { terminalViewer, type Viewer } from '../../core/accounts/access.ts'
import type { Album } from '../../schema/api/albums.ts'
import type { ItemPage } from '../../schema/api/items.ts'
import { channels } from '../../schema/realtime.ts'
import { type LibraryWithServer, openLibraryWithServer } from '../support/library-with-server.ts'

let opened: LibraryWithServer | null = null
function testServer(): LibraryWithServer {
  if (opened === null) throw new Error('the server is not open')
  return opened
}
beforeAll(async () => {
  opened = await openLibraryWithServer()
  await opened.address()
})
afterAll(async () => {
  await opened?.close()
})

let albumCount = 0

/** An album by hand with three items, its owner, and a member who sees them and listens to `albums`. */
async function sharedAlbum() {
  const { library, collection, user, giveRight, connect, address } = testServer()
  const { id: collectionId, items } = await collection()
  const names = [`owner ${++albumCount}`, `member ${albumCount}`] as const
  const [owner, member] = [await user(names[0]), await user(names[1])]
  await giveRight(collectionId, owner.id)
  const group = await giveRight(collectionId, member.id)
  const viewer: Viewer = (await library.sessions.of(owner.token))?.viewer ?? terminalViewer
  const { id } = await library.albums.create(viewer, { kind: 'hand', name: `Album ${albumCount}`, items })
  await library.albums.setMember(viewer, id, { username: names[1], role: 'view' })
  const client = await connect(member.token)
  expect((await client.request('subscribe', { channels: [channels.albums] })).refused).toEqual([])

  async function get<Answer>(path: string): Promise<Answer> {
    const response = await fetch(`${await address()}${path}`, { headers: { authorization: `Bearer ${member.token}` } })
    return JSON.parse(await response.text())
  }
  return {
    library,
    viewer,
    id,
    items,
    group,
    username: names[1],
    client,
    /**
     * How many items of the album the member sees. `listed`: in the list of albums, null if the album is not there;
     * `pages`: the different counts that the pages of its items give.
     */
    async visibleCounts() {
      const { albums } = await get<{ albums: Album[] }>('/v1/albums')
      const album = albums.find(one => one.id === id)
      const counts = new Set<number>()
      for (const more of ['', '&sort=hand', '&sort=name']) {
        const page = await get<ItemPage>(`/v1/item/list/0?album=${id}${more}`)
        counts.add(page.items.length).add(page._meta.total_records)
        const { months } = await get<{ months: { count: number }[] }>(`/v1/item/layout/0?album=${id}${more}`)
        counts.add(months.reduce((sum, { count }) => sum + count, 0))
      }
      counts.add((await get<ItemPage>(`/v1/item/list/0?q=album:"Album ${albumCount}"`)).items.length)
      counts.add((await get<{ total_records: number }>(`/v1/item/timeline/0?album=${id}`)).total_records)
      return { listed: album?.items ?? null, pages: [...counts], hasCover: album !== undefined && album.cover !== null }
    },
    /** The next message about a change, without the number of its event. */
    async nextChange() {
      const { message } = await client.nextMessage(({ channel }) => channel === channels.albums)
      return message
    },
  }
}

const anyAlbum = { action: 'update', album: {}, context: 'album' } as const

test('items leave an album at once when they are hidden or recycled, or the member loses the right to see them', async () => {
  const { library, items, group, visibleCounts } = await sharedAlbum()
  expect(await visibleCounts()).toEqual({ listed: 3, pages: [3], hasCover: true })
  await library.db.transact(terminalViewer, tx =>
    tx.run('UPDATE items SET hidden_by = hidden_by + 1 WHERE id = ?', items[0] ?? 0),
  )
  expect(await visibleCounts()).toEqual({ listed: 2, pages: [2], hasCover: true })
  await library.as(terminalViewer).items.remove({ params: { id: items[1] ?? 0 } })
  expect(await visibleCounts()).toEqual({ listed: 1, pages: [1], hasCover: true })
  await library.db.transact(terminalViewer, tx => {
    tx.run('DELETE FROM access_members WHERE group_id = ?', group)
    tx.event(channels.rights, { action: 'update' })
  })
  expect(await visibleCounts()).toEqual({ listed: 0, pages: [0], hasCover: false })
}, 60_000)

test('a member who is removed loses the album, and only learns that some album has changed', async () => {
  const { library, viewer, id, username, visibleCounts, nextChange, client } = await sharedAlbum()
  client.unread.length = 0
  await library.albums.update(viewer, id, { name: `Album ${albumCount}`, description: 'New' })
  expect(await nextChange()).toEqual(anyAlbum)
  await library.albums.setMember(viewer, id, { username, role: null })
  expect(await nextChange()).toEqual(anyAlbum)
  expect(await visibleCounts()).toEqual({ listed: null, pages: [0], hasCover: false })
}, 60_000)

test('a deleted album is gone for its members, and visitors only learn that some album has changed', async () => {
  const { library, viewer, id, visibleCounts, nextChange, client } = await sharedAlbum()
  const visitor = await testServer().connect(null)
  expect((await visitor.request('subscribe', { channels: [channels.albums] })).refused).toEqual([])
  client.unread.length = 0
  await library.albums.remove(viewer, id)
  expect(await nextChange()).toEqual(anyAlbum)
  expect((await visitor.nextMessage(({ channel }) => channel === channels.albums)).message).toEqual(anyAlbum)
  expect(await visibleCounts()).toEqual({ listed: null, pages: [0], hasCover: false })
}, 60_000)
