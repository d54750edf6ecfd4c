/** Copies and hashes of files: read in pieces, so that nobody waits for a large one. */
import type { Anchor } from './anchor.ts'
import { attributesOf, copyAttributes, withoutAccessList } from './attributes.ts'
import type { OpenFile } from './open-file.ts'
import type { SystemCalls } from './system-calls.ts'
import { privateMode, writeNew } from './write-whole.ts'

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

/** What a copy gets of its original beside bytes and time. `lost`: what it could not be given, in words. */
export interface Copied extends Written {
  lost: string | null
}

/**
 * The same with the bytes and the modification time of an open file, which is closed. With `keep` it also has its owner,
 * rights and attributes, as far as the disk and this user can give them, and never more rights; without, its permissions
 * less the process's umask.
 */
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
