import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { tagId } from '../../../core/items/item-row.ts'
import { createItems } from '../../../core/items/items.ts'
import { turnedBox } from '../../../core/items/region-geometry.ts'
import { formatLocalTime } from '../../../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../../../core/kernel/database/database.ts'
import { item, itemDetails, itemPage, shapeOf } from '../../../schema/api/items.ts'
import { openTestLibrary, secondsOf, unlockValue } from '../../support/library.ts'

function library() {
  const made = openTestLibrary()
  const items = createItems({ db: made.db })
  return {
    ...made,
    items,
    list: (viewer: Viewer, query: Parameters<typeof items.list>[2] = {}, collectionId = 0) =>
      items.list(viewer, { collectionId }, query),
    get: (viewer: Viewer, id: number, includeHidden?: string) => items.get(viewer, { id }, { includeHidden }),
  }
}

const notFound = expect.objectContaining({ code: 'notFound', message: 'Not found' })

describe('an item', () => {
  test('is returned in the format of the schema, with every tag set', async () => {
    const { make, list, get } = library()
    const collection = await make.collection({ name: 'Holidays', path: '/pictures/holidays' })
    const id = await make.item({
      collection,
      folder: '2019/Beach',
      name: 'IMG_1.JPG',
      taken: '2019-06-15 14:30:05',
      keywords: ['Sea', 'Sand'],
      category: ['Travel'],
      author: ['Ben'],
      description: 'At the sea',
      place: { latitude: 48.1, longitude: 11.6, placeName: 'Munich' },
      boxes: [
        { person: 'Anna', x: 100, y: 200, width: 50, height: 60 },
        { object: 'Bucket', x: 10, y: 20, width: 30, height: 40 },
      ],
      rating: 4,
      camera: 'Canon EOS 80D',
      details: { altitude: 520 },
      content: '0123456789abcdef-1z',
    })
    const page = list(terminalViewer)
    expect(itemPage.parse(page)).toEqual(page)
    const [returned] = page.items
    expect(returned).toMatchObject({
      id,
      name: 'IMG_1.JPG',
      path: '/pictures/holidays/2019/Beach/IMG_1.JPG',
      type: 'image',
      collection_id: collection,
      width: 4000,
      height: 3000,
      taken_at: '2019-06-15 14:30:05',
      taken: secondsOf('2019-06-15 14:30:05'),
      date_source: 'exif',
      rating: 4,
      live: false,
      reloads: '0123456789ab-0',
      properties: [],
    })
    expect(returned?.tags).toMatchObject({
      Description: { id: tagId(id, 'Description'), version: 1, data: 'At the sea' },
      Keywords: { id: tagId(id, 'Keywords'), data: [{ content: 'Sea' }, { content: 'Sand' }] },
      Category: { data: [{ content: 'Travel' }] },
      Author: { data: [{ content: 'Ben' }] },
      Locations: { data: { latitude: 48.1, longitude: 11.6, placeName: 'Munich' } },
      People: { id: tagId(id, 'People'), data: [{ type: 'person', name: 'Anna', face: null, x: 100, width: 50 }] },
      Object: { data: [{ type: 'object', name: 'Bucket', x: 10, y: 20, width: 30, height: 40 }] },
    })
    const details = get(terminalViewer, id)
    expect(itemDetails.parse(details)).toEqual(details)
    expect(details).toMatchObject({
      ...returned,
      collection: 'Holidays',
      camera: { model: 'Canon EOS 80D' },
      altitude: 520,
      files: [],
    })
  })

  test('without metadata has no tag sets', async () => {
    const { make, list } = library()
    await make.item({})
    expect(list(terminalViewer).items[0]?.tags).toEqual({})
  })

  test('that was rotated is returned as shown, with its sides and boxes rotated', async () => {
    const { make, get } = library()
    const id = await make.item({
      width: 4000,
      height: 2000,
      rotation: 90,
      boxes: [{ person: 'Anna', x: 100, y: 50, width: 200, height: 100 }],
    })
    const returned = get(terminalViewer, id)
    expect(returned).toMatchObject({ width: 2000, height: 4000, properties: [{ name: 'Rotation', value: 90 }] })
    expect(returned.reloads).toEndWith('-90')
    expect(returned.tags.People?.data[0]).toMatchObject({ x: 350, y: 100, width: 100, height: 200 })
  })

  test('shows the name that a person had when the item was taken', async () => {
    const { make, get } = library()
    const wedding = secondsOf('2015-06-01')
    await make.person(
      { name: 'Anna Berg', to: wedding },
      { name: 'Anna Stein', from: wedding, to: secondsOf('2020-01-01') },
    )
    const personNameAt = async (taken: string) => {
      const id = await make.item({ taken, people: ['Anna Berg'] })
      return get(terminalViewer, id).tags.People?.data[0]?.name
    }
    expect(await personNameAt('2010-01-01')).toBe('Anna Berg')
    expect(await personNameAt('2018-01-01')).toBe('Anna Stein')
    expect(await personNameAt('2022-01-01')).toBe('No name available')
  })

  test('changes `reloads` if its picture changes, but not if only its metadata changes', async () => {
    const { make, get, db } = library()
    const id = await make.item({ description: 'before' })
    const reloads = () => get(terminalViewer, id).reloads
    const before = reloads()
    await db.transact({ userId: null }, tx =>
      tx.run('UPDATE items SET version = version + 1, rating = 3 WHERE id = ?', id),
    )
    expect(reloads()).toBe(before)
    await db.transact({ userId: null }, tx => tx.run('UPDATE items SET rotation = 180 WHERE id = ?', id))
    const turned = reloads()
    expect(turned).not.toBe(before)
    await db.transact({ userId: null }, tx => tx.run("UPDATE items SET problem = 'cut off' WHERE id = ?", id))
    expect(reloads()).not.toBe(turned)
  })
})

