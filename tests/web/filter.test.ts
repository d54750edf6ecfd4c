import { describe, expect, test } from 'bun:test'
import {
  type ChipEntry,
  emptyFilter,
  type Filter,
  freeText,
  isEmpty,
  lacksOrder,
  queryOf,
  readFilter,
  readPage,
  writeFilter,
  yearRange,
} from '../../web/app/filter.ts'

const mia: ChipEntry = { kind: 'Person', id: 12, text: 'Mia', not: false }
const full: Filter = {
  collection: 3,
  album: 12,
  sort: 'hand',
  year: 2012,
  month: 8,
  calendar: 'gregorian',
  groups: [
    [freeText('summer'), freeText('screenshot', true), freeText('a & b = c')],
    [
      mia,
      { kind: 'Keyword', id: 7, text: 'Sea, sand', not: true },
      { kind: 'Object', id: 4, text: 'Red bike', not: true },
    ],
  ],
  near: { latitude: 48.2, longitude: 16.37, radius: 5000, name: 'Vienna' },
  q: 'rating:>=4 OR camera:nikon',
  tags: ['Keywords', 'Author'],
}

describe('a filter in the address', () => {
  test('is read back unchanged, with its chips and groups in order', () => {
    expect(readFilter(writeFilter(full))).toEqual(full)
  })

  test('is readable', () => {
    expect(writeFilter(full)).toBe(
      '?album=12&sort=hand&collection=3&year=2012&month=8&and=summer&not=screenshot&and=a+%26+b+%3D+c' +
        '&or&person=12+Mia&not-keyword=7+Sea,+sand&not-object=4+Red+bike' +
        '&near=48.2,16.37,5000,Vienna&q=rating:%3E%3D4+OR+camera:nikon&in=Keywords,Author',
    )
  })

  test('has the order of an album, without which the album has its own', () => {
    expect(writeFilter({ ...emptyFilter, album: 12 })).toBe('?album=12&sort=-taken')
    expect(readFilter('?album=12&sort=-taken').sort).toBeNull()
    expect(['?album=12', '?album=12&sort=nonsense', '?album=12&year=2012'].map(lacksOrder)).toEqual([true, true, true])
    expect(['', '?sort=hand', '?album=12&sort=-taken', '?album=12&sort=hand'].some(lacksOrder)).toBe(false)
  })

  test('is empty for an empty filter', () => {
    // A choice of tags to search in counts only with words or a query.
    expect(writeFilter({ ...emptyFilter, tags: ['Author'] })).toBe('')
    expect(writeFilter(emptyFilter)).toBe('')
    expect(readFilter('')).toEqual(emptyFilter)
    expect(isEmpty(readFilter('?page=4'))).toBe(true)
    expect(isEmpty(full)).toBe(false)
  })

  test('of an old version is read as one group', () => {
    expect(readFilter('?and=sea&not=dog').groups).toEqual([[freeText('sea'), freeText('dog', true)]])
  })

  const invalid: [string, Partial<Filter>][] = [
    ['?collection=x&year=20a&month=13', {}],
    ['?and=&and=+&not=dog', { groups: [[freeText('dog', true)]] }],
    ['?and=a&or&or&or', { groups: [[freeText('a')]] }],
    ['?or&and=a&or&and=b', { groups: [[freeText('a')], [freeText('b')]] }],
    ['?and=a&or&and=a', { groups: [[freeText('a')]] }],
    ['?and=a&and=A', { groups: [[freeText('a')]] }],
    ['?person=', {}],
    ['?person=Mia', {}],
    ['?person=12', { groups: [[{ ...mia, text: '' }]] }],
    ['?person=12+Mi', { groups: [[{ ...mia, text: 'Mi' }]] }],
    ['?near=48', {}],
    ['?near=48.2,', {}],
    ['?near=48.2,16.37', { near: { latitude: 48.2, longitude: 16.37, radius: 1000 } }],
    ['?near=48.2,16.37,', { near: { latitude: 48.2, longitude: 16.37, radius: 1000 } }],
    ['?near=48.2,16.37,5', { near: { latitude: 48.2, longitude: 16.37, radius: 5 } }],
    ['?near=48.2,16.37,1e9', {}],
    ['?near=95,16', {}],
    ['?near=48.2,16.37,9000000', { near: { latitude: 48.2, longitude: 16.37, radius: 1_000_000 } }],
    [`?q=${'x'.repeat(2001)}`, {}],
    ['?q=%E0%A4', { q: '\uFFFD' }],
    ['?q=sea&in=Author,People,Nonsense', { q: 'sea', tags: ['People', 'Author'] }],
    ['?in=Nonsense', {}],
    ['?%%%&&==', {}],
  ]
  for (const [search, expected] of invalid) {
    test(`${search.slice(0, 40)} loses only its invalid parts`, () => {
      expect(readFilter(search)).toEqual({ ...emptyFilter, ...expected })
    })
  }

  test('has the page number, except for the first page', () => {
    expect(writeFilter(emptyFilter, 1)).toBe('')
    expect(writeFilter(emptyFilter, 7)).toBe('?page=7')
    expect(readPage('?page=0')).toBe(1)
    expect(readPage('?page=-3')).toBe(1)
    expect(readPage('?page=12')).toBe(12)
  })
})

