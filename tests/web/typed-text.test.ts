import { describe, expect, test } from 'bun:test'
import { isQueryText, joinQueries, readFault, splitTyped } from '../../web/app/typed-text.ts'

describe('text in the search box', () => {
  const plain = [
    'sea',
    'Mia and Jonas',
    'cats or dogs',
    '1-2',
    'Jean-Luc',
    'well - known',
    'http://a.b',
    'a:b:',
    '5:30',
    'O’Neill (left)',
    'Orlando',
    'ANDREA',
    '',
  ]
  for (const text of plain) test(`'${text}' is words`, () => expect(isQueryText(text)).toBe(false))

  const queries = [
    'rating:>=4 OR camera:nikon',
    'cam:nikon',
    'cats OR dogs',
    'NOT rain',
    'sea -rain',
    '-rain',
    '"red bike"',
    'red "bike',
    '(sea)',
    'year:2019',
    'Rating:3',
    '-(sea snow)',
    'sea AND (snow OR ice)',
  ]
  for (const text of queries) test(`'${text}' is a query`, () => expect(isQueryText(text)).toBe(true))

  const splits: [string, string[], string][] = [
    ['sea, dun', ['sea'], 'dun'],
    ['dunes', [], 'dunes'],
    ['sea,dunes,', ['sea', 'dunes'], ''],
    [' , ,a', [], 'a'],
    ['near:48.1,11.6,5km', [], 'near:48.1,11.6,5km'],
    ['"a, b", c', [], '"a, b", c'],
    ['sea, rating:>=4, snow', ['sea'], 'rating:>=4, snow'],
  ]
  for (const [text, entries, rest] of splits) {
    test(`'${text}' has ${entries.length} complete entries`, () => expect(splitTyped(text)).toEqual({ entries, rest }))
  }
})

test('combines two queries with AND', () => {
  expect(joinQueries('', 'a')).toBe('a')
  expect(joinQueries('a', 'a')).toBe('a')
  expect(joinQueries('rating:4', 'camera:nikon')).toBe('rating:4 camera:nikon')
  expect(joinQueries('a OR b', 'c OR d')).toBe('(a OR b) (c OR d)')
  expect(joinQueries('"a OR b"', 'c')).toBe('"a OR b" c')
})

describe('an error of a query', () => {
  test('is split into the message and the marked place', () => {
    expect(readFault('rating takes stars (at character 12)\nsea rating:banana snow\n           ^')).toEqual({
      text: 'rating takes stars (at character 12)',
      line: { before: 'sea rating:', error: 'banana', after: ' snow' },
    })
    expect(readFault('missing\nsea OR\n      ^').line).toEqual({ before: 'sea OR', error: ' ', after: '' })
    expect(readFault('not closed\n(sea\n^').line).toEqual({ before: '', error: '(', after: 'sea' })
  })

  test('without a place is shown unchanged', () => {
    expect(readFault('A filter has at most 300 conditions.')).toEqual({
      text: 'A filter has at most 300 conditions.',
      line: null,
    })
  })
})
