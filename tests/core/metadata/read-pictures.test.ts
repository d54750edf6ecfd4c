/** Reads generated pictures: how each format stores metadata, including unusual files. */
import { describe, expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync } from 'node:zlib'
import type { Metadata } from '../../../core/metadata/metadata.ts'
import {
  bag,
  be16,
  be32,
  box,
  bytes,
  exifSegment,
  iptc,
  iptcSegment,
  jpeg,
  le32,
  readMetadata,
  segment,
  type Tag,
  tiff,
  utf8,
  xmp,
  xmpSegment,
} from './build.ts'

const small = { width: 40, height: 30 }
const read = (file: Uint8Array): Promise<Metadata> => readMetadata(file, 'test')
const subject = (...words: string[]) => `<dc:subject>${bag(...words)}</dc:subject>`
const original: Tag = [0x9003, '2019:08:01 14:22:33']

describe('EXIF', () => {
  const withExif = (parts: Parameters<typeof tiff>[0]) => read(jpeg(small, exifSegment(parts)))

  test('has the date, position, camera and settings', async () => {
    const found = await withExif({
      ifd0: [
        [0x10e, 'At the lake '],
        [0x10f, 'Canon'],
        [0x110, 'Canon EOS 6D'],
        [0x112, [6]],
        [0x13b, 'Anna; Tom'],
        [0x4746, [4]],
        [0x9c9e, new Uint8Array(Buffer.from('Família;lake\0', 'utf16le'))],
      ],
      exif: [
        original,
        [0x9004, '2019:08:02 00:00:00'],
        [0x9011, '+02:00'],
        [0x9291, '25'],
        [0x829a, { fractions: [0.004] }],
        [0x829d, { fractions: [5.6] }],
        [0x8827, [1000]],
        [0x920a, { fractions: [65] }],
        [0xa434, 'EF24-105mm f/4L IS USM'],
      ],
      gps: [
        [1, 'S'],
        [2, { fractions: [33, 51, 30] }],
        [3, 'E'],
        [4, { fractions: [151, 12.6, 0] }],
        [5, new Uint8Array([1])],
        [6, { fractions: [12.5] }],
        [7, { fractions: [12, 22, 30] }],
        [0x1d, '2019:08:01'],
      ],
    })
    expect(found).toEqual({
      dates: [
        { local: '2019-08-01 14:22:33', offset: 120, source: 'exif-original', milliseconds: 250 },
        { local: '2019-08-02 00:00:00', offset: null, source: 'exif-create' },
      ],
      gpsTime: Date.UTC(2019, 7, 1, 12, 22, 30) / 1000,
      latitude: -33.858333333,
      longitude: 151.21,
      altitude: -12.5,
      description: 'At the lake',
      keywords: ['Família', 'lake'],
      category: [],
      author: ['Anna', 'Tom'],
      rating: 4,
      regions: [],
      people: [],
      camera: {
        make: 'Canon',
        model: 'Canon EOS 6D',
        lens: 'EF24-105mm f/4L IS USM',
        focalLength: 65,
        aperture: 5.6,
        exposure: 0.004,
        iso: 1000,
      },
      orientation: 6,
      width: 40,
      height: 30,
      warnings: [],
    })
  })

  test('default texts of cameras are not descriptions', async () => {
    for (const text of ['OLYMPUS DIGITAL CAMERA         ', 'SONY DSC', 'DCIM\\100GOPRO', '          ', 'dav']) {
      expect((await withExif({ ifd0: [[0x10e, text]] })).description).toBeUndefined()
    }
    expect((await withExif({ ifd0: [[0x10e, 'My digital camera']] })).description).toBe('My digital camera')
  })

  test('texts may be Latin-1 instead of ASCII', async () => {
    const latin = new Uint8Array([0x46, 0x61, 0x6d, 0xed, 0x6c, 0x69, 0x61])
    expect((await withExif({ ifd0: [[0x10e, latin]] })).description).toBe('Família')
    expect((await withExif({ ifd0: [[0x10e, 'Família']] })).description).toBe('Família')
  })

  test('the offset of another date applies if both have the same local time', async () => {
    const same = await withExif({ ifd0: [[0x132, '2019:08:01 14:22:33']], exif: [original, [0x9010, '-03:30']] })
    const other = await withExif({ ifd0: [[0x132, '2020:08:01 14:22:33']], exif: [original, [0x9010, '-03:30']] })
    expect([same.dates[0]?.offset, other.dates[0]?.offset]).toEqual([-210, null])
  })

  test('a position of zeros is ignored, even with a GPS fix', async () => {
    const zeros: Tag[] = [
      [1, 'N'],
      [2, { fractions: [0, 0, 0] }],
      [3, 'E'],
      [4, { fractions: [0, 0, 0] }],
    ]
    expect((await withExif({ gps: zeros })).latitude).toBeUndefined()
    expect((await withExif({ gps: [...zeros, [9, 'V']] })).latitude).toBeUndefined()
    expect((await withExif({ gps: [...zeros, [6, { fractions: [520] }], [9, 'A']] })).latitude).toBeUndefined()
    const packet = xmp(
      '',
      'photoshop:City="Bonn" exif:GPSLatitude="0,0.0N" exif:GPSLongitude="0,0.0E" exif:GPSStatus="A"',
    )
    expect(await read(jpeg(small, xmpSegment(packet)))).toMatchObject({ placeName: 'Bonn' })
    expect((await read(jpeg(small, xmpSegment(packet)))).latitude).toBeUndefined()
  })

  test('a position outside the valid range is ignored with a warning', async () => {
    const found = await withExif({
      gps: [
        [1, 'N'],
        [2, { fractions: [95, 0, 0] }],
        [3, 'E'],
        [4, { fractions: [10, 0, 0] }],
      ],
    })
    expect(found.latitude).toBeUndefined()
    expect(found.warnings).toEqual(['The position is not on the globe'])
  })

  test('zeros of manual lenses and invalid orientations are ignored', async () => {
    const found = await withExif({
      ifd0: [[0x112, [9]]],
      exif: [
        [0x829d, { fractions: [0] }],
        [0x920a, { fractions: [0] }],
        [0xa434, '----'],
      ],
    })
    expect(found.camera).toEqual({})
    expect(found.orientation).toBeUndefined()
  })

  test('Apple’s maker note has the identifier of the Live Photo', async () => {
    const identifier = '9B539AB8-A668-4FA6-9207-EB653A5E7E3C'
    const entry = [be16(1), be16(0x11), be16(2), be32(identifier.length + 1), be32(32), be32(0)].flat()
    const note = bytes('Apple iOS\0\0\x01MM', entry, identifier, [0])
    expect((await withExif({ exif: [[0x927c, note]] })).contentIdentifier).toBe(identifier)
  })

  test('a damaged block is read as far as possible', async () => {
    const whole = tiff({
      ifd0: [
        [0x10f, 'Canon'],
        [0x13b, 'a name that stands at the end of the block'],
      ],
      exif: [original],
    })
    const found = await read(jpeg(small, segment(0xe1, 'Exif\0\0', whole.subarray(0, 60))))
    expect(found.camera.make).toBe('Canon')
    expect(found.warnings).toEqual(['The EXIF block is damaged'])
  })
})

