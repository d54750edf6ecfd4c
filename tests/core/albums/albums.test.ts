import { describe, expect, test } from 'bun:test'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { createAlbums } from '../../../core/albums/albums.ts'
import { planMerge } from '../../../core/editing/merge-duplicates-job.ts'
import type { Album } from '../../../schema/api/albums.ts'
import { failureWith, openAlbumLibrary as library } from '../../support/album-library.ts'
import { openEditingLibrary } from '../../support/editing-library.ts'
import { unlockValue } from '../../support/library.ts'

describe('an album by hand', () => {
  test('neither shows nor counts items that its viewer could not see outside the album', async () => {
    const { albums, ines, tom, uma, ids, itemIds, viewer, users } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.boat, ids.sea, ids.hills] })
    await albums.setMember(ines, id, { username: 'tom', role: 'view' })
    expect(albums.get(ines, id)).toMatchObject({ items: 3, own: true, role: 'manage', owner: { username: 'ines' } })
    expect(albums.get(tom, id)).toMatchObject({ items: 2, own: false, role: 'view' })
    expect(itemIds(ines, id)).toEqual([ids.boat, ids.hills, ids.sea])
    expect(itemIds(tom, id)).toEqual([ids.boat, ids.sea])
    // Ines and Uma have the same rights on the collections.
    expect(albums.list(uma)).toEqual([])
    expect(() => albums.get(uma, id)).toThrow(failureWith('notFound'))
    expect(itemIds(uma, id)).toEqual([])
    for (const outsider of [viewer(null), viewer(users.admin)]) {
      expect(albums.list(outsider)).toEqual([])
      expect(itemIds(outsider, id)).toEqual([])
    }
    expect(albums.list(terminalViewer)).toHaveLength(1)
  })

  test('hides hidden items from all but unlocked sessions', async () => {
    const { albums, viewer, users, ids, itemIds } = await library()
    const [ines, unlocked] = [viewer(users.ines), viewer(users.ines, { unlocked: true })]
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer' })
    expect(albums.setItems(ines, id, { add: [ids.hidden] })).rejects.toEqual(failureWith('notFound'))
    await albums.setItems(unlocked, id, { add: [ids.hidden, ids.sea] })
    expect(albums.get(ines, id).items).toBe(1)
    expect(albums.get(unlocked, id, { includeHidden: unlockValue }).items).toBe(2)
    expect(itemIds(ines, id)).toEqual([ids.sea])
    expect(albums.list(ines, { item: ids.hidden })).toEqual([])
    expect(albums.list(unlocked, { item: ids.hidden, includeHidden: unlockValue })).toHaveLength(1)
  })

  test('is shown to visitors when it is public, with only its public items', async () => {
    const { albums, viewer, ines, uma, ids, itemIds } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.sea, ids.hills] })
    await albums.update(ines, id, { public: true })
    const visitor = viewer(null)
    expect(albums.get(visitor, id)).toMatchObject({ items: 1, owner: null, members: [], role: 'view', public: true })
    expect(itemIds(visitor, id)).toEqual([ids.sea])
    const { id: own } = await albums.create(uma, { kind: 'hand', name: 'Mine' })
    expect(albums.update(uma, own, { public: true })).rejects.toEqual(failureWith('denied'))
    await albums.update(ines, id, { public: false })
    expect(albums.list(visitor)).toEqual([])
  })

  test('lets members view, add or manage', async () => {
    const { albums, ines, tom, ids, viewer } = await library()
    const items = [ids.hills, ids.boat]
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items })
    const setRole = (role: 'view' | 'add' | 'manage' | null) => albums.setMember(ines, id, { username: 'tom', role })
    await setRole('view')
    expect(albums.setItems(tom, id, { add: [ids.sea] })).rejects.toEqual(failureWith('denied'))
    await setRole('add')
    expect(await albums.setItems(tom, id, { add: [ids.sea, ids.sea] })).toMatchObject({ added: 1, removed: 0 })
    expect(albums.setItems(tom, id, { add: [ids.hills] })).rejects.toEqual(failureWith('notFound'))
    expect(albums.setItems(tom, id, { remove: [ids.boat] })).rejects.toEqual(failureWith('denied'))
    expect(await albums.setItems(tom, id, { remove: [ids.sea] })).toMatchObject({ added: 0, removed: 1 })
    for (const change of [
      () => albums.update(tom, id, { name: 'Mine' }),
      () => albums.remove(tom, id),
      () => albums.order(tom, id, { items: [ids.hills], before: null }),
      () => albums.setMember(tom, id, { username: 'uma', role: 'view' }),
    ])
      expect(change()).rejects.toEqual(failureWith('denied'))
    await setRole('manage')
    expect((await albums.update(tom, id, { name: 'Ours', description: 'At the sea' })).name).toBe('Ours')
    expect(albums.get(tom, id).deletable).toBe(false)
    expect(albums.remove(tom, id)).rejects.toEqual(failureWith('denied'))
    expect(albums.setMember(tom, id, { username: 'ines', role: null })).rejects.toEqual(failureWith('conflict'))
    expect(albums.setMember(tom, id, { username: 'nobody', role: 'view' })).rejects.toEqual(failureWith('notFound'))
    // A member may leave.
    expect(await albums.setMember(tom, id, { username: 'tom', role: null })).toBeNull()
    expect(albums.list(tom)).toEqual([])
    expect(albums.create(viewer(null), { kind: 'hand', name: 'x' })).rejects.toEqual(failureWith('unauthenticated'))
  })

  test('is sorted by date, name or hand, and in the order by hand each page continues where the last ended', async () => {
    const { albums, ines, tom, ids, itemIds, items } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.boat, ids.hills, ids.sea] })
    expect(itemIds(ines, id, { sort: 'taken' })).toEqual([ids.sea, ids.hills, ids.boat])
    expect(itemIds(ines, id, { sort: 'name' })).toEqual([ids.boat, ids.hills, ids.sea])
    const byHand = () => itemIds(ines, id, { sort: 'hand' })
    await albums.order(ines, id, { items: [ids.sea], before: ids.boat })
    expect(byHand()).toEqual([ids.sea, ids.boat, ids.hills])
    await albums.order(ines, id, { items: [ids.hills, ids.sea], before: null })
    expect(byHand()).toEqual([ids.boat, ids.hills, ids.sea])
    // So often that the numbers between two positions are used up.
    for (let n = 0; n < 80; n++)
      await albums.order(ines, id, {
        items: [n % 2 === 0 ? ids.sea : ids.hills],
        before: n % 2 === 0 ? ids.hills : ids.sea,
      })
    expect(byHand()).toEqual([ids.boat, ids.hills, ids.sea])
    const pages: number[] = []
    let query: { cursor?: string } = {}
    for (let n = 0; n < 3; n++) {
      const page = items.list(ines, { collectionId: 0 }, { album: id, sort: 'hand', limit: 1, ...query })
      pages.push(...page.items.map(item => item.id))
      const cursor = new URLSearchParams(page._links.next?.split('?')[1] ?? '').get('cursor')
      query = cursor === null ? {} : { cursor }
    }
    expect(pages).toEqual(byHand())
    expect(items.layout(ines, { collectionId: 0 }, { album: id, sort: 'hand' }).months).toMatchObject([
      { year: 0, month: 0, count: 3 },
    ])
    expect(() => itemIds(ines, id, { sort: 'hand', album: undefined })).toThrow('chosen by hand')
    await albums.setMember(ines, id, { username: 'tom', role: 'view' })
    expect(itemIds(tom, id, { sort: 'hand' })).toEqual([ids.boat, ids.sea])
  })

  test('in the order by hand, pages far from the start have the right items for each viewer', async () => {
    const { albums, db, ines, tom, make, itemIds, collections } = await library()
    const added: number[] = []
    for (let n = 0; n < 1600; n++)
      added.push(await make.item({ collection: n % 3 === 0 ? collections.closed : collections.open, taken: n }))
    const items = added.toReversed()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Many', items })
    await albums.setMember(ines, id, { username: 'tom', role: 'view' })
    const seenByTom = items.filter(one => added.indexOf(one) % 3 !== 0)
    const expectPages = () => {
      for (const [who, all] of [
        [ines, items],
        [tom, seenByTom],
      ] as const) {
        for (const page of [6, 7, 11, 15, 16, 17])
          expect(itemIds(who, id, { sort: 'hand', limit: 100, page })).toEqual(all.slice(page * 100 - 100, page * 100))
      }
    }
    expectPages()
    // Positions remembered from an earlier read are not reused after a change.
    await albums.order(ines, id, { items: [items[1500] ?? 0], before: items[0] ?? 0 })
    items.unshift(...items.splice(1500, 1))
    seenByTom.splice(0, seenByTom.length, ...items.filter(one => added.indexOf(one) % 3 !== 0))
    expectPages()
    expect(db.get<{ n: number }>('SELECT count(*) AS n FROM album_items')?.n).toBe(1600)
  }, 60_000)

  test('has the chosen cover if the viewer sees it, otherwise the first item that they see', async () => {
    const { albums, ines, tom, ids } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.sea, ids.hills, ids.boat] })
    await albums.setMember(ines, id, { username: 'tom', role: 'view' })
    const covers = () => [ines, tom].map(who => albums.get(who, id).cover?.id)
    expect(covers()).toEqual([ids.sea, ids.sea])
    await albums.update(ines, id, { cover: ids.hills })
    expect(covers()).toEqual([ids.hills, ids.sea])
    expect(albums.get(tom, id)).toMatchObject({ from: 1_556_712_000, to: 1_609_502_400 })
    await albums.setItems(ines, id, { remove: [ids.hills] })
    expect(covers()).toEqual([ids.sea, ids.sea])
  })

  test('keeps items that are edited or merged, and loses those deleted for good', async () => {
    const made = openEditingLibrary()
    const { db, clock, make, viewer, items, tags, runJob } = made
    const user = await make.user('ines')
    const collection = await make.collection({ updaters: [user] })
    const ines = viewer(user)
    const [keep, copy] = [await make.item({ collection }), await make.item({ collection })]
    const albums = createAlbums({ db, clock, items })
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [copy] })
    await tags.save(ines, { id: copy, tagName: 'Description' }, 'A day at the sea', { ifMatch: null })
    expect(albums.get(ines, id).items).toBe(1)
    const groups = [{ keep, recycle: [copy] }]
    await runJob(terminalViewer, 'merge-duplicates', await planMerge(items, terminalViewer, groups))
    expect(items.list(ines, { collectionId: 0 }, { album: id }).items.map(item => item.id)).toEqual([keep])
    await db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM items WHERE id = ?', keep)
    })
    expect(albums.get(ines, id).items).toBe(0)
  })
})

