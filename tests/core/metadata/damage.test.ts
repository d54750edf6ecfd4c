/** Damaged files never make the readers throw, hang or invent numbers. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metadata } from '../../../core/metadata/metadata.ts'
import { parseTakeout, parseXmpSidecar } from '../../../core/metadata/xmp/sidecar.ts'
import { describeWithSamples, expectedFiles } from '../../support/samples.ts'
import {
  bag,
  be32,
  box,
  bytes,
  exifSegment,
  iptc,
  iptcSegment,
  jpeg,
  movieHeader,
  readMetadata,
  utf8,
  xmp,
  xmpSegment,
} from './build.ts'

/** Deterministic random numbers between 0 and 1, for the same damage in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Yields damaged copies: cut anywhere, cut early, some bytes changed near the beginning, or many changed anywhere. */
function* damaged(file: Uint8Array, seed: number, rounds: number): Generator<Uint8Array> {
  const random = randomNumbers(seed)
  for (let round = 0; round < rounds; round++) {
    if (round % 4 === 0) yield file.slice(0, Math.floor(random() * file.length))
    else if (round % 4 === 1) yield file.slice(0, Math.floor(random() * Math.min(3000, file.length)))
    else {
      const copy = file.slice()
      const reach = round % 4 === 2 ? Math.min(8000, copy.length) : copy.length
      const count = round % 4 === 2 ? 1 + Math.floor(random() * 20) : 200
      for (let i = 0; i < count; i++) {
        const extreme = random() < 0.5 ? 255 : 0
        copy[Math.floor(random() * reach)] = random() < 0.6 ? extreme : Math.floor(random() * 256)
      }
      yield copy
    }
  }
}

function expectValidMetadata(found: Metadata, what: string): void {
  const numbers = [found.latitude, found.longitude, found.altitude, found.duration, found.frameRate, found.gpsTime]
  for (const value of [...numbers, found.width, found.height, found.rating]) {
    if (value !== undefined) expect(Number.isFinite(value), what).toBe(true)
  }
  for (const { x, y, width, height } of found.regions)
    expect([x, y, width, height].every(Number.isFinite), what).toBe(true)
  for (const { local } of found.dates) expect(local, what).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  // Metadata must survive a transfer between processes.
  expect(structuredClone(found)).toEqual(found)
}

describe('damage to generated files', () => {
  const still = jpeg(
    { width: 40, height: 30 },
    exifSegment({
      ifd0: [
        [0x10f, 'Canon'],
        [0x10e, 'A description'],
      ],
      exif: [[0x9003, '2019:08:01 14:22:33']],
      gps: [
        [1, 'N'],
        [2, { fractions: [1, 2, 3] }],
        [3, 'E'],
        [4, { fractions: [4, 5, 6] }],
      ],
    }),
    xmpSegment(xmp(`<dc:subject>${bag('lake', 'holiday')}</dc:subject>`, 'xmp:Rating="3"')),
    iptcSegment(
      iptc([
        [25, 'lake'],
        [120, 'caption'],
        [55, '20190801'],
      ]),
    ),
  )
  const film = bytes(
    box('ftyp', 'qt  ', be32(0)),
    box('moov', movieHeader('2021-05-15T10:20:30Z', 2000), box('udta', box('\xa9nam', 'name'))),
  )

  for (const [name, file] of [
    ['picture', still],
    ['film', film],
  ] as const) {
    test(`a ${name} can be truncated at every length`, async () => {
      for (let length = 0; length < file.length; length++)
        expectValidMetadata(await readMetadata(file.subarray(0, length), name), `${length}`)
    })

    test(`a ${name} can be changed at every byte`, async () => {
      for (let at = 0; at < file.length; at++) {
        for (const value of [0, 0x7f, 0xff]) {
          const copy = file.slice()
          copy[at] = value
          expectValidMetadata(await readMetadata(copy, name), `${at}`)
        }
      }
    })
  }

  test('sidecars can be damaged', () => {
    const sidecar = utf8(xmp(`<dc:subject>${bag('lake')}</dc:subject>`, 'xmp:Rating="3"'))
    const takeout = utf8(
      '{"title":"a","photoTakenTime":{"timestamp":"1564669353"},"geoData":{"latitude":1,"longitude":2}}',
    )
    for (const bad of damaged(sidecar, 1, 400)) expectValidMetadata(parseXmpSidecar(bad), 'sidecar')
    for (const bad of damaged(takeout, 2, 400)) {
      const found = parseTakeout(bad)
      if (found !== null) expectValidMetadata(found, 'takeout')
    }
  })
})

describeWithSamples('the broken samples', samples => {
  const files = expectedFiles(samples).filter(({ kind }) => kind !== 'archive')
  const broken = files.filter(({ path }) => path.startsWith('broken/'))

  test('are read without throwing', async () => {
    for (const { path } of broken) {
      expectValidMetadata(await readMetadata(new Uint8Array(readFileSync(join(samples, path))), path), path)
    }
    expect(broken.length).toBeGreaterThan(150)
  })

  test('have warnings', async () => {
    const warnings = async (name: string) =>
      (await readMetadata(new Uint8Array(readFileSync(join(samples, 'broken', name))), name)).warnings
    expect(await warnings('corrupt-exif/bad byte order.jpg')).toEqual(['The EXIF block is not EXIF'])
    expect(await warnings('corrupt-exif/huge count.jpg')).toEqual(['The EXIF block is damaged'])
    expect(await warnings('corrupt-exif/offset past the end.jpg')).toEqual(['The EXIF block is damaged'])
    expect(await warnings('corrupt-exif/ten thousand entries.jpg')).toEqual(['The EXIF block is damaged'])
    expect(await warnings('truncated/mp4 cut at 50 percent.mp4')).toEqual([
      'The video has no table of contents: it may be cut off',
    ])
    expect(await warnings('truncated/png cut in half.png')).toEqual(['The PNG ends within a chunk'])
    expect(await warnings('empty/only header.jpg')).toEqual(['The JPEG ends before its picture data'])
  })

  test('and the intact ones, truncated and changed at random, are read without throwing', async () => {
    for (const [index, { path }] of files.entries()) {
      const file = new Uint8Array(readFileSync(join(samples, path)))
      for (const bad of damaged(file, index + 1, 12)) expectValidMetadata(await readMetadata(bad, path), path)
    }
  }, 120_000)
})
