/** Merges all sources of metadata of an item. */
import { describe, expect, test } from 'bun:test'
import { type MergeInput, mergeMetadata } from '../../../core/metadata/merge.ts'
import { type FileRegion, type FoundDate, type Metadata, noMetadata } from '../../../core/metadata/metadata.ts'

const now = Date.UTC(2026, 10, 21)
const mtimeMs = Date.UTC(2022, 0, 2, 3, 4, 5)

function metadataWith(more: Partial<Metadata>): Metadata {
  return { ...noMetadata(), ...more }
}

function merge(file: Partial<Metadata>, sidecars: MergeInput['sidecars'] = [], more: Partial<MergeInput> = {}) {
  return mergeMetadata({ file: metadataWith(file), sidecars, name: 'IMG_1.jpg', mtimeMs, now, zone: 'UTC', ...more })
}

const xmp = (data: Partial<Metadata>) => ({ kind: 'xmp' as const, data: metadataWith(data) })
const takeout = (data: Partial<Metadata>) => ({ kind: 'takeout' as const, data: metadataWith(data) })

function original(local: string, source: FoundDate['source'] = 'exif-original'): FoundDate {
  return { local, offset: null, source }
}

test('an item without metadata has only the time of its file', () => {
  expect(merge({})).toEqual({
    date: { local: '2022-01-02 03:04:05', offset: 0, source: 'file', seconds: 1641092645 },
    latitude: null,
    longitude: null,
    altitude: null,
    placeName: null,
    title: null,
    description: null,
    keywords: [],
    category: [],
    author: [],
    rating: null,
    favorite: false,
    regions: [],
    people: [],
    objects: [],
    rotation: null,
    camera: {},
    orientation: 1,
    width: null,
    height: null,
    duration: null,
    frameRate: null,
    videoCodec: null,
    audioCodec: null,
    contentIdentifier: null,
    motionVideoLength: null,
    motionVideoOffset: null,
    warnings: [],
  })
})

describe('an XMP sidecar', () => {
  test('overrides single values of the file, even with a zero', () => {
    const file = {
      description: 'in the file',
      rating: 3,
      latitude: 1,
      longitude: 2,
      altitude: 3,
      title: 'kept',
      placeName: 'Rome',
    }
    const found = merge(file, [xmp({ description: 'later', rating: 0, latitude: 10, longitude: 20 })])
    expect(found).toMatchObject({
      description: 'later',
      rating: 0,
      latitude: 10,
      longitude: 20,
      // An altitude is dropped with the position that it belongs to.
      altitude: null,
      title: 'kept',
      placeName: 'Rome',
    })
  })

  test('overrides the sidecars after it', () => {
    expect(merge({}, [xmp({ rating: 1 }), xmp({ rating: 2, title: 'second' })])).toMatchObject({
      rating: 1,
      title: 'second',
    })
  })

  test('overrides the date only with its original date', () => {
    const file = { dates: [original('2001-01-01 01:01:01'), original('2001-01-01 01:01:01', 'exif-create')] }
    expect(merge(file, [xmp({ dates: [original('2002-02-02 02:02:02', 'xmp-original')] })]).date).toMatchObject({
      local: '2002-02-02 02:02:02',
      source: 'xmp-original',
    })
    expect(merge(file, [xmp({ dates: [original('2002-02-02 02:02:02', 'xmp-create')] })]).date?.local).toBe(
      '2001-01-01 01:01:01',
    )
    expect(merge(file, [xmp({ dates: [original('2002-02-02 02:02:02', 'xmp-photoshop')] })]).date?.local).toBe(
      '2001-01-01 01:01:01',
    )
  })

  test('adds to lists, and its spelling wins', () => {
    const composed = 'caf\u00e9'
    const decomposed = 'cafe\u0301'
    const found = merge({ keywords: ['Lake', decomposed, ' two   words '] }, [
      xmp({ keywords: ['lake', composed, ''] }),
    ])
    expect(found.keywords).toEqual(['lake', composed, 'two words'])
  })

  test('does not override technical properties of the file', () => {
    const found = merge({ width: 40, height: 30, orientation: 6 }, [xmp({ width: 1, height: 1, orientation: 3 })])
    expect(found).toMatchObject({ width: 30, height: 40, orientation: 6 })
  })

  test('fills in missing camera fields', () => {
    const found = merge({ camera: { make: 'Canon' } }, [xmp({ camera: { make: 'Other', lens: '50mm' } })])
    expect(found.camera).toEqual({ make: 'Canon', lens: '50mm' })
  })
})

