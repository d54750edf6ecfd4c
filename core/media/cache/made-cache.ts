/** Limits the size of `cache/made` by removing the least recently used files, which can be made again. */
import { existsSync, statfsSync } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CacheSize } from '../../../schema/settings.ts'
import type { Log } from '../../kernel/log.ts'
import { isAlwaysKept, madeDirectory } from './renditions.ts'

/** The last use is stored in the file's times, to the hour. */
const hourMs = 3_600_000
/** A file that was used this recently may be in the middle of a response. */
const youngMs = 60_000
/** Files are removed down to this share of the limit, so that the cache is not listed for every new picture. */
const targetShare = 0.9

/** Bytes that a setting allows on the disk of a directory that exists; null for no limit. */
export function limitOf(size: CacheSize, directory: string): number | null {
  if (size === null) return null
  if ('bytes' in size) return size.bytes
  const { blocks, bsize } = statfsSync(directory)
  return Math.floor(blocks * bsize * size.share)
}

interface MadeFile {
  path: string
  size: number
  usedMs: number
}

/** Files below a directory, except those that are still being written. */
async function* filesBelow(directory: string): AsyncGenerator<MadeFile> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(directory, entry.name)
    if (entry.isDirectory() && entry.name !== 'tmp') yield* filesBelow(path)
    if (!entry.isFile() || entry.name === movedMark) continue
    const found = await lstat(path).catch(() => null)
    if (found !== null) yield { path, size: found.size, usedMs: found.mtimeMs }
  }
}

/** Marks that files of older versions have been moved. */
const movedMark = 'moved'

/** Moves older versions' renditions from `renditions`; removes their pictures of files that are not items. */
async function moveOldRenditions(cache: string): Promise<void> {
  const mark = join(madeDirectory(cache), movedMark)
  if (existsSync(mark)) return
  const old = join(cache, 'renditions')
  for (const folder of await readdir(old).catch(() => [])) {
    if (folder === 'tmp') continue
    for (const name of await readdir(join(old, folder)).catch(() => [])) {
      if (isAlwaysKept(name)) continue
      const target = join(madeDirectory(cache), folder, name)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      // The file may have been removed meanwhile.
      await rename(join(old, folder, name), target).catch(() => {})
    }
  }
  await rm(join(cache, 'loose'), { recursive: true, force: true })
  await mkdir(dirname(mark), { recursive: true, mode: 0o700 })
  await writeFile(mark, '', { mode: 0o600 })
}

interface MadeCacheOptions {
  cache: string
  /** Bytes; null for no limit. */
  limit: number | null
  log: Pick<Log, 'info' | 'warn'>
  now?: () => number
}

export function createMadeCache({ cache, limit, log, now = Date.now }: MadeCacheOptions) {
  const root = madeDirectory(cache)
  /** Bytes as known to this process; null until counted. */
  let total: number | null = null
  let pruning: Promise<void> | null = null
  let later: Timer | undefined
  let closed = false

  async function remove(toFree: number, before: number): Promise<void> {
    const oldest: MadeFile[] = []
    for await (const file of filesBelow(root)) if (file.usedMs < before) oldest.push(file)
    oldest.sort((a, b) => a.usedMs - b.usedMs)
    let [freed, count] = [0, 0]
    for (const { path, size } of oldest) {
      if (freed >= toFree || closed) break
      await rm(path, { force: true })
      freed += size
      count++
    }
    total = Math.max(0, (total ?? 0) - freed)
    if (count > 0) log.info('the cache was over its limit', { removed: count, bytes: freed, limit })
  }

  /** First adds up sizes by the hour of last use, so that then only files that may be removed are held in memory. */
  async function cleanUp(): Promise<void> {
    const hours = new Map<number, number>()
    let sum = 0
    for await (const { size, usedMs } of filesBelow(root)) {
      const hour = Math.floor(usedMs / hourMs)
      hours.set(hour, (hours.get(hour) ?? 0) + size)
      sum += size
      if (closed) return
    }
    total = sum
    if (limit === null || sum <= limit) return
    const toFree = sum - limit * targetShare
    let [found, before] = [0, 0]
    for (const [hour, bytes] of [...hours].sort(([a], [b]) => a - b)) {
      if (found >= toFree) break
      found += bytes
      before = (hour + 1) * hourMs
    }
    await remove(toFree, Math.min(before, now() - youngMs))
  }

  /** Removes what exceeds the limit; concurrent callers share one run. */
  function prune(): Promise<void> {
    pruning ??= cleanUp()
      .catch((error: unknown) => log.warn('the cache could not be kept within its limit', { error }))
      .finally(() => {
        pruning = null
      })
    return pruning
  }

  function pruneSoon(ms: number): void {
    if (closed || later !== undefined) return
    later = setTimeout(() => {
      later = undefined
      void prune().then(() => {
        // If the cache is still too large, all remaining files were used within the last minute.
        if (limit !== null && (total ?? 0) > limit) pruneSoon(youngMs)
      })
    }, ms)
    later.unref()
  }

  return {
    /** Moves files of older versions here, and removes what exceeds the limit. */
    async start(): Promise<void> {
      await moveOldRenditions(cache).catch((error: unknown) =>
        log.warn('old pictures in the cache could not be moved', { error }),
      )
      await prune()
    },
    prune,
    async added(path: string): Promise<void> {
      if (!path.startsWith(root)) return
      const found = await lstat(path).catch(() => null)
      if (total === null || found === null) return
      total += found.size
      if (limit !== null && total > limit) pruneSoon(0)
    },
    /** Notes that a file is used, at most once an hour. */
    async used(path: string): Promise<void> {
      if (!path.startsWith(root)) return
      // The file may have been removed meanwhile, or the disk be read-only: then it counts as older than it is.
      const found = await lstat(path).catch(() => null)
      if (found === null || now() - found.mtimeMs <= hourMs) return
      await utimes(path, now() / 1000, now() / 1000).catch(() => {})
    },
    async close(): Promise<void> {
      closed = true
      clearTimeout(later)
      await pruning
    },
  }
}

export type MadeCache = ReturnType<typeof createMadeCache>