describe('a box on a rotated picture', () => {
  const picture = { width: 3000, height: 2000 }
  const box = { x: 100, y: 200, width: 300, height: 50 }
  test.each([
    [0, box],
    [90, { x: 416.667, y: 100, width: 50, height: 300 }],
    [180, { x: 600, y: 416.667, width: 300, height: 50 }],
    [270, { x: 200, y: 600, width: 50, height: 300 }],
  ])('is rotated by %d degrees', (rotation, expected) => {
    expect(turnedBox(box, rotation, picture)).toEqual(expected)
  })

  test('is unchanged after four quarter turns', () => {
    let turned = box
    let sides = picture
    for (let n = 0; n < 4; n++) {
      turned = turnedBox(turned, 90, sides)
      sides = { width: sides.height, height: sides.width }
    }
    expect(turned.x).toBeCloseTo(box.x, 2)
    expect(turned.y).toBeCloseTo(box.y, 2)
  })

  test('without a position stays without one', () => {
    const nowhere = { x: 0, y: 0, width: 0, height: 0 }
    expect(turnedBox(nowhere, 90, picture)).toEqual(nowhere)
  })
})

test.each([
  [0, '1970-01-01 00:00:00'],
  [secondsOf('2019-06-15 14:30:05'), '2019-06-15 14:30:05'],
  [secondsOf('1901-12-31 23:59:59'), '1901-12-31 23:59:59'],
])('%d seconds is %s', (taken, text) => {
  expect(formatLocalTime(taken)).toBe(text)
})