describe('a Takeout sidecar', () => {
  test('only fills in missing values', () => {
    const sidecar = takeout({
      dates: [{ ...original('2019-08-01 14:22:33', 'takeout'), utc: true }],
      description: 'from Google',
      title: 'IMG_1.jpg',
      latitude: 48.1,
      longitude: 11.6,
      people: ['Anna', 'Tom'],
      favorite: true,
    })
    expect(
      merge({ description: 'mine', dates: [original('2018-01-01 00:00:00')], people: ['anna'] }, [sidecar]),
    ).toMatchObject({
      description: 'mine',
      date: { local: '2018-01-01 00:00:00' },
      latitude: 48.1,
      people: ['anna', 'Tom'],
      favorite: true,
    })
  })

  test('has a date that is local to the position of the picture', () => {
    const dates = [{ ...original('2019-08-01 14:22:33', 'takeout'), utc: true as const }]
    expect(merge({}, [takeout({ dates, latitude: 48.1, longitude: 11.6 })]).date).toEqual({
      local: '2019-08-01 16:22:33',
      offset: 120,
      source: 'takeout',
      seconds: 1564676553,
    })
  })
})

describe('a companion (the RAW beside a JPEG)', () => {
  const beside = (file: Partial<Metadata>, companion: Partial<Metadata>, sidecars: MergeInput['sidecars'] = []) =>
    merge(file, sidecars, { companions: [metadataWith(companion)] })
  const raw: Partial<Metadata> = {
    dates: [original('2019-08-03 14:22:33')],
    latitude: 48.1,
    longitude: 11.6,
    altitude: 500,
    placeName: 'Munich',
    description: 'of the RAW',
    title: 'raw',
    rating: 4,
    keywords: ['lake', 'Boat'],
    category: ['holiday'],
    author: ['Inés'],
    people: ['Anna'],
    camera: { make: 'Canon', model: 'EOS R5', iso: 400 },
    width: 8000,
    height: 6000,
    orientation: 6,
  }

  test('fills in what the file lacks', () => {
    expect(beside({ width: 400, height: 300 }, raw)).toMatchObject({
      date: { local: '2019-08-03 14:22:33', source: 'exif-original' },
      latitude: 48.1,
      longitude: 11.6,
      altitude: 500,
      placeName: 'Munich',
      description: 'of the RAW',
      title: 'raw',
      rating: 4,
      keywords: ['lake', 'Boat'],
      category: ['holiday'],
      author: ['Inés'],
      people: ['Anna'],
      camera: { make: 'Canon', model: 'EOS R5', iso: 400 },
    })
  })

  test('does not override technical properties of the file', () => {
    expect(beside({ width: 400, height: 300 }, raw)).toMatchObject({ width: 400, height: 300, orientation: 1 })
    expect(beside({}, { ...raw, contentIdentifier: 'A', duration: 3 })).toMatchObject({
      width: null,
      orientation: 1,
      contentIdentifier: null,
      duration: null,
    })
  })

  test('does not override the values of the file, and adds to its lists', () => {
    const own = { latitude: 1, longitude: 2, description: 'mine', rating: 0, keywords: ['Lake'], camera: { iso: 100 } }
    expect(beside(own, raw)).toMatchObject({
      latitude: 1,
      longitude: 2,
      // An altitude is dropped with the position that it belongs to.
      altitude: null,
      description: 'mine',
      rating: 0,
      keywords: ['Lake', 'Boat'],
      camera: { make: 'Canon', model: 'EOS R5', iso: 100 },
    })
  })

  test('overrides Takeout, but an XMP sidecar only in camera fields', () => {
    const google = takeout({ description: 'from Google', latitude: 3, longitude: 4, people: ['Tom'] })
    expect(beside({}, raw, [google])).toMatchObject({
      description: 'of the RAW',
      latitude: 48.1,
      people: ['Anna', 'Tom'],
    })
    const edits = xmp({ description: 'later', rating: 1, camera: { model: 'other', lens: '50mm' } })
    expect(beside({}, raw, [edits])).toMatchObject({
      description: 'later',
      rating: 1,
      camera: { model: 'EOS R5', lens: '50mm' },
    })
  })

  test('has dates that are joined by priority: the original date of the file stays first, a less reliable one does not', () => {
    const date = (...dates: FoundDate[]) => beside({ dates }, raw).date?.local
    expect(date(original('2001-01-01 01:01:01'))).toBe('2001-01-01 01:01:01')
    expect(date(original('2001-01-01 01:01:01', 'exif-create'))).toBe('2019-08-03 14:22:33')
    expect(date(original('2001-01-01 01:01:01', 'iptc'))).toBe('2019-08-03 14:22:33')
    const sidecar = xmp({ dates: [original('2002-02-02 02:02:02', 'xmp-original')] })
    expect(beside({}, raw, [sidecar]).date?.local).toBe('2002-02-02 02:02:02')
  })

  test('has a GPS time that gives the offset of a date of the file', () => {
    const gpsTime = Date.UTC(2019, 7, 3, 12, 22, 33) / 1000
    expect(beside({ dates: [original('2019-08-03 14:22:33')] }, { gpsTime }).date?.offset).toBe(120)
  })

  test('has its regions in upright coordinates, whatever its orientation', () => {
    // At the top left of the stored RAW, which is the top right after a clockwise quarter turn.
    const region: FileRegion = {
      kind: 'person',
      name: 'Bea',
      x: 0.2,
      y: 0.1,
      width: 0.2,
      height: 0.1,
      frame: 'stored',
    }
    const found = beside({ width: 500, height: 1000 }, { width: 1000, height: 500, orientation: 6, regions: [region] })
    expect(found.regions).toEqual([{ kind: 'person', name: 'Bea', x: 425, y: 100, width: 50, height: 200 }])
    const same = beside({ width: 1000, height: 500, orientation: 6, regions: [region] }, {})
    expect(found.regions).toEqual(same.regions)
  })
})

