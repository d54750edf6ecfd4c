import { describe, expect, test } from 'bun:test'
import type { Viewer } from '../../../core/accounts/access.ts'
import { type AlbumRole, albumCalls, albumRoles } from '../../../schema/api/albums.ts'
import { limits } from '../../../schema/limits.ts'
import { failureWith, openAlbumLibrary as library } from '../../support/album-library.ts'

const nobody = { userId: null }

describe('the shapes of calls', () => {
  const { create, update, setItems, order, setMember } = albumCalls
  const isValid = (call: { body: { safeParse(value: unknown): { success: boolean } } }, body: unknown) =>
    call.body.safeParse(body).success

  test('refuse names that are long or empty, unknown kinds, roles and orders, and too many items', () => {
    const many = (n: number) => Array.from({ length: n }, (_, id) => id + 1)
    const hand = { kind: 'hand', name: 'Summer' }
    expect(isValid(create, { ...hand, items: many(limits.maxBulkItems) })).toBeTrue()
    for (const wrong of [
      { name: 'x'.repeat(limits.albumNameLength + 1) },
      { name: ' \n ' },
      { name: 5 },
      { name: undefined },
      { description: 'x'.repeat(limits.albumDescriptionLength + 1) },
      { kind: 'album' },
      { kind: ['hand'] },
      { sort: '-hand' },
      { parent: -1 },
      { parent: '1' },
      { items: many(limits.maxBulkItems + 1) },
      { items: [0] },
      { items: [1.5] },
      { items: 'all' },
      { query: { q: 5 } },
      { query: { q: 'x'.repeat(20_001) } },
    ])
      expect([wrong, isValid(create, { ...hand, ...wrong })]).toEqual([wrong, false])
    expect(isValid(update, { name: '' })).toBeFalse()
    expect(isValid(setItems, { add: many(limits.maxBulkItems + 1) })).toBeFalse()
    expect(isValid(order, { items: [], before: null })).toBeFalse()
    expect(isValid(order, { items: many(5001), before: null })).toBeFalse()
    expect(isValid(setMember, { username: 'tom', role: 'owner' })).toBeFalse()
  })

  test('contain no owner, id, time or kind to change', () => {
    const parsed = update.body.parse({
      name: 'Mine',
      ownerId: 2,
      owner: 'tom',
      id: 1,
      uid: 'x',
      kind: 'folder',
      own: true,
    })
    expect(parsed).toEqual({ name: 'Mine' })
    const made = create.body.parse({ kind: 'hand', name: 'Mine', ownerId: 2, isPublic: true, public: true })
    expect(made).toEqual({ kind: 'hand', name: 'Mine' })
  })
})

