import { describe, expect, test } from 'bun:test'
import { createClusterIndex } from '../../web/map/cluster-index.ts'
import { rankOf } from '../../web/map/cluster-rank.ts'
import { popupPlace } from '../../web/map/popup-place.ts'
import { countryOf, labelsAt, project, ringOf, unwrapRing } from '../../web/map/shapes.ts'
import { inMetres, inUnit, radiusAt, sliderOf, unitOf } from '../../web/search/filters/radius.ts'

const point = (id: number, longitude: number, latitude: number) => ({ id, longitude, latitude, reloads: '' })

describe('countries', () => {
  test('a ring that crosses the date line continues beyond it', () => {
    expect(
      unwrapRing([
        [170, 60],
        [-170, 60],
        [-170, 70],
        [170, 70],
      ]),
    ).toEqual([
      [170, 60],
      [190, 60],
      [190, 70],
      [170, 70],
    ])
    expect(
      unwrapRing([
        [-170, 60],
        [170, 60],
      ]),
    ).toEqual([
      [-170, 60],
      [-190, 60],
    ])
  })

  test('a ring around a pole is closed along it', () => {
    const ring = unwrapRing([
      [-180, -70],
      [-90, -72],
      [0, -70],
      [90, -72],
      [179, -70],
      [-180, -70],
    ])
    expect(ring.slice(-2)).toEqual([
      [180, -90],
      [-180, -90],
    ])
  })

  test('the world is a square with the equator in the middle', () => {
    expect(project(0, 0)).toEqual({ x: 0.5, y: 0.5 })
    expect(project(180, 85.0511287798)).toEqual({ x: 1, y: expect.closeTo(0, 8) })
    expect(project(-180, -90).y).toBeCloseTo(1, 8)
  })

  test('a ring has its bounding box', () => {
    const { west, east, north, south } = ringOf([
      [-90, 0],
      [90, 0],
      [90, 45],
      [-90, 45],
      [-90, 0],
    ])
    expect([west, east, south]).toEqual([0.25, 0.75, 0.5])
    expect(north).toBeLessThan(0.5)
  })

  test('a name is in the largest part of its country, and is shown only if it fits and covers no other name', () => {
    const square = (west: number, south: number, size: number) => [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ]
    const large = countryOf('Large', [[square(-90, -20, 40)], [square(100, 0, 2)]])
    const small = countryOf('Small', [[square(0, 0, 3)]])
    expect(large.label.x).toBeCloseTo(project(-70, 0).x, 3)
    expect(labelsAt([small, large], 512).map(({ name }) => name)).toEqual(['Large'])
    expect(labelsAt([small, large], 16_384).map(({ name }) => name)).toEqual(['Large', 'Small'])
    expect(labelsAt([large, { ...large, name: 'Twin' }], 16_384)).toHaveLength(1)
  })
})

describe('groups of items', () => {
  const index = createClusterIndex([
    point(1, 10, 50),
    point(2, 10.001, 50.001),
    point(3, 10.002, 50),
    point(4, 100, 10),
  ])

  test('items within 50 pixels form one group, which splits when zoomed in', () => {
    const [group, single] = index.within([-180, -85, 180, 85], 3).sort((a, b) => b.count - a.count)
    expect(group).toMatchObject({ count: 3, id: null })
    expect(single).toMatchObject({ count: 1, id: 4 })
    expect(index.itemsOf(group?.cluster ?? 0).sort()).toEqual([1, 2, 3])
    expect(index.opensAt(group?.cluster ?? 0)).toBeGreaterThan(3)
    expect(index.within([9, 49, 11, 51], 15)).toHaveLength(3)
  })

  test('change their colours at 100 and at 750', () => {
    expect([2, 99, 100, 749, 750, 100_000].map(rankOf)).toEqual([1, 1, 2, 2, 3, 3])
  })

  test('each horizontal copy of the map has its own groups', () => {
    const found = index.within([80, -85, 480, 85], 3)
    expect(found.filter(({ id }) => id === 4).map(({ longitude }) => longitude)).toEqual([100, 460])
    expect(new Set(found.map(({ key }) => key)).size).toBe(found.length)
    expect(index.within([-380, -85, -180, 85], 3).some(({ longitude }) => longitude === -260)).toBe(true)
  })
})

test('a popup is at the side with more room, and within the map', () => {
  const room = { width: 1200, height: 800 }
  expect(popupPlace({ x: 900, y: 400 }, room).left).toBe(900 - 36 - 350)
  expect(popupPlace({ x: 300, y: 400 }, room).left).toBe(336)
  expect(popupPlace({ x: 300, y: 10 }, room).top).toBe(12)
  expect(popupPlace({ x: 300, y: 790 }, room).top).toBe(800 - 293 - 12)
})

describe('the radius', () => {
  test('goes from 0.1 to 1000 in either unit, and kilometres are a thousand metres', () => {
    expect([radiusAt(0), radiusAt(1000)]).toEqual([0.1, 1000])
    expect(inMetres(2.5, 'Kilometers')).toBe(2500)
    expect(inUnit(2500, 'Meters')).toBe(1000)
    expect(inUnit(20, 'Kilometers')).toBe(0.1)
    expect([unitOf(1000), unitOf(1001)]).toEqual(['Meters', 'Kilometers'])
  })

  test('keeps its value on the slider', () => {
    for (const value of [0.1, 0.5, 1, 7, 42, 100, 550, 1000]) expect(radiusAt(sliderOf(value))).toBe(value)
  })
})
