/** The filter line completes words of the filter language, and every completion can be parsed. */
import { expect, test } from 'bun:test'
import { fields } from '../../core/filter/language/fields.ts'
import { parseFilterText } from '../../core/filter/language/language.ts'
import type { FilterLookups } from '../../core/filter/lookups.ts'
import {
  applyCompletion,
  completionsAt,
  type FilterNames,
  filterFields,
  parseFilterError,
} from '../../ink-tui/filter-completion.ts'
import { defaultSearchTags } from '../../schema/limits.ts'

const names: FilterNames = {
  known: [
    { kind: 'People', id: 1, name: 'Anna Müller', count: 40 },
    { kind: 'People', id: 2, name: 'Ben', count: 90 },
    { kind: 'Keywords', id: 3, name: 'Beach', count: 12 },
    { kind: 'Keywords', id: 4, name: 'the "old" house', count: 2 },
    { kind: 'Category', id: 5, name: 'Holidays', count: 7 },
    { kind: 'Objects', id: 6, name: 'Bell', count: 1 },
  ],
  collections: [
    { name: 'Family', count: 50 },
    { name: 'Scanned prints', count: 5 },
  ],
  albums: [
    { name: 'Summer', count: 3 },
    { name: 'The "best" of 2019', count: 8 },
  ],
  months: [
    { year: 2021, count: 3 },
    { year: 2019, count: 4 },
    { year: 2019, count: 5 },
  ],
}
const lookups: FilterLookups = {
  keystring: () => null,
  keystringsNamed: () => [1],
  peopleNamed: () => [1],
  objectsNamed: () => [1],
  collectionsNamed: () => [1],
  favourites: () => null,
  album: () => null,
  albumsNamed: () => [],
  foldersNamed: () => [],
  cameras: () => [],
}

/** Completions at the end of a text, or at '|'. */
function completionsIn(text: string) {
  const cursor = text.includes('|') ? text.indexOf('|') : text.length
  const line = text.replace('|', '')
  const found = completionsAt(line, cursor, names)
  return {
    texts: found.options.map(option => option.text),
    apply: (n: number) => {
      const option = found.options[n]
      if (option === undefined) throw new Error(`there is no option ${n}`)
      return applyCompletion(line, found, option)
    },
  }
}

test('knows exactly the fields of the language', () => {
  expect(Object.keys(filterFields).sort()).toEqual(Object.keys(fields).sort())
})

test('completes a word to fields, operators, and names with their field', () => {
  expect(completionsIn('ra').texts).toEqual(['rating:'])
  expect(completionsIn('A').texts).toContain('AND')
  expect(completionsIn('a').texts).not.toContain('AND')
  expect(completionsIn('be').texts).toEqual(['person:Ben', 'keyword:Beach', 'object:Bell'])
  expect(completionsIn('be').apply(0).text).toBe('person:="Ben" ')
  expect(completionsIn('').texts).toEqual([])
})

test('lists the values of a field, the most used first', () => {
  expect(completionsIn('person:').texts).toEqual(['Ben', 'Anna Müller'])
  expect(completionsIn('person:mul').texts).toEqual(['Anna Müller'])
  expect(completionsIn('year:').texts).toEqual(['2021', '2019'])
  expect(completionsIn('in:fam').apply(0).text).toBe('in:"Family" ')
  expect(completionsIn('album:').texts).toEqual(['The "best" of 2019', 'Summer'])
  expect(completionsIn('album:best').apply(0).text).toBe('album:"The ""best"" of 2019" ')
  expect(completionsIn('type:v').texts).toEqual(['video'])
  expect(completionsIn('nonsense:x').texts).toEqual([])
})

test('completes a quoted value with its quotes', () => {
  expect(completionsIn('person:"Anna M').apply(0).text).toBe('person:="Anna Müller" ')
  expect(completionsIn('person:="Anna M|"').apply(0).text).toBe('person:="Anna Müller" ')
  expect(completionsIn('"some words in quotes').texts).toEqual([])
  expect(completionsIn('keyword:old').apply(0).text).toBe('keyword:="the ""old"" house" ')
})

test('reads a doubled quote within quotes as one quote', () => {
  const whole = 'keyword:="the ""old"" house" '
  for (const text of ['keyword:"the ""', 'keyword:="the ""ol', 'keyword:="the ""old"" h']) {
    expect({ text, texts: completionsIn(text).texts }).toEqual({ text, texts: ['the "old" house'] })
    expect(completionsIn(text).apply(0)).toEqual({ text: whole, cursor: whole.length })
  }
  // The next word is completed separately.
  expect(completionsIn('keyword:="the ""old"" house" person:mul').texts).toEqual(['Anna Müller'])
  expect(completionsIn('"the ""old be').texts).toEqual([])
})

test('replaces a quoted value up to its own closing quote', () => {
  expect(completionsIn('keyword:="the |""old"" house" sea').apply(0).text).toBe('keyword:="the ""old"" house" sea')
  expect(completionsIn('keyword:="the ""o|ld"" house"').apply(0).text).toBe('keyword:="the ""old"" house" ')
  expect(completionsIn('person:="Ann| M" keyword:"x"').apply(0).text).toBe('person:="Anna Müller" keyword:"x"')
  expect(completionsIn('person:"Ann| keyword:"x"').apply(0).text).toBe('person:="Anna Müller" keyword:"x"')
})

test('keeps the text before and after the completed word', () => {
  expect(completionsIn('(be| OR sea)').apply(1)).toEqual({ text: '(keyword:="Beach" OR sea)', cursor: 18 })
  expect(completionsIn('-rat|').apply(0).text).toBe('-rating:')
  expect(completionsIn('sea -person:an| x').apply(0).text).toBe('sea -person:="Anna Müller" x')
})

test('every completion can be parsed, wherever it is inserted', () => {
  const prefixes = ['', 'sea ', '-', '(', 'sea OR (x -']
  const beginnings = ['A', 'N', 'be', 'an', 'ho', 'th', ...Object.keys(filterFields).map(name => `${name}:`)]
  for (const prefix of prefixes)
    for (const beginning of beginnings) {
      const text = prefix + beginning
      const found = completionsAt(text, text.length, names)
      for (const option of found.options) {
        let line = applyCompletion(text, found, option).text.trimEnd()
        if (option.text.endsWith(':')) line += '1'
        if (/^(AND|OR|NOT)$/.test(option.text)) continue
        if (/year:1|month:1|date:1|added:1|near:1|box:1|rating:1|type:1/.test(line)) continue
        line += ')'.repeat(line.split('(').length - line.split(')').length)
        expect(() => parseFilterText(line, defaultSearchTags, lookups)).not.toThrow()
      }
    }
})

test('finds the position in an error message of the language', () => {
  const faultIn = (text: string) => {
    try {
      parseFilterText(text, defaultSearchTags, lookups)
    } catch (error) {
      return parseFilterError(error instanceof Error ? error.message : '')
    }
    return null
  }
  expect(faultIn('sea ratng:3')).toEqual({ says: "There is no field 'ratng'. Did you mean 'rating'?", at: 4 })
  expect(faultIn('(sea')).toEqual({ says: 'This parenthesis is not closed', at: 0 })
  expect(faultIn(`${'x '.repeat(100)}"open`)?.at).toBe(200)
  expect(parseFilterError('The disk is full')).toEqual({ says: 'The disk is full', at: -1 })
})
