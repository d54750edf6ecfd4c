import { expect, test } from 'bun:test'
import type { Viewer } from '../../../core/accounts/access.ts'
import { createItems } from '../../../core/items/items.ts'
import { createVisitedPlaces } from '../../../core/places/visited.ts'
import { partsOfPlace, searchTextsOfPlace, textOfPlace } from '../../../core/words/place-names.ts'
import { openTestLibrary, secondsOf, unlockValue } from '../../support/library.ts'

test('names are split into country, region and town', () => {
  const parts = (name: string) => {
    const { country, region, town } = partsOfPlace(name)
    return [country, region, town]
  }
  expect(parts('Kiel, Germany')).toEqual(['Germany', '', 'Kiel'])
  expect(parts('Kiel, Schleswig-Holstein, Germany')).toEqual(['Germany', 'Schleswig-Holstein', 'Kiel'])
  expect(parts('Old Town , Kiel,Schleswig-Holstein, Germany')).toEqual(['Germany', 'Schleswig-Holstein', 'Kiel'])
  expect(parts('Germany')).toEqual(['Germany', '', ''])
  expect(parts('Home')).toEqual(['', '', 'Home'])
  expect(parts(' , ')).toEqual(['', '', ''])
  expect(textOfPlace(partsOfPlace('Old Town, Kiel, Schleswig-Holstein, Germany'))).toBe(
    'Kiel, Schleswig-Holstein, Germany',
  )
})

test('a country has its English name, whatever language it is written in', () => {
  for (const name of ['Deutschland', 'allemagne', 'Alemania', 'Almanya', 'آلمان', 'Германия', '德国', 'Germany']) {
    expect([name, partsOfPlace(name).country]).toEqual([name, 'Germany'])
    expect(partsOfPlace(`Kiel, ${name}`)).toEqual({ country: 'Germany', region: '', town: 'Kiel' })
  }
  expect(partsOfPlace('Fresno, California, USA').country).toBe('United States')
  // A code may be a state: Delaware.
  expect(partsOfPlace('Dover, DE').country).toBe('DE')
})

test('a search finds a place with its country in every language and without its region', () => {
  expect(searchTextsOfPlace('')).toEqual([''])
  expect(searchTextsOfPlace('Home')).toEqual(['Home'])
  expect(searchTextsOfPlace('Deutschland').slice(0, 2)).toEqual(['Deutschland', 'Germany'])
  expect(searchTextsOfPlace('Kiel, Schleswig-Holstein, Deutschland').slice(0, 3)).toEqual([
    'Kiel, Schleswig-Holstein, Deutschland',
    'Kiel, Schleswig-Holstein, Germany',
    'Kiel, Germany',
  ])
})

async function library() {
  const { db, make, viewer } = openTestLibrary()
  const items = createItems({ db })
  const visited = createVisitedPlaces({ db, items })
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
  return { db, make, items, visited, as, own, open, discreet }
}

test('items are grouped by country, region and town, most frequent first, each with its best rated item', async () => {
  const { make, visited, as, open, items } = await library()
  const at = (placeName: string, more = {}) => make.item({ collection: open, placeName, ...more })
  await at('Kiel, Schleswig-Holstein, Germany', { taken: '2001-02-03' })
  const best = await at('Kiel, Schleswig-Holstein, Germany', { rating: 5, taken: '2019-02-03' })
  await at('Hammoor, Schleswig-Holstein, Germany', { rating: 2 })
  await at('Berlin, Germany')
  await at('Vienna, Austria', { problem: 'unreadable', rating: 5 })
  const cover = await at('Vienna, Austria')
  await at('Home')
  await at('Iceland')
  await make.item({ collection: open, place: { latitude: 1, longitude: 2 } })
  await make.item({ collection: open })
  await make.item({ collection: open })

  const all = visited.overview(as('visitor'), {})
  expect(all).toMatchObject({ countries: 3, towns: 5, unnamed: 1, nowhere: 2 })
  expect(
    all.sections.map(({ name, count, places }) => [name, count, places.map(one => [one.name, one.count])]),
  ).toEqual([
    [
      'Germany',
      4,
      [
        ['Schleswig-Holstein', 3],
        ['Berlin', 1],
      ],
    ],
    ['Austria', 2, [['Vienna', 2]]],
    ['', 1, [['Home', 1]]],
    ['Iceland', 1, []],
  ])
  const [germany, austria] = all.sections
  expect(germany).toMatchObject({ from: secondsOf('2001-02-03'), inside: 2 })
  expect(germany?.places[0]).toMatchObject({
    text: 'Schleswig-Holstein, Germany',
    inside: 2,
    top: [
      { name: 'Kiel', text: 'Kiel, Schleswig-Holstein, Germany', count: 2 },
      { name: 'Hammoor', count: 1 },
    ],
  })
  expect(germany?.places[0]?.cover?.id).toBe(best)
  expect(austria?.places[0]?.cover?.id).toBe(cover)

  const towns = visited.overview(as('visitor'), { country: 'Germany', region: 'Schleswig-Holstein' }).sections
  expect(towns.map(({ name, places }) => [name, places.map(one => one.name)])).toEqual([
    ['Schleswig-Holstein', ['Kiel', 'Hammoor']],
  ])
  expect(visited.overview(as('visitor'), { country: 'Norway' }).sections).toEqual([])
  // The search finds what was counted.
  for (const { places } of all.sections) {
    for (const { text, count } of places) {
      const found = items.list(as('visitor'), { collectionId: 0 }, { q: `place:"${text}"` })
      expect([text, found._meta.total_records]).toEqual([text, count])
    }
  }
})

