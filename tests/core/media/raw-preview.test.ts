import { beforeAll, describe, expect, test } from 'bun:test'
import { loadSharp } from '../../../core/media/decode/sharp.ts'
import { findPreview, jpegSize } from '../../../core/media/formats/raw-preview.ts'
import { memorySource } from '../../../core/metadata/byte-source.ts'

let small: Buffer
let large: Buffer

async function jpeg(width: number, height: number): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp({ create: { width, height, channels: 3, background: '#a05030' } })
    .jpeg()
    .toBuffer()
}

beforeAll(async () => {
  small = await jpeg(160, 120)
  large = await jpeg(1600, 1067)
})

type Entry = [tag: number, value: number]

/** A little-endian TIFF file: consecutive directories from offset 8, then the parts at the given offsets. */
function tiff(directories: Entry[][], parts: [offset: number, bytes: Uint8Array][], length: number): Uint8Array {
  const file = Buffer.alloc(length)
  file.write('II*\0', 'latin1')
  file.writeUInt32LE(8, 4)
  let at = 8
  directories.forEach((entries, index) => {
    file.writeUInt16LE(entries.length, at)
    entries.forEach(([tag, value], number) => {
      const entry = at + 2 + number * 12
      file.writeUInt16LE(tag, entry)
      file.writeUInt16LE(4, entry + 2)
      file.writeUInt32LE(1, entry + 4)
      file.writeUInt32LE(value, entry + 8)
    })
    const end = at + 2 + entries.length * 12
    if (index + 1 < directories.length) file.writeUInt32LE(end + 4, end)
    at = end + 4
  })
  for (const [offset, bytes] of parts) file.set(bytes, offset)
  return file
}

const found = (file: Uint8Array) => {
  const preview = findPreview(memorySource(file))
  return preview === null ? null : [preview.width, preview.height]
}

describe('the preview of a raw file', () => {
  test('is the largest JPEG in the directories, whichever tags name it', () => {
    const file = tiff(
      [
        [
          [0x111, 4000],
          [0x117, large.length],
        ],
        [
          [0x201, 1000],
          [0x202, small.length],
        ],
      ],
      [
        [1000, small],
        [4000, large],
      ],
      4000 + large.length,
    )
    expect(found(file)).toEqual([1600, 1067])
  })

  test('is found in a sub-directory', () => {
    // The sub-directory directly follows the first directory, which has one entry.
    const first: Entry[] = [[0x14a, 8 + 2 + 12 + 4]]
    const file = tiff(
      [
        first,
        [
          [0x201, 1000],
          [0x202, large.length],
        ],
      ],
      [[1000, large]],
      1000 + large.length,
    )
    file.fill(0, 8 + 2 + 12, 8 + 2 + 12 + 4)
    expect(found(file)).toEqual([1600, 1067])
  })

  test('is found by searching the file if no directory names a large JPEG', () => {
    const file = tiff(
      [
        [
          [0x201, 1000],
          [0x202, small.length],
        ],
      ],
      [
        [1000, small],
        [9000, large],
      ],
      9000 + large.length + 500,
    )
    expect(found(file)).toEqual([1600, 1067])
  })

  test('is found across the boundary between two chunks of a large file', () => {
    const file = new Uint8Array(9 * 1024 * 1024)
    // The picture begins with the last byte of the first chunk of 4 MB.
    file.set(large, 4 * 1024 * 1024 - 1)
    expect(found(file)).toEqual([1600, 1067])
  })

  test('of a Fujifilm file is at the offset in its header', () => {
    const file = Buffer.alloc(500 + large.length)
    file.write('FUJIFILMCCD-RAW ')
    file.writeUInt32BE(500, 84)
    file.writeUInt32BE(large.length, 88)
    file.set(large, 500)
    expect(found(file)).toEqual([1600, 1067])
  })

  test('is never the lossless JPEG that holds the sensor data', () => {
    const lossless = Buffer.from(large)
    const frame = lossless.indexOf(Buffer.from([0xff, 0xc0]))
    lossless[frame + 1] = 0xc3
    expect(found(lossless)).toBeNull()
    expect(jpegSize(memorySource(large))).toEqual({ width: 1600, height: 1067 })
  })

  test('is null in a file without a picture; cyclic directories and random bytes do not hang the search', () => {
    const circle = tiff(
      [
        [
          [0x14a, 8],
          [0x201, 99_999],
          [0x202, 5],
        ],
      ],
      [],
      200,
    )
    circle.set([8, 0, 0, 0], 8 + 2 + 36)
    expect(found(circle)).toBeNull()
    for (let round = 0; round < 200; round++) {
      findPreview(
        memorySource(
          new Uint8Array([...Buffer.from('II*\0\x08\0\0\0', 'latin1'), ...crypto.getRandomValues(new Uint8Array(300))]),
        ),
      )
    }
  })
})