describe('an album', () => {
  test('refuses items and covers that the viewer does not see, as if they did not exist', async () => {
    const { albums, ines, tom, ids } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.sea, ids.hills] })
    await albums.setMember(ines, id, { username: 'tom', role: 'manage' })
    for (const unseen of [ids.hills, ids.hidden, 987_654_321]) {
      for (const change of [
        () => albums.create(tom, { kind: 'hand', name: 'Mine', items: [ids.sea, unseen] }),
        () => albums.setItems(tom, id, { add: [ids.boat, unseen] }),
        () => albums.update(tom, id, { cover: unseen }),
        () => albums.order(tom, id, { items: [ids.sea], before: unseen }),
      ])
        expect(change()).rejects.toEqual(failureWith('notFound'))
    }
    expect(albums.list(tom).map(({ items }) => items)).toEqual([1])
  })

  test('does not reveal by a change whether it contains an item that the viewer does not see', async () => {
    const { albums, ines, tom, ids, db, itemIds } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.hills, ids.sea] })
    for (const role of ['add', 'manage'] as const) {
      await albums.setMember(ines, id, { username: 'tom', role })
      for (const unseen of [ids.hills, ids.hidden, 987_654_321])
        expect(await albums.setItems(tom, id, { remove: [unseen] })).toMatchObject({ added: 0, removed: 0 })
    }
    const steps = () => db.get<{ n: number }>('SELECT count(*) AS n FROM history')?.n
    const before = steps()
    for (const unseen of [ids.hills, ids.hidden]) await albums.order(tom, id, { items: [unseen], before: null })
    expect(steps()).toBe(before)
    expect(itemIds(ines, id, { sort: 'hand' })).toEqual([ids.hills, ids.sea])
  })

  test('does not reveal by the order of a list whether it exists', async () => {
    const { albums, ines, tom, ids, items } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.sea] })
    const search = await albums.create(ines, { kind: 'search', name: 'Sea', query: { q: 'keyword:sea' } })
    const listed = (album: number) => {
      const query = { album, sort: 'hand' } as const
      return [items.list(tom, { collectionId: 0 }, query).items, items.layout(tom, { collectionId: 0 }, query)]
    }
    expect(listed(id)).toEqual(listed(987_654_321))
    expect(listed(search.id)).toEqual(listed(987_654_321))
    expect(() => items.list(ines, { collectionId: 0 }, { album: search.id, sort: 'hand' })).toThrow(
      failureWith('invalid'),
    )
  })

  test('refuses queries, orders and items that its kind does not have', async () => {
    const { albums, ines, ids } = await library()
    for (const kind of ['hand', 'folder'] as const) {
      const { id } = await albums.create(ines, { kind, name: kind })
      expect(albums.create(ines, { kind, name: 'x', query: { q: 'sea' } })).rejects.toEqual(failureWith('invalid'))
      expect(albums.update(ines, id, { query: { q: 'sea' } })).rejects.toEqual(failureWith('invalid'))
    }
    for (const kind of ['search', 'folder'] as const) {
      const query = kind === 'search' ? { q: 'sea' } : undefined
      const { id } = await albums.create(ines, { kind, name: kind, query })
      const wrong = { kind, name: 'x', query }
      expect(albums.create(ines, { ...wrong, sort: 'hand' })).rejects.toEqual(failureWith('invalid'))
      expect(albums.create(ines, { ...wrong, items: [ids.sea] })).rejects.toEqual(failureWith('invalid'))
      expect(albums.update(ines, id, { sort: 'hand' })).rejects.toEqual(failureWith('invalid'))
      expect(albums.setItems(ines, id, { add: [ids.sea] })).rejects.toEqual(failureWith('conflict'))
      expect(albums.order(ines, id, { items: [ids.sea], before: null })).rejects.toEqual(failureWith('conflict'))
    }
  })

  test('refuses searches that find everything, and ignores albums and hidden items in a search', async () => {
    const { albums, ines, ids, viewer, users, items } = await library()
    const search = (query?: Record<string, string>) => albums.create(ines, { kind: 'search', name: 'Search', query })
    const other = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.boat] })
    const wide: (Record<string, string> | undefined)[] = [
      undefined,
      {},
      { album: String(other.id) },
      { includeHidden: 'x' },
      { unknown: 'x' },
      { q: ' ' },
      { filtergroups: '[]' },
      { collection_id: '0' },
    ]
    for (const empty of wide) expect([empty, await search(empty).catch(({ code }) => code)]).toEqual([empty, 'invalid'])
    const kept = await search({ q: 'keyword:sea', album: String(other.id), includeHidden: 'x' })
    expect(kept.query).toEqual({ q: 'keyword:sea' })
    expect(kept.items).toBe(2)
    // A search for hidden words finds nothing in a session that is not unlocked, whoever made it.
    const secret = await albums.create(viewer(users.ines, { unlocked: true }), {
      kind: 'search',
      name: 'Secret',
      query: { q: 'keyword:secret' },
    })
    expect(albums.get(ines, secret.id)).toMatchObject({ items: 0, cover: null })
    expect(items.list(ines, { collectionId: 0 }, { album: secret.id }).items).toEqual([])
  })

  test('refuses roles that members give themselves, and new owners', async () => {
    const { albums, ines, tom, uma } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer' })
    const setRole = (who: Viewer, username: string, role: AlbumRole | null) =>
      albums.setMember(who, id, { username, role })
    for (const own of ['view', 'add'] as const) {
      await setRole(ines, 'tom', own)
      for (const role of albumRoles) expect(setRole(tom, 'tom', role)).rejects.toEqual(failureWith('denied'))
      expect(setRole(tom, 'uma', 'view')).rejects.toEqual(failureWith('denied'))
      expect(setRole(uma, 'uma', 'view')).rejects.toEqual(failureWith('notFound'))
    }
    await setRole(ines, 'tom', 'manage')
    for (const role of [...albumRoles, null])
      expect(setRole(tom, 'ines', role)).rejects.toEqual(failureWith('conflict'))
    expect(albums.get(ines, id)).toMatchObject({ own: true, owner: { username: 'ines' } })
    const folder = await albums.create(ines, { kind: 'folder', name: 'Folder' })
    const shared = albums.setMember(ines, folder.id, { username: 'tom', role: 'view' })
    expect(shared).rejects.toEqual(failureWith('conflict'))
  })

  test('can be shared by name, but users cannot try many names', async () => {
    const { albums, ines, tom, uma, clock } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer' })
    const share = (username: string) => albums.setMember(ines, id, { username, role: 'view' })
    for (let n = 0; n < limits.unknownMembersAMinute; n++) {
      await share('tom')
      await expect(share(`nobody${n}`)).rejects.toEqual(failureWith('notFound'))
    }
    for (const username of ['nobody', 'uma']) await expect(share(username)).rejects.toEqual(failureWith('tooMany'))
    const own = await albums.create(tom, { kind: 'hand', name: 'Mine' })
    await albums.setMember(tom, own.id, { username: 'uma', role: 'view' })
    clock.advance(61)
    await share('uma')
    expect(albums.list(uma)).toHaveLength(2)
  })

  test('refuses folders of others, and cycles of folders', async () => {
    const { albums, ines, tom } = await library()
    const folder = (who: Viewer, name: string, parent: number | null = null) =>
      albums.create(who, { kind: 'folder', name, parent })
    const [a, b] = [await folder(ines, 'A'), await folder(ines, 'B')]
    const own = await albums.create(tom, { kind: 'hand', name: 'Mine' })
    for (const parent of [a.id, 987_654_321]) {
      expect(albums.update(tom, own.id, { parent })).rejects.toEqual(failureWith('notFound'))
      expect(folder(tom, 'C', parent)).rejects.toEqual(failureWith('notFound'))
    }
    await albums.update(ines, b.id, { parent: a.id })
    expect(albums.update(ines, a.id, { parent: b.id })).rejects.toEqual(failureWith('conflict'))
    expect(albums.update(ines, a.id, { parent: a.id })).rejects.toEqual(failureWith('conflict'))
    expect(albums.list(ines)).toHaveLength(2)
  })
})

