/** Requests and results of the decode worker: plain data for messages between processes. */
import type { Metadata } from '../../metadata/metadata.ts'
import type { VariantPlace } from '../cache/kept-variant.ts'
import type { FixedSize, RenditionFormat, RenditionSize, Turn } from '../cache/renditions.ts'
import type { MediaKind, Problem } from '../media-problem.ts'

export interface DecodeTask {
  /** The absolute path as the file system's bytes: names need not be UTF-8. */
  path: Uint8Array
  /** File name for display and for its date. */
  name: string
  kind: MediaKind
  /** Directory of the rendition cache. */
  cache: string
  /**
   * The expected content key of the file. It is computed from the bytes in any case, and renditions are named by the
   * computed one: a changed file never gets another's pictures. Compare with `DecodeResult.content`.
   */
  content?: string
  metadata: boolean
  pictureHash?: boolean
  /** Sizes to make where they are not cached yet. */
  sizes: FixedSize[]
  /** Compute thumbhash, perceptual hash and size even without renditions to make; with `tiny` they are included. */
  hashes?: boolean
  /** Of the fixed sizes (webp) and of the variant (jpeg). */
  format?: RenditionFormat
  turn?: Turn
  /** Also make the full-resolution rendition for browsers; for pictures only: `transcodeVideo` is for films. */
  variant?: boolean
  /** Keep the variant, a JPEG of the file as it is, here rather than in the cache, if `content` is unchanged. */
  keepVariant?: VariantPlace
  /** Set by the pool: the process has other files in progress, and must not be ended because of this one. */
  shared?: true
}

export interface DecodeResult {
  /** Key of the content (content-key.ts); absent only when the file could not be read. */
  content?: string
  size?: number
  /** Hash of the picture data (picture-hash.ts), where it was requested. */
  pictureHash?: number
  /** True kind and type as sniffed from the bytes (a .jpg may hold a PNG); absent when it is no media file. */
  kind?: MediaKind
  mime?: string
  metadata?: Metadata
  /** Size of the upright picture (after the file's own orientation, before the Rotation property). */
  width?: number
  height?: number
  /** Frames of an animation; absent for stills. Renditions are stills: browsers animate the original. */
  frames?: number
  /** base64 of the thumbhash of the upright picture. */
  thumbhash?: string
  /** 64-bit perceptual hash of the upright picture as 16 hex digits (fingerprints.ts). */
  phash?: string
  /** Sizes that are now in the cache. */
  made: RenditionSize[]
  /** Absolute path of the variant that is kept in the variants path instead. */
  kept?: Uint8Array
  /** It is a drawing (SVG) and was not drawn, as the task is `shared`: it needs a process of its own. */
  isDrawing?: true
  /** Why it could not be kept there: it is in the cache. */
  notKept?: string
  problems: Problem[]
}
