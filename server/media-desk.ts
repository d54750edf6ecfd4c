/** Makes renditions that are asked for before a scan has made them: once each, however many ask at the same time. */
import { existsSync } from 'node:fs'
import type { Library } from '../core/library.ts'
import type { MediaKind } from '../core/media/decode.ts'
import type { VariantPlace } from '../core/media/kept-variant.ts'
import { createLooseRenditions } from '../core/media/loose-renditions.ts'
import { type FixedSize, type RenditionFormat, renditionPath, type Turn } from '../core/media/renditions.ts'
import { Failure } from '../schema/errors.ts'
import { createFilms } from './films.ts'

export interface WantedRendition {
  /** Absolute path of the item's main file, as bytes. */
  path: Uint8Array
  name: string
  kind: MediaKind
  content: string
  size: FixedSize | 'variant'
  format: RenditionFormat
  turn: Turn
  /** Of a variant: keep it there where the disk lets us, rather than in the cache. */
  keep?: VariantPlace | null
}

/** More than this waiting means that the machine cannot keep up: the next one is told to come back. */
const mostWaiting = 200

export function createMediaDesk(library: Library) {
  const { cache, log } = library
  const pool = library.openPool(false)
  const films = createFilms(library)
  const making = new Map<string, Promise<string | Uint8Array>>()
  /** Variants paths that did not take what was to be kept there: told once each. */
  const refusing = new Set<string>()
  let next = 1
  let count = 0

  function tellRefused(path: string, reason: string) {
    if (refusing.has(path)) return
    refusing.add(path)
    log.warn('variants cannot be kept in the variants path; the cache has them', { path, reason })
  }

  async function make(wanted: WantedRendition, target: string): Promise<string | Uint8Array> {
    count++
    const result = await pool.decode({
      id: next++,
      path: wanted.path,
      name: wanted.name,
      kind: wanted.kind,
      cache,
      content: wanted.content,
      metadata: false,
      sizes: wanted.size === 'variant' ? [] : [wanted.size],
      variant: wanted.size === 'variant',
      format: wanted.format,
      turn: wanted.turn,
      ...(wanted.keep ? { keepVariant: wanted.keep } : {}),
    })
    if (result.kept !== undefined) return result.kept
    if (wanted.keep && result.notKept !== undefined) tellRefused(wanted.keep.root, result.notKept)
    if (existsSync(target)) return target
    const reason = result.problems[0]?.reason ?? 'it could not be decoded'
    throw new Failure('notFound', `Image not found: ${reason}`)
  }

  return {
    films,
    /** Pictures of files that are no items. */
    loose: createLooseRenditions({ cache, pool }),
    /**
     * Path of the rendition in the cache, or of a variant in the variants path (bytes); `notFound` with the reason when the
     * picture cannot be decoded.
     */
    async rendition(wanted: WantedRendition): Promise<string | Uint8Array> {
      const target = renditionPath(cache, wanted.content, wanted.size, wanted.format, wanted.turn)
      if (existsSync(target)) return target
      const already = making.get(target)
      if (already !== undefined) return already
      if (making.size >= mostWaiting)
        throw new Failure('unavailable', 'Too many pictures are being made.', { retryAfter: 5 })
      const made = make(wanted, target).finally(() => making.delete(target))
      making.set(target, made)
      return made
    },
    /** How many renditions were asked of the decode workers since the start. */
    made: () => count,
    close() {
      films.close()
      return pool.close()
    },
  }
}

export type MediaDesk = ReturnType<typeof createMediaDesk>
