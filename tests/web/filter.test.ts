import { describe, expect, test } from 'bun:test'
import {
  emptyFilter,
  isEmpty,
  monthStart,
  queryOf,
  readFilter,
  readPage,
  splitTyped,
  toggled,
  withoutWord,
  withTyped,
  writeFilter,
} from '../../web/state/filter.ts'

const full = {
  collection: 3,
  year: 2012,
  month: 8,
  words: [
    { text: 'summer', not: false },
    { text: 'screenshot', not: true },
    { text: 'a & b = c', not: false },
  ],
}

describe('a filter in the address', () => {
  test('comes back as it went in, with its words in order', () => {
    expect(readFilter(writeFilter(full))).toEqual(full)
    expect(writeFilter(full)).toBe('?collection=3&year=2012&month=8&and=summer&not=screenshot&and=a+%26+b+%3D+c')
  })

  test('says nothing where nothing is asked for', () => {
    expect(writeFilter(emptyFilter)).toBe('')
    expect(readFilter('')).toEqual(emptyFilter)
    expect(isEmpty(readFilter('?page=4'))).toBe(true)
  })

  test('that was cut or mistyped loses only what makes no sense', () => {
    expect(readFilter('?collection=x&year=20a&month=13&and=&and=+&not=dog')).toEqual({
      ...emptyFilter,
      words: [{ text: 'dog', not: true }],
    })
    expect(readPage('?page=0')).toBe(1)
    expect(readPage('?page=-3')).toBe(1)
    expect(readPage('?page=12')).toBe(12)
  })

  test('keeps the page beside it, but for the first', () => {
    expect(writeFilter(emptyFilter, 1)).toBe('')
    expect(writeFilter(emptyFilter, 7)).toBe('?page=7')
  })
})

describe('what is typed into the search box', () => {
  test('becomes a chip at each comma, the rest is still being typed', () => {
    expect(splitTyped('sea, dun')).toEqual({ done: 'sea', rest: 'dun' })
    expect(splitTyped('dunes')).toEqual({ done: '', rest: 'dunes' })
    expect(withTyped(emptyFilter, 'sea, dunes,,').words).toEqual([
      { text: 'sea', not: false },
      { text: 'dunes', not: false },
    ])
  })

  test('is not added twice, whatever its case and however its accents are typed', () => {
    const once = withTyped(emptyFilter, 'Café')
    expect(withTyped(once, 'CAFE\u0301').words).toHaveLength(1)
  })

  test('toggles between AND and NOT, and can be taken away', () => {
    const filter = withTyped(emptyFilter, 'sea,dunes')
    expect(toggled(filter, 1).words[1]).toEqual({ text: 'dunes', not: true })
    expect(toggled(toggled(filter, 1), 1)).toEqual(filter)
    expect(withoutWord(filter, 0).words).toEqual([{ text: 'dunes', not: false }])
  })
})

describe('the query of a filter', () => {
  test('of a month in a year is from its first second to the next month', () => {
    expect(queryOf({ ...emptyFilter, year: 2012, month: 12 })).toEqual({
      timestampStart: Date.UTC(2012, 11, 1) / 1000,
      timestampEnd: Date.UTC(2013, 0, 1) / 1000,
    })
  })

  test('of a year is that year, of a month alone that month in every year', () => {
    expect(queryOf({ ...emptyFilter, year: 1931 })).toEqual({
      timestampStart: Date.UTC(1931, 0, 1) / 1000,
      timestampEnd: Date.UTC(1932, 0, 1) / 1000,
    })
    expect(queryOf({ ...emptyFilter, month: 3 })).toEqual({ startMonth: 3 })
  })

  test('puts all words into one group, AND as 0 and NOT as 1', () => {
    expect(queryOf(full).filtergroups).toEqual([
      [
        { type: 'Keyword', mode: 0, id: 0, text: 'summer' },
        { type: 'Keyword', mode: 1, id: 0, text: 'screenshot' },
        { type: 'Keyword', mode: 0, id: 0, text: 'a & b = c' },
      ],
    ])
  })

  test('names the tags to search in only where they are not the usual ones', () => {
    const words = withTyped(emptyFilter, 'sea')
    expect(queryOf(words, ['People', 'Keywords', 'Category']).searchInTags).toBeUndefined()
    expect(queryOf(words, ['Author']).searchInTags).toEqual(['Author'])
    expect(queryOf(emptyFilter, ['Author']).searchInTags).toBeUndefined()
  })

  test('counts months of the first century as they are', () => {
    expect(new Date(monthStart(99, 1) * 1000).getUTCFullYear()).toBe(99)
  })
})
