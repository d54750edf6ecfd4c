import { expect, test } from 'bun:test'
import { peopleRows } from '../../web/viewer/people-rows.ts'

const region = (person: number, name: string, width = 100) => ({
  id: person + width,
  type: 'person' as const,
  person,
  face: null,
  name,
  x: 500,
  y: 0,
  width,
  height: width,
})

const rowsOf = (...data: ReturnType<typeof region>[]) =>
  peopleRows({ width: 4000, height: 2000, tags: { People: { id: 1, version: 1, data } } })

test('lists each person once, with a face if there is one, and faces without a name last', () => {
  const rows = rowsOf(
    region(0, 'No name available'),
    region(2, 'Mia', 0),
    region(3, 'Jonas'),
    region(2, 'Mia'),
    region(5, 'Mia', 0),
  )
  expect(rows.map(({ name, person }) => [name, person])).toEqual([
    ['Mia', 2],
    ['Jonas', 3],
    ['Mia', 5],
    ['No name available', 0],
  ])
  expect(rows[0]?.share).toEqual({ x: 0.5, y: 0, width: 0.1, height: 0.2 })
  expect(rows[2]?.share).toBeNull()
})

test('leaves out people without a name and without a face', () => {
  expect(rowsOf(region(0, 'No name available', 0))).toEqual([])
  expect(peopleRows({ width: 4, height: 3, tags: {} })).toEqual([])
})
