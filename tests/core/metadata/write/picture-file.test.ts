import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { memorySource } from '../../../../core/metadata/byte-source.ts'
import { mergeMetadata } from '../../../../core/metadata/merge.ts'
import type { Metadata } from '../../../../core/metadata/metadata.ts'
import { readMetadataOf } from '../../../../core/metadata/read.ts'
import { UnsafeWrite } from '../../../../core/metadata/write/file-change.ts'
import { changedPictureFile } from '../../../../core/metadata/write/picture-file.ts'
import {
  differingSets,
  type WantedTags,
  type WrittenSet,
  writtenSets,
} from '../../../../core/metadata/write/written-tags.ts'
import { noTags } from '../../../support/no-tags.ts'
import {
  be16,
  be32,
  bytes,
  exifSegment,
  iptc,
  iptcSegment,
  jpeg,
  segment,
  tiff,
  utf8,
  xmp,
  xmpSegment,
} from '../build.ts'

const wanted: WantedTags = {
  date: { local: '2019-08-01 14:22:33', offset: 330 },
  description: 'Neu & schön 😀',
  keywords: ['sea', 'Straße'],
  category: ['Holiday'],
  author: ['Jo', 'Ann'],
  position: { latitude: -33.856789123, longitude: 151.215296001 },
  placeName: 'Sydney, NSW, Australia',
  rating: 4,
  rotation: 90,
  regions: [{ kind: 'person', name: 'Anna', x: 100, y: 50, width: 200, height: 210 }],
  people: ['Zoe'],
  objects: [],
}

function write(file: Uint8Array, tags: WantedTags, ...only: WrittenSet[]): Uint8Array | null {
  const { width = 64, height = 48, orientation = 1 } = read(file)
  const sets = new Set<WrittenSet>(only.length === 0 ? writtenSets : only)
  try {
    return changedPictureFile(file, { wanted: tags, sets, picture: { width, height, orientation }, complete: [] })
  } catch (error) {
    if (error instanceof UnsafeWrite) return null
    throw error
  }
}

function requireWritten(file: Uint8Array, tags: WantedTags, ...only: WrittenSet[]): Uint8Array {
  const written = write(file, tags, ...only)
  if (written === null) throw new Error('it was not written')
  return written
}

function read(file: Uint8Array): Metadata {
  return readMetadataOf(memorySource(file), 'a')
}

function setsThatDiffer(file: Uint8Array, tags: WantedTags): WrittenSet[] {
  const metadata = read(file)
  expect(metadata.warnings).toEqual([])
  const merged = mergeMetadata({
    file: metadata,
    sidecars: [],
    name: 'a',
    mtimeMs: 0,
    now: Date.UTC(2026, 0, 1),
    zone: 'UTC',
  })
  return [...differingSets(tags, merged)]
}

async function picture(format: 'jpeg' | 'png' | 'webp', alpha = false): Promise<Buffer> {
  const background = alpha ? { r: 200, g: 30, b: 90, alpha: 0.5 } : { r: 200, g: 30, b: 90 }
  const made = sharp({ create: { width: 64, height: 48, channels: alpha ? 4 : 3, background } })
  return format === 'webp' ? made.webp({ lossless: alpha }).toBuffer() : made[format]().toBuffer()
}

const pixels = async (file: Uint8Array) =>
  createHash('sha256')
    .update(await sharp(file).raw().toBuffer())
    .digest('hex')

/** A JPEG with metadata of older cameras and programs. */
function oldJpeg(...more: Uint8Array[]): Uint8Array {
  return jpeg(
    { width: 64, height: 48 },
    exifSegment({
      ifd0: [
        [0x10e, 'Old description, longer than the new one is ever going to be'],
        [0x13b, 'Old'],
        [0x4746, [1]],
        [0x4749, [1]],
        [0x9c9e, new Uint8Array(Buffer.from('old;older\0', 'utf16le'))],
      ],
      exif: [
        [0x9003, '2001:02:03 04:05:06'],
        [0x9011, '+01:00'],
        [0x9291, '77'],
        [0x927c, bytes('Maker note with offsets of its own ', [1, 2, 3])],
      ],
      gps: [
        [1, 'N'],
        [2, { fractions: [48, 8, 30] }],
        [3, 'E'],
        [4, { fractions: [11, 34, 0] }],
        [6, { fractions: [520] }],
      ],
    }),
    iptcSegment(
      iptc([
        [0, bytes([0, 4])],
        [5, Buffer.from('Stra\xdfe', 'latin1')],
        [25, 'old'],
        [55, '20010203'],
        [80, 'Old'],
        [90, 'Oldtown'],
        [92, 'Old harbour'],
        [120, 'Old'],
      ]),
    ),
    ...more,
  )
}