describe('regions', () => {
  const face = (name: string, x: number, more: Partial<FileRegion> = {}): FileRegion => ({
    kind: 'person',
    name,
    x,
    y: 0.5,
    width: 0.1,
    height: 0.1,
    frame: 'stored',
    ...more,
  })
  const size = { width: 1000, height: 1000 }

  test('are in coordinates of the library; regions without a name are left out', () => {
    const found = merge({ ...size, regions: [face('Anna', 0.5), face('', 0.8), face('Tom', 0.2, { kind: 'object' })] })
    expect(found.regions).toEqual([
      { kind: 'person', name: 'Anna', x: 450, y: 450, width: 100, height: 100 },
      { kind: 'object', name: 'Tom', x: 150, y: 450, width: 100, height: 100 },
    ])
  })

  test('of a person named in the sidecar come from the sidecar', () => {
    const found = merge({ ...size, regions: [face('anna', 0.5), face('Bea', 0.2)] }, [
      xmp({ regions: [face('Anna', 0.7)] }),
    ])
    expect(found.regions.map(({ name, x }) => [name, x])).toEqual([
      ['Anna', 650],
      ['Bea', 150],
    ])
  })

  test('of the same name become one if they are at the same place', () => {
    const found = merge({ ...size, regions: [face('Anna', 0.2), face('Anna', 0.7), face('Anna', 0.71)] })
    expect(found.regions.map(({ x }) => x)).toEqual([150, 650])
  })

  test('name people, who are not listed twice', () => {
    const found = merge({ ...size, regions: [face('Anna', 0.5)], people: ['anna', 'Bea'] })
    expect(found.people).toEqual(['Bea'])
  })

  test('outside the picture, or in a picture of unknown size, leave only the name', () => {
    expect(merge({ ...size, regions: [face('Anna', 5)] })).toMatchObject({ regions: [], people: ['Anna'] })
    expect(merge({ regions: [face('Anna', 0.5)] })).toMatchObject({ regions: [], people: ['Anna'] })
  })

  test('use the dimensions they were applied to if the file has none', () => {
    const found = merge({ regions: [face('Anna', 0.5, { appliedTo: { width: 200, height: 100 } })] })
    expect(found.regions[0]).toMatchObject({ x: 450, y: 225, width: 100, height: 50 })
  })

  test('of a rotated video are rotated too', () => {
    const found = merge({ width: 1000, height: 500, videoRotation: 90, regions: [face('Anna', 0.1)] })
    expect(found).toMatchObject({ width: 500, height: 1000, orientation: 6 })
    expect(found.regions[0]).toMatchObject({ x: 225, y: 50, width: 50, height: 100 })
  })
})

test('lists and texts are limited', () => {
  const found = merge({
    keywords: Array.from({ length: 5000 }, (_, i) => `keyword ${i}`),
    author: ['x'.repeat(10_000)],
    description: 'y'.repeat(100_000),
  })
  expect(found.keywords).toHaveLength(1000)
  expect(found.author[0]).toHaveLength(4000)
  expect(found.description).toHaveLength(20_000)
})
