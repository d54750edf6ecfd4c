import { afterAll, expect, test } from 'bun:test'
import { breakpoint, columns, phone, thumbnail, windowWidth } from '../../web/kit/viewport.ts'

const before = windowWidth.value
afterAll(() => {
  windowWidth.value = before
})

/** Width in pixels, its name, items per row, thumbnail. */
const widths: [number, string, number, string][] = [
  [390, 'xs', 1, 'small'],
  [600, 'sm', 2, 'small'],
  [960, 'md', 2, 'small'],
  [1280, 'lg', 3, 'medium'],
  [1920, 'xl', 4, 'medium'],
  [2560, 'xxl', 6, 'medium'],
]
for (const [width, name, items, size] of widths) {
  test(`${width} pixels are ${name}: ${items} a row, ${size} thumbnails`, () => {
    windowWidth.value = width
    expect<unknown>([breakpoint.value, columns.value, thumbnail.value]).toEqual([name, items, size])
  })
}

test('only xs is a small screen', () => {
  windowWidth.value = 599
  expect(phone.value).toBe(true)
  windowWidth.value = 600
  expect(phone.value).toBe(false)
})
