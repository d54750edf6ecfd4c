import { describe, expect, test } from 'bun:test'
import { editTiff, type TagChange } from '../../../../core/metadata/write/tiff-edit.ts'

type Entry = [tag: number, type: number, count: number, value: number]

/** A little-endian structure of one directory. */
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

/** Tags of the first directory in their order. */
function tags(bytes: Uint8Array): number[] {
  const buffer = Buffer.from(bytes)
  const at = buffer.readUInt32LE(4)
  return Array.from({ length: buffer.readUInt16LE(at) }, (_, n) => buffer.readUInt16LE(at + 2 + n * 12))
}

const make: Entry = [0x010f, 2, 4, 0x00796e53]
const model: Entry = [0x0110, 2, 4, 0x00315848]
const orientation: Entry = [0x0112, 3, 1, 1]
const damaged: Entry = [0x0001, 0, 0, 0]
const description: TagChange = { type: 2, count: 4, data: Buffer.from('hi!\0') }

function changed(entries: readonly Entry[], changes: [number, TagChange][]): number[] {
  const editor = editTiff(tiff(entries))
  editor?.change(null, new Map(changes))
  return tags(editor?.bytes() ?? new Uint8Array(16))
}

describe('a directory that is changed', () => {
  test('takes new tags where they belong', () => {
    expect(changed([make, model, orientation], [[0x010e, description]])).toEqual([0x010e, 0x010f, 0x0110, 0x0112])
    expect(changed([make, orientation], [[0x8298, description]])).toEqual([0x010f, 0x0112, 0x8298])
  })

  test('leaves what others wrote in their order, even where it is none', () => {
    expect(changed([orientation, make], [[0x013b, description]])).toEqual([0x0112, 0x010f, 0x013b])
  })

  test('never begins with a damaged entry: readers would see nothing of the rest', () => {
    expect(changed([make, damaged, model], [[0x010e, description]])).toEqual([0x010e, 0x010f, 0x0110, 0x0001])
    expect(changed([make, damaged], [[0x010f, null]])).toEqual([0x0001])
  })
})
