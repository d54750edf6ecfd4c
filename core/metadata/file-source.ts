/** A file on disk as a source of bytes: only requested parts are read, so a video of any size costs some KB. */
import { readSync } from 'node:fs'
import type { ByteSource } from './byte-source.ts'

/** The first 64 KB contain nearly all metadata of pictures. */
const headLength = 65_536
/** Beyond the head, readers jump from header to header, so little is read ahead: one page of the system's. */
const readAhead = 4096

/** An open descriptor of a regular file as a source; the caller closes it. */
export function descriptorSource(fd: number, size: number): ByteSource {
  let windowStart = 0
  let window = new Uint8Array(0)
  return {
    size,
    read(offset, length) {
      if (!(offset >= 0 && length > 0 && offset < size)) return new Uint8Array(0)
      const wanted = Math.min(length, size - offset)
      const inWindow = offset - windowStart
      if (inWindow >= 0 && inWindow + wanted <= window.length) return window.subarray(inWindow, inWindow + wanted)
      const minLength = offset === 0 ? headLength : readAhead
      // A new buffer each time: views of the old one may still be used.
      window = readFully(fd, offset, Math.min(size - offset, Math.max(wanted, minLength)))
      windowStart = offset
      return window.subarray(0, wanted)
    },
  }
}

function readFully(fd: number, offset: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const got = readSync(fd, bytes, filled, length - filled, offset + filled)
    if (got === 0) break
    filled += got
  }
  return filled === length ? bytes : bytes.subarray(0, filled)
}
