import { describe, expect, test } from 'bun:test'
import {
  boxChanges,
  dateFault,
  dateOf,
  dateParts,
  degreesOf,
  type FormBox,
  type ItemForm,
  isFaulty,
  itemChangeCount,
  itemFormOf,
  noPlace,
  placeFault,
  rotatedForm,
  tagChanges,
  tagSetOf,
  withBoxNamed,
  withEntries,
  withWords,
} from '../../web/admin/metadata/item-form.ts'

const before: ItemForm = {
  date: '2019-08-03 14:05:00',
  description: 'By the river',
  category: ['Family'],
  keywords: ['sea', 'sun'],
  author: [],
  place: { latitude: 48.2, longitude: 16.4, placeName: 'Vienna', guessed: false },
  boxes: [],
}

describe('what is saved', () => {
  test('is nothing when nothing changed', () => {
    expect(tagChanges(before, { ...before, description: ' By the river ' })).toEqual([])
  })

  test('is each changed tag set, with a message for a failed save', () => {
    const after = { ...before, date: '', description: 'Else', category: [], keywords: ['sun', 'sea'], author: ['Ada'] }
    expect(tagChanges(before, after).map(({ part }) => `${tagSetOf[part].tagName}: ${tagSetOf[part].failure}`)).toEqual(
      [
        'DateTimeOriginal: Failed to save date and time',
        'Description: Failed to save description',
        'Category: Failed to save category',
        'Keywords: Failed to save keywords',
        'Author: Failed to save author',
      ],
    )
  })

  test('is an empty value for a removed location', () => {
    expect(tagChanges(before, { ...before, place: noPlace })).toEqual([{ part: 'place', data: [] }])
    expect(tagSetOf.place).toEqual({ tagName: 'Locations', failure: 'Failed to save location' })
    const named = { ...before.place, placeName: ' Wien ' }
    expect(tagChanges(before, { ...before, place: named })[0]?.data).toEqual({ ...named, placeName: 'Wien' })
  })
})

describe('boxes', () => {
  const ada: FormBox = { key: 'a', id: 7, kind: 'person', subject: 3, name: 'Ada', x: 10, y: 20, width: 50, height: 50 }
  const bike: FormBox = { ...ada, key: 'b', id: 8, kind: 'object', subject: 4, name: 'Bike' }
  const writesFor = (after: readonly FormBox[]) =>
    boxChanges([ada, bike], after).map(({ act, box }) => `${act} ${box.name}`)
  const cases: [string, readonly FormBox[], readonly string[]][] = [
    ['unchanged are not sent', [bike, { ...ada, x: 10.001 }], []],
    ['removed are deleted', [bike], ['remove Ada']],
    ['added are created', [ada, bike, { ...ada, key: 'c', id: 0, subject: 0, name: 'Eva' }], ['create Eva']],
    ['moved are updated', [{ ...ada, y: 25 }, bike], ['update Ada']],
    ['renamed are updated', [{ ...ada, subject: 0, name: 'Ida' }, bike], ['update Ida']],
    [
      'changed from a person to an object are removed and created',
      [{ ...ada, id: 0, kind: 'object', subject: 9, name: 'Statue' }, bike],
      ['remove Ada', 'create Statue'],
    ],
  ]
  for (const [what, after, writes] of cases) {
    test(`that were ${what}`, () => expect(writesFor(after)).toEqual([...writes]))
  }

  test('of faces that are named after a person without a box become the box of that person', () => {
    const nowhere = { x: 0, y: 0, width: 0, height: 0 }
    const boxless = { ...ada, ...nowhere }
    const face: FormBox = { ...ada, key: 'f', id: 0, subject: 0, name: '', found: true }
    const named = { kind: 'person', subject: 3, name: 'Ada' } as const
    const from = [boxless, bike]
    const nameBox = (boxes: readonly FormBox[], key: string, name: Parameters<typeof withBoxNamed>[2] = named) => {
      const after = withBoxNamed(boxes, key, name)
      return { after, writes: boxChanges(from, after).map(({ act, box }) => `${act} ${box.id} ${box.name} ${box.x}`) }
    }
    expect(nameBox([...from, face], 'f')).toEqual({
      after: [bike, { ...face, ...named, id: 7 }],
      writes: ['update 7 Ada 10'],
    })
    // A saved box keeps its id.
    const saved = { ...face, id: 9 }
    expect(nameBox([...from, saved], 'f').writes).toContain('remove 7 Ada 0')
    expect(nameBox([...from, saved], 'f').after).toEqual([bike, { ...saved, ...named }])
    // A person who is new on the picture is combined with the face too.
    const eva = { ...boxless, key: 'e', id: 0, subject: 0, name: 'Eva' }
    expect(nameBox([...from, eva, face], 'f', { ...named, subject: 0, name: 'eva' }).after).toHaveLength(3)
    // Not combined: people who have a box already, objects, and empty names.
    expect(withBoxNamed([ada, face], 'f', named)).toHaveLength(2)
    expect(withBoxNamed([boxless, face], 'f', { ...named, kind: 'object' })).toHaveLength(2)
    expect(
      withBoxNamed([{ ...boxless, subject: 0, name: '' }, face], 'f', { ...named, subject: 0, name: '' }),
    ).toHaveLength(2)
    // A person who is changed to an object becomes a new region.
    expect(withBoxNamed([ada], 'a', { kind: 'object', subject: 4, name: 'Statue' })).toMatchObject([
      { id: 0, kind: 'object' },
    ])
  })

  test('count as changes, and rotate with their picture', () => {
    const form = { ...before, boxes: [ada, bike] }
    expect(itemChangeCount(form, { ...form, description: '', boxes: [bike] })).toBe(2)
    const turned = rotatedForm(form, 90, { width: 400, height: 300 })
    expect(turned.boxes[0]).toMatchObject({ x: 680, y: 10, width: 50, height: 50 })
    expect(rotatedForm(turned, -90, { width: 300, height: 400 })).toEqual(form)
    expect(rotatedForm(form, 90, { width: 0, height: 0 })).toBe(form)
  })
})

