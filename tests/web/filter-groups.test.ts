import { expect, test } from 'bun:test'
import { type ChipEntry, emptyFilter, type Filter, freeText } from '../../web/app/filter.ts'
import {
  chipPositionOf,
  withEntries,
  withEntryMoved,
  withEntryToggled,
  withoutEntry,
  withTyped,
} from '../../web/search/filter-groups.ts'

/** Reads a filter from text: 'a -b | @Mia' has two groups, a and not b, or the person Mia. */
function filterOf(text: string): Filter {
  const groups = text.split('|').map(group => group.trim().split(' ').filter(Boolean).map(entryOf))
  return { ...emptyFilter, groups: groups.filter(group => group.length > 0) }
}

function entryOf(word: string): ChipEntry {
  const text = word.replace(/^[-@]+/, '')
  const kind = word.includes('@') ? 'Person' : 'Keyword'
  return { kind, id: kind === 'Person' ? text.length : 0, text, not: word.startsWith('-') }
}

function textOf({ groups }: Filter): string {
  return groups
    .map(group =>
      group.map(({ kind, text, not }) => `${not ? '-' : ''}${kind === 'Person' ? '@' : ''}${text}`).join(' '),
    )
    .join(' | ')
}

/** The filter before, the typed text, the index of the group (undefined: the default), and the filter after. */
const typed: [string, string, number | undefined, string][] = [
  ['', 'sea', undefined, 'sea'],
  ['', 'sea, dunes,,', undefined, 'sea dunes'],
  // The typed word is added to the only group.
  ['sea', 'dunes', undefined, 'sea dunes'],
  ['@Mia', 'sea', undefined, '@Mia sea'],
  // 'or' has started a new group.
  ['sea', 'dunes', 1, 'sea | dunes'],
  ['sea | dunes', 'dog', 2, 'sea | dunes | dog'],
  // With several groups, the typed word is added to the last one.
  ['sea | dunes', 'dog', undefined, 'sea | dunes dog'],
  ['sea | dunes', 'dog', 0, 'sea dog | dunes'],
  // Duplicates are not added, whatever their case and however their accents are encoded.
  ['sea', 'SEA', undefined, 'sea'],
  ['-sea', 'sea', undefined, '-sea'],
  ['café', 'CAFE\u0301', undefined, 'café'],
  // A word may be in two groups, but identical groups are merged.
  ['sea dog', 'sea', 1, 'sea dog | sea'],
  ['sea', 'sea', 1, 'sea'],
  ['sea', ' , ,', undefined, 'sea'],
]
for (const [before, text, group, after] of typed) {
  test(`'${text}' typed into '${before}'${group === undefined ? '' : `, group ${group + 1}`} gives '${after}'`, () => {
    expect(textOf(withTyped(filterOf(before), text, group))).toBe(after)
  })
}

test('does not add a picked name beside the same typed name', () => {
  const picked: ChipEntry = { kind: 'Keyword', id: 5, text: 'Sea', not: false }
  expect(withEntries(filterOf('sea'), [picked]).groups).toEqual([[freeText('sea')]])
  expect(withTyped(withEntries(emptyFilter, [picked]), 'sea').groups).toEqual([[picked]])
  expect(withEntries(withEntries(emptyFilter, [picked]), [{ ...picked, id: 6 }]).groups[0]).toHaveLength(2)
})

test('a chip toggles between AND and NOT, and stays where it is', () => {
  expect(textOf(withEntryToggled(filterOf('a b | c'), { group: 0, at: 1 }))).toBe('a -b | c')
  expect(textOf(withEntryToggled(filterOf('a -b | c'), { group: 0, at: 1 }))).toBe('a b | c')
})

test('removing the last chip of a group removes the group', () => {
  expect(textOf(withoutEntry(filterOf('a b | c'), { group: 0, at: 0 }))).toBe('b | c')
  expect(textOf(withoutEntry(filterOf('a b | c'), { group: 1, at: 0 }))).toBe('a b')
  expect(textOf(withoutEntry(filterOf('a'), { group: 0, at: 0 }))).toBe('')
})

/** The filter before, the chip's group and index, the index of the new group, and the filter after. */
const moves: [string, number, number, number, string][] = [
  ['a b | c', 0, 0, 1, 'b | c a'],
  ['a b | c', 1, 0, 0, 'a b c'],
  ['a b', 0, 1, 1, 'a | b'],
  ['a b', 0, 1, 9, 'a | b'],
  ['a | b | c', 0, 0, 2, 'b | c a'],
  ['a b | b', 1, 0, 0, 'a b'],
  ['a b', 0, 0, 0, 'a b'],
  ['a b', 0, 0, -1, 'a b'],
  ['a b', 0, 7, 1, 'a b'],
]
for (const [before, group, at, target, after] of moves) {
  test(`chip ${at + 1} of group ${group + 1} of '${before}' moved to group ${target + 1} gives '${after}'`, () => {
    expect(textOf(withEntryMoved(filterOf(before), { group, at }, target))).toBe(after)
  })
}

test('finds the position of a chip', () => {
  expect(chipPositionOf(filterOf('a b | @Mia c'), entryOf('@Mia'))).toEqual({ group: 1, at: 0 })
  expect(chipPositionOf(filterOf('a'), freeText('b'))).toBeNull()
})