test('200,000 items are added and removed in short transactions', async () => {
  const { albums, db, ines, ids, make } = await library()
  const collection = db.get<{ id: number }>('SELECT collection_id AS id FROM items WHERE id = ?', ids.sea)?.id
  await make.item({ collection })
  const { id } = await albums.create(ines, { kind: 'hand', name: 'Many' })
  const absent = Array.from({ length: limits.maxBulkItems - 1 }, (_, n) => 1_000_000 + n)
  expect(albums.setItems(ines, id, { add: [ids.sea, ...absent] })).rejects.toEqual(failureWith('notFound'))
  expect(await albums.setItems(ines, id, { add: Array(limits.maxBulkItems).fill(ids.sea) })).toMatchObject({ added: 1 })
  expect(await albums.setItems(ines, id, { remove: [ids.sea, ...absent] })).toMatchObject({ removed: 1 })
})

test('adding many items ends when the role does', async () => {
  const { albums, ines, tom, make, collections, itemIds } = await library()
  const many: number[] = []
  for (let n = 0; n < 700; n++) many.push(await make.item({ collection: collections.open }))
  const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer' })
  await albums.setMember(ines, id, { username: 'tom', role: 'add' })
  const adding = albums.setItems(tom, id, { add: many }).catch((error: unknown) => error)
  await albums.setMember(ines, id, { username: 'tom', role: null })
  expect(await adding).toEqual(failureWith('notFound'))
  expect(itemIds(ines, id, { limit: 1000 }).length).toBeLessThan(many.length)
})

