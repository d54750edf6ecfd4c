/** Reads generated videos. */
import { describe, expect, test } from 'bun:test'
import type { Metadata } from '../../../core/metadata/metadata.ts'
import { bag, be16, be32, be64, box, bytes, macSeconds, movieHeader, readMetadata, utf8, xmp } from './build.ts'

const read = (...parts: Uint8Array[]): Promise<Metadata> => readMetadata(bytes(...parts), 'test')
const type = box('ftyp', 'qt  ', be32(0), 'qt  ')

/** Apple's keys and values, as in the 'meta' box. */
function keys(values: Record<string, string>): Uint8Array {
  const names = Object.keys(values)
  const list = names.map(name => bytes(be32(name.length + 8), 'mdta', name))
  const items = Object.values(values).map((value, i) => {
    const data = box('data', be32(1), be32(0), utf8(value))
    return bytes(be32(data.length + 8), be32(i + 1), data)
  })
  const handler = box('hdlr', be32(0), be32(0), 'mdta', new Uint8Array(14))
  return box('meta', handler, box('keys', be32(0), be32(names.length), ...list), box('ilst', ...items))
}

/** The upper left 2 × 2 numbers of the display matrix for each clockwise rotation. */
const matrices: Record<number, number[]> = {
  0: [1, 0, 0, 1],
  90: [0, 1, -1, 0],
  180: [-1, 0, 0, -1],
  270: [0, -1, 1, 0],
}

function videoTrack(format: string, size: [number, number], turn = 0): Uint8Array {
  const [a = 0, b = 0, c = 0, d = 0] = (matrices[turn] ?? []).map(value => (value < 0 ? 0xffff0000 : value * 0x10000))
  const matrix = bytes(be32(a), be32(b), be32(0), be32(c), be32(d), be32(0), be32(0), be32(0), be32(0x40000000))
  const header = box(
    'tkhd',
    be32(7),
    be32(0),
    be32(0),
    be32(1),
    be32(0),
    be32(0),
    new Uint8Array(16),
    matrix,
    new Uint8Array(8),
  )
  const entry = box(format, new Uint8Array(24), be16(size[0]), be16(size[1]), new Uint8Array(50))
  const table = box('stbl', box('stsd', be32(0), be32(1), entry), box('stsz', be32(0), be32(0), be32(50)))
  const media = [
    box('mdhd', be32(0), be32(0), be32(0), be32(600), be32(1200), be32(0)),
    box('hdlr', be32(0), be32(0), 'vide', new Uint8Array(14)),
  ]
  return box('trak', header, box('mdia', ...media, box('minf', table)))
}