describe('JPEG', () => {
  test('IPTC may be declared UTF-8, undeclared UTF-8, or Latin-1', async () => {
    const latin = new Uint8Array([0x46, 0x61, 0x6d, 0xed, 0x6c, 0x69, 0x61])
    for (const record of [iptc([[25, 'Família']], true), iptc([[25, 'Família']]), iptc([[25, latin]])]) {
      expect((await read(jpeg(small, iptcSegment(record)))).keywords).toEqual(['Família'])
    }
  })

  test('IPTC has date, texts and place', async () => {
    const record = iptc([
      [5, 'Title'],
      [15, 'TRA'],
      [20, 'Travel'],
      [25, 'one'],
      [25, 'two'],
      [55, '20090807'],
      [60, '060504+0200'],
      [80, 'Anna'],
      [90, 'Ulm'],
      [92, 'Cathedral'],
      [95, 'Baden-Württemberg'],
      [101, 'Germany'],
      [120, 'Caption'],
    ])
    expect(await read(jpeg(small, iptcSegment(record)))).toMatchObject({
      dates: [{ local: '2009-08-07 06:05:04', offset: 120, source: 'iptc' }],
      title: 'Title',
      description: 'Caption',
      keywords: ['one', 'two'],
      category: ['Travel', 'TRA'],
      author: ['Anna'],
      placeName: 'Cathedral, Ulm, Baden-Württemberg, Germany',
    })
  })

  test('an IPTC date without a time has only a day', async () => {
    expect((await read(jpeg(small, iptcSegment(iptc([[55, '20090807']]))))).dates).toEqual([
      { local: '2009-08-07 00:00:00', offset: null, source: 'iptc', dayOnly: true },
    ])
    expect((await read(jpeg(small, iptcSegment(iptc([[55, '00000000']]))))).dates).toEqual([])
  })

  test('combines the standards: XMP before EXIF before IPTC for texts, keywords of all', async () => {
    const found = await read(
      jpeg(
        small,
        exifSegment({
          ifd0: [
            [0x10e, 'of EXIF'],
            [0x9c9e, new Uint8Array(Buffer.from('xp;LAKE', 'utf16le'))],
          ],
          exif: [original],
        }),
        xmpSegment(
          xmp(`<dc:subject>${bag('lake')}</dc:subject>`, 'photoshop:DateCreated="2018-01-01" photoshop:City="Ulm"'),
        ),
        iptcSegment(
          iptc([
            [25, 'iptc'],
            [120, 'of IPTC'],
            [90, 'not Ulm'],
            [101, 'Germany'],
            [55, '20170101'],
          ]),
        ),
      ),
    )
    expect(found).toMatchObject({ description: 'of EXIF', keywords: ['lake', 'iptc', 'xp'], placeName: 'Ulm, Germany' })
    expect(found.dates.map(({ source }) => source)).toEqual(['exif-original', 'iptc', 'xmp-photoshop'])
  })

  test('keywords that Windows joined with commas are not repeated', async () => {
    const joined = new Uint8Array(Buffer.from('lake,holiday', 'utf16le'))
    const subject = xmpSegment(xmp(`<dc:subject>${bag('lake', 'holiday')}</dc:subject>`))
    expect((await read(jpeg(small, exifSegment({ ifd0: [[0x9c9e, joined]] }), subject))).keywords).toEqual([
      'lake',
      'holiday',
    ])
    expect((await read(jpeg(small, exifSegment({ ifd0: [[0x9c9e, joined]] })))).keywords).toEqual(['lake,holiday'])
  })

  test('takes the orientation from XMP when EXIF has none', async () => {
    const inXmp = xmpSegment(xmp('', 'tiff:Orientation="6"'))
    expect((await read(jpeg(small, inXmp))).orientation).toBe(6)
    expect((await read(jpeg(small, exifSegment({ ifd0: [[0x112, [3]]] }), inXmp))).orientation).toBe(3)
  })

  test('joins the parts of extended XMP', async () => {
    const packet = utf8(xmp(`<dc:subject>${bag('from the extension')}</dc:subject>`))
    const guid = 'A'.repeat(32)
    const part = (from: number, to: number) =>
      segment(
        0xe1,
        'http://ns.adobe.com/xmp/extension/\0',
        guid,
        be32(packet.length),
        be32(from),
        packet.subarray(from, to),
      )
    const main = xmpSegment(xmp('', 'xmp:Rating="3"'))
    const whole = await read(jpeg(small, main, part(100, packet.length), part(0, 100)))
    expect(whole).toMatchObject({ rating: 3, keywords: ['from the extension'] })
    const torn = await read(jpeg(small, main, part(0, 100)))
    expect(torn).toMatchObject({ rating: 3, keywords: [] })
  })

  test('with two packets has the tags of both, unless the first is marked as complete', async () => {
    const first = xmp(subject('lake'), 'xmp:Rating="2"')
    const second = xmp(subject('Lake', 'sea'), 'xmp:Rating="5" photoshop:City="Bonn"')
    expect(await read(jpeg(small, xmpSegment(first), xmpSegment(second)))).toMatchObject({
      keywords: ['lake', 'sea'],
      rating: 2,
      placeName: 'Bonn',
    })
    const whole = xmp(
      `${subject('lake')}<keepsake:Complete>${bag('Keywords')}</keepsake:Complete>`,
      'xmlns:keepsake="urn:keepsake:xmp:1.0#"',
    )
    expect(await read(jpeg(small, xmpSegment(whole), xmpSegment(second)))).toMatchObject({ keywords: ['lake'] })
  })

  test('reads keywords that PDF writers store as one text', async () => {
    const packet = xmp(subject('lake'), 'xmlns:pdf="http://ns.adobe.com/pdf/1.3/" pdf:Keywords="sea, Lake; a boat"')
    expect((await read(jpeg(small, xmpSegment(packet)))).keywords).toEqual(['lake', 'sea', 'a boat'])
  })

  test('is read past garbage and fill bytes between segments', async () => {
    const found = await read(jpeg(small, bytes([0xff, 0xff]), bytes('rubbish'), exifSegment({ exif: [original] })))
    expect(found).toMatchObject({ dates: [{ local: '2019-08-01 14:22:33' }], width: 40, height: 30 })
  })

  test('without EXIF has the date of its picture info (APP12)', async () => {
    const olympus = segment(0xec, '[picture info]\r\nResolution=1\r\nTimeDate=909698819\r\n')
    expect((await read(jpeg(small, olympus))).dates).toEqual([
      { local: '1998-10-29 22:06:59', offset: null, source: 'exif-original' },
    ])
  })

  test('of which only the beginning is given is read as far as possible', async () => {
    const whole = jpeg(small, exifSegment({ ifd0: [[0x10f, 'Canon']], exif: [original] }))
    const head = whole.subarray(0, whole.length - 19)
    expect(await read(head)).toMatchObject({ dates: [{ local: '2019-08-01 14:22:33' }], camera: { make: 'Canon' } })
  })
})

