import { describe, expect, test } from 'bun:test'
import { closeSync, openSync } from 'node:fs'
import { contentKeyOf, contentKeyOfFile, fullHashOfFile } from '../../../core/media/decode/content-key.ts'
import { put, workspace } from './decoding.ts'

/** Whether a text has the format of a content key, which is safe in file names and URLs. */
function isContentKey(text: string): boolean {
  return /^[0-9a-f]{16}-[0-9a-z]{1,11}$/.test(text)
}

const directory = workspace()
const megabyte = 1024 * 1024

function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, Math.min(length, at + 65_536)))
  return bytes
}

function withOpen<T>(path: string, work: (fd: number) => T): T {
  const fd = openSync(path, 'r')
  try {
    return work(fd)
  } finally {
    closeSync(fd)
  }
}

describe('content keys', () => {
  test('are sixteen hex digits of xxHash64 and the size', () => {
    // The specification of xxHash64 gives this hash for empty input with seed 0.
    expect(contentKeyOf(new Uint8Array(0))).toBe('ef46db3751d8e999-0')
    expect(contentKeyOf(Buffer.from('x'.repeat(36)))).toEndWith('-10')
    expect(isContentKey(contentKeyOf(noise(1000)))).toBe(true)
    expect(['', '../../etc', 'ef46db3751d8e999', 'EF46DB3751D8E999-0'].filter(isContentKey)).toEqual([])
  })

  for (const size of [0, 1, 5000, 32 * megabyte, 32 * megabyte + 1, 40 * megabyte]) {
    test(`of ${size} bytes are the same from memory and from a file`, () => {
      const bytes = noise(size)
      const path = put(directory, 'file', bytes)
      expect(withOpen(path, fd => contentKeyOfFile(fd, size))).toBe(contentKeyOf(bytes))
    })
  }

  test('of small files change with every byte', () => {
    const bytes = noise(2 * megabyte)
    const key = contentKeyOf(bytes)
    bytes[1_300_000] = (bytes[1_300_000] ?? 0) ^ 1
    expect(contentKeyOf(bytes)).not.toBe(key)
  })

  test('of large files change with the beginning, the middle, the end and the size', () => {
    const bytes = noise(48 * megabyte)
    const key = contentKeyOf(bytes)
    const between = bytes.length - 2 * megabyte
    for (const at of [
      0,
      megabyte - 1,
      bytes.length - 1,
      bytes.length - megabyte,
      megabyte + Math.floor(between / 32),
    ]) {
      bytes[at] = (bytes[at] ?? 0) ^ 1
      expect(contentKeyOf(bytes)).not.toBe(key)
      bytes[at] = (bytes[at] ?? 0) ^ 1
    }
    expect(contentKeyOf(bytes.subarray(0, bytes.length - 1))).not.toBe(key)
    expect(contentKeyOf(bytes)).toBe(key)
  })

  test('are not computed for a file that is shorter than its given size', () => {
    const path = put(directory, 'short', noise(100))
    expect(() => withOpen(path, fd => contentKeyOfFile(fd, 200))).toThrow('ended after 100 bytes')
  })

  test('are accompanied by a full hash, the SHA-256 of all bytes', () => {
    const bytes = noise(3 * megabyte + 17)
    const path = put(directory, 'full', bytes)
    expect(withOpen(path, fullHashOfFile)).toBe(new Bun.CryptoHasher('sha256').update(bytes).digest('hex'))
  })
})