describe('data after the picture', () => {
  const much = new Uint8Array(2000).fill(7)
  const behind = (...trailer: (Uint8Array | string | number[])[]) => bytes(oldJpeg(), ...trailer)

  test('is not moved when a maker note may point to it', () => {
    for (const start of [
      [0xff, 0xd8],
      [0x21, 0xd8],
    ])
      expect(write(behind(start, much), wanted)).toBeNull()
  })

  test.each([
    ['a video before it', (preview: Uint8Array) => [be32(8), 'ftypmp42', much, preview]],
    ['a Samsung block after it', (preview: Uint8Array) => [preview, much, 'SEFT']],
  ])('is not moved when EXIF contains its offset, with %s', (_, trailer) => {
    const preview = bytes([0x21, 0xd8, 0xff, 0xdb], much)
    const named = (place: number) => {
      const note = [0x927c, bytes('Note ', be32(place))] as const
      return bytes(
        jpeg({ width: 64, height: 48 }, exifSegment({ ifd0: [[0x13b, 'Old']], exif: [note] })),
        ...trailer(preview),
      )
    }
    const place = Buffer.from(named(0)).indexOf(Buffer.from(preview))
    const noteAt = Buffer.from(named(0)).indexOf('Note ')
    // The TIFF structure starts after SOI, the segment header and 'Exif'. Sony points to a header before the preview,
    // and Nikon counts from a structure within the note.
    for (const offset of [place, place - 12, place - 12 - 32, place - noteAt - 10])
      expect(write(named(offset), wanted)).toBeNull()
    expect(write(named(place + 1), wanted)).not.toBeNull()
  })

  test('is moved when programs find it from the end, or when nothing can point to it', () => {
    for (const file of [behind([0, 1, 0, 0]), behind(be32(8), 'ftypmp42', much), behind(much, 'SEFT')])
      expect(write(file, wanted)).not.toBeNull()
    const withoutNote = jpeg({ width: 64, height: 48 }, exifSegment({ ifd0: [[0x13b, 'Old']] }))
    expect(write(bytes(withoutNote, much), wanted)).not.toBeNull()
  })
})

describe('tags written into a file', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('in %s can be read back, and the pixels do not change', async format => {
    const file = await picture(format)
    const written = requireWritten(file, wanted)
    expect(setsThatDiffer(written, wanted)).toEqual([])
    expect(await pixels(written)).toBe(await pixels(file))
    const emptied = requireWritten(written, noTags)
    expect(setsThatDiffer(emptied, noTags)).toEqual([])
    // A program that compares size and time must see the change.
    const other = requireWritten(written, { ...wanted, rating: 3 }, 'Rating')
    expect(other.length).not.toBe(written.length)
  })

  test('in a WebP with transparency preserve it', async () => {
    const file = await picture('webp', true)
    const written = requireWritten(file, wanted)
    expect(await sharp(written).metadata()).toMatchObject({ hasAlpha: true, width: 64, height: 48 })
    expect(await pixels(written)).toBe(await pixels(file))
  })

  test('in a JPEG are the same in EXIF, IPTC and XMP', () => {
    const written = requireWritten(oldJpeg(), wanted)
    expect(setsThatDiffer(written, wanted)).toEqual([])
    expect(read(written).complete).toBeUndefined()
    const text = Buffer.from(written).toString('latin1')
    for (const gone of ['Old', '2001', '\x1c\x02\x19\0\x03old', 'o\0l\0d']) expect(text).not.toContain(gone)
    expect(text).toContain(Buffer.from('Neu & schön 😀\0').toString('latin1'))
    expect(text).toContain('Maker note with offsets of its own')
    expect(text).toContain('2019:08:01 14:22:33\0')
    expect(text).toContain('\x1c\x02\x37\0\x0820190801')
    expect(text).toContain('\x1c\x02\x3c\0\x0b142233+0530')
    // The entire record is now in UTF-8 and declares it.
    expect(text).toContain('\x1c\x01\x5a\0\x03\x1b%G')
    expect(text).toContain(Buffer.from('Straße').toString('latin1'))
  })

  test('that are empty are deleted from EXIF and IPTC too', () => {
    const written = requireWritten(oldJpeg(xmpSegment(xmp('<dc:description>Old</dc:description>'))), noTags)
    expect(setsThatDiffer(written, noTags)).toEqual([])
    const { latitude, altitude, dates, description } = read(written)
    expect({ latitude, altitude, dates, description }).toEqual({
      latitude: undefined,
      altitude: undefined,
      dates: [],
      description: undefined,
    })
  })

  test('do not change the other tag sets in any block', () => {
    const before = read(oldJpeg())
    const after = read(requireWritten(oldJpeg(), { ...wanted, rating: 5 }, 'Rating'))
    expect<unknown>({ ...after, rating: 1 }).toEqual(before)
  })

  test('can be written a hundred times without the file growing', () => {
    let file = oldJpeg()
    let early = 0
    for (let n = 0; n < 100; n++) {
      const description = `Text ${n % 10} ${'x'.repeat(n % 7)}`
      file = requireWritten(file, { ...wanted, description, rating: n % 6 })
      if (n === 10) early = file.length
    }
    expect(Math.abs(file.length - early)).toBeLessThan(3000)
  })

  test('can be written beside damaged EXIF if the packet is marked as complete', () => {
    const broken = exifSegment({ ifd0: [[0x10e, 'Old']], gps: [[1, 'N']] })
    // The pointer to the GPS directory is out of bounds.
    const pointer = Buffer.from(broken).indexOf(Buffer.of(0x25, 0x88))
    broken.set([0xff, 0xff, 0xff, 0x7f], pointer + 8)
    const file = jpeg({ width: 64, height: 48 }, broken)
    const change = { wanted, sets: new Set(writtenSets), picture: { width: 64, height: 48, orientation: 1 } }
    const written = changedPictureFile(file, { ...change, complete: ['Description'] })
    expect(read(written ?? file).description).toBe(wanted.description)
    expect(Buffer.from(written ?? []).includes(Buffer.from(broken))).toBe(true)
  })
})