describe('a viewer', () => {
  test('sees only collections that they may view', async () => {
    const { make, items, list, get, viewer } = library()
    const user = await make.user()
    const [open, shared, closed] = [
      await make.collection({ public: true }),
      await make.collection({ viewers: [user] }),
      await make.collection(),
    ]
    const [a, b, c] = [
      await make.item({ collection: open }),
      await make.item({ collection: shared }),
      await make.item({ collection: closed }),
    ]
    const ids = (who: Viewer, collection = 0) => list(who, {}, collection).items.map(({ id }) => id)
    expect(ids(viewer(null))).toEqual([a])
    expect(ids(viewer(user))).toEqual([b, a])
    expect(ids(terminalViewer)).toEqual([c, b, a])
    expect(list(viewer(null), {}, closed)._meta.total_records).toBe(0)
    expect([...items.countByCollection(viewer(user), false)]).toEqual([
      [open, 1],
      [shared, 1],
    ])
    expect(list(viewer(null), {}, 999)).toMatchObject({ _meta: { total_records: 0 }, items: [] })
    expect(list(viewer(null), { collection_id: closed }).items).toEqual([])
    expect(list(viewer(user), { q: `in:${closed}` }).items).toEqual([])
    for (const id of [b, c, 999]) expect(() => get(viewer(null), id)).toThrow(notFound)
    expect(get(viewer(user), b).id).toBe(b)
  })

  test('sees as much of a path as their rights allow', async () => {
    const { make, get, viewer } = library()
    const [reader, editor, admin] = [
      await make.user(),
      await make.user(),
      await make.user('root', { globalAdmin: true }),
    ]
    const collection = await make.collection({ path: '/pictures/all', viewers: [reader], updaters: [editor] })
    const id = await make.item({ collection, folder: '2019', name: 'a.jpg' })
    const atRoot = await make.item({ collection, name: 'b.jpg' })
    expect(get(viewer(reader), id).path).toBe('a.jpg')
    expect(get(viewer(editor), id).path).toBe('2019/a.jpg')
    expect(get(viewer(admin), id).path).toBe('/pictures/all/2019/a.jpg')
    expect(get(viewer(editor), atRoot).path).toBe('b.jpg')
  })

  test('sees recycled and missing items only with the right to update', async () => {
    const { make, list, get, viewer } = library()
    const [reader, editor] = [await make.user(), await make.user()]
    const collection = await make.collection({ viewers: [reader], updaters: [editor] })
    const recycled = await make.item({ collection, deleted: 1_600_000_000 })
    const gone = await make.item({ collection, missing: 1_600_000_001 })
    expect(list(viewer(editor))._meta.total_records).toBe(0)
    for (const id of [recycled, gone]) expect(() => get(viewer(reader), id)).toThrow(notFound)
    expect(get(viewer(editor), recycled).properties).toEqual([{ name: 'Deleted', value: 1_600_000_000 }])
    expect(get(viewer(editor), gone).properties).toEqual([{ name: 'Missing', value: 1_600_000_001 }])
  })

  test('sees items with a hiding keystring only in an unlocked session and if the call requests them', async () => {
    const { make, list, get, viewer } = library()
    const user = await make.user('admin', { globalAdmin: true })
    await make.keystring('Private', { hidden: true, hidesItems: true })
    const id = await make.item({ keywords: ['Private', 'Sea'] })
    const recycled = await make.item({ keywords: ['Private'], deleted: 5 })
    const locked = viewer(user)
    const unlocked = viewer(user, { unlocked: true })
    for (const [who, includeHidden] of [
      [locked, undefined],
      [locked, unlockValue],
      [unlocked, undefined],
      [unlocked, 'a guess'],
      [terminalViewer, unlockValue],
    ] as const) {
      expect(list(who, { includeHidden })._meta.total_records).toBe(0)
      expect(() => get(who, id, includeHidden)).toThrow(notFound)
      expect(() => get(who, recycled, includeHidden)).toThrow(notFound)
    }
    expect(list(unlocked, { includeHidden: unlockValue })._meta.total_records).toBe(1)
    expect(get(unlocked, id, unlockValue).tags.Keywords?.data.map(({ content }) => content)).toEqual(['Private', 'Sea'])
    expect(get(unlocked, recycled, unlockValue).id).toBe(recycled)
  })

  test('does not see items that are still being hidden', async () => {
    const { make, list, get, items } = library()
    const keystring = await make.keystring('Soon')
    const id = await make.item({ keywords: ['Soon'], taken: '2019-06-15' })
    await make.item({ taken: '2019-06-16' })
    expect(list(terminalViewer)._meta.total_records).toBe(2)
    expect([...items.countByCollection(terminalViewer, false).values()]).toEqual([2])
    await make.pendingHide(keystring)
    expect([...items.countByCollection(terminalViewer, false).values()]).toEqual([1])
    expect(list(terminalViewer)).toMatchObject({ _meta: { total_records: 1, count: 1 } })
    expect(list(terminalViewer, { q: 'keyword:soon' })._meta.total_records).toBe(0)
    expect(items.timeline(terminalViewer, { collectionId: 0 }, {}).months).toEqual([{ year: 2019, month: 6, count: 1 }])
    expect(() => get(terminalViewer, id)).toThrow(notFound)
    expect(items.findForBytes(terminalViewer, id)).toBeNull()
  })

  test('neither sees hidden keystrings nor finds items by them', async () => {
    const { make, list, viewer } = library()
    const user = await make.user('admin', { globalAdmin: true })
    const keystring = await make.keystring('Surprise party', { hidden: true })
    await make.keystring('Party')
    const id = await make.item({ keywords: ['Surprise party'] })
    const other = await make.item({ keywords: ['Party', 'Surprise party'] })
    const entry = { type: 'Keyword' as const, mode: 0 as const, id: keystring }
    const ids = (query: Parameters<typeof list>[1], who = viewer(user, { unlocked: true })) =>
      list(who, query).items.map(found => found.id)
    expect(list(viewer(user)).items.map(({ tags }) => tags.Keywords?.data.map(({ content }) => content))).toEqual([
      ['Party'],
      undefined,
    ])
    expect(ids({ q: 'surprise' })).toEqual([])
    expect(ids({ q: 'party' })).toEqual([other])
    expect(ids({ q: '-surprise' })).toEqual([other, id])
    expect(ids({ filtergroups: [[entry]] })).toEqual([])
    expect(ids({ q: 'surprise', includeHidden: unlockValue })).toEqual([other, id])
    expect(ids({ filtergroups: [[entry]], includeHidden: unlockValue })).toEqual([other, id])
  })

  test('sees private people and places of a collection only as a member of its groups', async () => {
    const { make, list, get, items, viewer } = library()
    const [member, stranger] = [await make.user(), await make.user()]
    const collection = await make.collection({ public: true, keepPrivate: true, viewers: [member] })
    const id = await make.item({
      collection,
      people: ['Anna'],
      objects: ['House'],
      place: { latitude: 48, longitude: 11, placeName: 'Munich' },
      details: { altitude: 520 },
    })
    const searches = ['anna', 'person:=anna', 'munich', 'near:48,11,5km', 'object:house']
    for (const who of [viewer(null), viewer(stranger)]) {
      expect(get(who, id)).toMatchObject({ tags: {}, altitude: null })
      expect(get(who, id).tags).toEqual({})
      for (const q of searches) expect([q, list(who, { q })._meta.total_records]).toEqual([q, 0])
      for (const q of searches) expect([q, list(who, { q: `-${q}` })._meta.total_records]).toEqual([q, 1])
      expect(items.findForBytes(who, id)).toMatchObject({ withholdsPlaces: true })
    }
    for (const who of [viewer(member), terminalViewer]) {
      expect(get(who, id)).toMatchObject({ tags: { People: {}, Object: {}, Locations: {} }, altitude: 520 })
      for (const q of searches) expect([q, list(who, { q })._meta.total_records]).toEqual([q, 1])
      expect(items.findForBytes(who, id)).toMatchObject({ withholdsPlaces: false })
    }
  })
})

