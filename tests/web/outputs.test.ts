import { expect, test } from 'bun:test'
import { downloadAddress, slideshowAddress, uploadAddress } from '../../schema/addresses.ts'
import { downloadFault } from '../../web/items/selection/download.ts'
import { slideshowFault } from '../../web/sharing/slideshow.ts'

test('addresses contain the filter, the selected items, and names with any characters', () => {
  expect(downloadAddress(0, {})).toBe('/v1/item/download/0')
  expect(downloadAddress(3, { q: 'dog', startMonth: 8 })).toBe('/v1/item/download/3?q=dog&startMonth=8')
  expect(downloadAddress(0, { items: '4,7', includeHidden: 'x' }, 'http://a')).toBe(
    'http://a/v1/item/download/0?items=4%2C7&includeHidden=x',
  )
  expect(slideshowAddress('a/b')).toBe('/v1/slideshow/a%2Fb')
  expect(uploadAddress(2, { name: 'été & co.jpg', modified: 5, folder: '' })).toBe(
    '/v1/item/upload/2?name=%C3%A9t%C3%A9+%26+co.jpg&modified=5',
  )
  expect(uploadAddress(2, { name: 'a.jpg', modified: 0, folder: 'Summer/beach' })).toContain('folder=Summer%2Fbeach')
})

test('reports too many items or none before anything starts', () => {
  expect(downloadFault(0)).toBe('No items available')
  expect(downloadFault(20_000)).toBeNull()
  expect(downloadFault(20_001)).toContain('at most 20,000 items; these are 20,001')
  expect([0, 1, 5000, 5001].map(slideshowFault)).toEqual([
    'No items available',
    '',
    '',
    'A slideshow has at most 5,000 items',
  ])
})