test('a date is checked as the server checks it', () => {
  expect(dateFault('')).toBeNull()
  expect(dateFault('2019-08-03 14:05')).toBeNull()
  expect(dateFault('2019-02-30')).toBe('The date does not exist')
  expect(dateFault('3 August')).toBe('The date is YYYY-MM-DD HH:MM:SS')
  const year = new Date().getFullYear()
  for (const [date, fault] of [
    ['1799-12-31 00:00:00', 'The year is from 1800 to this one'],
    ['1800-01-01 00:00:00', null],
    [`${year}-12-31 00:00:00`, null],
    [`${year + 1}-01-01 00:00:00`, 'The year is from 1800 to this one'],
    ['? 12:00:00', 'The date is not complete'],
  ] as const) {
    expect(dateFault(date)).toBe(fault)
  }
})

test('splits a date into day and time, and joins them', () => {
  expect(dateParts('2019-08-03 14:05:00')).toEqual({ day: '2019-08-03', time: '14:05:00' })
  expect(dateParts('')).toEqual({ day: '', time: '' })
  expect(dateOf({ day: '2019-08-03', time: '' })).toBe('2019-08-03 00:00:00')
  expect(dateOf({ day: '2019-08-03', time: '14:05' })).toBe('2019-08-03 14:05:00')
  expect(dateOf({ day: '', time: '14:05:00' })).toBe('')
})

test('reads degrees in the usual spellings', () => {
  const typed: [string, number | null][] = [
    ['48.2', 48.2],
    [' 48,2 ', 48.2],
    ['−16', -16],
    ['', null],
    ['48.', Number.NaN],
    ['north', Number.NaN],
  ]
  for (const [text, degrees] of typed) expect(Object.is(degreesOf(text), degrees)).toBe(true)
  expect(placeFault({ ...noPlace, latitude: 91, longitude: 0 })).toEqual({ latitude: 'From −90 to 90' })
  expect(placeFault({ ...noPlace, latitude: 0, longitude: Number.NaN })).toEqual({ longitude: 'From −180 to 180' })
  expect(placeFault({ ...noPlace, latitude: 1 })).toEqual({ longitude: 'Missing' })
  expect(placeFault(noPlace)).toEqual({})
})

test('checks only changed fields', () => {
  const old = { ...before, date: '1700-01-01 00:00:00' }
  expect(isFaulty(old, { ...old, description: 'Else' })).toBe(false)
  expect(isFaulty(old, { ...old, date: '1701-01-01 00:00:00' })).toBe(true)
  expect(isFaulty(old, { ...old, place: { ...old.place, latitude: Number.NaN } })).toBe(true)
})

test('splits words at commas, and adds none twice', () => {
  expect(withWords(['sea'], ' Sun, SEA ,, beach ')).toEqual(['sea', 'Sun', 'beach'])
  expect(withEntries(['sea'], ['Berlin, Germany', 'Sea'])).toEqual(['sea', 'Berlin, Germany'])
})

test('an item without any tag has an empty form', () => {
  expect(itemFormOf({ tags: {} })).toEqual({
    date: '',
    description: '',
    category: [],
    keywords: [],
    author: [],
    place: noPlace,
    boxes: [],
  })
})
