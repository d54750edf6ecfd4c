import { describe, expect, test } from 'bun:test'
import { all, any, everything, type Filter, not, nothing } from '../../../core/filter/filter.ts'
import { filterOfQuery } from '../../../core/filter/language/query.ts'
import type { FilterLookups } from '../../../core/filter/lookups.ts'
import type { FilterEntry, FilterQuery } from '../../../schema/api/items.ts'
import { keyOf, tagBits } from '../../../schema/keys.ts'

/** Keystring 7 and person 3 are both named 'Anna'. */
const lookups: FilterLookups = {
  keystring: id => (id === 7 ? 'Anna' : `keystring ${id}`),
  keystringsNamed: () => [],
  peopleNamed: name => (name === 'Anna' ? [3] : []),
  objectsNamed: () => [],
  collectionsNamed: () => [],
  favourites: () => null,
  album: () => null,
  albumsNamed: () => [],
  foldersNamed: () => [],
  cameras: () => [],
}

const compile = (query: FilterQuery) => filterOfQuery(query, lookups)
const { Keywords, Category, Author, People } = tagBits
const keyword = (id: number, mode: 0 | 1 = 0): FilterEntry => ({ type: 'Keyword', mode, id })
const person = (id: number, mode: 0 | 1 = 0): FilterEntry => ({ type: 'Person', mode, id })
const text = (value: string, mode: 0 | 1 = 0): FilterEntry => ({ type: 'Keyword', mode, id: 0, text: value })
const key = (keys: number[], tags: number): Filter => ({ is: 'key', keys, tags })
const keystring = (id: number) => key([keyOf('keystring', id)], Keywords | Category | People)
const somebody = (id: number) => key([keyOf('person', id)], People)
const word = (value: string): Filter => ({
  is: 'text',
  text: value,
  phrase: false,
  columns: ['keywords', 'category', 'people', 'description', 'place', 'file'],
})

const year = (of: number): Filter => ({ is: 'taken', from: Date.UTC(of, 0) / 1000, to: Date.UTC(of + 1, 0) / 1000 })

describe('the parameters of a filtered call', () => {
  test.each<[string, FilterQuery, Filter]>([
    ['no parameters mean everything', {}, everything],
    ['collection 0 is every collection', { collection_id: 0 }, everything],
    ['a collection', { collection_id: 4 }, { is: 'collection', ids: [4] }],
    ['a start', { timestampStart: 100 }, { is: 'taken', from: 100, to: 2 ** 34 }],
    ['a range excludes its end', { timestampStart: 100, timestampEnd: 200 }, { is: 'taken', from: 100, to: 200 }],
    ['an end before the start', { timestampStart: 200, timestampEnd: 100 }, nothing],
    ['a month of every year', { startMonth: 7 }, { is: 'month', months: [7], calendar: 'gregorian' }],
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
      'a keyword that is a name does not mean the person if people are not searched',
      { filtergroups: [[keyword(7)]], searchInTags: ['Keywords', 'Author'] },
      key([keyOf('keystring', 7)], Keywords | Author),
    ],
    [
      'an empty list of tag sets means the usual ones',
      { filtergroups: [[keyword(5)]], searchInTags: [] },
      keystring(5),
    ],
    [
      'a group requires all its conditions',
      { filtergroups: [[keyword(5), person(2)]] },
      all([keystring(5), somebody(2)]),
    ],
    ['NOT', { filtergroups: [[keyword(5), person(2, 1)]] }, all([keystring(5), not(somebody(2))])],
    [
      'one of several groups must match',
      { filtergroups: [[keyword(5)], [person(2)]] },
      any([keystring(5), somebody(2)]),
    ],
    ['empty groups are dropped', { filtergroups: [[], [keyword(5)], []] }, keystring(5)],
    ['only empty groups mean everything', { filtergroups: [[], []] }, everything],
    ['repetitions are ignored', { filtergroups: [[keyword(5), keyword(5)], [keyword(5)]] }, keystring(5)],
    ['free text', { filtergroups: [[text('Beach')]] }, word('beach')],
    ['free text of two words needs both', { filtergroups: [[text('beach  sea')]] }, all([word('beach'), word('sea')])],
    [
      'free text with quotes needs the phrase and the other words',
      { filtergroups: [[text('"red  bike" 12" sea')]] },
      all([{ ...word('red  bike'), phrase: true } as Filter, word('12"'), word('sea')]),
    ],
    [
      'a year in free text is a word, or the year taken',
      { filtergroups: [[text('beach 2014'), text('2015', 1)]] },
      all([word('beach'), any([year(2014), word('2014')]), not(any([year(2015), word('2015')]))]),
    ],
    ['empty free text is dropped', { filtergroups: [[text(' '), keyword(5)]] }, keystring(5)],
    [
      'several parameters with q',
      { q: 'sea', filtergroups: [[keyword(5)]], startMonth: 7 },
      all([{ is: 'month', months: [7], calendar: 'gregorian' }, keystring(5), word('sea')]),
    ],
  ])('%s', (_, query, filter) => {
    expect(compile(query)).toEqual(filter)
  })

  test('an incomplete or invalid position and a radius without a position are refused with the field', () => {
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
