import { describe, expect, test } from 'bun:test'
import { all, any, everything, type Filter, not, nothing } from '../../../core/filter/filter.ts'
import { filterOfQuery } from '../../../core/filter/language/query.ts'
import type { FilterLookups } from '../../../core/filter/lookups.ts'
import type { FilterEntry, FilterQuery } from '../../../schema/api/items.ts'
import { keyOf, tagBits } from '../../../schema/keys.ts'

/** Keystring 7 is 'Anna', and so is person 3. */
const lookups: FilterLookups = {
  keystring: id => (id === 7 ? 'Anna' : `keystring ${id}`),
  keystringsNamed: () => [],
  peopleNamed: name => (name === 'Anna' ? [3] : []),
  objectsNamed: () => [],
  collectionsNamed: () => [],
  cameras: () => [],
}

const compile = (query: FilterQuery) => filterOfQuery(query, lookups)
const { Keywords, Category, Author, People } = tagBits
const keyword = (id: number, mode: 0 | 1 = 0): FilterEntry => ({ type: 'Keyword', mode, id })
const person = (id: number, mode: 0 | 1 = 0): FilterEntry => ({ type: 'Person', mode, id })
const text = (said: string, mode: 0 | 1 = 0): FilterEntry => ({ type: 'Keyword', mode, id: 0, text: said })
const key = (keys: number[], tags: number): Filter => ({ is: 'key', keys, tags })
const keystring = (id: number) => key([keyOf('keystring', id)], Keywords | Category | People)
const somebody = (id: number) => key([keyOf('person', id)], People)
const word = (said: string): Filter => ({
  is: 'text',
  text: said,
  phrase: false,
  columns: ['keywords', 'category', 'people', 'description', 'place', 'file'],
})

describe('the parameters of a filtered call', () => {
  test.each<[string, FilterQuery, Filter]>([
    ['nothing asks for everything', {}, everything],
    ['collection 0 is every collection', { collection_id: 0 }, everything],
    ['a collection', { collection_id: 4 }, { is: 'collection', ids: [4] }],
    ['a start', { timestampStart: 100 }, { is: 'taken', from: 100, to: 2 ** 34 }],
    ['a range, its end excluded', { timestampStart: 100, timestampEnd: 200 }, { is: 'taken', from: 100, to: 200 }],
    ['an end before the start', { timestampStart: 200, timestampEnd: 100 }, nothing],
    ['a month of every year', { startMonth: 7 }, { is: 'month', months: [7] }],
    [
      'a position without a radius',
      { latitude: 1, longitude: 2 },
      { is: 'near', latitude: 1, longitude: 2, radius: 1000 },
    ],
    ['a keyword in the usual tag sets', { filtergroups: [[keyword(5)]] }, keystring(5)],
    [
      "a keyword that is a person's name also means the person",
      { filtergroups: [[keyword(7)]] },
      key([keyOf('person', 3), keyOf('keystring', 7)], Keywords | Category | People),
    ],
    [
      'but not where people are not searched',
      { filtergroups: [[keyword(7)]], searchInTags: ['Keywords', 'Author'] },
      key([keyOf('keystring', 7)], Keywords | Author),
    ],
    [
      'no tag set to search in is as if none were said',
      { filtergroups: [[keyword(5)]], searchInTags: [] },
      keystring(5),
    ],
    ['a group: all of it', { filtergroups: [[keyword(5), person(2)]] }, all([keystring(5), somebody(2)])],
    ['NOT', { filtergroups: [[keyword(5), person(2, 1)]] }, all([keystring(5), not(somebody(2))])],
    ['groups: any of them', { filtergroups: [[keyword(5)], [person(2)]] }, any([keystring(5), somebody(2)])],
    ['empty groups are dropped', { filtergroups: [[], [keyword(5)], []] }, keystring(5)],
    ['nothing but empty groups asks for everything', { filtergroups: [[], []] }, everything],
    ['repetitions are ignored', { filtergroups: [[keyword(5), keyword(5)], [keyword(5)]] }, keystring(5)],
    ['free text', { filtergroups: [[text('Beach')]] }, word('beach')],
    ['free text of two words needs both', { filtergroups: [[text('beach  sea')]] }, all([word('beach'), word('sea')])],
    ['free text that was not filled in is dropped', { filtergroups: [[text(' '), keyword(5)]] }, keystring(5)],
    [
      'everything at once, with q',
      { q: 'sea', filtergroups: [[keyword(5)]], startMonth: 7 },
      all([{ is: 'month', months: [7] }, keystring(5), word('sea')]),
    ],
  ])('%s', (_, query, filter) => {
    expect(compile(query)).toEqual(filter)
  })

  test('half a position, one that is not on Earth, and a radius without one are refused by name', () => {
    expect(() => compile({ latitude: 1 })).toThrow(expect.objectContaining({ code: 'invalid', field: 'longitude' }))
    expect(() => compile({ radius: 5 })).toThrow(expect.objectContaining({ code: 'invalid', field: 'radius' }))
    expect(() => compile({ latitude: 91, longitude: 0 })).toThrow(expect.objectContaining({ field: 'latitude' }))
    expect(() => compile({ latitude: 0, longitude: 181 })).toThrow(expect.objectContaining({ field: 'longitude' }))
  })

  test('a filter of thousands of conditions is refused', () => {
    const groups = Array.from({ length: 50 }, (_, n) => Array.from({ length: 100 }, (_, m) => person(n * 100 + m + 1)))
    expect(() => compile({ filtergroups: groups })).toThrow(
      expect.objectContaining({ code: 'invalid', field: 'filtergroups' }),
    )
  })
})