describe('QuickTime and MP4', () => {
  test('have size, rotation, duration, codec and frame rate', async () => {
    for (const turn of [0, 90, 180, 270]) {
      const movie = box('moov', movieHeader('2021-05-15T10:20:30Z', 2000), videoTrack('hvc1', [1280, 720], turn))
      expect(await read(type, movie)).toEqual({
        dates: [{ local: '2021-05-15 10:20:30', offset: null, source: 'quicktime', utc: true }],
        keywords: [],
        category: [],
        author: [],
        regions: [],
        people: [],
        camera: {},
        duration: 2,
        width: 1280,
        height: 720,
        videoCodec: 'hevc',
        videoRotation: turn,
        frameRate: 25,
        warnings: [],
      })
    }
  })

  test('have no implausible frame rate', async () => {
    const rates = await Promise.all(
      [1200, 60, 30].map(async length => {
        const track = videoTrack('hvc1', [1280, 720])
        // The duration of the track, which has 50 frames, in units of 1/600 s.
        const at = Buffer.from(track).indexOf(Buffer.from(be32(1200)))
        track.set(be32(length), at)
        return (await read(type, box('moov', movieHeader(null, 1), track))).frameRate
      }),
    )
    expect(rates).toEqual([25, undefined, undefined])
  })

  test('of Apple have date, position, camera and Live Photo identifier in keys', async () => {
    const meta = keys({
      'com.apple.quicktime.creationdate': '2019-07-24T11:25:40+0300',
      'com.apple.quicktime.location.ISO6709': '+32.0929+034.8620+028.516/',
      'com.apple.quicktime.make': 'Apple',
      'com.apple.quicktime.model': 'iPhone 6',
      'com.apple.quicktime.content.identifier': '9B539AB8',
      'com.apple.quicktime.description': 'On the beach',
      'com.apple.quicktime.keywords': 'sea, sand',
      'com.apple.quicktime.rating.user': '4',
    })
    expect(await read(type, box('moov', movieHeader('2019-07-24T08:25:57Z', 1), meta))).toMatchObject({
      dates: [
        { local: '2019-07-24 11:25:40', offset: 180, source: 'quicktime' },
        { local: '2019-07-24 08:25:57', offset: null, utc: true },
      ],
      latitude: 32.0929,
      longitude: 34.862,
      altitude: 28.52,
      camera: { make: 'Apple', model: 'iPhone 6' },
      contentIdentifier: '9B539AB8',
      description: 'On the beach',
      keywords: ['sea', 'sand'],
      rating: 4,
    })
  })

  test('have user data of old QuickTime, with or without lengths', async () => {
    const text = (name: string, value: string) => box(name, be16(value.length), be16(0x15c7), value)
    const data = box(
      'udta',
      text('\xa9xyz', '-33.8568+151.2153/'),
      text('\xa9nam', 'Opera'),
      box('\xa9mak', 'Nokia'),
      text('\xa9day', '2016-08-10T12:33:11-0400'),
      text('\xa9key', 'sea; opera'),
      text('\xa9key', 'harbour'),
    )
    expect(await read(type, box('moov', movieHeader(null, 1), data))).toMatchObject({
      latitude: -33.8568,
      longitude: 151.2153,
      title: 'Opera',
      camera: { make: 'Nokia' },
      dates: [{ local: '2016-08-10 12:33:11', offset: -240 }],
      keywords: ['sea', 'opera', 'harbour'],
    })
  })

  test('the year of iTunes is not the date of a recording', async () => {
    const item = box('\xa9day', box('data', be32(1), be32(0), '2009'))
    const meta = box('meta', be32(0), box('hdlr', be32(0), be32(0), 'mdir', new Uint8Array(14)), box('ilst', item))
    expect((await read(type, box('moov', movieHeader(null, 1), box('udta', meta)))).dates).toEqual([])
  })

  test('of 3GPP phones have their metadata in asset boxes', async () => {
    const place = box(
      'loci',
      be32(0),
      be16(0x55c4),
      [0, 0],
      be32(0x0006ad14),
      be32(0x00345e8a),
      be32(0x000a88f5),
      'earth\0\0',
    )
    const title = box('titl', be32(0), be16(0x55c4), utf8('Küste'), [0])
    const date = box('date', '2020-11-20T15:04:02+0100')
    expect(await read(type, box('moov', movieHeader(null, 1), box('udta', place, title, date)))).toMatchObject({
      latitude: 52.369293,
      longitude: 6.676086,
      altitude: 10.53,
      title: 'Küste',
      dates: [{ local: '2020-11-20 15:04:02', offset: 60 }],
    })
  })

  test('have XMP in user data or in a box of Adobe', async () => {
    const packet = utf8(xmp(`<dc:subject>${bag('sea')}</dc:subject>`, 'xmp:Rating="3"'))
    const adobe = box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), packet)
    expect(await read(type, box('moov', movieHeader(null, 1), box('udta', box('XMP_', packet))))).toMatchObject({
      rating: 3,
      keywords: ['sea'],
    })
    expect(await read(type, box('moov', movieHeader(null, 1)), adobe)).toMatchObject({ rating: 3, keywords: ['sea'] })
  })

  test('of Sony have the date in XML', async () => {
    const text = '<NonRealTimeMeta><CreationDate value="2019-04-24T22:24:00+02:00"/></NonRealTimeMeta>'
    const meta = box(
      'meta',
      be32(0),
      box('hdlr', be32(0), be32(0), 'nrtm', new Uint8Array(14)),
      box('xml ', be32(0), text),
    )
    expect((await read(type, box('moov', movieHeader(null, 1)), meta)).dates[0]).toMatchObject({
      local: '2019-04-24 22:24:00',
      offset: 120,
    })
  })

  test('may count time from 1970, have it in 64 bits, or have none', async () => {
    const header = (seconds: number) =>
      box('mvhd', be32(0), be32(seconds), be32(0), be32(1000), be32(2000), new Uint8Array(80))
    const long = box(
      'mvhd',
      [1, 0, 0, 0],
      be64(macSeconds('2021-05-15T10:20:30Z')),
      be64(0),
      be32(1000),
      be64(2000),
      new Uint8Array(80),
    )
    const dateOf = async (mvhd: Uint8Array) => (await read(type, box('moov', mvhd))).dates[0]?.local
    expect(await dateOf(header(Date.parse('2021-05-15T10:20:30Z') / 1000))).toBe('2021-05-15 10:20:30')
    expect(await dateOf(long)).toBe('2021-05-15 10:20:30')
    expect(await dateOf(header(0))).toBeUndefined()
  })

  test('in fragments last until the end of the last fragment', async () => {
    const extended = box('mvex', box('trex', be32(0), be32(1), be32(1), be32(24), be32(0), be32(0)))
    const fragment = (start: number, count: number) =>
      box(
        'moof',
        box('mfhd', be32(0), be32(1)),
        box(
          'traf',
          box('tfhd', be32(0), be32(1)),
          box('tfdt', be32(0), be32(start)),
          box('trun', be32(0), be32(count)),
        ),
      )
    const movie = box('moov', movieHeader(null, 0), videoTrack('avc1', [320, 180]), extended)
    // 600 ticks per second, 24 ticks per frame.
    expect(
      (await read(type, movie, fragment(0, 50), box('mdat', 'x'), fragment(1200, 25), box('mdat', 'x'))).duration,
    ).toBe(3)
  })

  test('without a moov box have a warning', async () => {
    expect((await read(type, box('mdat', 'x'))).warnings).toEqual([
      'The video has no table of contents: it may be cut off',
    ])
  })
})