describe('a JPEG', () => {
  const mpf = segment(0xe2, 'MPF\0', 'distances to other pictures')

  test('keeps data after its end', async () => {
    const file = Buffer.concat([await picture('jpeg'), Buffer.from('a film, or another picture')])
    const written = requireWritten(file, wanted)
    expect(Buffer.from(written.subarray(-26)).toString()).toBe('a film, or another picture')
  })

  test('with multiple pictures keeps their distance from the MPF segment, or is not written', () => {
    const before = oldJpeg(mpf)
    const distance = (file: Uint8Array) => file.length - Buffer.from(file).indexOf('MPF\0')
    expect(distance(requireWritten(before, wanted))).toBe(distance(before))
    // The packet follows the MPF segment.
    expect(write(oldJpeg(mpf, xmpSegment(xmp(''))), wanted)).toBeNull()
    expect(write(jpeg({ width: 64, height: 48 }, mpf, xmpSegment(xmp(''))), wanted)).toBeNull()
  })

  test('with extended XMP stays consistent', () => {
    const second = utf8(
      xmp('<dc:subject><rdf:Bag><rdf:li>old</rdf:li></rdf:Bag></dc:subject><x:depth xmlns:x="urn:x">map</x:depth>'),
    )
    const digest = createHash('md5').update(second).digest('hex').toUpperCase()
    const file = jpeg(
      { width: 64, height: 48 },
      xmpSegment(xmp('', `xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="${digest}"`)),
      segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', digest, be32(second.length), be32(0), second),
    )
    expect(read(file).keywords).toEqual(['old'])
    const written = Buffer.from(requireWritten(file, wanted, 'Keywords'))
    expect(read(written).keywords).toEqual(wanted.keywords)
    const at = written.indexOf('http://ns.adobe.com/xmp/extension/\0') + 35
    const newDigest = written.subarray(at, at + 32).toString()
    const part = written.subarray(at + 40, at + 40 + written.readUInt32BE(at + 32))
    expect(createHash('md5').update(part).digest('hex').toUpperCase()).toBe(newDigest)
    expect(written.toString('latin1')).toContain(`HasExtendedXMP="${newDigest}"`)
    expect(part.toString()).toContain('<x:depth xmlns:x="urn:x">map</x:depth>')
    expect(part.toString()).not.toContain('old')
    // The extended part has no rating, so it does not change.
    const rated = Buffer.from(requireWritten(file, wanted, 'Rating'))
    expect(rated.includes(Buffer.from(second))).toBe(true)
  })

  test('whose packet is full is not written', () => {
    const long = `<x:long xmlns:x="urn:x">${'x'.repeat(64_000)}</x:long>`
    expect(write(jpeg({ width: 64, height: 48 }, xmpSegment(xmp(long))), wanted)).toBeNull()
  })

  test("updates Photoshop's digest of the IPTC record", () => {
    const record = iptc([[120, 'Old']])
    const digest = createHash('md5').update(record).digest()
    const blocks = bytes(
      'Photoshop 3.0\0',
      '8BIM',
      be16(0x404),
      [0, 0],
      be32(record.length),
      record,
      record.length % 2 ? [0] : [],
      '8BIM',
      be16(0x425),
      [0, 0],
      be32(16),
      digest,
      '8BIM',
      be16(0x3ed),
      [0, 0],
      be32(3),
      'res\0',
    )
    const written = Buffer.from(requireWritten(jpeg({ width: 64, height: 48 }, segment(0xed, blocks)), wanted))
    const at = written.indexOf(Buffer.from(bytes('8BIM', be16(0x404))))
    const changed = written.subarray(at + 12, at + 12 + written.readUInt32BE(at + 8))
    expect(written.includes(createHash('md5').update(changed).digest())).toBe(true)
    expect(written.includes(digest)).toBe(false)
    expect(written.includes(Buffer.from('res\0'))).toBe(true)
  })

  test('that is truncated or has a changed byte is not written, or written correctly', () => {
    const whole = oldJpeg(xmpSegment(xmp('')))
    for (let n = 0; n < whole.length; n += 3) {
      const written = write(whole.subarray(0, n), wanted)
      if (written !== null) expect(read(written).description).toBe(wanted.description)
    }
    for (let n = 2; n < 200; n++) {
      const odd = bytes(whole)
      odd[n] = (odd[n] ?? 0) ^ 0x55
      const written = write(odd, wanted)
      if (written !== null) expect(read(written).keywords).toEqual(expect.arrayContaining(wanted.keywords))
    }
  })
})

