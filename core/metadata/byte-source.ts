/** Random access to the bytes of a file, whether they are in memory or on disk. */

/**
 * `read` returns at most `length` bytes from `offset`, none beyond the end or for senseless values (negative, NaN):
 * readers need not check values of a damaged file. The result may be a view of a larger buffer: do not write to it.
 */
export interface ByteSource {
  readonly size: number
  read(offset: number, length: number): Uint8Array
}

const nothing = new Uint8Array(0)

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read(offset, length) {
      if (!(offset >= 0 && length > 0 && offset < bytes.length)) return nothing
      return bytes.subarray(offset, Math.min(bytes.length, offset + length))
    },
  }
}

/** A range of a source as a separate source: the TIFF block inside a picture, the pictures inside a raw file. */
export function partOf(source: ByteSource, start: number, length: number): ByteSource {
  const size = Math.max(0, Math.min(length, source.size - start))
  return {
    size,
    read(offset, wanted) {
      if (!(offset >= 0 && wanted > 0 && offset < size)) return nothing
      return source.read(start + offset, Math.min(wanted, size - offset))
    },
  }
}
