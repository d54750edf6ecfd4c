/** Reads from disk only the required parts, and only regular files. */
import { afterAll, expect, test } from 'bun:test'
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pixelsOfFile } from '../../../core/media/decode/decode-file.ts'
import { type ByteSource, memorySource, partOf } from '../../../core/metadata/byte-source.ts'
import { readMetadataOf } from '../../../core/metadata/read.ts'
import {
  be32,
  be64,
  box,
  bytes,
  exifSegment,
  jpeg,
  movieHeader,
  openFileSource,
  readMetadata,
  readMetadataFrom,
} from './build.ts'

const noTools = { ffmpeg: null, ffprobe: null }
const directory = mkdtempSync(join(tmpdir(), 'keepsake-metadata-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const still = jpeg({ width: 40, height: 30 }, exifSegment({ exif: [[0x9003, '2019:08:01 14:22:33']] }))

function writeTestFile(name: string, content: Uint8Array): string {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

/** Counts the bytes that are read. */
function countReads(source: ByteSource): ByteSource & { total(): number } {
  let total = 0
  return {
    size: source.size,
    read(offset, length) {
      const found = source.read(offset, length)
      total += found.length
      return found
    },
    total: () => total,
  }
}

test('a file has the same metadata from disk as from memory', async () => {
  const path = writeTestFile('still.jpg', still)
  expect(await readMetadataFrom(path, 'still.jpg')).toEqual(await readMetadata(still, 'still.jpg'))
})

test('a path may contain bytes that are not UTF-8', async () => {
  const path = Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0x66, 0xfc, 0xff, 0x2e, 0x6a, 0x70, 0x67])])
  writeFileSync(path, still)
  expect((await readMetadataFrom(new Uint8Array(path), 'f?.jpg')).dates).toHaveLength(1)
})

test('only a few KB of a 5 GB video are read, even if its moov box is at the end', async () => {
  const path = join(directory, 'film.mp4')
  const type = box('ftyp', 'isom', be32(0), 'isom')
  const movie = box('moov', movieHeader('2021-05-15T10:20:30Z', 3_600_000))
  const size = 5 * 2 ** 30
  const fd = openSync(path, 'w')
  ftruncateSync(fd, size)
  writeSync(fd, type, 0, type.length, 0)
  writeSync(fd, bytes(be32(1), 'mdat', be64(size - type.length - movie.length)), 0, 16, type.length)
  writeSync(fd, movie, 0, movie.length, size - movie.length)
  closeSync(fd)
  const file = openFileSource(path)
  const source = countReads(file)
  try {
    expect(readMetadataOf(source, 'film.mp4')).toMatchObject({
      duration: 3600,
      dates: [{ local: '2021-05-15 10:20:30' }],
    })
    expect(source.total()).toBeLessThan(10_000)
  } finally {
    file.close()
  }
})

test('only regular files are read, and opening a pipe or a device does not block', async () => {
  const pipe = join(directory, 'pipe')
  Bun.spawnSync(['mkfifo', pipe])
  const read = (path: string) =>
    pixelsOfFile({ path: Buffer.from(path), name: 'a.jpg' }, { edge: 100, rotation: 0, tools: noTools })
  await expect(read(pipe)).rejects.toThrow('It is not a regular file')
  await expect(read('/dev/zero')).rejects.toThrow('It is not a regular file')
  await expect(read(directory)).rejects.toThrow()
  await expect(read(join(directory, 'absent'))).rejects.toThrow('The file is no longer there')
})

test('sources return nothing for ranges outside their bounds', () => {
  const path = writeTestFile('ten', new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
  const file = openFileSource(path)
  const memory = memorySource(new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
  const part = partOf(memorySource(new Uint8Array(14).map((_, i) => i - 2)), 2, 10)
  for (const source of [file, memory, part]) {
    const read = (offset: number, length: number) => [...source.read(offset, length)]
    expect(source.size).toBe(10)
    expect(read(0, 3)).toEqual([0, 1, 2])
    expect(read(8, 5)).toEqual([8, 9])
    for (const [offset, length] of [
      [10, 1],
      [-1, 5],
      [5, 0],
      [5, -2],
      [Number.NaN, 1],
      [1, Number.NaN],
      [2 ** 53, 1],
    ] as const) {
      expect(read(offset, length)).toEqual([])
    }
  }
  file.close()
})
