import { expect, test } from 'bun:test'
import type { Viewer } from '../../../core/accounts/access.ts'
import { createAlbums } from '../../../core/albums/albums.ts'
import { createItems } from '../../../core/items/items.ts'
import { createPeopleOverviews } from '../../../core/people/overview.ts'
import { createPeople } from '../../../core/people/people.ts'
import { openTestLibrary, secondsOf, unlockValue } from '../../support/library.ts'

async function library() {
  const { db, make, clock, viewer } = openTestLibrary()
  const items = createItems({ db })
  const overviews = createPeopleOverviews({ db, clock, items })
  const people = createPeople({ db, items, queueRemainingWork: async () => {} })
  const albums = createAlbums({ db, clock, items })
  const member = await make.user()
  const own = await make.collection({ name: 'Family', viewers: [member] })
  const open = await make.collection({ name: 'Open', public: true })
  const discreet = await make.collection({ name: 'Kept', public: true, keepPrivate: true })
  const viewers: Record<string, Viewer> = {
    visitor: viewer(null),
    member: viewer(member),
    admin: viewer(await make.user('admin', { globalAdmin: true })),
    unlocked: viewer(await make.user(), { unlocked: true }),
  }
  const as = (name: string): Viewer => viewers[name] ?? viewer(null)
  const idOf = (name: string) =>
    people.list(as('admin'), {}).find(({ names }) => names.some(one => one.name === name))?.id ?? 0
  const seen = (name: string, query = {}) =>
    overviews.list(as(name), query).map(({ name, count, face }) => [name, count, face?.item.id ?? null])
  async function publicAlbum(items: readonly number[]): Promise<number> {
    const { id } = await albums.create(as('admin'), { kind: 'hand', name: 'Summer', items: [...items] })
    await albums.update(as('admin'), id, { public: true })
    return id
  }
  return { db, make, people, publicAlbum, overviews, as, own, open, discreet, idOf, seen }
}

test('people are listed most frequent first, with the largest face on items that the caller sees', async () => {
  const { make, own, open, discreet, seen } = await library()
  const small = await make.item({ collection: open, boxes: [{ person: 'Ada', x: 10, y: 10, width: 50, height: 50 }] })
  const large = await make.item({ collection: own, boxes: [{ person: 'Ada', x: 10, y: 10, width: 90, height: 90 }] })
  await make.item({ collection: open, people: ['Ben'] })
  await make.item({
    collection: discreet,
    boxes: [
      { person: 'Ada', x: 0, y: 0, width: 200, height: 200 },
      { person: 'Cem', x: 300, y: 0, width: 200, height: 200 },
    ],
  })
  await make.item({
    collection: open,
    problem: 'unreadable',
    boxes: [{ person: 'Ben', x: 0, y: 0, width: 200, height: 200 }],
  })
  expect(seen('visitor')).toEqual([
    ['Ben', 2, null],
    ['Ada', 1, small],
  ])
  expect(seen('member')).toEqual([
    ['Ada', 2, large],
    ['Ben', 2, null],
  ])
  expect(seen('admin').map(([name, count]) => [name, count])).toEqual([
    ['Ada', 3],
    ['Ben', 2],
    ['Cem', 1],
  ])
})

test('hidden items count, and show faces, in unlocked sessions only', async () => {
  const { make, open, seen, overviews, as, idOf } = await library()
  await make.keystring('Secret', { hidesItems: true })
  const hidden = await make.item({
    collection: open,
    keywords: ['Secret'],
    boxes: [{ person: 'Dora', x: 0, y: 0, width: 90, height: 90 }],
  })
  for (const name of ['visitor', 'admin', 'unlocked']) expect(seen(name)).toEqual([])
  expect(seen('unlocked', { includeHidden: unlockValue })).toEqual([['Dora', 1, hidden]])
  const dora = idOf('Dora')
  expect(() => overviews.page(as('admin'), dora, {})).toThrow()
  expect(overviews.page(as('unlocked'), dora, { includeHidden: unlockValue }).count).toBe(1)
})

test('a face is shown as its picture is rotated', async () => {
  const { make, open, overviews, as } = await library()
  await make.item({
    collection: open,
    width: 400,
    height: 200,
    rotation: 90,
    boxes: [{ person: 'Ada', x: 100, y: 50, width: 200, height: 300 }],
  })
  expect(overviews.list(as('visitor'), {})[0]?.face).toMatchObject({
    item: { width: 200, height: 400, rotation: 90 },
    box: { x: 150, y: 100, width: 300, height: 200 },
  })
})

