import { describe, expect, test } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { openRegularFile } from '../../../core/files/open-file.ts'
import { pictureHashOf } from '../../../core/media/decode/picture-hash.ts'
import { memorySource } from '../../../core/metadata/byte-source.ts'
import { descriptorSource } from '../../../core/metadata/file-source.ts'
import { describeWithSamples } from '../../support/samples.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const exiftool = Bun.which('exiftool')
if (exiftool === null) console.warn('SKIPPED: there is no exiftool to tag files with')

const hashOf = (path: string) => pictureHashOf(memorySource(readFileSync(path)))
const formats = new Set(['.jpg', '.jpeg', '.png', '.heic', '.heif', '.avif', '.mp4', '.mov'])

describeWithSamples('the hash of the picture data', samples => {
  const all = readdirSync(join(samples, 'library'), { recursive: true })
    .map(path => join(samples, 'library', String(path)))
    .filter(path => formats.has(extname(path).toLowerCase()))
    .sort()

  test.skipIf(exiftool === null)(
    'does not change when exiftool writes tags',
    () => {
      const directory = temporaryDirectory()
      const copies = [...formats].flatMap(format =>
        all
          .filter(one => extname(one).toLowerCase() === format)
          .slice(0, 8)
          .map((path, n) => ({ format, path, copy: join(directory, `${n} ${basename(path)}`) })),
      )
      for (const { path, copy } of copies) copyFileSync(path, copy)
      const before = new Map(copies.map(({ copy }) => [copy, hashOf(copy)]))
      // One process for all files, as exiftool takes a second to start. It does not change files that it cannot write.
      Bun.spawnSync([
        exiftool ?? '',
        '-q',
        '-overwrite_original',
        '-XMP-dc:Title=New',
        '-XMP-dc:Subject=word',
        '-Comment=said',
        ...copies.map(({ copy }) => copy),
      ])
      const checked: Record<string, number> = {}
      for (const { format, path, copy } of copies) {
        if (readFileSync(copy).equals(readFileSync(path))) continue
        expect([path, hashOf(copy)]).toEqual([path, before.get(copy) ?? 0])
        if ((before.get(copy) ?? 0) > 0) checked[format] = (checked[format] ?? 0) + 1
      }
      for (const format of ['.jpg', '.png', '.heic', '.mp4'])
        expect([format, checked[format] ?? 0]).not.toEqual([format, 0])
    },
    120_000,
  )

  test('is the same from memory and from the disk, and differs for other pictures', () => {
    const seen = new Map<number, string>()
    for (const path of all.slice(0, 200)) {
      const file = openRegularFile(Buffer.from(path))
      const hash = pictureHashOf(descriptorSource(file.fd, file.size))
      file.close()
      expect(hash).toBe(hashOf(path))
      expect(Number.isSafeInteger(hash)).toBe(true)
      if (hash === 0) continue
      const same = seen.get(hash)
      // The samples have some pictures several times, with other tags.
      if (same === undefined) seen.set(hash, path)
    }
    expect(seen.size).toBeGreaterThan(50)
  })
})

describe('a file without known picture data', () => {
  test('has the hash 0', () => {
    expect(pictureHashOf(memorySource(new Uint8Array(0)))).toBe(0)
    expect(pictureHashOf(memorySource(Buffer.from('GIF89a and more')))).toBe(0)
    expect(pictureHashOf(memorySource(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2])))).toBe(0)
  })
})

describe('picture data of more than 32 MB', () => {
  const hashOfFilm = (size: number, change = -1) => {
    const bytes = Buffer.alloc(size, 7)
    bytes.writeUInt32BE(24, 0)
    bytes.write('ftypisom', 4)
    bytes.writeUInt32BE(size - 24, 24)
    bytes.write('mdat', 28)
    if (change >= 0) bytes[change] = 1
    return pictureHashOf(memorySource(bytes))
  }
  test('is hashed by its length, its ends and samples in between', () => {
    const size = 40 * 1024 * 1024
    const hash = hashOfFilm(size)
    expect(hash).toBeGreaterThan(0)
    expect(hashOfFilm(size + 1)).not.toBe(hash)
    expect(hashOfFilm(size, 40)).not.toBe(hash)
    expect(hashOfFilm(size, size - 1)).not.toBe(hash)
  })
})
