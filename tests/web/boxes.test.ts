import { describe, expect, test } from 'bun:test'
import {
  boxAfterKey,
  type Handle,
  isSamePlace,
  movedBox,
  newBox,
  nowhere,
  panelPlace,
  resizedBox,
  rotatedBox,
  sidesOf,
} from '../../web/admin/metadata/boxes/box-rules.ts'
import type { PictureBox } from '../../web/items/pictures/region-rules.ts'

const sides = { width: 1000, height: 750 }
const box: PictureBox = { x: 100, y: 200, width: 300, height: 150 }
const plain = { shiftKey: false, altKey: false }

test('the longer edge of a picture has 1000 units', () => {
  expect(sidesOf({ width: 4000, height: 3000 })).toEqual(sides)
  expect(sidesOf({ width: 3000, height: 4000 })).toEqual({ width: 750, height: 1000 })
  expect(sidesOf({ width: 0, height: 0 })).toBeNull()
})

describe('a double click', () => {
  const places: [string, { x: number; y: number }, PictureBox | null][] = [
    ['makes a box of 50 by 50 round the point', { x: 500, y: 300 }, { x: 475, y: 275, width: 50, height: 50 }],
    ['near an edge keeps it inside', { x: 3, y: 748 }, { x: 0, y: 700, width: 50, height: 50 }],
    ['in the last corner keeps it inside', { x: 1000, y: 750 }, { x: 950, y: 700, width: 50, height: 50 }],
    ['left of the picture makes none', { x: -1, y: 300 }, null],
    ['above the picture makes none', { x: 500, y: -0.5 }, null],
    ['right of the picture makes none', { x: 1000.5, y: 300 }, null],
    ['below the picture makes none', { x: 500, y: 751 }, null],
  ]
  test.each(places)('%s', (_, point, expected) => expect(newBox(point, sides)).toEqual(expected))

  test('makes no box where there is no room', () => {
    expect(newBox({ x: 500, y: 20 }, { width: 1000, height: 40 })).toBeNull()
  })
})

describe('a box that is moved', () => {
  const moves: [{ x: number; y: number }, { x: number; y: number }][] = [
    [
      { x: 10, y: -20 },
      { x: 110, y: 180 },
    ],
    [
      { x: -500, y: 0 },
      { x: 0, y: 200 },
    ],
    [
      { x: 5000, y: 5000 },
      { x: 700, y: 600 },
    ],
  ]
  test.each(moves)('by %j is at %j with the same size', (by, at) => {
    expect(movedBox(box, by, sides)).toEqual({ ...box, ...at })
  })
})

describe('the eight handles', () => {
  const pulls: [Handle, PictureBox][] = [
    ['n', { x: 100, y: 220, width: 300, height: 130 }],
    ['ne', { x: 100, y: 220, width: 310, height: 130 }],
    ['e', { x: 100, y: 200, width: 310, height: 150 }],
    ['se', { x: 100, y: 200, width: 310, height: 170 }],
    ['s', { x: 100, y: 200, width: 300, height: 170 }],
    ['sw', { x: 110, y: 200, width: 290, height: 170 }],
    ['w', { x: 110, y: 200, width: 290, height: 150 }],
    ['nw', { x: 110, y: 220, width: 290, height: 130 }],
  ]
  test.each(pulls)('%s moves only its own edges', (handle, expected) => {
    expect(resizedBox(box, handle, { x: 10, y: 20 }, sides)).toEqual(expected)
  })

  test('stop at the edges of the picture and at the smallest size', () => {
    expect(resizedBox(box, 'se', { x: 9000, y: 9000 }, sides)).toEqual({ ...box, width: 900, height: 550 })
    expect(resizedBox(box, 'nw', { x: -9000, y: -9000 }, sides)).toEqual({ x: 0, y: 0, width: 400, height: 350 })
    expect(resizedBox(box, 'nw', { x: 9000, y: 9000 }, sides)).toEqual({ x: 390, y: 340, width: 10, height: 10 })
    expect(resizedBox(box, 'se', { x: -9000, y: -9000 }, sides)).toEqual({ ...box, width: 10, height: 10 })
  })

  test('do not enlarge a box below the smallest size', () => {
    const tiny = { x: 100, y: 100, width: 4, height: 4 }
    expect(resizedBox(tiny, 'e', { x: -1, y: 0 }, sides)).toEqual(tiny)
  })
})

describe('keys', () => {
  const keys: [string, object, PictureBox][] = [
    ['ArrowRight', {}, { ...box, x: 105 }],
    ['ArrowUp', { altKey: true }, { ...box, y: 199 }],
    ['ArrowLeft', { shiftKey: true }, { ...box, width: 295 }],
    ['ArrowDown', { shiftKey: true, altKey: true }, { ...box, height: 151 }],
  ]
  test.each(keys)('%s with %j', (key, held, expected) => {
    expect(boxAfterKey(box, { key, ...plain, ...held }, sides)).toEqual(expected)
  })
  test('other than arrows do nothing', () => {
    expect(boxAfterKey(box, { key: 'a', ...plain }, sides)).toBeNull()
  })
})

describe('a box rotates with its picture', () => {
  const turns: [number, PictureBox][] = [
    [90, { x: 400, y: 100, width: 150, height: 300 }],
    [180, { x: 600, y: 400, width: 300, height: 150 }],
    [270, { x: 200, y: 600, width: 150, height: 300 }],
    [-90, { x: 200, y: 600, width: 150, height: 300 }],
    [360, box],
  ]
  test.each(turns)('by %d degrees', (degrees, expected) => expect(rotatedBox(box, degrees, sides)).toEqual(expected))

  test('back to where it was by two opposite turns', () => {
    const turned = rotatedBox(box, 90, sides)
    expect(rotatedBox(turned, 270, { width: 750, height: 1000 })).toEqual(box)
  })
  test('and stays without a place if it has none', () => expect(rotatedBox(nowhere, 90, sides)).toEqual(nowhere))
})

test('differences that come from rounding are ignored', () => {
  expect(isSamePlace(box, { ...box, x: 100.001 })).toBe(true)
  expect(isSamePlace(box, { ...box, x: 101 })).toBe(false)
})

describe('the panel of a box', () => {
  const stage = { width: 800, height: 600 }
  const panel = { width: 260, height: 200 }
  const boxes: [string, PictureBox, { x: number; y: number }][] = [
    ['is below the box', { x: 100, y: 100, width: 50, height: 50 }, { x: 100, y: 160 }],
    ['is above the box where there is no room below', { x: 100, y: 450, width: 50, height: 50 }, { x: 100, y: 240 }],
    ['stays within the stage', { x: 700, y: 100, width: 50, height: 50 }, { x: 540, y: 160 }],
    ['is beside a tall box', { x: 100, y: 50, width: 100, height: 500 }, { x: 210, y: 400 }],
    ['is left of a tall box near the right edge', { x: 500, y: 50, width: 250, height: 500 }, { x: 230, y: 400 }],
  ]
  test.each(boxes)('%s', (_, at, place) => expect(panelPlace(at, panel, stage)).toEqual(place))
})