test('a person has years, places and company of the items that the caller sees', async () => {
  const { make, own, open, discreet, overviews, as, idOf } = await library()
  const people = ['Ada', 'Ben']
  await make.item({ collection: open, people, taken: '2019-05-01', placeName: 'Kiel, Germany' })
  await make.item({ collection: open, people: ['Ada'], taken: '2021-05-01', placeName: 'Kiel, Germany' })
  await make.item({ collection: own, people: ['Ada', 'Cem'], taken: '2021-07-01', placeName: 'Vienna, Austria' })
  await make.item({ collection: discreet, people: ['Ada', 'Dora'], taken: '2022-07-01', placeName: 'Oslo, Norway' })
  const ada = idOf('Ada')
  const page = (name: string) => {
    const { count, years, places, with: company } = overviews.page(as(name), ada, {})
    return { count, years: years.map(({ year, count }) => [year, count]), places, company: company.map(p => p.name) }
  }
  expect(page('visitor')).toEqual({
    count: 2,
    years: [
      [2019, 1],
      [2021, 1],
    ],
    places: [{ name: 'Kiel, Germany', count: 2 }],
    company: ['Ben'],
  })
  expect(page('member')).toMatchObject({
    years: [
      [2019, 1],
      [2021, 2],
    ],
    places: [
      { name: 'Kiel, Germany', count: 2 },
      { name: 'Vienna, Austria', count: 1 },
    ],
    company: ['Ben', 'Cem'],
  })
  expect(page('admin').company).toEqual(['Ben', 'Cem', 'Dora'])
  // The Persian year 1400 begins on 21 March 2021.
  await make.item({ collection: open, people: ['Ada'], taken: '2021-03-20 23:59:59' })
  expect(overviews.page(as('member'), ada, { calendar: 'persian' }).years).toEqual([
    { year: 1398, count: 1 },
    { year: 1399, count: 1 },
    { year: 1400, count: 2 },
  ])
  expect(() => overviews.page(as('visitor'), idOf('Dora'), {})).toThrow()
})

test('the name in force today is shown; birthdates are for editors', async () => {
  const { db, make, open, overviews, as } = await library()
  const id = await make.person(
    { name: 'Jonas Lind', to: secondsOf('2014-03-01') },
    { name: 'Jonas Ferrer', from: secondsOf('2014-03-01') },
  )
  await db.transact({ userId: null }, tx => void tx.run("UPDATE people SET birthdate = '2007-05-14'"))
  await make.item({ collection: open, people: ['Jonas Ferrer'] })
  expect(overviews.page(as('visitor'), id, {})).toMatchObject({ name: 'Jonas Ferrer', birthdate: null })
  expect(overviews.page(as('admin'), id, {})).toMatchObject({ birthdate: '2007-05-14' })
})

test('a chosen cover shows the face to those who see it, as long as the item shows the person', async () => {
  const { db, make, own, open, discreet, people, as, idOf, seen, overviews } = await library()
  const box = { person: 'Ada', x: 10, y: 10, width: 50, height: 50 }
  const large = await make.item({ collection: open, boxes: [{ ...box, width: 90, height: 90 }] })
  const small = await make.item({ collection: own, boxes: [box] })
  const withoutBox = await make.item({ collection: open, people: ['Ada'], width: 400, height: 200 })
  const kept = await make.item({ collection: discreet, boxes: [box] })
  const other = await make.item({ collection: open, boxes: [{ ...box, person: 'Ben' }] })
  const ada = idOf('Ada')
  const use = (cover: number | null) => people.update(as('admin'), ada, { cover })
  const faces = () => ['visitor', 'member', 'admin'].map(name => seen(name).find(([who]) => who === 'Ada')?.[2])
  await use(small)
  expect(faces()).toEqual([large, small, small])
  await use(kept)
  expect(faces()).toEqual([large, large, kept])
  await use(withoutBox)
  expect(overviews.page(as('visitor'), ada, {}).face).toMatchObject({
    item: { id: withoutBox },
    box: { x: 0, y: 0, width: 1000, height: 500 },
  })
  expect(use(other)).rejects.toThrow('Not found')
  expect(people.update(as('member'), ada, { cover: large })).rejects.toThrow('Permission Denied')
  await use(small)
  await db.transact({ userId: null }, tx => void tx.run('DELETE FROM regions WHERE item_id = ?', small))
  expect(faces()).toEqual([large, large, large])
  await use(null)
  expect(faces()).toEqual([large, large, large])
})

test('an album has the people who are most often on those of its items that the caller sees', async () => {
  const { make, own, open, discreet, as, overviews, publicAlbum } = await library()
  const items = [
    await make.item({ collection: open, people: ['Ada', 'Ben'] }),
    await make.item({ collection: open, people: ['Ben'] }),
    await make.item({ collection: own, people: ['Ada', 'Cem'] }),
    await make.item({ collection: own, people: ['Ada'] }),
    await make.item({ collection: discreet, people: ['Dora'] }),
  ]
  await make.item({ collection: open, people: ['Eva'] })
  const album = await publicAlbum(items)
  const who = (name: string) => overviews.ofAlbum(as(name), album, {}).people.map(one => `${one.name} ${one.count}`)
  expect(who('visitor')).toEqual(['Ben 2', 'Ada 1'])
  expect(who('member')).toEqual(['Ada 3', 'Ben 2', 'Cem 1'])
  expect(() => overviews.ofAlbum(as('visitor'), 987, {})).toThrow()
  const many = await publicAlbum([
    await make.item({ collection: open, people: ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7'] }),
  ])
  const { people, total } = overviews.ofAlbum(as('visitor'), many, {})
  expect([people.length, total]).toEqual([5, 7])
})