describe('the layout of a filter', () => {
  test('has the shape of each item as it is shown, by month and day', async () => {
    const { make, items } = library()
    await make.item({ taken: '2019-06-15 10:00:00', width: 4000, height: 3000 })
    await make.item({ taken: '2019-06-15 11:00:00', width: 4000, height: 3000, rotation: 90 })
    await make.item({ taken: '2019-06-16 09:00:00', width: 0, height: 0 })
    await make.item({ taken: '2019-05-01 09:00:00', width: 12_000, height: 1000, keywords: ['Sea'] })
    const { months } = items.layout(terminalViewer, { collectionId: 0 }, {})
    const days = [
      { day: 16, count: 1 },
      { day: 15, count: 2 },
    ]
    const [upright, lying] = [shapeOf(3000, 4000), shapeOf(4000, 3000)]
    const shapes = months.map(month => [...Buffer.from(month.shapes, 'base64')])
    expect(months.map(({ shapes: _, ...month }) => month)).toEqual([
      { year: 2019, month: 6, count: 3, days },
      { year: 2019, month: 5, count: 1, days: [{ day: 1, count: 1 }] },
    ])
    expect(shapes).toEqual([[0, upright, lying], [shapeOf(12_000, 1000)]])
    // A byte is exact to one per cent for usual pictures.
    for (const [shape, ratio] of [
      [upright, 3 / 4],
      [lying, 4 / 3],
    ] as const) {
      const share = (shape - 1) / 254
      expect(Math.abs(share / (1 - share) / ratio - 1)).toBeLessThan(0.01)
    }
    const found = items.layout(terminalViewer, { collectionId: 0 }, { q: 'sea' })
    expect(found.months).toEqual(months.slice(1))
  })
})

