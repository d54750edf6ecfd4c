/** One number for all files of a directory: equal to the last scan's when none was added, removed or changed. */
import { bytesOfRaw } from '../files/names.ts'
import type { ReconciledFile } from './reconcile.ts'

/** Incremented when the meaning of a file's record changes, so that the next scan reads every directory. */
const formatVersion = 1n

/**
 * 8 bytes of xxHash64 over name, size and modification time of each file. Bytes, because the database would round a
 * 64-bit number. `files` must be sorted by `raw` (the walk does this). In the disk's own order, a copy of the disk would
 * get another fingerprint.
 */
export function fingerprintOf(files: readonly ReconciledFile[]): Uint8Array {
  const figures = new Float64Array(files.length * 3)
  let names = ''
  let place = 0
  for (const file of files) {
    // No name contains a slash: 'a' and 'bc' differ from 'ab' and 'c'.
    names += `${file.raw}/`
    figures[place++] = file.size
    figures[place++] = file.mtimeSeconds
    figures[place++] = file.mtimeNanoseconds
  }
  const ofNames = Bun.hash.xxHash64(bytesOfRaw(names), formatVersion)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(Bun.hash.xxHash64(new Uint8Array(figures.buffer), ofNames))
  return bytes
}
