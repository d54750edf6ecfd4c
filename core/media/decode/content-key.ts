/** Fast content keys of files, which name renditions and identify moved files. */
import { fstatSync, readSync } from 'node:fs'
import { FileEnded } from '../../files/open-file.ts'

/** Files up to this size are hashed completely, larger ones by samples. */
const wholeUpTo = 32 * 1024 * 1024
const endLength = 1024 * 1024
const sampleLength = 64 * 1024
const sampleCount = 16
const chunkLength = 1024 * 1024

/** Whether the key of a file of this size covers all bytes, not only samples. */
export const isWholeKey = (size: number): boolean => size <= wholeUpTo

/**
 * Key of a content in memory: 16 hex digits of xxHash64, '-', the size in base 36. Over 32 MB, only the first and last
 * 1 MB and 16 samples of 64 KB are hashed. Equal keys are no proof: where data could be lost, use `fullHashOfFile`.
 */
export function contentKeyOf(bytes: Uint8Array): string {
  if (bytes.length <= wholeUpTo) return keyOf(bytes, bytes.length)
  const parts = sampledRanges(bytes.length).map(({ offset, length }) => bytes.subarray(offset, offset + length))
  return keyOf(Buffer.concat(parts), bytes.length)
}

/** Like `contentKeyOf`, for an open file of `size` bytes; throws if the file is shorter. */
export function contentKeyOfFile(fd: number, size: number): string {
  const ranges = size <= wholeUpTo ? [{ offset: 0, length: size }] : sampledRanges(size)
  const parts = ranges.map(({ offset, length }) => readExactly(fd, offset, length))
  return keyOf(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts), size)
}

/** SHA-256 of the whole file as 64 hex digits, read in pieces; for decisions where equal keys are not enough. */
export function fullHashOfFile(fd: number): string {
  const hasher = new Bun.CryptoHasher('sha256')
  const chunk = Buffer.allocUnsafe(chunkLength)
  const { size } = fstatSync(fd)
  let offset = 0
  while (true) {
    const got = readSync(fd, chunk, 0, chunk.length, offset)
    if (got === 0) break
    hasher.update(chunk.subarray(0, got))
    offset += got
  }
  if (offset < size) throw new FileEnded(`The file ended after ${offset} of ${size} bytes`)
  return hasher.digest('hex')
}

function keyOf(sample: Uint8Array, size: number): string {
  return `${Bun.hash.xxHash64(sample).toString(16).padStart(16, '0')}-${size.toString(36)}`
}

/** Head, samples at even distances, tail. They do not overlap: the file is far larger than all of them together. */
function sampledRanges(size: number): { offset: number; length: number }[] {
  const ranges = [{ offset: 0, length: endLength }]
  const between = size - 2 * endLength
  for (let i = 0; i < sampleCount; i++) {
    const middle = endLength + Math.floor((between * (2 * i + 1)) / (2 * sampleCount))
    ranges.push({ offset: middle - sampleLength / 2, length: sampleLength })
  }
  ranges.push({ offset: size - endLength, length: endLength })
  return ranges
}

function readExactly(fd: number, offset: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const got = readSync(fd, bytes, filled, length - filled, offset + filled)
    if (got === 0) throw new FileEnded(`The file ended after ${offset + filled} bytes`)
    filled += got
  }
  return bytes
}
