import { describe, expect, test } from 'bun:test'
import type { Duplicate } from '../../schema/api/items.ts'
import {
  bestOf,
  bytesOf,
  groupKeyOf,
  maxSkippedGroups,
  meritsOf,
  proposalFor,
  recycledOf,
  type SkippedGroups,
  tagCount,
  withKept,
  withNotRecycled,
  withoutRemoved,
  withSkipped,
} from '../../web/admin/duplicates/duplicate-choice.ts'

const base: Duplicate = {
  id: 1,
  name: 'a.jpg',
  path: 'a.jpg',
  type: 'image',
  collection_id: 1,
  width: 1000,
  height: 500,
  taken_at: '2019-08-03 12:00:00',
  taken: 1_564_833_600,
  utc_offset: null,
  date_source: 'exif-original',
  rating: null,
  duration: null,
  live: false,
  thumbhash: null,
  reloads: '',
  problem: null,
  properties: [],
  tags: {},
  size: 100_000,
}
const words = (...contents: string[]) => ({
  id: 1,
  version: 1,
  data: contents.map((content, n) => ({ id: n + 1, content })),
})

describe('the best of two duplicates', () => {
  const cases: [string, Partial<Duplicate>, Partial<Duplicate>][] = [
    ['can be shown', {}, { problem: 'It is broken', width: 4000 }],
    ['is not rejected', {}, { rating: -1, width: 4000 }],
    ['has the most pixels', { width: 1001 }, { size: 900_000, tags: { Keywords: words('Sea') } }],
    ['is the larger file', { size: 150_000 }, { tags: { Keywords: words('Sea') } }],
    ['has a date of its own', { taken: 2e9 }, { date_source: 'file', taken: 1 }],
    ['has the oldest date', { taken: 1 }, { tags: { Keywords: words('Sea') } }],
    ['has the most tags', { tags: { Keywords: words('Sea', 'Sand') } }, { tags: { Keywords: words('Sea') } }],
    ['came first', { id: 2 }, { id: 3 }],
  ]
  for (const [name, better, worse] of cases) {
    test(name, () => {
      const [a, b] = [
        { ...base, id: 8, ...better },
        { ...base, id: 9, ...worse },
      ]
      expect(bestOf([a, b])?.id).toBe(a.id)
      expect(bestOf([b, a])?.id).toBe(a.id)
    })
  }

  test('is not decided by a few bytes', () => {
    const [a, b] = [
      { ...base, id: 1, size: 100_000 },
      { ...base, id: 2, size: 100_900, date_source: 'name' },
    ]
    expect(bestOf([a, b])?.id).toBe(1)
  })

  test('is null when there are none', () => expect(bestOf([])).toBeNull())
})

test('merits are the points in which an item is better than all others', () => {
  const large = { ...base, id: 1, width: 2000 }
  const tagged = { ...base, id: 2, tags: { Keywords: words('Sea') } }
  const guessed = { ...base, id: 3, date_source: 'name' }
  expect(meritsOf([large, tagged, guessed], large)).toEqual(['largest picture'])
  expect(meritsOf([large, tagged, guessed], tagged)).toEqual(['most tags'])
  expect(meritsOf([large, tagged, guessed], guessed)).toEqual([])
  expect(meritsOf([tagged, guessed], tagged)).toEqual(['its own date', 'most tags'])
})

test('counts every tag, rating and place that a user has set', () => {
  expect(tagCount(base)).toBe(0)
  const place = { id: 1, version: 1, data: { latitude: 1, longitude: 2, placeName: '' } }
  const tags = { Keywords: words('Sea', 'Sand'), Category: words('Travel'), Locations: place }
  expect(tagCount({ rating: 4, tags })).toBe(5)
  expect(tagCount({ rating: 0, tags: { Description: { id: 1, version: 1, data: '' } } })).toBe(0)
})

test('changing a choice keeps the earlier decisions', () => {
  const group = [1, 2, 3].map(id => ({ ...base, id, size: id }))
  const proposed = proposalFor(group)
  expect(proposed).toEqual({ keep: bestOf(group)?.id ?? 0, notRecycled: [] })
  const ids = (choice: typeof proposed) => recycledOf(group, choice).map(({ id }) => id)
  const first = { keep: 1, notRecycled: [] }
  expect(ids(first)).toEqual([2, 3])
  const stays = withNotRecycled(first, 3, true)
  expect(ids(stays)).toEqual([2])
  expect(ids(withNotRecycled(stays, 3, true))).toEqual([2])
  // The item to keep is removed from the list of items that stay.
  expect(withKept(stays, 3)).toEqual({ keep: 3, notRecycled: [] })
  expect(ids(withKept(stays, 2))).toEqual([1])
  expect(ids(withNotRecycled(stays, 3, false))).toEqual([2, 3])
  expect(bytesOf(recycledOf(group, first))).toBe(5)
  expect(groupKeyOf(group)).toBe('1 2 3')
})

describe('skipped groups', () => {
  const none: SkippedGroups = { exact: [], near: [] }
  const group = (...ids: number[]) => ids.map(id => ({ ...base, id }))

  test('have the same key in any order of items, and another one with one more copy', () => {
    expect(groupKeyOf(group(12, 3, 100))).toBe(groupKeyOf(group(100, 12, 3)))
    expect(groupKeyOf(group(12, 3, 100))).not.toBe(groupKeyOf(group(12, 3, 100, 4)))
  })

  test('are remembered once each, by kind, the newest last', () => {
    const left = ['1 2', '3 4', '1 2'].reduce((now, key) => withSkipped(now, 'exact', key), none)
    expect(left).toEqual({ exact: ['3 4', '1 2'], near: [] })
    expect(withSkipped(left, 'near', '1 2').near).toEqual(['1 2'])
  })

  test('are forgotten when there are too many, the oldest first', () => {
    const many = { exact: Array.from({ length: maxSkippedGroups }, (_, n) => String(n)), near: [] }
    const { exact } = withSkipped(many, 'exact', 'new')
    expect([exact.length, exact[0], exact.at(-1)]).toEqual([maxSkippedGroups, '1', 'new'])
  })

  test('are forgotten when they no longer exist', () => {
    const left = { exact: ['1 2', '3 4'], near: ['1 2'] }
    expect(withoutRemoved(left, 'exact', ['3 4', '5 6'])).toEqual({ exact: ['3 4'], near: ['1 2'] })
  })
})