describe('an album by a search', () => {
  test('finds what its viewer would find', async () => {
    const { albums, ines, tom, ids, itemIds } = await library()
    const query = { q: 'keyword:sea OR file:hills' }
    const { id } = await albums.create(ines, { kind: 'search', name: 'Water', query })
    await albums.setMember(ines, id, { username: 'tom', role: 'view' })
    expect(itemIds(ines, id)).toEqual([ids.boat, ids.hills, ids.sea])
    expect(itemIds(tom, id)).toEqual([ids.boat, ids.sea])
    expect(albums.get(tom, id)).toMatchObject({ items: 2, query, cover: { id: ids.sea } })
    await albums.update(ines, id, { query: { timestampStart: '1600000000' } })
    expect(itemIds(ines, id)).toEqual([ids.boat])
    expect(albums.setItems(ines, id, { add: [ids.sea] })).rejects.toEqual(failureWith('conflict'))
    for (const bad of [{}, { q: 'rating:many' }, { startMonth: '13' }] as Record<string, string>[])
      expect(albums.update(ines, id, { query: bad })).rejects.toEqual(failureWith('invalid'))
    expect(albums.update(ines, id, { sort: 'hand' })).rejects.toEqual(failureWith('invalid'))
  })

  test('can use other albums, but not itself', async () => {
    const { albums, ines, ids, itemIds } = await library()
    const search = async (name: string, q: string) =>
      (await albums.create(ines, { kind: 'search', name, query: { q } })).id
    await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.sea] })
    await search('Water', 'keyword:sea')
    expect(itemIds(ines, await search('Both', 'album:Water -album:Summer'))).toEqual([ids.boat])
    expect(itemIds(ines, await search('Dry', '-album:Water'))).toEqual([ids.hills])
    const [first, second] = [await search('First', 'keyword:sea'), await search('Second', '-album:First')]
    await albums.update(ines, first, { query: { q: '-album:Second' } })
    expect([itemIds(ines, first), itemIds(ines, second)]).toEqual([[], []])
  })

  test('is empty, and does not break the list of albums, once its search is no longer valid', async () => {
    const { db, albums, ines } = await library()
    const { id } = await albums.create(ines, { kind: 'search', name: 'Water', query: { q: 'keyword:sea' } })
    await db.transact({ userId: null }, tx => tx.run('UPDATE albums SET query = ?', '{"q":"rating:many"}'))
    expect(albums.list(ines)).toMatchObject([{ id, items: 0 }])
  })
})