describe('a PNG', () => {
  const chunk = (type: string, data: Uint8Array) => {
    const body = bytes(type, data)
    return bytes(be32(data.length), body, be32(Bun.hash.crc32(body)))
  }
  const withChunks = async (...chunks: Uint8Array[]) => {
    const file = await picture('png')
    return bytes(file.subarray(0, 33), ...chunks, file.subarray(33))
  }

  test('with a compressed packet keeps its other properties, and loses only the texts that conflict', async () => {
    const packet = deflateSync(Buffer.from(xmp('<x:kept xmlns:x="urn:x">kept</x:kept>', 'xmp:Rating="1"')))
    const file = await withChunks(
      chunk('iTXt', bytes('XML:com.adobe.xmp\0', [1, 0], '\0\0', packet)),
      chunk('tEXt', bytes('Description\0Old')),
      chunk('tEXt', bytes('Software\0Mine')),
    )
    const written = requireWritten(file, wanted)
    expect(setsThatDiffer(written, wanted)).toEqual([])
    const text = Buffer.from(written).toString('latin1')
    expect(text).toContain('<x:kept xmlns:x="urn:x">kept</x:kept>')
    expect(text).toContain('Software\0Mine')
    expect(text).not.toContain('Description\0Old')
    expect(await pixels(written)).toBe(await pixels(file))
    expect(setsThatDiffer(requireWritten(file, noTags), noTags)).toEqual([])
  })

  test('keeps an unknown maker note, and is not written when the note is truncated', async () => {
    const note = bytes('A note of nobody', [0, 1, 2, 3])
    const exif = tiff({
      ifd0: [[0x10e, 'Old']],
      exif: [
        [0x9003, '2001:02:03 04:05:06'],
        [0x927c, note],
      ],
    })
    const small = tiff({
      ifd0: [[0x10e, 'Old']],
      exif: [
        [0x9003, '2001:02:03 04:05:06'],
        [0x927c, bytes([7, 8, 9])],
      ],
    })
    for (const block of [exif, small]) {
      const written = Buffer.from(requireWritten(await withChunks(chunk('eXIf', block)), wanted))
      expect(setsThatDiffer(written, wanted)).toEqual([])
      expect(written.includes(block === exif ? note : Buffer.of(0x7c, 0x92, 7, 0, 3, 0, 0, 0, 7, 8, 9))).toBe(true)
    }
    // Bytes appended to the block would become part of the note.
    expect(write(await withChunks(chunk('eXIf', exif.subarray(0, -6))), wanted)).toBeNull()
  })

  test('that is truncated is not written', async () => {
    const file = await withChunks()
    expect(write(file.subarray(0, -5), wanted)).toBeNull()
  })
})

test('files of other formats are not written', async () => {
  const gif = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .gif()
    .toBuffer()
  const tiff = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .tiff()
    .toBuffer()
  for (const file of [gif, tiff, Buffer.from('text'), Buffer.of()]) expect(write(file, wanted)).toBeNull()
})
