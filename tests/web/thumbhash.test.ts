import { expect, test } from 'bun:test'
import { rgbaToThumbHash } from 'thumbhash'
import { placeholderUrl, turnedPixels } from '../../web/items/pictures/thumbhash.ts'

/** Two by three pixels, numbered row by row. */
const pixels = { w: 2, h: 3, rgba: Uint8Array.from([1, 2, 3, 4, 5, 6].flatMap(n => [n, n, n, 255])) }
const numbers = ({ rgba }: { rgba: Uint8Array }) => [...rgba].filter((_, at) => at % 4 === 0)

test('rotates pixels clockwise', () => {
  const quarter = turnedPixels(pixels, 90)
  expect([quarter.w, quarter.h, numbers(quarter)]).toEqual([3, 2, [5, 3, 1, 6, 4, 2]])
  expect(numbers(turnedPixels(pixels, 180))).toEqual([6, 5, 4, 3, 2, 1])
  expect(numbers(turnedPixels(pixels, 270))).toEqual([2, 4, 6, 1, 3, 5])
  expect(numbers(turnedPixels(pixels, 0))).toEqual([1, 2, 3, 4, 5, 6])
})

test('decodes a thumbhash, and returns nothing for an invalid one', () => {
  const rgba = Uint8Array.from({ length: 64 * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at * 7) % 256))
  const hash = btoa(String.fromCharCode(...rgbaToThumbHash(8, 8, rgba)))
  expect(placeholderUrl(hash)).toStartWith('data:image/png;base64,')
  expect(placeholderUrl(hash, 90)).not.toBe(placeholderUrl(hash))
  expect(placeholderUrl(hash)).toBe(placeholderUrl(hash) ?? '')
  for (const nonsense of [null, '', 'A', '%%%']) expect(placeholderUrl(nonsense)).toBeNull()
})
