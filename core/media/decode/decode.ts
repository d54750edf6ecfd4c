/** Requests and results of the decode worker: plain data for messages between processes. */
import type { Metadata } from '../../metadata/metadata.ts'
import type { VariantPlace } from '../cache/kept-variant.ts'
import type { FixedSize, RenditionFormat, RenditionSize, Rotation } from '../cache/renditions.ts'
import type { MediaKind, Problem } from '../media-problem.ts'

export interface DecodeTask {
  /** The absolute path as the file system's bytes: names need not be UTF-8. */
  path: Uint8Array
  /** File name, whose extension helps to recognize the format. */
  name: string
  kind: MediaKind
  /** Directory of the rendition cache. */
  cache: string
  /** The expected content key. Renditions are named by the computed one: no changed file gets another's pictures. */
  content?: string
  metadata: boolean
  pictureHash?: boolean
  /** Sizes to make if they are not cached yet. */
  sizes: FixedSize[]
  /** Compute thumbhash, perceptual hash and size even without renditions to make; making `tiny` includes them. */
  hashes?: boolean
  /** Format of the renditions; default: webp for the fixed sizes, jpeg for the variant. */
  format?: RenditionFormat
  rotation?: Rotation
  /** Also make the full-resolution rendition for browsers; for pictures only: `transcodeVideo` is for films. */
  variant?: boolean
  /** Where to keep the variant, a JPEG of the file, instead of in the cache; only if `content` is as expected. */
  keepVariant?: VariantPlace
  /** Set by the pool: the process has other files in progress, and must not be ended because of this file. */
  shared?: true
}

export interface DecodeResult {
  /** Key of the content (content-key.ts); absent only if the file could not be read. */
  content?: string
  size?: number
  /** Hash of the picture data (picture-hash.ts), if it was requested. */
  pictureHash?: number
  /** Kind and type according to the bytes (a .jpg may contain a PNG); absent if it is not a media file. */
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
  /** Absolute path of the variant, if it was kept in the variants path instead of the cache. */
  kept?: Uint8Array
  /** The file is a drawing (SVG), and was not drawn because the task is `shared`: drawings need a separate process. */
  isDrawing?: true
  /** Why the variant could not be kept in the variants path: it is in the cache. */
  notKept?: string
  problems: Problem[]
}