test('a search that has become too long finds nothing, and the list of albums still works', async () => {
  const { albums, ines, items } = await library()
  const folder = await albums.create(ines, { kind: 'folder', name: 'Folder' })
  const { id } = await albums.create(ines, { kind: 'search', name: 'All', query: { q: 'album:Many' } })
  const q = Array.from({ length: 250 }, (_, n) => `file:a${n}`).join(' OR ')
  for (let n = 0; n < 2; n++)
    await albums.create(ines, { kind: 'search', name: 'Many', parent: folder.id, query: { q: q.slice(0, 2000) } })
  expect(albums.list(ines)).toHaveLength(4)
  expect(items.list(ines, { collectionId: 0 }, { album: id }).items).toEqual([])
})

describe('an undo is refused if its user may not make the change now:', () => {
  async function shareAlbum(role: AlbumRole) {
    const made = await library()
    const { albums, ines, ids } = made
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.sea] })
    const setRole = (role: AlbumRole | null) => albums.setMember(ines, id, { username: 'tom', role })
    await setRole(role)
    const last = () => made.lastStep()?.step ?? ''
    const counts = async (who: Viewer, step: string) => (await made.undo(who, step)).counts
    return { ...made, id, setRole, last, counts }
  }

  test('by a member who lost the role meanwhile', async () => {
    const { albums, tom, ines, id, ids, setRole, last, counts, itemIds } = await shareAlbum('manage')
    const changes = [
      () => albums.update(tom, id, { name: 'Winter' }),
      () => albums.setItems(tom, id, { add: [ids.boat] }),
      () => albums.setItems(tom, id, { remove: [ids.sea] }),
      () => albums.order(tom, id, { items: [ids.boat], before: null }),
      () => albums.setMember(tom, id, { username: 'uma', role: 'view' }),
    ]
    const steps: string[] = []
    for (const change of changes) {
      await change()
      steps.push(last())
    }
    for (const role of ['view', null] as const) {
      await setRole(role)
      for (const step of steps) expect(await counts(tom, step)).toMatchObject({ undone: 0, refused: 1 })
    }
    expect(albums.get(ines, id)).toMatchObject({ name: 'Winter', members: [{ username: 'uma' }] })
    expect(itemIds(ines, id)).toEqual([ids.boat])
    await setRole('manage')
    for (const step of steps.toReversed()) expect(await counts(tom, step)).toMatchObject({ undone: 1, refused: 0 })
    expect(albums.get(ines, id)).toMatchObject({ name: 'Summer', members: [{ username: 'tom' }] })
  })

  test('that deletes an album, by a manager whose album has an owner again', async () => {
    const { albums, tom, users, db, id, last, counts } = await shareAlbum('manage')
    const setDisabled = (disabled: number) =>
      db.transact(nobody, tx => tx.run('UPDATE users SET disabled = ? WHERE id = ?', disabled, users.ines))
    await setDisabled(1)
    await albums.remove(tom, id)
    const removal = last()
    await setDisabled(0)
    // Managers may restore what they have deleted.
    expect(await counts(tom, removal)).toMatchObject({ undone: 1, refused: 0 })
    expect(await counts(tom, last())).toMatchObject({ undone: 0, refused: 1 })
    expect(albums.get(tom, id).deletable).toBe(false)
  })

  test('by a member who may add, of items that the owner has added', async () => {
    const { albums, tom, ines, id, ids, setRole, last, counts, itemIds } = await shareAlbum('add')
    await albums.setItems(tom, id, { add: [ids.boat] })
    const step = last()
    await setRole('view')
    expect(await counts(tom, step)).toMatchObject({ undone: 0, refused: 1 })
    await setRole('add')
    await albums.setItems(ines, id, { remove: [ids.boat] })
    await albums.setItems(ines, id, { add: [ids.boat] })
    expect(await counts(tom, step)).toMatchObject({ undone: 0, refused: 1 })
    await albums.setItems(ines, id, { remove: [ids.boat] })
    await albums.setItems(tom, id, { add: [ids.boat] })
    expect(await counts(tom, step)).toMatchObject({ undone: 1, refused: 0 })
    expect(itemIds(ines, id)).toEqual([ids.sea])
  })

  test('by a member who has left the album', async () => {
    const { albums, tom, id, last, counts } = await shareAlbum('manage')
    await albums.setMember(tom, id, { username: 'tom', role: null })
    expect(await counts(tom, last())).toMatchObject({ undone: 0, refused: 1 })
    expect(albums.list(tom)).toEqual([])
  })

  test('by a global admin, of albums that they do not manage', async () => {
    const { albums, ines, admin, id, ids, last, counts } = await shareAlbum('view')
    const created = await albums.create(ines, { kind: 'hand', name: 'Other' })
    expect(await counts(admin, last())).toMatchObject({ undone: 0, refused: 1 })
    await albums.update(ines, id, { name: 'Winter', cover: ids.sea })
    expect(await counts(admin, last())).toMatchObject({ undone: 0, refused: 1 })
    await albums.remove(ines, created.id)
    expect(await counts(admin, last())).toMatchObject({ undone: 0, refused: 1 })
    expect(albums.list(ines).map(({ name }) => name)).toEqual(['Winter'])
  })

  test('of making an album private, by a user who administers nothing any more', async () => {
    const { albums, ines, db, users, id, last, counts, viewer } = await shareAlbum('view')
    await albums.update(ines, id, { public: true })
    await albums.update(ines, id, { public: false })
    await db.transact(nobody, tx => tx.run('DELETE FROM access_members WHERE user_id = ?', users.ines))
    const now = viewer(users.ines)
    expect(albums.update(now, id, { public: true })).rejects.toEqual(failureWith('denied'))
    expect(await counts(now, last())).toMatchObject({ undone: 0, refused: 1 })
  })
})

