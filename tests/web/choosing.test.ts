import { expect, test } from 'bun:test'
import type { Item } from '../../schema/api/items.ts'
import {
  countElsewhere,
  cursorOf,
  indicesBetween,
  type Selected,
  withItemToggled,
  withNewVersions,
  withoutItems,
  withRange,
} from '../../web/items/selection/choosing.ts'

function item(id: number, rating: number | null = null): Item {
  return {
    id,
    name: `${id}.jpg`,
    path: `${id}.jpg`,
    type: 'image',
    collection_id: 1,
    width: 4,
    height: 3,
    taken_at: '2019-08-01 10:00:00',
    taken: 0,
    utc_offset: null,
    date_source: 'exif',
    rating,
    duration: null,
    live: false,
    thumbhash: null,
    reloads: '',
    problem: null,
    properties: [],
    tags: {},
  }
}

const of = (...ids: number[]): Selected => new Map(ids.map(id => [id, item(id)]))
const ids = (selected: Selected) => [...selected.keys()]

test('a press selects an item or deselects it, and items keep the order of selection', () => {
  expect(ids(withItemToggled(of(3, 1), item(2)))).toEqual([3, 1, 2])
  expect(ids(withItemToggled(of(3, 1), item(3)))).toEqual([1])
})

test('a range is added to the selection or removed from it', () => {
  expect(ids(withRange(of(9, 2), [item(1), item(2), item(3)], true))).toEqual([9, 2, 1, 3])
  expect(ids(withRange(of(9, 2), [item(1), item(2), item(3)], false))).toEqual([9])
})

test('a range includes both ends, in the direction of the selection', () => {
  expect(indicesBetween(2, 5)).toEqual([2, 3, 4, 5])
  expect(indicesBetween(5, 2)).toEqual([5, 4, 3, 2])
  expect(indicesBetween(4, 4)).toEqual([4])
})

test('removed items leave the selection; other removals do not change it', () => {
  expect(ids(withoutItems(of(1, 2, 3), [2, 7]))).toEqual([1, 3])
  const selected = of(1)
  expect(withoutItems(selected, [2])).toBe(selected)
})

test('selected items are replaced by their new versions', () => {
  const before = of(1, 2)
  const newer = item(2, 5)
  const after = withNewVersions(before, [item(7), newer])
  expect(after.get(2)).toBe(newer)
  expect(ids(after)).toEqual([1, 2])
  expect(withNewVersions(after, [newer])).toBe(after)
})

test('reads the cursor of the next page from its link', () => {
  expect(cursorOf('/v1/item/list/0?limit=200&cursor=a%2Bb')).toBe('a+b')
  expect(cursorOf('/v1/item/list/0?limit=200')).toBe(null)
  expect(cursorOf(null)).toBe(null)
})

test('counts the selected items that are not on the screen', () => {
  expect(countElsewhere(of(1, 2, 3), [item(2), item(9)])).toBe(2)
  expect(countElsewhere(of(), [item(2)])).toBe(0)
})
