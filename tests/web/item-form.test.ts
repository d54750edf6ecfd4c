import { describe, expect, test } from 'bun:test'
import { changes, dateFault, formOf, type ItemForm, withWords } from '../../web/state/item-form.ts'

const before: ItemForm = {
  date: '2019-08-03 14:05:00',
  description: 'By the river',
  category: ['Family'],
  keywords: ['sea', 'sun'],
  author: [],
  place: { latitude: 48.2, longitude: 16.4, placeName: 'Vienna' },
}

describe('what is saved', () => {
  test('is nothing where nothing changed', () => {
    expect(changes(before, { ...before, description: ' By the river ' })).toEqual([])
  })

  test('is each set that changed, with the words for when it fails', () => {
    const after = { ...before, date: '', description: 'Else', category: [], keywords: ['sun', 'sea'], author: ['Ada'] }
    expect(changes(before, after).map(({ tagName, failure }) => `${tagName}: ${failure}`)).toEqual([
      'DateTimeOriginal: Failed to save date and time',
      'Description: Failed to save description',
      'Category: Failed to save category',
      'Keywords: Failed to save keywords',
      'Author: Failed to save author',
    ])
  })

  test('is an empty value where a location was taken away', () => {
    const gone = { latitude: null, longitude: null, placeName: '' }
    expect(changes(before, { ...before, place: gone })).toEqual([
      { tagName: 'Locations', data: [], failure: 'Failed to save location' },
    ])
    expect(changes(before, { ...before, place: { ...before.place, placeName: 'Wien' } })[0]?.data).toMatchObject({
      placeName: 'Wien',
    })
  })
})

test('a date is checked as the server checks it', () => {
  expect(dateFault('')).toBeNull()
  expect(dateFault('2019-08-03 14:05')).toBeNull()
  expect(dateFault('2019-02-30')).toBe('The date does not exist')
  expect(dateFault('3 August')).toBe('The date is YYYY-MM-DD HH:MM:SS')
  expect(dateFault('1700-01-01')).toContain('1800')
})

test('a comma separates words, and none is added twice', () => {
  expect(withWords(['sea'], ' Sun, SEA ,, beach ')).toEqual(['sea', 'Sun', 'beach'])
})

test('an item without any tag has an empty form', () => {
  expect(formOf({ tags: {} })).toEqual({
    date: '',
    description: '',
    category: [],
    keywords: [],
    author: [],
    place: { latitude: null, longitude: null, placeName: '' },
  })
})