describe('a motion photo', () => {
  const video = bytes(box('ftyp', 'mp42'), box('mdat', 'x'.repeat(100)))

  test('of Google has the length of its video in a directory', async () => {
    const item = (semantic: string, length: number) =>
      `<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="${semantic}" Item:Length="${length}"/></rdf:li>`
    const packet = xmp(
      `<Container:Directory><rdf:Seq>${item('Primary', 0)}${item('GainMap', 10)}${item('MotionPhoto', video.length)}</rdf:Seq></Container:Directory>`,
      'GCamera:MotionPhoto="1"',
    )
    const still = jpeg(small, xmpSegment(packet))
    const found = await read(bytes(still, 'gainmap...', video))
    expect([found.motionVideoOffset, found.motionVideoLength]).toEqual([still.length + 10, video.length])
    // An editor dropped the video but kept the XMP.
    expect((await read(still)).motionVideoLength).toBeUndefined()
  })

  test('of older Google phones has the offset from the end', async () => {
    const still = jpeg(small, xmpSegment(xmp('', `GCamera:MicroVideo="1" GCamera:MicroVideoOffset="${video.length}"`)))
    const found = await read(bytes(still, video))
    expect([found.motionVideoOffset, found.motionVideoLength]).toEqual([still.length, video.length])
  })

  test('of Samsung has a directory after the video', async () => {
    const name = 'MotionPhoto_Data'
    const block = bytes([0, 0, 0x30, 0x0a], le32(name.length), name, video)
    const directory = bytes('SEFH', le32(106), le32(1), [0, 0, 0x30, 0x0a], le32(block.length), le32(block.length))
    const still = jpeg(small)
    const found = await read(bytes(still, block, directory, le32(directory.length), 'SEFT'))
    expect([found.motionVideoOffset, found.motionVideoLength]).toEqual([still.length + 24, video.length])
  })

  test('in HEIF has a box with the video', async () => {
    const still = bytes(box('ftyp', 'heic', be32(0), 'mif1'), box('meta', be32(0)))
    const found = await read(bytes(still, box('mpvd', video)))
    expect([found.motionVideoOffset, found.motionVideoLength]).toEqual([still.length + 8, video.length])
  })
})

