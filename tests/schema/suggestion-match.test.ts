import { expect, test } from 'bun:test'
import { type KnownName, lengthOf, suggestionsFor } from '../../schema/suggestion-match.ts'

let id = 0
const known = (kind: KnownName['kind'], name: string, count = 1): KnownName => ({ kind, id: ++id, name, count })
const names = (list: readonly KnownName[], typed: string) => suggestionsFor(list, typed).map(({ name }) => name)

test('lists names that start with the text first, then words that do, then the rest, each by use', () => {
  const list = [
    known('Keywords', 'midsummer', 99),
    known('Keywords', 'Late summer', 50),
    known('Keywords', 'summer', 2),
    known('Keywords', 'Summer holidays', 7),
    known('Keywords', 'winter', 500),
  ]
  expect(names(list, 'sum')).toEqual(['Summer holidays', 'summer', 'Late summer', 'midsummer'])
})

test('ignores case and accents, and marks the matching part of the name', () => {
  const [found] = suggestionsFor([known('People', 'Zoë Müller')], 'MULL')
  expect(found?.name.slice(found.from, found.to)).toBe('Müll')
  const [split] = suggestionsFor([known('People', 'Zoe\u0308 M')], 'zoe m')
  expect(split?.name.slice(split.from, split.to)).toBe('Zoe\u0308 M')
})

test.each([
  ['istanbul', 'İstanbul gezisi', 'İstanbul'],
  ['ISPARTA', 'ısparta', 'ısparta'],
  ['علي', 'علی‌رضا', 'علی\u200c'],
  ['علیرضا', 'علی‌رضا', 'علی‌رضا'],
  ['елка', 'Ёлка', 'Ёлка'],
  ['strass', 'Hauptstraße 3', 'straß'],
  ['tokyo', 'ＴＯＫＹＯ', 'ＴＯＫＹＯ'],
  ['ガ', 'ｶﾞｰﾃﾞﾝ', 'ｶﾞ'],
  ['타워', '서울타워', '타워'],
])('finds other spellings: %p in %p', (typed, name, part) => {
  const [found] = suggestionsFor([known('Keywords', name)], typed)
  expect(found?.name.slice(found.from, found.to)).toBe(part)
})

test('groups suggestions by kind, people first, at most six of each', () => {
  const list = [
    known('Objects', 'bear trap'),
    known('People', 'Bear'),
    ...Array.from({ length: 9 }, (_, n) => known('Keywords', `bear ${n}`)),
  ]
  const kinds = suggestionsFor(list, 'bea').map(({ kind }) => kind)
  expect([...new Set(kinds)]).toEqual(['People', 'Keywords', 'Objects'])
  expect(kinds.filter(kind => kind === 'Keywords')).toHaveLength(6)
})

test('suggests a person with two names once, by the better match', () => {
  const list: KnownName[] = [
    { kind: 'People', id: 77, name: 'Anna Berger', count: 3 },
    { kind: 'People', id: 77, name: 'Bergmann', count: 3 },
  ]
  expect(names(list, 'berg')).toEqual(['Bergmann'])
})

test('suggests nothing for blanks, and does not count them', () => {
  expect(suggestionsFor([known('People', 'Mia')], '  ')).toEqual([])
  expect(lengthOf(' 王小明 ')).toBe(3)
})
