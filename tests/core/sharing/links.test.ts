import { describe, expect, test } from 'bun:test'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { createPasswords } from '../../../core/accounts/passwords.ts'
import { createRights } from '../../../core/accounts/rights.ts'
import { createAlbums } from '../../../core/albums/albums.ts'
import { createItems } from '../../../core/items/items.ts'
import { createSeal } from '../../../core/kernel/data/sealed.ts'
import { createLinks } from '../../../core/sharing/links.ts'
import { limits } from '../../../schema/limits.ts'
import { openTestLibrary } from '../../support/library.ts'

const hour = 3600

async function library() {
  const made = openTestLibrary()
  const { db, clock, make, viewer } = made
  const items = createItems({ db })
  const links = createLinks({
    db,
    clock,
    items,
    settings: { ffmpeg: null, ffprobe: null } as never,
    rights: createRights(db),
    passwords: createPasswords(),
    seal: createSeal('ab'.repeat(32), 'shares'),
  })
  const [ines, tom, uma] = [await make.user('ines'), await make.user('tom'), await make.user('uma')]
  const family = await make.collection({ name: 'Family', viewers: [ines], admins: [uma] })
  const sea = await make.item({
    collection: family,
    name: 'sea.jpg',
    taken: '2019-05-01',
    people: ['Mia'],
    place: { latitude: 38.7, longitude: -9.1, placeName: 'Lisbon, Portugal' },
  })
  const hills = await make.item({ collection: family, name: 'hills.jpg', taken: '2020-01-01' })
  await make.keystring('secret', { hidesItems: true })
  const hidden = await make.item({ collection: family, taken: '2021-01-01', keywords: ['secret'], people: ['Mia'] })
  const now = () => Math.floor(clock.now() / 1000)
  return {
    ...made,
    items,
    links,
    albums: createAlbums({ db, clock, items }),
    users: { ines, tom, uma },
    ines: viewer(ines),
    tom: viewer(tom),
    uma: viewer(uma),
    family,
    ids: { sea, hills, hidden },
    now,
    shown: (name: string, key?: string) => links.items(name, key).items.map(({ id }) => id),
    link: (who: Viewer, more: object) => links.create(who, { expires: now() + hour, ...more }),
  }
}

const failure = (code: string) => expect.objectContaining({ code })