describe('PNG', () => {
  const chunk = (type: string, ...content: (Uint8Array | string | number[])[]) => {
    const data = bytes(...content)
    return bytes(be32(data.length), type, data, be32(0))
  }
  const png = (...chunks: Uint8Array[]) =>
    bytes(
      '\x89PNG\r\n\x1a\n',
      chunk('IHDR', be32(40), be32(30), [8, 2, 0, 0, 0]),
      ...chunks,
      chunk('IDAT'),
      chunk('IEND'),
    )
  const exif = tiff({ exif: [original] })

  test('has EXIF and XMP in their own chunks', async () => {
    const packet = xmp('', 'xmp:Rating="3"')
    const text = chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', utf8(packet))
    expect(await read(png(chunk('eXIf', exif), text))).toMatchObject({
      dates: [{ local: '2019-08-01 14:22:33' }],
      rating: 3,
      width: 40,
      height: 30,
    })
  })

  test('has EXIF and IPTC in the chunks of ImageMagick', async () => {
    const profile = (name: string, data: Uint8Array) => {
      const digits = Buffer.from(data)
        .toString('hex')
        .replace(/(.{72})/g, '$1\n')
      return chunk('zTXt', `Raw profile type ${name}\0\0`, deflateSync(`\n${name}\n${data.length}\n${digits}\n`))
    }
    const iptcBlock = bytes('8BIM', be16(0x404), [0, 0], be32(9), iptc([[25, 'lake']]))
    const found = await read(png(profile('exif', bytes('Exif\0\0', exif)), profile('iptc', iptcBlock)))
    expect(found).toMatchObject({ dates: [{ local: '2019-08-01 14:22:33' }], keywords: ['lake'] })
    // The IPTC record may lack Photoshop's block around it.
    expect((await read(png(profile('iptc', iptc([[25, 'lake']]))))).keywords).toEqual(['lake'])
  })

  test('has texts in text chunks', async () => {
    const found = await read(
      png(
        chunk('tEXt', 'Title\0Kü'),
        chunk('iTXt', 'Description\0\0\0\0\0', utf8('Küste')),
        chunk('tEXt', 'Author\0Anna'),
      ),
    )
    expect(found).toMatchObject({ title: 'Kü', description: 'Küste', author: ['Anna'] })
  })

  test('limits the size of decompressed text', async () => {
    const bomb = chunk('zTXt', 'Raw profile type exif\0\0', deflateSync(new Uint8Array(40 * 1024 * 1024)))
    const found = await read(png(...Array.from({ length: 200 }, () => bomb), chunk('eXIf', exif)))
    expect(found.dates).toHaveLength(1)
  })
})

