import { expect, test } from 'bun:test'
import type { GroupFace } from '../../schema/api/faces.ts'
import {
  inPreviousOrder,
  lookedText,
  namedText,
  nameOnPictures,
  noGroupsReason,
  restText,
  tickedOf,
} from '../../web/admin/faces/face-group-text.ts'
import { cropOf } from '../../web/faces/crop.ts'

function face(box: Partial<GroupFace>, width = 2000, height = 1000): GroupFace {
  const item = { id: 1, collection_id: 1, name: 'a.jpg', width, height, taken: 0, reloads: '' }
  return { id: 1, x: 0, y: 0, width: 100, height: 100, score: 1, item, ...box }
}

const numbers = (crop: ReturnType<typeof cropOf>) => Object.values(crop).map(text => Number(text.replace('%', '')))

test.each<[string, GroupFace, [number, number, number, number]]>([
  ['in the middle, with a margin', face({ x: 450, y: 200 }), [-283.33, -116.67, 666.67, 333.33]],
  ['at a corner, within the picture', face({ x: 0, y: 0 }), [0, 0, 666.67, 333.33]],
  ['at the opposite corner, within the picture', face({ x: 900, y: 400 }), [-566.67, -233.33, 666.67, 333.33]],
  ['as high as the picture, without a margin', face({ x: 250, y: 0, width: 500, height: 500 }), [-50, 0, 200, 100]],
  ['higher than the picture is wide', face({ width: 400, height: 600 }, 500, 1000), [8.33, 0, 83.33, 166.67]],
  ['on a picture of unknown size', face({ x: 450, y: 450 }, 0, 0), [-283.33, -283.33, 666.67, 666.67]],
])('crops a face from its picture: %s', (_, one, expected) => {
  expect(numbers(cropOf(one, one.item))).toEqual(expected)
})

const name = (id: number, name: string, active_from: number | null, active_to: number | null) => ({
  id,
  person: 1,
  name,
  active_from,
  active_to,
})

test('shows the name that a person had on the day of the pictures', () => {
  const names = [name(1, 'Anna Lind', null, 100), name(2, 'Anna Berg', 100, null)]
  expect(nameOnPictures(names, [50, 60], 500)).toBe('Anna Lind')
  expect(nameOnPictures(names, [150], 500)).toBe('Anna Berg')
  expect(nameOnPictures(names, [50, 150], 500)).toBe('Anna Lind / Anna Berg')
  // There was no name on that day: the name of today is shown.
  expect(nameOnPictures([name(1, 'Anna', 400, null)], [50], 500)).toBe('Anna')
  expect(nameOnPictures([], [50], 500)).toBe('No name available')
})

test('omits the faces that were unticked', () => {
  const faces = [face({ id: 1 }), face({ id: 2 }), face({ id: 3 })]
  expect(tickedOf({ faces }, new Set([2, 9])).map(({ id }) => id)).toEqual([1, 3])
})

test('groups keep their places, new ones come last, removed ones leave no gap', () => {
  const of = (...ids: number[]) => ids.map(id => ({ id }))
  expect(inPreviousOrder(of(1, 2, 3), of(3, 9, 1))).toEqual(of(1, 3, 9))
  expect(inPreviousOrder([], of(3, 1))).toEqual(of(3, 1))
})

test('reports how many faces were named and how many were not', () => {
  const textsFor = (requested: number, named: number, left: number, overtaken = 0) => {
    const naming = { name: 'Mia', requested, named, overtaken, left }
    return [namedText(naming), restText(naming)]
  }
  expect(textsFor(8, 8, 0)).toEqual(['8 faces are Mia', ''])
  expect(textsFor(1, 1, 3)).toEqual(['1 face is Mia', '3 faces left in the group'])
  expect(textsFor(8, 7, 1)).toEqual([
    '7 faces are Mia',
    '1 face skipped: Mia is on that picture already. 1 face left in the group',
  ])
  expect(textsFor(2, 0, 2)[0]).toBe('No face was named')
  expect(textsFor(4, 2, 0, 2)).toEqual(['2 faces are Mia', '2 faces already named by somebody else'])
})

test('reports the progress of the search, and why there are no groups', () => {
  expect(lookedText({ looked: 1204, due: 30 })).toBe(`${(1204).toLocaleString()} pictures looked at, 30 to go`)
  expect(lookedText({ looked: 1, due: 0 })).toBe('1 picture looked at')
  expect(noGroupsReason({ looked: 0, job: null }, false)).toBe('never looked')
  expect(noGroupsReason({ looked: 0, job: 4 }, false)).toBe('looking')
  expect(noGroupsReason({ looked: 9, job: null }, false)).toBe('nobody left')
  expect(noGroupsReason({ looked: 9, job: 4 }, true)).toBe('nobody ignored')
})