describe('totals and names', () => {
  test('are current even after changes of another process', async () => {
    const { make, list, get, directory, clock } = library()
    const id = await make.item({ keywords: ['Sea'], people: ['Anna'], rating: 3 })
    const counts = () => [
      list(terminalViewer)._meta.total_records,
      list(terminalViewer, { q: 'keyword:=sea' })._meta.total_records,
      list(terminalViewer, { q: 'rating:>=3' })._meta.total_records,
    ]
    expect(counts()).toEqual([1, 1, 1])
    expect(get(terminalViewer, id).tags.People?.data[0]?.name).toBe('Anna')

    const other = openDatabase(join(directory, 'library.db'), { waiting: terminalWaiting, clock })
    await other.transact({ userId: null }, tx => {
      tx.run("UPDATE person_names SET name = 'Anna Stein'")
      tx.run("UPDATE keystrings SET content = 'Ocean', content_key = 'ocean'")
      tx.run("UPDATE collections SET name = 'Renamed'")
    })
    expect(get(terminalViewer, id)).toMatchObject({
      collection: 'Renamed',
      tags: { People: { data: [{ name: 'Anna Stein' }] }, Keywords: { data: [{ content: 'Ocean' }] } },
    })
    await other.transact({ userId: null }, tx => tx.run('UPDATE items SET deleted = 5'))
    other.close()
    expect(counts()).toEqual([0, 0, 0])
  })

  test('count an item with two matching marks once', async () => {
    const { make, list } = library()
    await make.item({ type: 'video', rating: 5 })
    await make.item({ type: 'video' })
    await make.item({ rating: 5 })
    await make.item({ rating: 4 })
    const total = (q: string) => list(terminalViewer, { q })._meta.total_records
    expect(total('type:video OR rating:5')).toBe(3)
    expect(total('rating:>=4')).toBe(3)
    expect(total('type:image')).toBe(2)
  })
})