test('WebP has EXIF and XMP after the picture, with or without the EXIF prefix', async () => {
  const chunk = (type: string, data: Uint8Array) => bytes(type, le32(data.length), data, data.length % 2 ? [0] : [])
  const exif = tiff({ exif: [original] })
  const packet = utf8(xmp('', 'xmp:Rating="2"'))
  for (const block of [exif, bytes('Exif\0\0', exif)]) {
    const size = bytes([0, 0, 0, 0], [39, 0, 0], [29, 0, 0])
    const content = bytes(
      'WEBP',
      chunk('VP8X', size),
      chunk('VP8 ', bytes('picture')),
      chunk('EXIF', block),
      chunk('XMP ', packet),
    )
    expect(await read(bytes('RIFF', le32(content.length), content))).toMatchObject({
      dates: [{ local: '2019-08-01 14:22:33' }],
      rating: 2,
      width: 40,
      height: 30,
      warnings: [],
    })
  }
})

test('GIF has XMP in an application extension', async () => {
  const trailer = bytes(
    [1],
    Array.from({ length: 256 }, (_, i) => 255 - i),
    [0],
  )
  const file = bytes(
    'GIF89a',
    [40, 0, 30, 0, 0, 0, 0],
    [0x21, 0xff, 11],
    'XMP DataXMP',
    utf8(xmp('', 'xmp:Rating="2"')),
    trailer,
    [0x3b],
  )
  expect(await read(file)).toMatchObject({ rating: 2, width: 40, height: 30, warnings: [] })
})

