import { expect, test } from 'bun:test'
import { emptyFilter, type Filter, freeText } from '../../web/app/filter.ts'
import { conditionsOf, widerFilters } from '../../web/search/no-items.ts'

const words = (...texts: string[]) => [texts.map(text => freeText(text.replace(/^-/, ''), text.startsWith('-')))]
const listed = (filter: Partial<Filter>, collection: string | null = null) =>
  conditionsOf({ ...emptyFilter, ...filter }, collection).map(({ label, value }) => `${label}: ${value}`)

test('each part of the filter is listed with its name', () => {
  expect(listed({ year: 1931, groups: words('Mia', 'skiing') })).toEqual(['Date: 1931', 'Words: Mia and skiing'])
  expect(listed({ groups: words('Mia', 'snow', 'skiing', '-screenshot') })).toEqual([
    'Words: Mia, snow, and skiing, without screenshot',
  ])
  expect(listed({ collection: 2, groups: words('-dog', '-cat') }, 'Family')).toEqual([
    'Collection: Family',
    'Words: Without dog and cat',
  ])
  expect(listed({ groups: [...words('Mia', 'snow'), ...words('-dog')] })).toEqual([
    'Words: Mia and snow',
    'Or words: Without dog',
  ])
  const near = { latitude: 48.2, longitude: 16.4, radius: 5000 }
  expect(listed({ near: { ...near, name: 'Vienna' }, q: 'rating:4' })).toEqual([
    'Location: Within 5 km of Vienna',
    'Query: rating:4',
  ])
  expect(listed({})).toEqual([])
})

test('the filter that is closest comes first: without the month before without the year, then without a word', () => {
  const ways = widerFilters({
    ...emptyFilter,
    collection: 2,
    year: 2012,
    month: 8,
    groups: words('Mia', 'skiing', '-snow'),
  })
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

test("a month without a year is removed by 'Any month', a single word by 'Any keyword'", () => {
  expect(widerFilters({ ...emptyFilter, month: 3, groups: words('Mia') }).map(({ text }) => text)).toEqual([
    'Any month',
    'Any keyword',
  ])
  expect(widerFilters(emptyFilter)).toEqual([])
})

test('several groups are removed together, a place and a query each by itself', () => {
  const near = { latitude: 48.2, longitude: 16.4, radius: 5000 }
  const ways = widerFilters({ ...emptyFilter, groups: [...words('Mia'), ...words('snow')], near, q: 'rating:4' })
  expect(ways.map(({ text }) => text)).toEqual(['Anywhere', 'Without the query', 'Any keyword'])
  expect(ways[2]?.filter.groups).toEqual([])
})
