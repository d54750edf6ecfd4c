import { expect, test } from 'bun:test'
import { menuPlace, submenuPlace } from '../../web/kit/layers/menu-place.ts'

const screen = { width: 1000, height: 800 }
const menu = { width: 200, height: 300 }
const pointer = (x: number, y: number) => ({ x, y, width: 0, height: 0 })

test('opens below a pointer, towards the end of the line', () => {
  expect(menuPlace(pointer(300, 200), menu, screen)).toEqual({ left: 300, top: 200 })
})

test('opens in the other direction near the edges', () => {
  expect(menuPlace(pointer(950, 200), menu, screen)).toEqual({ left: 750, top: 200 })
  expect(menuPlace(pointer(300, 700), menu, screen)).toEqual({ left: 300, top: 400 })
})

test('keeps a distance from its button', () => {
  expect(menuPlace({ x: 940, y: 40, width: 48, height: 48 }, menu, screen)).toEqual({ left: 788, top: 92 })
})

test('in right-to-left text it is aligned with the other edge of its button', () => {
  expect(menuPlace({ x: 500, y: 40, width: 48, height: 48 }, menu, screen, true)).toEqual({ left: 348, top: 92 })
})

test('stays within a screen that is too low', () => {
  expect(menuPlace(pointer(300, 200), menu, { width: 1000, height: 320 })).toEqual({ left: 300, top: 12 })
})

test('a submenu is beside its entry, on the side with room', () => {
  const entry = { x: 306, y: 250, width: 188, height: 34 }
  expect(submenuPlace(entry, { width: 120, height: 120 }, screen)).toEqual({ left: 494, top: 244 })
  expect(submenuPlace(entry, { width: 120, height: 120 }, screen, true)).toEqual({ left: 186, top: 244 })
  expect(submenuPlace({ ...entry, x: 800 }, { width: 120, height: 120 }, screen)).toEqual({ left: 680, top: 244 })
})