describe('HEIF', () => {
  const exif = bytes(be32(6), 'Exif\0\0', tiff({ ifd0: [[0x112, [6]]], exif: [original] }))
  const heif = (...properties: Uint8Array[]) => {
    const item = (id: number, type: string) => box('infe', be32(0x02000000), be16(id), be16(0), type, [0])
    const ipco = box('ipco', box('ispe', be32(0), be32(4000), be32(3000)), ...properties)
    const ipma = box(
      'ipma',
      be32(0),
      be32(1),
      be16(1),
      [1 + properties.length, 1],
      properties.map((_, i) => i + 2),
    )
    const meta = (offset: number) =>
      box(
        'meta',
        be32(0),
        box('pitm', be32(0), be16(1)),
        box('iinf', be32(0), be16(2), item(1, 'hvc1'), item(2, 'Exif')),
        box('iloc', be32(0), [0x44, 0], be16(1), be16(2), be16(0), be16(1), be32(offset), be32(exif.length)),
        box('iprp', ipco, ipma),
      )
    const type = box('ftyp', 'heic', be32(0), 'mif1')
    return bytes(type, meta(type.length + meta(0).length + 8), box('mdat', exif))
  }

  test('has EXIF as an item, and its own rotation', async () => {
    const dates = [{ local: '2019-08-01 14:22:33', offset: null, source: 'exif-original' as const }]
    expect(await read(heif())).toMatchObject({ dates, width: 4000, height: 3000, orientation: 1 })
    const turned = [box('irot', [1]), box('irot', [2]), box('irot', [3]), box('imir', [0]), box('imir', [1])]
    const orientations = await Promise.all(turned.map(async property => (await read(heif(property))).orientation))
    expect(orientations).toEqual([8, 3, 6, 4, 2])
    expect((await read(heif(box('irot', [1]), box('imir', [1])))).orientation).toBe(7)
  })
})

test('JPEG XL has its metadata in boxes, which may be compressed', async () => {
  const signature = bytes(be32(12), 'JXL \r\n\x87\n')
  const exif = bytes(be32(0), tiff({ exif: [original] }))
  const packed = box('brob', 'xml ', brotliCompressSync(utf8(xmp('', 'xmp:Rating="5"'))))
  const file = bytes(signature, box('ftyp', 'jxl ', be32(0), 'jxl '), box('Exif', exif), packed)
  expect(await read(file)).toMatchObject({ dates: [{ local: '2019-08-01 14:22:33' }], rating: 5 })
})

