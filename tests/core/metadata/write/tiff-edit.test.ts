import { describe, expect, test } from 'bun:test'
import { editTiff, type TiffTagChange } from '../../../../core/metadata/write/tiff-edit.ts'
import { walkTiff } from '../../../../core/metadata/write/tiff-walk.ts'

type Entry = [tag: number, type: number, count: number, value: number]

/** A little-endian structure with one directory. */
function tiff(entries: readonly Entry[]): Uint8Array {
  const bytes = Buffer.alloc(8 + 2 + entries.length * 12 + 4)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  bytes.writeUInt16LE(entries.length, 8)
  entries.forEach(([tag, type, count, value], n) => {
    const at = 10 + n * 12
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(type, at + 2)
    bytes.writeUInt32LE(count, at + 4)
    bytes.writeUInt32LE(value, at + 8)
  })
  return bytes
}

/** Tags of the first directory in order. */
function tags(bytes: Uint8Array): number[] {
  const buffer = Buffer.from(bytes)
  const at = buffer.readUInt32LE(4)
  return Array.from({ length: buffer.readUInt16LE(at) }, (_, n) => buffer.readUInt16LE(at + 2 + n * 12))
}

const make: Entry = [0x010f, 2, 4, 0x00796e53]
const model: Entry = [0x0110, 2, 4, 0x00315848]
const orientation: Entry = [0x0112, 3, 1, 1]
const damaged: Entry = [0x0001, 0, 0, 0]
const description: TiffTagChange = { type: 2, count: 4, data: Buffer.from('hi!\0') }

function tagsAfterChanges(entries: readonly Entry[], changes: [number, TiffTagChange][]): number[] {
  const editor = editTiff(tiff(entries))
  editor?.change(null, new Map(changes))
  return tags(editor?.bytes() ?? new Uint8Array(16))
}

describe('an edited directory', () => {
  test('has new tags in order', () => {
    expect(tagsAfterChanges([make, model, orientation], [[0x010e, description]])).toEqual([
      0x010e, 0x010f, 0x0110, 0x0112,
    ])
    expect(tagsAfterChanges([make, orientation], [[0x8298, description]])).toEqual([0x010f, 0x0112, 0x8298])
  })

  test('keeps the order of existing tags, even if unsorted', () => {
    expect(tagsAfterChanges([orientation, make], [[0x013b, description]])).toEqual([0x0112, 0x010f, 0x013b])
  })

  test('starts with a damaged entry, which would stop readers, only if there is no other', () => {
    expect(tagsAfterChanges([make, damaged, model], [[0x010e, description]])).toEqual([0x010e, 0x010f, 0x0110, 0x0001])
    expect(tagsAfterChanges([make, damaged], [[0x010f, null]])).toEqual([0x0001])
  })
})

/** A structure with each piece at its offset. */
function laidOut(length: number, pieces: Record<number, Uint8Array | number[]>): Uint8Array {
  const bytes = Buffer.alloc(length)
  for (const [at, piece] of Object.entries(pieces)) bytes.set(piece, Number(at))
  return bytes
}

const entry = (tag: number, type: number, count: number, value: number) => {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16LE(tag, 0)
  bytes.writeUInt16LE(type, 2)
  bytes.writeUInt32LE(count, 4)
  bytes.writeUInt32LE(value, 8)
  return [...bytes]
}
const header = [...Buffer.from('II*\0\x08\0\0\0', 'latin1')]
const longText: TiffTagChange = { type: 2, count: 20, data: Buffer.from('nineteen characters\0') }

describe('bytes shared by several fields', () => {
  test('a GPS tag without a value is not followed: EXIF is kept, and GPS gets its own directory', () => {
    // 'Gran Turismo 5' writes the GPS tag with a count of 0 and the offset of EXIF.
    const bytes = laidOut(60, {
      0: header,
      8: [2, 0, ...entry(0x8769, 4, 1, 38), ...entry(0x8825, 4, 0, 38)],
      38: [1, 0, ...entry(0x8827, 3, 1, 200)],
    })
    const editor = editTiff(bytes)
    expect(editor?.directoryAt(0x8825)).toBeNull()
    editor?.change(0x8825, new Map([[1, { type: 2, count: 2, data: Buffer.from('N\0') }]]))
    const fields = walkTiff(editor?.bytes() ?? bytes)?.fields
    expect(fields?.get('0/8769:8827')?.content).toEqual(walkTiff(bytes)?.fields.get('0/8769:8827')?.content)
    expect([...(fields?.keys() ?? [])]).toEqual(['0:8769', '0/8769:8827', '0:8825', '0/8825:1'])
  })

  test('a value at the position of the next-directory pointer is kept', () => {
    const exposure = [1, 0, 0, 0, 109, 0, 0, 0]
    const bytes = laidOut(80, {
      0: header,
      8: [1, 0, ...entry(0x8769, 4, 1, 26)],
      26: [2, 0, ...entry(0x829a, 5, 1, 52), ...entry(0x9291, 2, 3, 0x3737)],
      52: exposure,
    })
    const editor = editTiff(bytes)
    editor?.change(0x8769, new Map<number, TiffTagChange>([[0x9291, null]]))
    editor?.change(0x8769, new Map<number, TiffTagChange>([[0x9003, longText]]))
    const fields = walkTiff(editor?.bytes() ?? bytes)?.fields
    expect([...(fields?.get('0/8769:829a')?.content.subarray(6) ?? [])]).toEqual(exposure)
  })

  test('a text shared by two tags is kept if only one of them changes, and an unshared text is wiped', () => {
    const bytes = laidOut(100, {
      0: header,
      8: [3, 0, ...entry(0x10e, 2, 20, 50), ...entry(0x131, 2, 20, 50), ...entry(0x13b, 2, 20, 70)],
      50: Buffer.from('a shared text of 20\0'),
      70: Buffer.from('the name of somebody'),
    })
    const editor = editTiff(bytes)
    editor?.change(null, new Map<number, TiffTagChange>([[0x10e, longText]]))
    editor?.change(null, new Map<number, TiffTagChange>([[0x13b, null]]))
    const text = Buffer.from(editor?.bytes() ?? []).toString('latin1')
    expect(text).toContain('a shared text of 20')
    expect(text).toContain('nineteen characters')
    expect(text).not.toContain('somebody')
  })
})
