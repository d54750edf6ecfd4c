import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { createItems } from '../../../core/items/items.ts'
import { createMap } from '../../../core/items/map/map.ts'
import { openTestLibrary } from '../../support/library.ts'

describe('the map', () => {
  test('has the items with a position in the requested box, also across the date line', async () => {
    const { db, make } = openTestLibrary()
    const collection = await make.collection()
    const sevilla = await make.item({ collection, place: { latitude: 37.39, longitude: -5.99 } })
    const suva = await make.item({ collection, place: { latitude: -18.14, longitude: 178.44 } })
    const apia = await make.item({ collection, place: { latitude: -13.83, longitude: -171.77 } })
    await make.item({ collection })
    const map = createMap({ items: createItems({ db }) })
    const found = (bbox?: [number, number, number, number]) =>
      map.features(terminalViewer, { collectionId: 0 }, { bbox }).features.map(({ id }) => id)
    expect(found().sort()).toEqual([sevilla, suva, apia].sort())
    expect(found([-10, 35, 0, 45])).toEqual([sevilla])
    expect(found([170, -30, -160, 0]).sort()).toEqual([suva, apia].sort())
    expect(found([-160, -30, 170, 0])).toEqual([])
    const [feature] = map.features(terminalViewer, { collectionId: 0 }, { bbox: [-10, 35, 0, 45] }).features
    expect(feature).toMatchObject({ type: 'Feature', geometry: { type: 'Point', coordinates: [-5.99, 37.39] } })
  })

  test('is paged by links that keep the box', async () => {
    const { db, make } = openTestLibrary()
    const collection = await make.collection()
    for (let n = 0; n < 5; n++) await make.item({ collection, place: { latitude: n, longitude: n } })
    const map = createMap({ items: createItems({ db }) })
    const first = map.features(terminalViewer, { collectionId: collection }, { limit: 2, bbox: [0, 0, 10, 10] })
    expect(first._meta).toMatchObject({ total_records: 5, count: 2 })
    expect(first.items).toEqual(first.features)
    expect(first._links.next).toContain('bbox=0%2C0%2C10%2C10')
    expect(first._links.next).toStartWith(`/v1/geojson/features/${collection}?`)
  })

  test('omits positions that a collection keeps private', async () => {
    const { db, make, viewer } = openTestLibrary()
    const collection = await make.collection({ public: true, keepPrivate: true })
    await make.item({ collection, place: { latitude: 1, longitude: 1 } })
    const map = createMap({ items: createItems({ db }) })
    expect(map.features(viewer(null), { collectionId: 0 }, {})).toMatchObject({
      _meta: { total_records: 0 },
      features: [],
    })
    expect(map.features(terminalViewer, { collectionId: 0 }, {}).features.length).toBe(1)
  })
})
