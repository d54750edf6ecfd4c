/** A directory's identity: its path without links, and its device and inode. */
import { lstat, realpath, stat } from 'node:fs/promises'

export interface RealDirectory {
  /** Absolute path without links. */
  path: string
  /** Device and inode: the same for every mount and spelling. */
  identity: string
  /** Seconds since 1970. */
  mtimeSeconds: number
}

/** Null if there is no directory at the path, or if it cannot be reached. */
export async function realDirectory(path: string): Promise<RealDirectory | null> {
  try {
    const real = await realpath(path)
    const found = await stat(real, { bigint: true })
    if (!found.isDirectory()) return null
    return { path: real, identity: `${found.dev}:${found.ino}`, mtimeSeconds: Math.floor(Number(found.mtimeMs) / 1000) }
  } catch {
    return null
  }
}

/** Identity of a directory by its absolute path; null for links and everything else. */
export async function identityOfDirectory(path: Uint8Array): Promise<string | null> {
  try {
    const found = await lstat(Buffer.from(path), { bigint: true })
    return found.isDirectory() ? `${found.dev}:${found.ino}` : null
  } catch {
    return null
  }
}

/** A disk that does not respond within this time (a network share whose server is down) counts as missing for now. */
const maxWaitMs = 3000

/** `realDirectory` for frequent calls: a disk that does not respond blocks only one I/O thread. */
export function createDirectoryLookup(find = realDirectory, waitMs = maxWaitMs) {
  const lookups = new Map<string, Promise<RealDirectory | null>>()
  return async (path: string): Promise<RealDirectory | null> => {
    const known = lookups.get(path)
    const pending = known ?? find(path).finally(() => lookups.delete(path))
    if (known === undefined) lookups.set(path, pending)
    const { promise: late, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(() => resolve(null), waitMs)
    try {
      return await Promise.race([pending, late])
    } finally {
      clearTimeout(timer)
    }
  }
}
