import { describe, expect, test } from 'bun:test'
import { all, any, everything, type Filter, not, nothing, type TextColumn } from '../../../core/filter/filter.ts'
import { parseFilterText } from '../../../core/filter/language/language.ts'
import { type FilterNames, printFilter } from '../../../core/filter/language/print.ts'
import type { FilterLookups } from '../../../core/filter/lookups.ts'
import { Failure } from '../../../schema/errors.ts'
import { keyOf, marks, tagBits } from '../../../schema/keys.ts'
import { defaultSearchTags } from '../../../schema/limits.ts'

const cameras = ['Canon EOS 80D', 'iPhone 12 Pro']
const named = (list: string[]) => (name: string) =>
  list.flatMap((known, n) => (known.toLowerCase() === name.toLowerCase() ? [n + 1] : []))
const keystrings = ['Beach', 'Beach holiday', 'Family', '🎉', 'The "old" house', '"']
const people = ['Anna', 'Ben']
const objects = ['Bicycle']
const collections = ['Holidays', 'Old albums']
const lookups: FilterLookups = {
  keystring: id => keystrings[id - 1] ?? null,
  keystringsNamed: named(keystrings),
  peopleNamed: named(people),
  objectsNamed: named(objects),
  collectionsNamed: named(collections),
  favourites: () => null,
  album: () => null,
  albumsNamed: () => [],
  foldersNamed: (path, exact) => (path === '2019/Rome' ? [exact ? 7 : 8] : []),
  cameras: matches => cameras.flatMap((name, n) => (matches(name) ? [n + 1] : [])),
}

const parse = (text: string) => parseFilterText(text, defaultSearchTags, lookups)
const anywhere: TextColumn[] = ['keywords', 'category', 'people', 'description', 'place', 'file']
const word = (text: string, columns: readonly TextColumn[] = anywhere): Filter => ({
  is: 'text',
  text,
  phrase: false,
  columns,
})
const inOrder = (text: string, columns: readonly TextColumn[] = anywhere): Filter => ({
  is: 'text',
  text,
  phrase: true,
  columns,
})
const key = (keys: number[], tags: number): Filter => ({ is: 'key', keys, tags })
const at = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000
const taken = (from: string, to: string): Filter => ({ is: 'taken', from: at(from), to: at(to) })
const rated = (...stars: number[]) =>
  key(
    stars.map(n => keyOf('mark', marks.rating(n))),
    tagBits.Mark,
  )
const video = key([keyOf('mark', marks.video)], tagBits.Mark)

