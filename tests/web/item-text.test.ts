import { expect, test } from 'bun:test'
import type { Item } from '../../schema/api/items.ts'
import {
  accessibleName,
  cameraLines,
  captionOf,
  coordinatesText,
  foldersOf,
  rotationOf,
} from '../../web/items/item-text.ts'

const tagged = (...contents: string[]) => ({
  id: 1,
  version: 1,
  data: contents.map((content, id) => ({ id, content })),
})

const item: Item = {
  id: 1,
  name: 'a.jpg',
  path: 'a.jpg',
  type: 'image',
  collection_id: 1,
  width: 4000,
  height: 3000,
  taken_at: '2012-08-25 10:00:00',
  taken: Date.UTC(2012, 7, 25, 10) / 1000,
  utc_offset: null,
  date_source: 'exif-original',
  rating: null,
  duration: null,
  live: false,
  thumbhash: null,
  reloads: 'a',
  problem: null,
  properties: [],
  tags: {},
}

test('a card shows the category, or else the keywords', () => {
  expect(captionOf({ tags: { Keywords: tagged('sea', 'sand') } })).toBe('sea, sand')
  expect(captionOf({ tags: { Keywords: tagged('sea'), Category: tagged('Dunes') } })).toBe('Dunes')
  expect(captionOf({ tags: { Category: tagged() } })).toBe('')
})

test('shows the folders of a file within its collection, never a server path', () => {
  const of = (path: string, root?: string) => foldersOf({ path }, root)
  expect(of('/srv/family/2001/Easter/a.jpg', '/srv/family')).toEqual(['2001', 'Easter'])
  expect(of('/srv/family/a.jpg', '/srv/family/')).toEqual([])
  expect(of('/2001/a.jpg', '/')).toEqual(['2001'])
  expect(of('2001/Easter/a.jpg')).toEqual(['2001', 'Easter'])
  expect(of('a.jpg')).toEqual([])
  // The root is not known yet, or is a different one.
  expect(of('/srv/family/2001/a.jpg')).toEqual([])
  expect(of('/srv/family-2/2001/a.jpg', '/srv/family')).toEqual([])
})

test('the label of a card for screen readers describes the item', () => {
  const spoken = accessibleName({ ...item, type: 'video', duration: 192, rating: 4, tags: { Keywords: tagged('sea') } })
  expect(spoken).toContain('2012')
  expect(spoken).toEndWith(', sea, video of 3:12, 4 stars')
  expect(accessibleName({ ...item, problem: 'This file is cut off' })).toEndWith(', This file is cut off')
})

test('reads the Rotation property as degrees from a text or a number', () => {
  expect(rotationOf({ properties: [{ name: 'Rotation', value: '90' }] })).toBe(90)
  expect(rotationOf({ properties: [{ name: 'Rotation', value: 270 }] })).toBe(270)
  expect(rotationOf({ properties: [{ name: 'Rotation', value: 'x' }] })).toBe(0)
  expect(rotationOf({ properties: [] })).toBe(0)
})

test('shows the make of a camera once, and its settings in the usual notation', () => {
  expect(cameraLines({ camera: { make: 'JVC', model: 'GR-DC2000', exposure: 1 / 60, aperture: 2, iso: 160 } })).toEqual(
    {
      name: 'JVC GR-DC2000',
      settings: '1/60 s · f/2 · ISO 160',
      lens: '',
    },
  )
  expect(cameraLines({ camera: { make: 'NIKON CORPORATION', model: 'NIKON D80', exposure: 2.5 } })).toMatchObject({
    name: 'NIKON D80',
    settings: '2.5 s',
  })
  expect(cameraLines({ camera: {} })).toEqual({ name: '', settings: '', lens: '' })
})

test('shows coordinates with compass directions', () => {
  expect(coordinatesText(-36.8485, 174.7633)).toBe('36.8485° S, 174.7633° E')
})