describe('the query of a filter', () => {
  test('for a month is from its first second to the start of the next month', () => {
    expect(queryOf({ ...emptyFilter, year: 2012, month: 12 })).toEqual({
      timestampStart: Date.UTC(2012, 11, 1) / 1000,
      timestampEnd: Date.UTC(2013, 0, 1) / 1000,
    })
  })

  test('for a year is that year, for a month alone that month of every year', () => {
    expect(queryOf({ ...emptyFilter, year: 1931 })).toEqual({
      timestampStart: Date.UTC(1931, 0, 1) / 1000,
      timestampEnd: Date.UTC(1932, 0, 1) / 1000,
    })
    expect(queryOf({ ...emptyFilter, month: 3 })).toEqual({ startMonth: 3 })
  })

  test('has a list for each group, with mode 0 for AND and 1 for NOT, and the text only of entries without an id', () => {
    expect(queryOf(full).filtergroups).toEqual([
      [
        { type: 'Keyword', mode: 0, id: 0, text: 'summer' },
        { type: 'Keyword', mode: 1, id: 0, text: 'screenshot' },
        { type: 'Keyword', mode: 0, id: 0, text: 'a & b = c' },
      ],
      [
        { type: 'Person', mode: 0, id: 12 },
        { type: 'Keyword', mode: 1, id: 7 },
        { type: 'Object', mode: 1, id: 4 },
      ],
    ])
  })

  test('has the place with its radius in metres, and the text query', () => {
    expect(queryOf(full)).toMatchObject({
      latitude: 48.2,
      longitude: 16.37,
      radius: 5000,
      q: 'rating:>=4 OR camera:nikon',
    })
  })

  test('names the tags to search in only when they are not the default', () => {
    const words = { ...emptyFilter, groups: [[freeText('sea')]] }
    expect(queryOf({ ...words, tags: ['People', 'Keywords', 'Category'] }).searchInTags).toBeUndefined()
    expect(queryOf({ ...words, tags: ['Author'] }).searchInTags).toEqual(['Author'])
    expect(queryOf({ ...emptyFilter, q: 'sea', tags: ['Author'] }).searchInTags).toEqual(['Author'])
    expect(queryOf({ ...emptyFilter, tags: ['Author'] }).searchInTags).toBeUndefined()
  })

  test('has the value of an unlocked session, if there is one', () => {
    expect(queryOf(emptyFilter, 'abc')).toEqual({ includeHidden: 'abc' })
    expect(queryOf(emptyFilter)).toEqual({})
  })

  test('the picker goes from 1700 to next year', () => {
    expect(yearRange('gregorian', new Date('2026-05-05'))).toEqual({ least: 1700, most: 2027 })
    expect(yearRange('persian', new Date('2026-05-05'))).toEqual({ least: 1078, most: 1406 })
  })
})

describe('a filter of the Persian calendar', () => {
  const seconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000
  const persian: Filter = { ...emptyFilter, calendar: 'persian' }

  test('asks for the Gregorian range of its year or month', () => {
    expect(queryOf({ ...persian, year: 1403 })).toEqual({
      timestampStart: seconds('2024-03-20'),
      timestampEnd: seconds('2025-03-21'),
    })
    expect(queryOf({ ...persian, year: 1403, month: 12 })).toEqual({
      timestampStart: seconds('2025-02-19'),
      timestampEnd: seconds('2025-03-21'),
    })
    expect(queryOf({ ...persian, month: 5 })).toEqual({ startMonth: 5, calendar: 'persian' })
    expect(queryOf(persian)).toEqual({})
  })

  test('keeps its meaning in an address that is opened in another language', () => {
    for (const filter of [
      { ...persian, year: 1403 },
      { ...persian, year: 1403, month: 12 },
      { ...persian, month: 5 },
    ])
      expect(readFilter(writeFilter(filter))).toEqual(filter)
    expect(writeFilter({ ...persian, year: 1403, month: 12 })).toBe('?year=1403&month=12')
    expect(writeFilter({ ...persian, month: 5 })).toBe('?month=5&calendar=persian')
    expect(writeFilter(persian)).toBe('')
    expect(readFilter('?year=2024&calendar=persian').calendar).toBe('gregorian')
    expect(readFilter('?year=1403').calendar).toBe('persian')
    expect(readFilter('?month=3&calendar=lunar').calendar).toBe('gregorian')
    expect(readFilter('?day=05-13&calendar=persian').calendar).toBe('persian')
  })

  test('is a filter of that calendar until its year and month are cleared', () => {
    expect(writeFilter({ ...readFilter('?year=1403&month=3'), year: null })).toBe('?month=3&calendar=persian')
    expect(writeFilter({ ...readFilter('?month=3&calendar=persian'), year: 1403 })).toBe('?year=1403&month=3')
    expect(writeFilter({ ...readFilter('?month=3&calendar=persian'), month: null })).toBe('')
  })
})
