import { expect, test } from 'bun:test'
import { menuPlace, submenuPlace } from '../../web/kit/layers/menu-place.ts'

const screen = { width: 1000, height: 800 }
const menu = { width: 200, height: 300 }
const pointer = (x: number, y: number) => ({ x, y, width: 0, height: 0 })

test('at a pointer it opens downwards and to the end', () => {
  expect(menuPlace(pointer(300, 200), menu, screen)).toEqual({ left: 300, top: 200 })
})

test('near the edges it opens the other way', () => {
  expect(menuPlace(pointer(950, 200), menu, screen)).toEqual({ left: 750, top: 200 })
  expect(menuPlace(pointer(300, 700), menu, screen)).toEqual({ left: 300, top: 400 })
})

test('at a button it keeps a little distance', () => {
  expect(menuPlace({ x: 940, y: 40, width: 48, height: 48 }, menu, screen)).toEqual({ left: 788, top: 92 })
})

test('from right to left it ends where its button does', () => {
  expect(menuPlace({ x: 500, y: 40, width: 48, height: 48 }, menu, screen, true)).toEqual({ left: 348, top: 92 })
})

test('on a screen that is too low it stays within it', () => {
  expect(menuPlace(pointer(300, 200), menu, { width: 1000, height: 320 })).toEqual({ left: 300, top: 12 })
})

test('a menu within is beside its entry, on the side with room', () => {
  const entry = { x: 306, y: 250, width: 188, height: 34 }
  expect(submenuPlace(entry, { width: 120, height: 120 }, screen)).toEqual({ left: 494, top: 244 })
  expect(submenuPlace(entry, { width: 120, height: 120 }, screen, true)).toEqual({ left: 186, top: 244 })
  expect(submenuPlace({ ...entry, x: 800 }, { width: 120, height: 120 }, screen)).toEqual({ left: 680, top: 244 })
})
