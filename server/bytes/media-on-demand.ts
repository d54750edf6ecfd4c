/** Makes renditions that are requested but not in the cache, each only once for all requests. */
import { existsSync } from 'node:fs'
import type { Library } from '../../core/library.ts'
import type { VariantPlace } from '../../core/media/cache/kept-variant.ts'
import { createLooseRenditions } from '../../core/media/cache/loose-renditions.ts'
import { createMadeCache, limitOf } from '../../core/media/cache/made-cache.ts'
import {
  type FixedSize,
  type RenditionFormat,
  type Rotation,
  renditionPath,
} from '../../core/media/cache/renditions.ts'
import type { DecodeResult, DecodeTask } from '../../core/media/decode/decode.ts'
import { widthOf } from '../../core/media/decode/decode-pool.ts'
import type { MediaKind } from '../../core/media/media-problem.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { createFairQueue, type QueueCaller } from './fair-queue.ts'
import { createFilms } from './films.ts'

export interface WantedRendition {
  /** Absolute path of the item's main file, as bytes. */
  path: Uint8Array
  name: string
  kind: MediaKind
  /** Identifies the file's content; renditions in the cache are named after it. */
  content: string
  size: FixedSize | 'variant'
  format: RenditionFormat
  rotation: Rotation
  /** For a variant: where to keep it in the variants path, if possible. Absent or null: only in the cache. */
  keep?: VariantPlace | null
}

const hourMs = 3_600_000

export function createMediaOnDemand(library: Library) {
  const { cache, log, settings } = library
  const width = widthOf(settings.jobs)
  const pools = {
    signedIn: library.openPool(false),
    /** Low priority, one file at a time, because a full-resolution picture takes a gigabyte. */
    others: library.openPool(true, 1),
  }
  const queue = createFairQueue<DecodeResult>({
    // Twice as many as are decoded at the same time, so that no worker waits for the next one.
    signedIn: { atOnce: 2 * width, perKey: 200, total: 1000 },
    others: { atOnce: 1, perKey: 50, total: 200 },
  })
  const madeCache = createMadeCache({ cache, limit: limitOf(settings.cache_size, cache), log })
  const films = createFilms(library, madeCache)
  /** Prune hourly, because other processes fill the cache too. */
  const hourly = setInterval(() => void madeCache.prune(), hourMs)
  hourly.unref()
  /** Variants paths that could not be written, so that each is logged only once. */
  const unwritable = new Set<string>()
  let count = 0

  function logRefused(path: string, reason: string) {
    if (unwritable.has(path)) return
    unwritable.add(path)
    log.warn('variants cannot be kept in the variants path; the cache has them', { path, reason })
  }

  function decode(name: string, task: DecodeTask, requester: QueueCaller, onEnd?: () => void): Promise<DecodeResult> {
    const pool = requester.signedIn ? pools.signedIn : pools.others
    return queue.take(
      name,
      requester,
      () => {
        count++
        return pool.decode(task)
      },
      onEnd,
    )
  }

  async function make(wanted: WantedRendition, target: string, requester: QueueCaller): Promise<string | Uint8Array> {
    const task: DecodeTask = {
      path: wanted.path,
      name: wanted.name,
      kind: wanted.kind,
      cache,
      content: wanted.content,
      metadata: false,
      sizes: wanted.size === 'variant' ? [] : [wanted.size],
      variant: wanted.size === 'variant',
      format: wanted.format,
      rotation: wanted.rotation,
      ...(wanted.keep ? { keepVariant: wanted.keep } : {}),
    }
    const result = await decode(target, task, requester)
    if (result.kept !== undefined) return result.kept
    if (wanted.keep && result.notKept !== undefined) logRefused(wanted.keep.root, result.notKept)
    if (existsSync(target)) {
      void madeCache.added(target)
      return target
    }
    const reason = result.problems[0]?.reason ?? 'it could not be decoded'
    throw new Failure('notFound', sentence`Image not found: ${reason}`)
  }

  return {
    films,
    /** The cache of files made on demand. It must be notified of each use, and removes those not used for longest. */
    madeCache,
    looseRenditions: createLooseRenditions<QueueCaller>({ cache, decode }),
    /**
     * Path of the rendition in the cache (text), or of a variant in the variants path (bytes). Throws `notFound` with
     * the reason if the picture cannot be decoded, `unavailable` if the caller has waited too long in the queue.
     */
    async rendition(wanted: WantedRendition, requester: QueueCaller): Promise<string | Uint8Array> {
      const target = renditionPath(cache, wanted.content, wanted.size, wanted.format, wanted.rotation)
      return existsSync(target) ? target : make(wanted, target, requester)
    },
    /** Number of tasks given to the decode workers since the start. */
    count: () => count,
    async close() {
      clearInterval(hourly)
      films.close()
      await Promise.all([madeCache.close(), pools.signedIn.close(), pools.others.close()])
    },
  }
}

export type MediaOnDemand = ReturnType<typeof createMediaOnDemand>