test('a name without a town belongs to its region if other names show that it is one', async () => {
  const { make, visited, as, open } = await library()
  for (const placeName of ['Fresno, California, United States', 'California, United States', 'Reno, United States'])
    await make.item({ collection: open, placeName })
  const [country] = visited.overview(as('visitor'), {}).sections
  expect(country?.places.map(({ name, count, inside }) => [name, count, inside])).toEqual([
    ['California', 2, 1],
    ['Reno', 1, 0],
  ])
})

test('spellings of one place are counted together, and its search finds them all', async () => {
  const { make, visited, as, open, items } = await library()
  const names = [
    'Kiel, Schleswig-Holstein, Germany',
    'Kiel, Deutschland',
    'Kiel, Schleswig-Holstein, Allemagne',
    'Lübeck, Schleswig-Holstein, Germany',
    // Two regions have such a town, so this one stays without.
    'Neustadt, Bavaria, Germany',
    'Neustadt, Thuringia, Germany',
    'Neustadt, Germany',
  ]
  for (const placeName of names) await make.item({ collection: open, placeName })
  const { sections, towns } = visited.overview(as('visitor'), { country: 'Deutschland' })
  expect(sections.map(({ name, count }) => [name, count])).toEqual([['Germany', 7]])
  expect(towns).toBe(5)
  const [germany] = sections
  expect(germany?.places.map(({ name, count }) => [name, count])).toEqual([
    ['Schleswig-Holstein', 4],
    ['Bavaria', 1],
    ['Neustadt', 1],
    ['Thuringia', 1],
  ])
  const [kiel] = germany?.places[0]?.top ?? []
  expect(kiel).toEqual({ name: 'Kiel', text: 'Kiel, Germany', count: 3 })
  const count = (q: string) => items.list(as('visitor'), { collectionId: 0 }, { q })._meta.total_records
  expect(count(`place:"${kiel?.text}"`)).toBe(3)
  for (const q of ['almanya kiel', 'آلمان kiel', 'германия kiel', '德国 kiel', 'place:deutschl kiel']) {
    expect([q, count(q)]).toEqual([q, 3])
  }
})

test('a country shows four of its places, and all of them if the call requests that country', async () => {
  const { make, visited, as, open } = await library()
  for (const town of ['A', 'B', 'C', 'D', 'E']) await make.item({ collection: open, placeName: `${town}, Spain` })
  const [spain] = visited.overview(as('visitor'), {}).sections
  expect([spain?.inside, spain?.places.length]).toEqual([5, 4])
  expect(visited.overview(as('visitor'), { country: 'Spain' }).sections[0]?.places).toHaveLength(5)
})

test('places of hidden items, and of collections that keep them private, are not shown', async () => {
  const { make, visited, as, own, open, discreet } = await library()
  await make.keystring('Secret', { hidesItems: true })
  await make.item({ collection: open, placeName: 'Kiel, Germany' })
  await make.item({ collection: open, placeName: 'Kiel, Germany', keywords: ['Secret'], rating: 5 })
  await make.item({ collection: own, placeName: 'Vienna, Austria' })
  await make.item({ collection: discreet, placeName: 'Oslo, Norway' })
  await make.item({ collection: discreet })
  await make.item({ collection: open, placeName: 'Rome, Italy', deleted: 5 })
  const seen = (name: string, query = {}) => {
    const { sections, nowhere } = visited.overview(as(name), query)
    return [sections.map(one => [one.name, one.count]), nowhere]
  }
  expect(seen('visitor')).toEqual([[['Germany', 1]], 0])
  expect(seen('member')).toEqual([
    [
      ['Austria', 1],
      ['Germany', 1],
    ],
    0,
  ])
  expect(seen('admin')).toEqual([
    [
      ['Austria', 1],
      ['Germany', 1],
      ['Norway', 1],
    ],
    1,
  ])
  expect(seen('unlocked', { includeHidden: unlockValue })).toEqual([[['Germany', 2]], 0])
  expect(seen('unlocked')).toEqual([[['Germany', 1]], 0])
})

test('an overview is made again when something has changed', async () => {
  const { make, visited, as, open } = await library()
  await make.item({ collection: open, placeName: 'Kiel, Germany' })
  expect(visited.overview(as('visitor'), {}).sections[0]?.count).toBe(1)
  await make.item({ collection: open, placeName: 'Kiel, Germany' })
  expect(visited.overview(as('visitor'), {}).sections[0]?.count).toBe(2)
})
