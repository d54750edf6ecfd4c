import { expect, test } from 'bun:test'
import type { Item } from '../../schema/api/items.ts'
import { latestYear } from '../../schema/api/parts/latest-year.ts'
import {
  amountText,
  dayChange,
  secondsOf,
  setRows,
  shiftRows,
  shiftText,
} from '../../web/admin/many-items/date-form.ts'
import {
  changesOf,
  countChanges,
  emptyTagForm,
  shownTags,
  tagEntriesOf,
  withAdded,
  withRemoved,
  withReverted,
} from '../../web/admin/many-items/tag-form.ts'
import { dateParts } from '../../web/kit/dates.ts'

const words = (...contents: string[]) => ({
  id: 0,
  version: 1,
  data: contents.map(content => ({ id: content.length, content })),
})
const item = (taken: string, more: Partial<Item> = {}) =>
  ({ taken: Date.parse(`${taken}Z`) / 1000, utc_offset: null, date_source: 'exif-original', tags: {}, ...more }) as Item

test('tags of many items are on all, on some, new or removed', () => {
  const box = { type: 'person' as const, face: null, x: 0, y: 0, width: 0, height: 0 }
  const people = { id: 0, version: 1, data: [1, 1, 0].map((person, id) => ({ ...box, id, person, name: 'Anna' })) }
  const items = [
    item('2019-08-03T08:12:00', { tags: { Keywords: words('sea', 'sand'), People: people } }),
    item('2019-08-03T08:12:00', { tags: { Keywords: words('sea') } }),
  ]
  const entries = tagEntriesOf(items, 'Keywords')
  expect(entries).toEqual([
    { id: 3, name: 'sea', count: 2 },
    { id: 4, name: 'sand', count: 1 },
  ])
  // A person who is twice on a picture counts once, and a face without a name not at all.
  expect(tagEntriesOf(items, 'People')).toEqual([{ id: 1, name: 'Anna', count: 1 }])
  expect(tagEntriesOf(items, 'Category')).toEqual([])

  const add = (edit: typeof emptyTagForm.lists.Keywords, name: string, id = 0) =>
    withAdded(edit, entries, 2, { id, name })
  let edit = add(add(emptyTagForm.lists.Keywords, 'Lisbon'), 'lisbon ')
  // One that is on all of them already changes nothing; one on some is added to the others; case does not matter.
  edit = add(add(edit, 'SEA'), 'Sand')
  expect(edit).toEqual({
    added: [
      { id: 0, name: 'Lisbon' },
      { id: 4, name: 'sand' },
    ],
    removed: [],
  })
  edit = withRemoved(withRemoved(edit, 4), 3)
  const states = () => shownTags(entries, edit, 2).map(({ name, state }) => `${name} ${state}`)
  expect(states()).toEqual(['sea removed', 'sand removed', 'Lisbon new'])
  const form = { ...emptyTagForm, lists: { ...emptyTagForm.lists, Keywords: edit }, rating: 0, description: '' }
  expect(countChanges(form)).toBe(5)
  expect(changesOf(form)).toEqual([
    { tagName: 'Keywords', mode: 'remove', data: [{ id: 4 }, { id: 3 }] },
    { tagName: 'Keywords', mode: 'add', data: ['Lisbon'] },
    { tagName: 'Rating', mode: 'set', data: 0 },
    { tagName: 'Description', mode: 'set', data: '' },
  ])
  // Typing a removed one takes its removal back.
  edit = withReverted(add(add(edit, 'sea'), 'sand', 4), { id: 0, name: 'Lisbon' })
  expect(states()).toEqual(['sea all', 'sand new'])
  expect(
    changesOf({
      ...emptyTagForm,
      lists: { ...emptyTagForm.lists, People: { added: [{ id: 1, name: 'A' }], removed: [2] } },
    }),
  ).toEqual([
    { tagName: 'People', mode: 'remove', data: [{ person: 2 }] },
    { tagName: 'People', mode: 'add', data: [{ person: 1 }] },
  ])
})

test('the preview of shifted dates says what changes, and what stays and why', () => {
  const items = [
    item('2019-08-03T08:12:00'),
    item('2019-08-03T23:31:00'),
    item('2019-08-03T08:12:00', { utc_offset: 120 }),
    item('2019-08-03T08:12:00', { utc_offset: 120, date_source: 'user' }),
    item(`${latestYear()}-12-31T23:30:00`),
  ]
  const seconds = secondsOf({ days: 0, hours: 1, minutes: 0 })
  const rows = shiftRows(items, seconds)
  expect(rows.map(row => [row.willBe - row.was, row.fault, dayChange(row)])).toEqual([
    [3600, null, ''],
    [3600, null, 'Next day'],
    [0, 'zone', ''],
    [3600, null, ''],
    [0, 'range', ''],
  ])
  expect(shiftText(rows, seconds)).toBe('The camera’s clock was 1 hour slow. 3 items become later, 2 stay as they are.')
  expect(shiftText(shiftRows(items.slice(0, 1), -60), -60)).toBe(
    'The camera’s clock was 1 minute fast. 1 item becomes earlier.',
  )
  expect(amountText(secondsOf({ days: -1, hours: -2, minutes: -3 }))).toBe('1 day 2 hours 3 minutes')
  expect(amountText(secondsOf({ days: 1, hours: -25, minutes: 0 }))).toBe('1 hour')
  const noon = Date.parse('2019-08-01T12:00:00Z') / 1000
  expect(setRows(items.slice(0, 1), noon).map(dayChange)).toEqual(['2 days earlier'])
  expect(setRows(items.slice(0, 1), null).map(dayChange)).toEqual([''])
  expect(
    dateParts(noon, 'en-GB')
      .map(({ text }) => text)
      .join(''),
  ).toBe('Thu, 1 August 2019, 12:00')
})