test('album:NAME finds the items of albums and folders with that name, if the viewer sees them', async () => {
  const { albums, ines, uma, ids, items } = await library()
  const folder = await albums.create(ines, { kind: 'folder', name: 'Holidays' })
  await albums.create(ines, { kind: 'hand', name: 'Summer', parent: folder.id, items: [ids.sea] })
  await albums.create(ines, { kind: 'search', name: 'Boats', parent: folder.id, query: { q: 'file:boat' } })
  const found = (who: Viewer, q: string) => items.list(who, { collectionId: 0 }, { q }).items.map(({ id }) => id)
  expect(found(ines, 'album:summer')).toEqual([ids.sea])
  expect(found(ines, 'album:holidays')).toEqual([ids.boat, ids.sea])
  expect(found(ines, '-album:Holidays')).toEqual([ids.hills])
  expect(found(uma, 'album:Summer')).toEqual([])
})

describe('folders of albums', () => {
  test('are at most two deep, and are seen by users who see an album in them', async () => {
    const { albums, ines, tom } = await library()
    const make = (name: string, parent: number | null, kind: Album['kind'] = 'folder') =>
      albums.create(ines, { kind, name, parent })
    const outer = await make('Holidays', null)
    const inner = await make('Spain', outer.id)
    expect(make('Deeper', inner.id)).rejects.toEqual(failureWith('conflict'))
    const album = await make('Andalusia', inner.id, 'hand')
    const other = await make('Other', null)
    expect(albums.update(ines, outer.id, { parent: other.id })).rejects.toEqual(failureWith('conflict'))
    expect(albums.update(ines, other.id, { parent: other.id })).rejects.toEqual(failureWith('conflict'))
    expect(albums.update(ines, inner.id, { parent: album.id })).rejects.toEqual(failureWith('conflict'))
    await albums.setMember(ines, album.id, { username: 'tom', role: 'view' })
    expect(albums.list(tom).map(({ name }) => name)).toEqual(['Andalusia', 'Spain', 'Holidays'])
    await albums.update(ines, outer.id, { description: 'Not for Tom' })
    expect(albums.get(tom, outer.id).description).toBe('')
    expect(albums.get(ines, outer.id).description).toBe('Not for Tom')
    expect(albums.update(tom, inner.id, { name: 'Mine' })).rejects.toEqual(failureWith('denied'))
    await albums.remove(ines, inner.id)
    expect(albums.get(ines, album.id).parent).toBeNull()
  })
})

