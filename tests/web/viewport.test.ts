import { afterAll, expect, test } from 'bun:test'
import { breakpoint, columns, phone, thumbnail, windowHeight, windowWidth } from '../../web/kit/viewport.ts'

const before = { width: windowWidth.value, height: windowHeight.value }
afterAll(() => {
  windowWidth.value = before.width
  windowHeight.value = before.height
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

test('a window less than 600 pixels wide or 500 high is a phone', () => {
  const isPhone = (width: number, height: number) => {
    windowWidth.value = width
    windowHeight.value = height
    return phone.value
  }
  expect([isPhone(599, 900), isPhone(600, 900), isPhone(844, 499), isPhone(844, 500)]).toEqual([
    true,
    false,
    true,
    false,
  ])
})