describe('a link', () => {
  test('shows chosen items in their order, with names and places only if it includes details', async () => {
    const { links, link, ines, ids } = await library()
    const { name, id } = await link(ines, { items: [ids.hills, ids.sea], title: 'Summer' })
    expect(await links.open(name, undefined)).toEqual({
      link: expect.objectContaining({ title: 'Summer', from: 'ines', items: 2, originals: false, details: false }),
    })
    const { items, total } = links.items(name, undefined)
    expect(total).toBe(2)
    expect(items.map(item => [item.id, item.place, item.people])).toEqual([
      [ids.hills, null, null],
      [ids.sea, null, null],
    ])
    expect(JSON.stringify(items)).not.toMatch(/Lisbon|Mia|sea\.jpg|Family/)
    await links.update(ines, id, { details: true })
    expect(links.items(name, undefined).items[1]).toMatchObject({ place: 'Lisbon, Portugal', people: ['Mia'] })
    expect(links.list(ines)).toMatchObject([{ id, views: 1, items: 2, active: true, cover: { id: ids.hills } }])
  })

  test('shows the items of an album and of a person, never hidden ones', async () => {
    const { albums, link, ines, tom, ids, items, shown, viewer, users } = await library()
    const unlocked = viewer(users.ines, { unlocked: true })
    const album = await albums.create(unlocked, { kind: 'hand', name: 'Summer', items: [ids.hidden, ids.sea] })
    const ofAlbum = await link(ines, { album: album.id })
    expect(shown(ofAlbum.name)).toEqual([ids.sea])
    await albums.setItems(ines, album.id, { add: [ids.hills] })
    expect(shown(ofAlbum.name)).toEqual([ids.sea, ids.hills])
    const [mia] = items
      .list(ines, { collectionId: 0 }, { q: 'person:Mia' })
      .items.flatMap(item => item.tags.People?.data ?? [])
    const ofPerson = await link(ines, { person: mia?.person ?? 0 })
    expect(shown(ofPerson.name)).toEqual([ids.sea])
    expect(link(ines, { items: [ids.hidden] })).rejects.toEqual(failure('notFound'))
    for (const subject of [{ items: [ids.sea] }, { album: album.id }, { person: mia?.person ?? 0 }, { person: 999 }])
      expect(link(tom, subject)).rejects.toEqual(failure('notFound'))
    for (const noneOrTwo of [{}, { album: album.id, items: [ids.sea] }])
      expect(link(ines, noneOrTwo)).rejects.toEqual(failure('invalid'))
  })

  test('shows nothing after its end, when it is ended, or without its creator’s account or rights; it can be made active again', async () => {
    const { links, link, ines, ids, clock, db, shown, users, now, family } = await library()
    const { name, id } = await link(ines, { items: [ids.sea] })
    const endless = await link(ines, { items: [ids.sea], expires: null })
    clock.advance(2 * hour)
    expect(() => shown(name)).toThrow(failure('notFound'))
    expect(shown(endless.name)).toEqual([ids.sea])
    await links.update(ines, id, { expires: now() + hour })
    expect(shown(name)).toEqual([ids.sea])
    await links.end(ines, id)
    expect(links.open(name, undefined)).rejects.toEqual(failure('notFound'))
    expect(links.findForBytes.bind(null, name, undefined, ids.sea)).toThrow(failure('notFound'))
    expect(links.list(ines).find(one => one.id === id)).toMatchObject({ active: false, items: 0, cover: null })
    await links.update(ines, id, { expires: null })
    expect(shown(name)).toEqual([ids.sea])

    expect(links.findForBytes(name, undefined, ids.sea)).toMatchObject({ isPrivate: true, withholdsPlaces: true })
    expect(links.findForBytes(name, undefined, ids.hills)).toBeNull()
    await db.transact({ userId: null }, tx =>
      tx.run(
        'DELETE FROM access_members WHERE user_id = ? AND group_id IN (SELECT group_id FROM collection_access WHERE collection_id = ?)',
        users.ines,
        family,
      ),
    )
    expect(shown(name)).toEqual([])
    expect(links.findForBytes(name, undefined, ids.sea)).toBeNull()
    await db.transact({ userId: null }, tx => tx.run('UPDATE users SET disabled = 1 WHERE id = ?', users.ines))
    expect(() => shown(name)).toThrow(failure('notFound'))
    expect(() => shown('A'.repeat(22))).toThrow(failure('notFound'))
  })

  test('with a password shows nothing until it is given, and slows down guesses', async () => {
    const { links, link, ines, ids, shown, clock } = await library()
    const { name, id } = await link(ines, { items: [ids.sea], password: 'boat', title: 'Private title' })
    expect(await links.open(name, undefined)).toEqual({ link: null })
    expect(() => shown(name)).toThrow(failure('notFound'))
    expect(() => shown(name, 'x'.repeat(43))).toThrow(failure('notFound'))
    expect(() => links.findForBytes(name, undefined, ids.sea)).toThrow(failure('notFound'))
    const { key } = await links.unlock(name, 'boat', '192.0.2.1')
    expect(shown(name, key)).toEqual([ids.sea])
    for (let n = 0; n < 5; n++) expect(links.unlock(name, 'guess', '192.0.2.1')).rejects.toEqual(failure('denied'))
    await Bun.sleep(300)
    expect(links.unlock(name, 'boat', '192.0.2.1')).rejects.toEqual(failure('tooMany'))
    expect((await links.unlock(name, 'boat', '192.0.2.2')).key).toBe(key)
    clock.advance(61)
    expect((await links.unlock(name, 'boat', '192.0.2.1')).key).toBe(key)
    // A new password makes the keys of the old one invalid.
    await links.update(ines, id, { password: 'ship' })
    expect(() => shown(name, key)).toThrow(failure('notFound'))
    await links.update(ines, id, { password: null })
    expect(shown(name)).toEqual([ids.sea])
  })

  test('can be listed and ended by its creator, global admins, and administrators of its items', async () => {
    const { links, link, ines, tom, uma, ids, viewer, users, make } = await library()
    const { id } = await link(ines, { items: [ids.sea] })
    const elsewhere = await make.item({ collection: await make.collection({ viewers: [users.ines] }) })
    const admin: Viewer = { ...viewer(users.tom), globalAdmin: true }
    expect([ines, tom, uma, admin, terminalViewer].map(who => links.list(who).length)).toEqual([1, 0, 1, 1, 1])
    const { id: ofBoth } = await link(viewer(users.ines), { items: [elsewhere, ids.sea], title: 'Both' })
    const asCollectionAdminSees = { id: ofBoth, name: '', title: '', items: 1, cover: { id: ids.sea } }
    expect(links.list(uma).find(({ id }) => id === ofBoth)).toMatchObject(asCollectionAdminSees)
    expect(links.list(admin).find(({ id }) => id === ofBoth)).toMatchObject({ title: 'Both', items: 2 })
    await links.end(uma, ofBoth)
    expect(links.end(tom, id)).rejects.toEqual(failure('notFound'))
    for (const other of [tom, uma]) expect(links.update(other, id, { title: 'x' })).rejects.toEqual(failure('notFound'))
    await links.end(ines, id)
    expect(links.list(ines)).toMatchObject([{ active: false }])
    // What an administrator ends cannot be opened again.
    await links.end(uma, id)
    expect(links.list(ines)).toEqual([])
    expect(links.update(ines, id, { expires: null })).rejects.toEqual(failure('notFound'))
    expect(link(terminalViewer, { items: [ids.sea] })).rejects.toEqual(failure('denied'))
    expect(links.create(ines, { items: [ids.sea], expires: 5 })).rejects.toEqual(failure('invalid'))
    expect(() => links.list(viewer(null))).toThrow(failure('unauthenticated'))
  })

  test('counts towards the limit of its creator only while it is active, and is deleted a month after its end', async () => {
    const { links, link, ines, ids, clock, db, users, now } = await library()
    await link(ines, { items: [ids.sea] })
    const ended = await link(ines, { items: [ids.sea], expires: null })
    const add = "INSERT INTO links (lookup, sealed_name, kind, user_id, created_at) VALUES (?, '', 'items', ?, 1)"
    await db.transact({ userId: null }, tx => {
      for (let n = 2; n < limits.maxLinks; n++) tx.run(add, `x${n}`, users.ines)
    })
    await expect(link(ines, { items: [ids.sea] })).rejects.toEqual(failure('conflict'))
    await links.end(ines, ended.id)
    await link(ines, { items: [ids.sea] })
    await expect(links.update(ines, ended.id, { expires: null })).rejects.toEqual(failure('conflict'))
    await expect(link(ines, { items: [ids.sea] })).rejects.toEqual(failure('conflict'))
    clock.advance(hour + limits.endedLinkSeconds)
    await link(ines, { items: [ids.sea], expires: now() + hour })
    expect(db.all<{ n: number }>('SELECT count(*) AS n FROM links WHERE user_id = ?', users.ines)).toEqual([
      { n: limits.maxLinks - 1 },
    ])
  })

  test('says with each page of its items what it says of itself, without counting a view', async () => {
    const { links, link, ines, ids, db } = await library()
    const { name, id } = await link(ines, { items: [ids.sea], title: 'Summer' })
    const views = () => db.all('SELECT views FROM links WHERE id = ?', id)
    const { link: opened } = await links.open(name, undefined)
    expect<unknown>(links.items(name, undefined).link).toEqual(opened)
    const before = views()
    await links.update(ines, id, { title: 'Winter', originals: true })
    expect(links.items(name, undefined).link).toMatchObject({ title: 'Winter', originals: true, items: 1 })
    expect(views()).toEqual(before)
    expect(links.forDownload(name, undefined)).toMatchObject({ ids: [ids.sea], originals: true, details: false })
  })
})