test('albums whose owner is deleted or disabled belong to their managers, or else to global admins', async () => {
  const { albums, db, ines, tom, admin, users, undoLast } = await library()
  const kept = await albums.create(ines, { kind: 'hand', name: 'Kept' })
  const lost = await albums.create(ines, { kind: 'hand', name: 'Lost' })
  await albums.setMember(ines, kept.id, { username: 'tom', role: 'manage' })
  await albums.setMember(ines, lost.id, { username: 'tom', role: 'view' })
  expect(albums.list(admin)).toEqual([])
  await db.transact({ userId: null }, tx => tx.run('UPDATE users SET disabled = 1 WHERE id = ?', users.ines))
  expect(albums.list(admin).map(({ name, orphan }) => [name, orphan])).toEqual([['Lost', true]])
  expect(albums.list(tom).map(({ name, role }) => [name, role])).toEqual([
    ['Lost', 'view'],
    ['Kept', 'manage'],
  ])
  expect(albums.list(tom).map(({ deletable }) => deletable)).toEqual([false, true])
  await albums.remove(tom, kept.id)
  await undoLast(tom)
  await db.transact({ userId: null }, tx => tx.run('DELETE FROM users WHERE id = ?', users.ines))
  expect(albums.get(tom, kept.id)).toMatchObject({ deletable: true, owner: null })
  await albums.setMember(admin, lost.id, { username: 'tom', role: 'manage' })
  expect(albums.list(admin)).toEqual([])
})

