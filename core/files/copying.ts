/** Copies and hashes of files: read in pieces, so that nobody waits for a large one. */
import { fstatSync } from 'node:fs'
import type { Anchor } from './anchor.ts'
import type { OpenFile } from './open-file.ts'
import { writeNew } from './write-whole.ts'

/** What was written: SHA-256 as 64 hex digits, and bytes. */
export interface Written {
  hash: string
  size: number
}

/** SHA-256 of a whole open file as 64 hex digits; the file is closed. */
export async function hashOfOpen(file: OpenFile): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const piece of file.stream()) hasher.update(piece)
  return hasher.digest('hex')
}

/**
 * Writes a new file `name` in a directory that is held, whole and flushed, and tells what it wrote. More than `limit`
 * bytes: `tooMany` says what is thrown, and nothing is left; nor is anything when `signal` aborts.
 */
export async function writeHashed(
  directory: Anchor,
  name: Buffer,
  content: AsyncIterable<Uint8Array>,
  how: { mode: number; modified?: number; limit?: number; tooMany?: () => Error; signal?: AbortSignal },
): Promise<Written> {
  const hasher = new Bun.CryptoHasher('sha256')
  let size = 0
  async function* counted() {
    for await (const piece of content) {
      how.signal?.throwIfAborted()
      size += piece.length
      if (size > (how.limit ?? Number.POSITIVE_INFINITY)) throw how.tooMany?.() ?? new Error('more than was allowed')
      hasher.update(piece)
      yield piece
    }
  }
  await writeNew(directory.entry(name), counted(), how)
  return { hash: hasher.digest('hex'), size }
}

/** The same with the bytes, the permissions and the modification time of an open file, which is closed. */
export async function copyOpen(
  file: OpenFile,
  directory: Anchor,
  name: Buffer,
  signal?: AbortSignal,
): Promise<Written> {
  const mode = fstatSync(file.fd).mode & 0o777
  const modified = file.mtimeSeconds + file.mtimeNanoseconds / 1e9
  try {
    return await writeHashed(directory, name, file.stream(), {
      mode,
      modified,
      ...(signal === undefined ? {} : { signal }),
    })
  } finally {
    file.close()
  }
}