describe('RAW files', () => {
  test('based on TIFF have the size of the full picture', async () => {
    const sub = 8 + 2 + 5 * 12 + 4
    const main: Tag[] = [
      [0xfe, [1]],
      [0x100, [160]],
      [0x101, [120]],
      [0x112, [8]],
      [0x14a, [sub]],
    ]
    const whole = bytes(
      tiff({ ifd0: main }),
      tiff({
        ifd0: [
          [0xfe, [0]],
          [0x100, [6000]],
          [0x101, [4000]],
        ],
      }).subarray(8),
    )
    expect(await read(whole)).toMatchObject({ width: 6000, height: 4000, orientation: 8 })
  })

  test('based on TIFF have IPTC even if its type is LONG', async () => {
    const record = iptc([
      [25, 'lake'],
      [120, 'caption'],
    ])
    const padded = new Uint8Array(Math.ceil(record.length / 4) * 4)
    padded.set(record)
    const numbers = Array.from(new Uint32Array(padded.buffer))
    expect(await read(tiff({ ifd0: [[0x83bb, numbers]] }))).toMatchObject({
      keywords: ['lake'],
      description: 'caption',
    })
  })

  test('of Canon (CR3) have TIFF structures in several boxes', async () => {
    const main = tiff({
      ifd0: [
        [0x10f, 'Canon'],
        [0x100, [6000]],
        [0x101, [4000]],
        [0x112, [6]],
      ],
    })
    const exif = tiff({ ifd0: [original] })
    const gps = tiff({
      ifd0: [
        [1, 'N'],
        [2, { fractions: [48, 6, 0] }],
        [3, 'E'],
        [4, { fractions: [11, 30, 0] }],
      ],
    })
    const uuid = Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex')
    const canon = box('uuid', uuid, box('CMT1', main), box('CMT2', exif), box('CMT4', gps))
    expect(await read(bytes(box('ftyp', 'crx ', be32(1), 'crx isom'), box('moov', canon)))).toMatchObject({
      dates: [{ local: '2019-08-01 14:22:33' }],
      camera: { make: 'Canon' },
      latitude: 48.1,
      longitude: 11.5,
      orientation: 6,
      width: 6000,
      height: 4000,
    })
  })

  test('of Fujifilm have all metadata in an embedded JPEG', async () => {
    const inner = jpeg(small, exifSegment({ ifd0: [[0x10f, 'FUJIFILM']], exif: [original] }))
    const table = bytes(be32(1), be16(0x100), be16(4), be16(4000), be16(6000))
    const head = bytes(
      'FUJIFILMCCD-RAW ',
      new Uint8Array(68),
      be32(108),
      be32(inner.length),
      be32(108 + inner.length),
      be32(table.length),
      be32(0),
      be32(0),
    )
    expect(await read(bytes(head, inner, table))).toMatchObject({
      dates: [{ local: '2019-08-01 14:22:33' }],
      camera: { make: 'FUJIFILM' },
      width: 6000,
      height: 4000,
    })
  })

  test('of Minolta have a TIFF structure in one of their blocks', async () => {
    const exif = tiff({ ifd0: [[0x10f, 'Minolta Co., Ltd.']], exif: [original] })
    const size = bytes('\0PRD', be32(24), '27820001', be16(1), be16(1), be16(2400), be16(3200), new Uint8Array(8))
    const blocks = bytes(size, '\0TTW', be32(exif.length), exif)
    expect(await read(bytes('\0MRM', be32(blocks.length), blocks))).toMatchObject({
      dates: [{ local: '2019-08-01 14:22:33' }],
      camera: { make: 'Minolta Co., Ltd.' },
      width: 3200,
      height: 2400,
    })
  })

  test('of Canon (CRW) have their metadata in heaps', async () => {
    const model = bytes('Canon\0Canon EOS D60\0')
    const time = bytes(le32(1_027_000_000), le32(0), le32(0))
    const entries = bytes([0x0a, 0x08], le32(model.length), le32(0), [0x0e, 0x18], le32(12), le32(model.length))
    const heap = bytes(model, time, [2, 0], entries, le32(model.length + 12))
    const file = bytes('II', le32(26), 'HEAPCCDR', new Uint8Array(12), heap)
    expect(await read(file)).toMatchObject({
      dates: [{ local: '2002-07-18 13:46:40', offset: null, source: 'exif-original' }],
      camera: { make: 'Canon', model: 'Canon EOS D60' },
    })
  })
})

test('a file that is neither picture nor video has a warning', async () => {
  expect((await readMetadata(new Uint8Array(0), 'empty.jpg')).warnings).toEqual(['empty.jpg is empty'])
  expect((await readMetadata(bytes('hello'), 'a.jpg')).warnings).toEqual([
    'a.jpg is not of a kind whose metadata can be read',
  ])
})