describe('a large query', () => {
  test('with many conditions over many collections returns the right items', async () => {
    const { make, list, viewer } = library()
    const user = await make.user()
    const collections: number[] = []
    for (let n = 0; n < 25; n++) collections.push(await make.collection({ viewers: [user] }))
    for (let n = 0; n < 140; n++) {
      await make.item({ collection: collections[n % 25], taken: `${1990 + (n % 30)}-05-05`, people: [`P${n % 9}`] })
    }
    const member = viewer(user, { unlocked: true })
    const years = Array.from({ length: 15 }, (_, n) => `date:${1990 + n * 2}`).join(' OR ')
    const query = { includeHidden: unlockValue, limit: 200 }
    expect(list(member, query)._meta).toMatchObject({ total_records: 140, count: 140 })
    expect(list(member, { ...query, q: years })._meta).toMatchObject({ total_records: 70, count: 70 })
    expect(list(member, { ...query, q: `(${years}) -person:p1` })._meta.count).toBe(
      list(member, { ...query, q: years }).items.filter(({ tags }) => tags.People?.data[0]?.name !== 'P1').length,
    )
    for (const sort of ['name', '-added'] as const) expect(list(member, { ...query, sort })._meta.count).toBe(140)
    const groups = Array.from({ length: 4 }, (_, n) =>
      Array.from({ length: 100 }, (_, m) => ({ type: 'Person' as const, mode: 1 as const, id: n * 100 + m + 20 })),
    )
    expect(list(member, { ...query, filtergroups: groups })._meta.count).toBe(140)
    const words = Array.from({ length: 200 }, (_, n) => `w${n}`)
    expect(list(member, { ...query, q: words.join(' OR ') })._meta.count).toBe(0)
    expect(list(member, { ...query, q: words.map(word => `-${word}`).join(' ') })._meta.count).toBe(140)
  })
})

describe('data for sending a picture', () => {
  test('has the bytes of names, and everything that caching depends on', async () => {
    const { make, items, viewer, db } = library()
    const [reader, editor] = [await make.user(), await make.user()]
    const collection = await make.collection({
      path: '/pictures/all',
      public: true,
      viewers: [reader],
      updaters: [editor],
    })
    const id = await make.item({ collection, folder: 'Übersee', name: 'a.jpg', content: 'feed-1', rotation: 90 })
    await db.transact({ userId: null }, tx => {
      tx.run(
        `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns)
         SELECT dir_id, ?, id, 'motion', 5, 0, 0 FROM items WHERE id = ?`,
        Buffer.from([0x61, 0xff]),
        id,
      )
    })
    const found = items.findForBytes(viewer(null), id)
    expect(found).toMatchObject({
      id,
      collectionId: collection,
      type: 'image',
      mime: 'image/jpeg',
      content: 'feed-1',
      rotation: 90,
      state: 0,
      isPublic: true,
      isPrivate: false,
    })
    const files = found?.files()
    expect(files).toMatchObject({ collectionPath: '/pictures/all', variantPath: '', motionWithin: null })
    expect(Buffer.from(files?.main?.dirBytes ?? []).toString()).toBe('Übersee')
    expect(Buffer.from(files?.main?.nameBytes ?? []).toString()).toBe('a.jpg')
    expect([...(files?.motion?.nameBytes ?? [])]).toEqual([0x61, 0xff])
    expect(items.findForBytes(viewer(editor), id)?.rights).not.toBe(found?.rights)
    expect(items.findForBytes(viewer(reader), id)?.rights).toBe(found?.rights)
  })

  test('of a hidden item is returned only to an unlocked session', async () => {
    const { make, items, viewer } = library()
    const user = await make.user()
    await make.keystring('Private', { hidesItems: true })
    const collection = await make.collection({ viewers: [user] })
    const id = await make.item({ collection, keywords: ['Private'] })
    expect(items.findForBytes(viewer(user), id)).toBeNull()
    expect(items.findForBytes(viewer(user, { unlocked: true }), id)).toMatchObject({ id, isPrivate: true, state: 1 })
    expect(items.findForBytes(viewer(null), id)).toBeNull()
    expect(items.findForBytes(viewer(null), 999)).toBeNull()
  })
})

test('items in lists match the schema for every viewer', async () => {
  const { make, list, viewer } = library()
  const collection = await make.collection({ public: true })
  await make.item({ collection, type: 'video', missing: undefined, problem: 'No codec', placeName: 'Somewhere' })
  for (const who of [terminalViewer, viewer(null)]) {
    for (const returned of list(who).items) expect(item.parse(returned)).toEqual(returned)
  }
})
