/** Copying and hashing files in pieces, so that other work does not wait for a large file. */
import type { Anchor } from './anchor.ts'
import { attributesOf, copyAttributes, withoutAccessList } from './attributes.ts'
import type { OpenFile } from './open-file.ts'
import type { SystemCalls } from './system-calls.ts'
import { privateMode, writeNew } from './write-whole.ts'

/** What was written: its SHA-256 as 64 hex digits, and its size in bytes. */
export interface Written {
  hash: string
  size: number
}

/** SHA-256 of a whole open file as 64 hex digits; closes the file. */
export async function hashOfOpen(file: OpenFile): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const piece of file.stream()) hasher.update(piece)
  return hasher.digest('hex')
}

/**
 * Writes a new file `name` in an open directory, complete and flushed, and returns what it wrote. Throws `tooMany`
 * above `limit` bytes, or the signal's reason after an abort; then no file is left.
 */
export async function writeHashed(
  directory: Anchor,
  name: Buffer,
  content: AsyncIterable<Uint8Array>,
  how: {
    mode: number
    modified?: number
    finish?: (fd: number) => void
    limit?: number
    tooMany?: () => Error
    signal?: AbortSignal
  },
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

/** The result of a copy. `lost`: which attributes could not be copied, in words; null if none. */
export interface Copied extends Written {
  lost: string | null
}

/** Copies an open file with its time, and closes it. `keep`: also copies owner, rights (never more) and attributes. */
export async function copyOpen(
  calls: SystemCalls | null,
  file: OpenFile,
  directory: Anchor,
  name: Buffer,
  { keep, signal }: { keep: boolean; signal?: AbortSignal | undefined },
): Promise<Copied> {
  const modified = file.mtimeSeconds + file.mtimeNanoseconds / 1e9
  try {
    const attributes = attributesOf(calls, file.fd)
    let lost: string | null = null
    const written = await writeHashed(directory, name, file.stream(), {
      mode: keep ? privateMode : withoutAccessList(attributes) & 0o777,
      modified,
      finish: fd => {
        if (keep) lost = copyAttributes(calls, fd, attributes)
      },
      ...(signal === undefined ? {} : { signal }),
    })
    return { ...written, lost }
  } finally {
    file.close()
  }
}
