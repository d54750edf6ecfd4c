import { expect, test } from 'bun:test'
import { columnsThatFit } from '../../web/kit/table/fit-columns.ts'
import { frameOf } from '../../web/kit/viewport.ts'

const columns = [
  { name: 'name' },
  { name: 'path', drops: 1 },
  { name: 'items', width: 88 },
  { name: 'scanned', width: 152, drops: 2 },
  { name: 'state', width: 216 },
]

const fitting = (room: number) => columnsThatFit(columns, room, 106).map(({ name }) => name)

test('drops whole columns, the least important first, until the others fit', () => {
  expect(fitting(962)).toEqual(['name', 'path', 'items', 'scanned', 'state'])
  expect(fitting(961)).toEqual(['name', 'items', 'scanned', 'state'])
  expect(fitting(761)).toEqual(['name', 'items', 'state'])
  // Columns that never drop stay.
  expect(fitting(100)).toEqual(['name', 'items', 'state'])
})

test('counts a growing column with its minimum width', () => {
  const grown = [{ name: 'name' }, { name: 'what', width: 240, grows: true }, { name: 'who', width: 100, drops: 1 }]
  expect(columnsThatFit(grown, 540, 0).length).toBe(3)
  expect(columnsThatFit(grown, 539, 0).length).toBe(2)
})

test('a window less than 600 pixels wide or 500 high is a phone; others have a rail, or a sidebar from 960 on', () => {
  expect([frameOf(390, 844), frameOf(844, 390), frameOf(599, 900), frameOf(1440, 499)]).toEqual(
    Array.from({ length: 4 }, () => 'phone'),
  )
  expect([frameOf(600, 800), frameOf(640, 900), frameOf(959, 500)]).toEqual(['rail', 'rail', 'rail'])
  expect([frameOf(960, 500), frameOf(1440, 900)]).toEqual(['sidebar', 'sidebar'])
})