describe('undoing a change of an album', () => {
  test('restores its items, order, fields, members and the album itself', async () => {
    const { albums, ines, tom, ids, itemIds, undoLast } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.boat, ids.sea] })
    const byHand = () => itemIds(ines, id, { sort: 'hand' })

    await albums.setItems(ines, id, { add: [ids.hills], remove: [ids.boat] })
    expect(byHand()).toEqual([ids.sea, ids.hills])
    await undoLast(ines)
    expect(byHand()).toEqual([ids.boat, ids.sea])
    await undoLast(ines)
    expect(byHand()).toEqual([ids.sea, ids.hills])
    await undoLast(ines)

    await albums.order(ines, id, { items: [ids.sea], before: ids.boat })
    expect(byHand()).toEqual([ids.sea, ids.boat])
    await undoLast(ines)
    expect(byHand()).toEqual([ids.boat, ids.sea])
    await undoLast(ines)
    expect(byHand()).toEqual([ids.sea, ids.boat])
    await undoLast(ines)

    await albums.update(ines, id, { name: 'Winter', sort: 'hand' })
    expect(await undoLast(ines)).toMatchObject({ undone: 1 })
    expect(albums.get(ines, id)).toMatchObject({ name: 'Summer', sort: 'taken' })

    await albums.setMember(ines, id, { username: 'tom', role: 'view' })
    await undoLast(ines)
    expect(albums.list(tom)).toEqual([])

    await albums.remove(ines, id)
    expect(albums.list(ines)).toEqual([])
    expect(itemIds(ines, id)).toEqual([])
    await undoLast(ines)
    expect(albums.get(ines, id).items).toBe(2)
  })

  test('restores an order after the positions were numbered anew', async () => {
    const { albums, ines, ids, itemIds, undoLast } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.boat, ids.sea, ids.hills] })
    const byHand = () => itemIds(ines, id, { sort: 'hand' })
    for (let n = 0; n < 60; n++) {
      const before = byHand()
      await albums.order(ines, id, { items: [before[0] ?? 0], before: ids.hills })
      const after = byHand()
      await undoLast(ines)
      expect(byHand()).toEqual(before)
      await undoLast(ines)
      expect(byHand()).toEqual(after)
    }
  })
})
