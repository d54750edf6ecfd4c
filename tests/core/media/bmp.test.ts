import { describe, expect, test } from 'bun:test'
import { decodeBmp } from '../../../core/media/formats/bmp.ts'

interface Made {
  bits: number
  rows: number[][]
  width: number
  height: number
  compression?: number
  palette?: number[]
  masks?: number[]
}

/** A bitmap with a header of 40 bytes; rows as stored, without their padding. */
function bmp({ bits, rows, width, height, compression = 0, palette = [], masks = [] }: Made): Uint8Array {
  const start = 54 + masks.length * 4 + palette.length
  const data =
    compression === 1 || compression === 2
      ? rows.flat()
      : rows.flatMap(row => [...row, ...Array((4 - (row.length % 4)) % 4).fill(0)])
  const file = Buffer.alloc(start + data.length)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(start, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(bits, 28)
  file.writeUInt32LE(compression, 30)
  masks.forEach((mask, index) => {
    file.writeUInt32LE(mask, 54 + index * 4)
  })
  file.set(palette, 54 + masks.length * 4)
  file.set(data, start)
  return file
}

const red = [255, 0, 0]
const green = [0, 255, 0]
const blue = [0, 0, 255]
const white = [255, 255, 255]
const palette = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]
/** Red and green above blue and white. */
const upright = [...red, ...green, ...blue, ...white]

describe('bitmaps', () => {
  const same: [string, Made][] = [
    [
      '24 bits, rows from below',
      {
        bits: 24,
        width: 2,
        height: 2,
        rows: [
          [255, 0, 0, 255, 255, 255],
          [0, 0, 255, 0, 255, 0],
        ],
      },
    ],
    [
      '24 bits, rows from above',
      {
        bits: 24,
        width: 2,
        height: -2,
        rows: [
          [0, 0, 255, 0, 255, 0],
          [255, 0, 0, 255, 255, 255],
        ],
      },
    ],
    [
      '32 bits',
      {
        bits: 32,
        width: 2,
        height: 2,
        rows: [
          [255, 0, 0, 0, 255, 255, 255, 0],
          [0, 0, 255, 0, 0, 255, 0, 0],
        ],
      },
    ],
    [
      '16 bits',
      {
        bits: 16,
        width: 2,
        height: 2,
        rows: [
          [0x1f, 0, 0xff, 0x7f],
          [0, 0x7c, 0xe0, 3],
        ],
      },
    ],
    [
      '16 bits as 5-6-5',
      {
        bits: 16,
        width: 2,
        height: 2,
        compression: 3,
        masks: [0xf800, 0x7e0, 0x1f],
        rows: [
          [0x1f, 0, 0xff, 0xff],
          [0, 0xf8, 0xe0, 7],
        ],
      },
    ],
    [
      '8 bits',
      {
        bits: 8,
        width: 2,
        height: 2,
        palette,
        rows: [
          [2, 3],
          [0, 1],
        ],
      },
    ],
    ['4 bits', { bits: 4, width: 2, height: 2, palette, rows: [[0x23], [0x01]] }],
    ['2 bits', { bits: 2, width: 2, height: 2, palette, rows: [[0b10110000], [0b00010000]] }],
    [
      '8 bits in runs',
      { bits: 8, width: 2, height: 2, compression: 1, palette, rows: [[1, 2, 1, 3, 0, 0, 1, 0, 1, 1, 0, 1]] },
    ],
    [
      '4 bits in runs',
      { bits: 4, width: 2, height: 2, compression: 2, palette, rows: [[2, 0x23, 0, 0, 2, 0x01, 0, 1]] },
    ],
  ]
  for (const [name, made] of same) {
    test(`of ${name} show the same picture`, () => {
      const { data, width, height, channels } = decodeBmp(bmp(made))
      expect({ data: [...data], width, height, channels }).toEqual({ data: upright, width: 2, height: 2, channels: 3 })
    })
  }

  test('with one bit a pixel', () => {
    const { data } = decodeBmp(
      bmp({ bits: 1, width: 3, height: 1, palette: [0, 0, 0, 0, 255, 255, 255, 0], rows: [[0b10100000]] }),
    )
    expect([...data]).toEqual([...white, 0, 0, 0, ...white])
  })

  test('with literal runs, padded to two bytes', () => {
    const rows = [[0, 3, 0, 1, 2, 0, 0, 1]]
    const { data } = decodeBmp(bmp({ bits: 8, width: 3, height: 1, compression: 1, palette, rows }))
    expect([...data]).toEqual([...red, ...green, ...blue])
  })

  test('that end early keep what there is, the rest black', () => {
    const whole = bmp({
      bits: 24,
      width: 1,
      height: 2,
      rows: [
        [255, 255, 255],
        [255, 255, 255],
      ],
    })
    expect([...decodeBmp(whole.subarray(0, whole.length - 4)).data]).toEqual([0, 0, 0, ...white])
  })

  const refused: [string, Made, string][] = [
    ['claim more pixels than we decode', { bits: 24, width: 8_000, height: 8_000, rows: [[1, 2, 3]] }, 'too many'],
    ['have no size', { bits: 24, width: 0, height: 5, rows: [] }, 'no size'],
    [
      'are nearly all missing',
      { bits: 24, width: 7_000, height: 7_000, rows: [[...Array(30_000).fill(1)]] },
      'missing',
    ],
    ['are packed as JPEG', { bits: 0, width: 5, height: 5, compression: 4, rows: [] }, 'not decoded'],
  ]
  for (const [name, made, message] of refused) {
    test(`that ${name} are refused`, () => expect(() => decodeBmp(bmp(made))).toThrow(message))
  }

  test('of random bytes never do worse than throw', () => {
    for (let round = 0; round < 500; round++) {
      const file = bmp({
        bits: 8,
        width: 7,
        height: 7,
        compression: round % 3,
        palette,
        rows: [[...crypto.getRandomValues(new Uint8Array(60))]],
      })
      file[28] = [1, 4, 8, 16, 24, 32][round % 6] ?? 8
      try {
        decodeBmp(file)
      } catch (error) {
        expect(error).toHaveProperty('name', 'MediaProblem')
      }
    }
  })
})
