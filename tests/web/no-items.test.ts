import { expect, test } from 'bun:test'
import { emptyFilter, type Filter, freeText } from '../../web/app/filter.ts'
import { emptyReason, waysOut } from '../../web/search/no-items.ts'

const words = (...texts: string[]) => [texts.map(text => freeText(text.replace(/^-/, ''), text.startsWith('-')))]
const said = (filter: Partial<Filter>, collection: string | null = null) =>
  emptyReason({ ...emptyFilter, ...filter }, collection)
    .map(({ text }) => text)
    .join('')

test('the reason is said in the words of the filter', () => {
  expect(said({ year: 1931, groups: words('Mia', 'skiing') })).toBe('Nothing from 1931 has both Mia and skiing.')
  expect(said({ groups: words('Mia', 'snow', 'skiing', '-screenshot') })).toBe(
    'Nothing has Mia, snow and skiing without screenshot.',
  )
  expect(said({ collection: 2, groups: words('-dog', '-cat') }, 'Family')).toBe(
    'Nothing in Family is left without dog or cat.',
  )
  expect(said({ collection: 2 }, 'Family')).toBe('Nothing in Family is here.')
  expect(said({ groups: [...words('Mia', 'snow'), ...words('-dog')] })).toBe(
    'Nothing has both Mia and snow, or is left without dog.',
  )
  const near = { latitude: 48.2, longitude: 16.4, radius: 5000 }
  expect(said({ near: { ...near, name: 'Vienna' }, q: 'rating:4' })).toBe(
    'Nothing within 5 km of Vienna matches rating:4.',
  )
  expect(said({ near })).toBe('Nothing within 5 km of the place is here.')
  expect(said({})).toBe('There is nothing to show yet.')
})

test('the smallest step comes first: a month before its year, the date before the words', () => {
  const ways = waysOut({ ...emptyFilter, collection: 2, year: 2012, month: 8, groups: words('Mia', 'skiing', '-snow') })
  expect(ways.map(({ text }) => text)).toEqual([
    'All of 2012',
    'Any year',
    'Just skiing',
    'Just Mia',
    'Even with snow',
    'All collections',
  ])
  expect(ways[1]?.filter).toMatchObject({ year: null, month: null, collection: 2 })
})

test('a month of any year, and a single word, are taken away by their own names', () => {
  expect(waysOut({ ...emptyFilter, month: 3, groups: words('Mia') }).map(({ text }) => text)).toEqual([
    'Any month',
    'Any keyword',
  ])
  expect(waysOut(emptyFilter)).toEqual([])
})

test('of several groups all are taken away at once; a place and a query by themselves', () => {
  const near = { latitude: 48.2, longitude: 16.4, radius: 5000 }
  const ways = waysOut({ ...emptyFilter, groups: [...words('Mia'), ...words('snow')], near, q: 'rating:4' })
  expect(ways.map(({ text }) => text)).toEqual(['Anywhere', 'Without the query', 'Any keyword'])
  expect(ways[2]?.filter.groups).toEqual([])
})
