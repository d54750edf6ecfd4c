/** Small pictures of files that are no items: made like those of items, and kept for a while in a corner of the cache. */
import { statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../schema/errors.ts'
import type { DecodePool } from './decode-pool.ts'
import { type FixedSize, renditionPath } from './renditions.ts'

export interface LooseFile {
  /** By which a process beside this one can open it, until the answer is there. */
  path: string
  /** Another text for another content: device, inode, size and time, say. */
  identity: string
  name: string
}

export interface LooseRendition {
  path: string
  /** Bytes. */
  size: number
}

/** Kept are so many at most, for so long after they were made; the cache may be emptied at any time. */
const mostKept = 20_000
const keptMs = 30 * 86_400_000
/** What is known of files without opening them. */
const mostKnown = 10_000
/** More than this waiting means that the machine cannot keep up. */
const mostWaiting = 200
/** New ones between two looks at how many there are. */
const pruneEvery = 1_000
/** Nobody writes on something unfinished for so long. */
const unfinishedMs = 3_600_000

export function createLooseRenditions({ cache, pool }: { cache: string; pool: Pick<DecodePool, 'decode'> }) {
  const own = join(cache, 'loose')
  /** Paths by identity and size; null for what cannot be drawn. The oldest come first. */
  const known = new Map<string, string | null>()
  const making = new Map<string, Promise<LooseRendition | null>>()
  let made = 0

  function learn(key: string, path: string | null) {
    known.delete(key)
    known.set(key, path)
    for (const oldest of known.keys()) {
      if (known.size <= mostKnown) break
      known.delete(oldest)
    }
  }

  /** Null where it was taken out of the cache meanwhile. */
  function there(path: string): LooseRendition | null {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? null : { path, size: found.size }
  }

  async function make({ path, name }: LooseFile, key: string, size: FixedSize): Promise<LooseRendition | null> {
    const task = { id: 0, path: Buffer.from(path), name, kind: 'image', cache: own, metadata: false } as const
    const { content, kind, made: sizes } = await pool.decode({ ...task, sizes: [size] })
    const isDrawn = kind === 'image' && content !== undefined && sizes.includes(size)
    const found = isDrawn ? there(renditionPath(own, content, size)) : null
    learn(key, found?.path ?? null)
    if (made++ % pruneEvery === 0) void prune().catch(() => {})
    return found
  }

  /** Removes what is old, and the oldest of what is too much. */
  async function prune(): Promise<void> {
    const root = join(own, 'renditions')
    const names = await readdir(root, { recursive: true }).catch(() => [])
    const files: { path: string; at: number }[] = []
    for (const name of names) {
      const path = join(root, name)
      const found = await stat(path).catch(() => null)
      if (found?.isFile() !== true) continue
      const age = Date.now() - found.mtimeMs
      if (age > (name.startsWith('tmp/') ? unfinishedMs : keptMs)) await rm(path, { force: true })
      else files.push({ path, at: found.mtimeMs })
    }
    files.sort((a, b) => b.at - a.at)
    for (const { path } of files.slice(mostKept)) await rm(path, { force: true })
  }

  return {
    /** A picture of that size (webp); null when there is none of this file. `unavailable` when too many are wanted. */
    async picture(file: LooseFile, size: FixedSize): Promise<LooseRendition | null> {
      const key = `${size} ${file.identity}`
      const before = known.get(key)
      if (before === null) return null
      const kept = before === undefined ? null : there(before)
      if (kept !== null) return kept
      const already = making.get(key)
      if (already !== undefined) return already
      if (making.size >= mostWaiting)
        throw new Failure('unavailable', 'Too many pictures are being made.', { retryAfter: 5 })
      const begun = make(file, key, size).finally(() => making.delete(key))
      making.set(key, begun)
      return begun
    },

    prune,
  }
}

export type LooseRenditions = ReturnType<typeof createLooseRenditions>
