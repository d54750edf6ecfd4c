/** Writes renditions to the cache so that a name never belongs to an incomplete file. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reasonOf } from '../../../schema/errors.ts'
import { codeOf } from '../../files/disk-error.ts'
import { processExists } from '../../kernel/process-identity.ts'

/** The cache could not be written, for example because the disk is full: not an error of the decoded file. */
export class CacheError extends Error {
  override readonly name = 'CacheError'
}

/** The directory of all temporary renditions, on the cache's file system: `sweepTemporaries` looks only there. */
function temporaryDirectory(cache: string): string {
  return join(cache, 'renditions', 'tmp')
}

/** A path for an unfinished file below `cache`, in a directory that exists. Its name contains the process number. */
export async function temporaryPath(cache: string): Promise<string> {
  const directory = temporaryDirectory(cache)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  return join(directory, temporaryName())
}

function temporaryName(): string {
  return `${process.pid}-${crypto.randomUUID()}`
}

/** Renames a complete and flushed temporary file of this cache. Throws CacheError. */
export async function putTemporary(temporary: string, path: string): Promise<void> {
  try {
    // ffmpeg creates files with the permissions of the process's umask.
    await chmod(temporary, 0o600)
    await makingDirectory(path, () => rename(temporary, path))
  } catch (error) {
    throw toCacheError(error)
  }
}

function toCacheError(error: unknown): CacheError {
  return new CacheError(`The cache cannot be written: ${reasonOf(error)}`, { cause: error })
}

/**
 * Writes a temporary file, flushes it, checks its size, and renames it to `path` below `cache`. The directory is not
 * flushed: after a power cut a rendition may be missing, but existing ones are complete. Throws CacheError.
 */
export async function putFile(cache: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(temporaryDirectory(cache), temporaryName())
  try {
    const file = await makingDirectory(temporary, () => open(temporary, 'wx', 0o600))
    try {
      await file.writeFile(bytes)
      await file.datasync()
      const { size } = await file.stat()
      if (size !== bytes.length) throw new Error(`${size} of ${bytes.length} bytes were written`)
    } finally {
      await file.close()
    }
    await makingDirectory(path, () => rename(temporary, path))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw toCacheError(error)
  }
}

/** Runs `work`, and creates the directory only if the system reports that it is missing, which is rare. */
async function makingDirectory<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return await work()
  }
}

/** A temporary file was left behind if it was not written for this long, and belongs to no running process. */
const abandonedAfterMs = 5000

/** Removes unfinished files of killed processes. */
export function sweepTemporaries(cache: string): void {
  const directory = temporaryDirectory(cache)
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > abandonedAfterMs && !processExists(Number(name.split('-')[0]))) rmSync(path, { force: true })
  }
}