describe('the text language', () => {
  test.each<[string, Filter]>([
    ['', everything],
    ['   ', everything],
    ['beach', word('beach')],
    ['Beach CAFÉ', all([word('beach'), word('café')])],
    ['beach AND sea', all([word('beach'), word('sea')])],
    ['beach OR sea', any([word('beach'), word('sea')])],
    ['a b OR c', any([all([word('a'), word('b')]), word('c')])],
    ['a (b OR c)', all([word('a'), any([word('b'), word('c')])])],
    ['-beach', not(word('beach'))],
    ['NOT beach', not(word('beach'))],
    ['NOT (a OR b)', all([not(word('a')), not(word('b'))])],
    ['-(a b)', any([not(word('a')), not(word('b'))])],
    ['NOT NOT a', word('a')],
    ['and or not', all([word('and'), word('or'), word('not')])],
    ['well-known', word('well-known')],
    ['"beach holiday"', inOrder('beach holiday')],
    ['2014', any([taken('2014-01-01', '2015-01-01'), word('2014')])],
    ['2014 beach', all([any([taken('2014-01-01', '2015-01-01'), word('2014')]), word('beach')])],
    ['-2014', not(any([taken('2014-01-01', '2015-01-01'), word('2014')]))],
    // A year that is quoted, in a field, out of range or part of a longer text is only searched as a word.
    ['"2014"', inOrder('2014')],
    ['file:2014', word('2014', ['file'])],
    ['1699 9999 20140 2014-05', all(['1699', '9999', '20140', '2014-05'].map(text => word(text)))],
    ['rock & roll', all([word('rock'), word('roll')])],
    ['???', nothing],
    ['keyword:beach', word('beach', ['keywords'])],
    ['Keyword:"beach holiday"', inOrder('beach holiday', ['keywords'])],
    ['keyword:=beach', key([keyOf('keystring', 1)], tagBits.Keywords)],
    ['keyword:="beach HOLIDAY"', key([keyOf('keystring', 2)], tagBits.Keywords)],
    ['keyword:=mountain', nothing],
    // A quote within quotes is doubled.
    ['keyword:="the ""old"" house"', key([keyOf('keystring', 5)], tagBits.Keywords)],
    ['keyword:=""""', key([keyOf('keystring', 6)], tagBits.Keywords)],
    ['keyword:"the ""old""" sea', all([inOrder('the "old"', ['keywords']), word('sea')])],
    ['"""old"" house"', inOrder('"old" house')],
    // The index has no words for symbols, so a symbol matches only a name that equals it.
    ['keyword:🎉', key([keyOf('keystring', 4)], tagBits.Keywords)],
    ['-keyword:"🎉"', not(key([keyOf('keystring', 4)], tagBits.Keywords))],
    ['keyword:🎈', nothing],
    [
      '🎉 beach',
      all([key([keyOf('keystring', 4)], tagBits.Keywords | tagBits.Category | tagBits.People), word('beach')]),
    ],
    ['"🎉"', key([keyOf('keystring', 4)], tagBits.Keywords | tagBits.Category | tagBits.People)],
    ['🎈 beach', word('beach')],
    ['"🎈"', nothing],
    ['box:47.2,-5,55,15', { is: 'box', south: 47.2, west: -5, north: 55, east: 15 }],
    ['category:=family', key([keyOf('keystring', 3)], tagBits.Category)],
    ['author:=family', key([keyOf('keystring', 3)], tagBits.Author)],
    ['person:ann', word('ann', ['people'])],
    ['person:=anna', key([keyOf('person', 1)], tagBits.People)],
    ['object:=bicycle', key([keyOf('object', 1)], tagBits.Object)],
    ['place:zürich', word('zürich', ['place'])],
    ['file:IMG_1234', word('img_1234', ['file'])],
    ['in:holidays', { is: 'collection', ids: [1] }],
    ['in:"old albums"', { is: 'collection', ids: [2] }],
    ['in:nowhere', nothing],
    ['folder:2019/Rome/', { is: 'folder', text: '2019/Rome', exact: false, dirs: [8] }],
    ['folder:="2019/Rome"', { is: 'folder', text: '2019/Rome', exact: true, dirs: [7] }],
    ['folder:Oslo', nothing],
    ['year:2019', taken('2019-01-01', '2020-01-01')],
    ['year:۲۰۱۹', taken('2019-01-01', '2020-01-01')],
    ['year:2015..2018', { is: 'taken', from: at('2015-01-01'), to: at('2019-01-01') }],
    ['date:2019-06', { is: 'taken', from: at('2019-06-01'), to: at('2019-07-01') }],
    ['date:2019-06..2020-02', { is: 'taken', from: at('2019-06-01'), to: at('2020-03-01') }],
    ['date:2020-02-29', { is: 'taken', from: at('2020-02-29'), to: at('2020-03-01') }],
    ['date:2019-06-15..', { is: 'taken', from: at('2019-06-15'), to: 2 ** 34 }],
    ['date:..2019', { is: 'taken', from: -(2 ** 34), to: at('2020-01-01') }],
    ['date:2019.. date:..2020', { is: 'taken', from: at('2019-01-01'), to: at('2021-01-01') }],
    ['date:2019 date:2020', nothing],
    ['added:2024-01..', { is: 'added', from: at('2024-01-01'), to: 2 ** 34 }],
    ['month:7', { is: 'month', months: [7], calendar: 'gregorian' }],
    ['month:july', { is: 'month', months: [7], calendar: 'gregorian' }],
    ['month:11..2', { is: 'month', months: [1, 2, 11, 12], calendar: 'gregorian' }],
    ['month:6 OR month:7', { is: 'month', months: [6, 7], calendar: 'gregorian' }],
    ['month:1..12', everything],
    ['type:video', video],
    ['type:image', not(video)],
    ['-type:photo', video],
    ['rating:4', rated(4)],
    ['rating:۴', rated(4)],
    ['rating:>=3', rated(3, 4, 5)],
    ['rating:=5', rated(5)],
    ['rating:2..4', rated(2, 3, 4)],
    ['rating:rejected', rated(-1)],
    ['rating:none', not(rated(-1, 1, 2, 3, 4, 5))],
    ['rating:0', not(rated(-1, 1, 2, 3, 4, 5))],
    ['rating:<3', not(rated(3, 4, 5))],
    ['camera:canon', key([keyOf('mark', marks.camera(1))], tagBits.Mark)],
    ['camera:"eos 80d"', key([keyOf('mark', marks.camera(1))], tagBits.Mark)],
    ['camera:=nikon', nothing],
    ['near:48.1,11.6,5km', { is: 'near', latitude: 48.1, longitude: 11.6, radius: 5000 }],
    ['near:-17,179.95', { is: 'near', latitude: -17, longitude: 179.95, radius: 1000 }],
    ['near:"48.1, 11.6, 300 m"', { is: 'near', latitude: 48.1, longitude: 11.6, radius: 300 }],
  ])('%s', (text, filter) => {
    expect(parse(text)).toEqual(filter)
  })

  test.each<[string, number, string]>([
    ['beach keywrd:sea', 7, "Did you mean 'keyword'?"],
    ['zzzzzzz:sea', 1, 'There are keyword, category'],
    ['beach "sea', 7, 'not closed'],
    ['beach "sea ""side""', 7, 'not closed'],
    ['keyword:""', 9, 'needs a value'],
    ['(beach OR sea', 1, 'not closed'],
    ['beach) sea', 6, 'never opened'],
    ['beach OR', 9, 'missing'],
    ['OR beach', 1, 'missing'],
    ['beach AND OR sea', 11, 'missing'],
    ['()', 2, 'missing'],
    ['keyword:', 9, "'keyword:' needs a value"],
    ['date:2019-13', 6, 'date takes'],
    ['date:2019-02-30', 6, 'date takes'],
    ['date:2020..2019', 6, 'date takes'],
    ['month:13', 7, 'month takes'],
    ['rating:6', 8, 'rating takes'],
    ['rating:>=', 8, 'rating takes'],
    ['type:sound', 6, 'type takes'],
    ['near:here', 6, 'near takes'],
    ['near:91,0', 6, 'near takes'],
    ['box:,,,', 5, 'box takes'],
    ['beach box:47,,55,15', 11, 'box takes'],
    ['box:47,0x5,55,15', 5, 'box takes'],
    ['box:47,5,55', 5, 'box takes'],
    ['box:55,5,47,15', 5, 'box takes'],
    [`${'('.repeat(60)}a${')'.repeat(60)}`, 42, 'too deep'],
  ])('%s is refused with the position and what was expected there', (text, character, expected) => {
    let refused: unknown
    try {
      parse(text)
    } catch (error) {
      refused = error
    }
    if (!(refused instanceof Failure)) throw new Error(`nothing was refused in ${text}`)
    expect(refused.code).toBe('invalid')
    expect(refused.field).toBe('q')
    const [message = '', shown = '', caret = ''] = refused.message.split('\n')
    expect(message).toContain(expected)
    expect(message).toContain(`(at character ${character})`)
    expect(shown).toBe(text.slice(0, character - 1 + 60))
    expect(caret).toBe(`${' '.repeat(character - 1)}^`)
  })

  test('an error in a long text shows the part around its position', () => {
    const text = `${'beach '.repeat(100)}keywrd:sea`
    expect(() => parse(text)).toThrow(/\n(beach ){10}keywrd:sea\n {60}\^$/)
  })

  test.each([
    'beach',
    'beach OR "sea side" -sand',
    '2014 (beach OR -2015) "2016"',
    'keyword:=beach person:=anna -object:=bicycle',
    'keyword:="the ""old"" house" file:"12"" film" """quoted"" words"',
    '(category:=family OR file:img) year:2019',
    'date:2019-06-15.. month:7 type:image rating:>=3',
    'camera:canon in:holidays near:48.1,11.6,500 added:2024',
    'a (b OR (c -d)) -(e f)',
  ])('%s has the same meaning after it is printed and parsed', text => {
    const names: FilterNames = {
      key: of =>
        ({ 0: keystrings, 1: people, 2: objects, 3: cameras })[of & 3]?.[
          (of & 3) === 3 ? (of >> 2) - 101 : (of >> 2) - 1
        ] ?? '',
      collection: id => collections[id - 1] ?? '',
    }
    const filter = parse(text)
    expect(parse(printFilter(filter, names))).toEqual(filter)
  })
})