describe('an undo leaves out', () => {
  test('items, covers and users that were deleted for good', async () => {
    const { albums, ines, tom, ids, users, db, undo, lastStep, itemIds } = await library()
    const { id } = await albums.create(ines, { kind: 'hand', name: 'Summer', items: [ids.sea, ids.boat] })
    await albums.setMember(ines, id, { username: 'tom', role: 'manage' })
    await albums.update(ines, id, { cover: ids.boat })
    const steps: string[] = []
    for (const change of [
      () => albums.update(ines, id, { cover: null, name: 'Winter' }),
      () => albums.setMember(ines, id, { username: 'tom', role: 'view' }),
      () => albums.setItems(ines, id, { remove: [ids.sea, ids.boat] }),
    ]) {
      await change()
      steps.push(lastStep()?.step ?? '')
    }
    await db.transact(nobody, tx => tx.run('DELETE FROM items WHERE id = ?', ids.boat))
    await db.transact(nobody, tx => tx.run('DELETE FROM users WHERE id = ?', users.tom))
    const counts = []
    for (const step of steps) counts.push((await undo(ines, step)).counts)
    expect(counts).toMatchObject([{ undone: 1 }, { undone: 0, gone: 1 }, { undone: 1 }])
    expect(itemIds(ines, id)).toEqual([ids.sea])
    expect(albums.get(ines, id)).toMatchObject({ name: 'Summer', members: [], cover: { id: ids.sea } })
    expect(albums.list(tom)).toEqual([])
  })

  test('folders that would be more than two deep, or in each other', async () => {
    const { albums, ines, undo, lastStep } = await library()
    const folder = (name: string, parent: number | null = null) => albums.create(ines, { kind: 'folder', name, parent })
    const [a, b] = [await folder('A'), await folder('B')]
    await albums.update(ines, b.id, { parent: a.id })
    await albums.update(ines, b.id, { parent: null })
    const moved = lastStep()?.step ?? ''
    await albums.update(ines, a.id, { parent: b.id })
    expect((await undo(ines, moved)).counts).toMatchObject({ undone: 0, changed: 1 })
    await albums.remove(ines, b.id)
    const removed = lastStep()?.step ?? ''
    await folder('C', a.id)
    expect((await undo(ines, removed)).counts).toMatchObject({ undone: 0, changed: 1 })
    expect(albums.list(ines).map(({ name }) => name)).toEqual(['C', 'A'])
  })
})
