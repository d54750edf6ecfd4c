/**
 * Makes the renditions of a picture: one decode, from which every missing size is scaled down in turn, and another for
 * the variant. All are stills: browsers animate the original; an animated copy multiplies time and bytes by its frames.
 */

import {
  defaultFormat,
  type FixedSize,
  fixedSizes,
  longestEdge,
  type RenditionFormat,
  type RenditionSize,
  type Rotation,
} from '../cache/renditions.ts'
import { CacheError } from '../cache/write-file.ts'
import { MediaProblem } from '../media-problem.ts'
import { type Pixels, perceptualHashOf, thumbhashOf } from './fingerprints.ts'
import type { OpenPicture } from './open-picture.ts'
import { sizeAfter, uprighting } from './orientation.ts'
import { loadSharp, maxPixels, type Sharp, sharpReason } from './sharp.ts'

export interface WantedRenditions {
  sizes: readonly FixedSize[]
  /** Format of the sizes (default: webp) and of the variant (default: jpeg). */
  format?: RenditionFormat
  rotation?: Rotation
  variant?: boolean
  hashes: boolean
  /** Called with each finished rendition. */
  put: (size: RenditionSize, bytes: Uint8Array) => Promise<void>
}

export interface MadeRenditions {
  /** Width of the upright picture. */
  width: number
  height: number
  thumbhash?: string
  phash?: string
  made: RenditionSize[]
  /** Why the picture is imperfect, if it could only be decoded leniently. */
  damage?: string
}

/** Time limit for decoding, in seconds; twice as much for a variant. */
const timeLimit = 60

/**
 * Makes the requested renditions. A picture that sharp refuses is decoded leniently, and then counts as damaged. Throws
 * MediaProblem if nothing can be shown, and errors of `put` (CacheError).
 */
export async function makeRenditions(picture: OpenPicture, wanted: WantedRenditions): Promise<MadeRenditions> {
  const sharp = await loadSharp()
  try {
    return await attempt(sharp, picture, wanted, 'error')
  } catch (error) {
    const reason = sharpReason(error)
    if (error instanceof MediaProblem || error instanceof CacheError) throw error
    if (/timeout/i.test(reason)) throw new MediaProblem('timeout', `Not decoded within ${timeLimit} seconds`, error)
    if (/pixel limit|too large/i.test(reason)) throw new MediaProblem('too-large', reason, error)
    // Drawings have no lenient mode: another attempt would only take as long again.
    if (picture.vector) throw new MediaProblem('undecodable', reason, error)
    try {
      return { ...(await attempt(sharp, picture, wanted, 'none')), damage: reason }
    } catch (again) {
      if (again instanceof CacheError) throw again
      throw new MediaProblem('undecodable', sharpReason(again), again)
    }
  }
}

async function attempt(
  sharp: Sharp,
  picture: OpenPicture,
  wanted: WantedRenditions,
  failOn: 'error' | 'none',
): Promise<MadeRenditions> {
  const upright = sizeAfter(uprighting(picture.orientation), picture)
  const result: MadeRenditions = { ...upright, made: [] }
  const due = fixedSizes.filter(size => wanted.sizes.includes(size)).reverse()
  if (wanted.variant) {
    await wanted.put('variant', await encodeVariant(sharp, picture, wanted, failOn))
    result.made.push('variant')
  }
  const [largest] = due
  if (largest === undefined && !wanted.hashes) return result
  let pixels = await decode(sharp, picture, longestEdge[largest ?? 'tiny'], wanted.rotation ?? 0, failOn)
  for (const size of due) {
    pixels = await scaled(sharp, pixels, longestEdge[size])
    await wanted.put(size, await encode(fromPixels(sharp, pixels), size, wanted.format ?? defaultFormat(size)))
    result.made.push(size)
  }
  // Hashes are computed from the upright picture, without the Rotation property.
  if (wanted.hashes && (wanted.rotation ?? 0) === 0) {
    const small = await scaled(sharp, pixels, longestEdge.tiny)
    result.thumbhash = thumbhashOf(small)
    result.phash = perceptualHashOf(small)
  }
  return result
}

/** Upright sRGB pixels for image analysis, rotated further by `rotation`; transparent parts are white. */
export async function picturePixels(picture: OpenPicture, edge: number, rotation: Rotation): Promise<Pixels> {
  const sharp = await loadSharp()
  const decoded = await decode(sharp, picture, edge, rotation, 'none')
  if (decoded.channels === 3) return decoded
  return toPixels(fromPixels(sharp, decoded).flatten({ background: 'white' }))
}

function pipeline(sharp: Sharp, { input, vector, ...natural }: OpenPicture, edge: number, failOn: 'error' | 'none') {
  const options = { limitInputPixels: maxPixels, failOn }
  if (!(input instanceof Uint8Array)) return fromPixels(sharp, input)
  if (!vector) return sharp(input, options)
  // Drawings are rendered at the wanted size; their natural size is at 72 dots per inch.
  const density = (72 * edge) / Math.max(natural.width, natural.height)
  return sharp(input, { ...options, density: Math.min(20_000, Math.max(1, density)) })
}

function fromPixels(sharp: Sharp, { data, width, height, channels }: Pixels) {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: maxPixels })
}

/** Upright sRGB pixels, rotated by `rotation`, at most `edge` on the longer side; decoders of JPEG and WebP scale them. */
async function decode(
  sharp: Sharp,
  picture: OpenPicture,
  edge: number,
  rotation: Rotation,
  failOn: 'error' | 'none',
): Promise<Pixels> {
  const { mirror, rotation: clockwise } = uprighting(picture.orientation, rotation)
  const scaledDown = pipeline(sharp, picture, edge, failOn)
    .timeout({ seconds: timeLimit })
    .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
  if (mirror) scaledDown.flop()
  if (clockwise !== 0) scaledDown.rotate(clockwise)
  return toPixels(scaledDown)
}

async function scaled(sharp: Sharp, pixels: Pixels, edge: number): Promise<Pixels> {
  if (Math.max(pixels.width, pixels.height) <= edge) return pixels
  return toPixels(fromPixels(sharp, pixels).resize(edge, edge, { fit: 'inside' }))
}

async function toPixels(image: ReturnType<Sharp>): Promise<Pixels> {
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels === 3 || channels === 4) return { data, width, height, channels }
  return spreadGrey(data, width, height, channels === 2)
}

function spreadGrey(data: Uint8Array, width: number, height: number, hasAlpha: boolean): Pixels {
  const step = hasAlpha ? 2 : 1
  const channels = hasAlpha ? 4 : 3
  const spread = new Uint8Array(width * height * channels)
  for (let from = 0, to = 0; from < data.length; from += step, to += channels) {
    spread.fill(data[from] ?? 0, to, to + 3)
    if (hasAlpha) spread[to + 3] = data[from + 1] ?? 255
  }
  return { data: spread, width, height, channels }
}

/** Qualities as measured on detailed photographs: tiny, small and medium together stay under 130 KB. */
const quality = { tiny: 70, small: 76, medium: 75, large: 80, variant: 90 } as const

/**
 * WebP at effort 1 of 6: compared with 0 it saves a tenth of the bytes for a quarter more time; 2 saves no more at the
 * same quality, and from 3 on time doubles. `smartSubsample` costs three times as much for no visible gain.
 */
function encode(image: ReturnType<Sharp>, size: RenditionSize, format: RenditionFormat): Promise<Uint8Array> {
  const isVariant = size === 'variant'
  switch (format) {
    case 'webp':
      return image.webp({ quality: quality[size], effort: isVariant ? 2 : 1 }).toBuffer()
    case 'jpeg':
      return image.flatten({ background: 'white' }).jpeg({ quality: quality[size] }).toBuffer()
    case 'avif':
      return image.avif({ quality: isVariant ? 75 : 55, effort: 2 }).toBuffer()
    case 'png':
      return image.png({ compressionLevel: 6 }).toBuffer()
  }
}

const maxEdge: Record<RenditionFormat, number> = { webp: 16_383, jpeg: 65_500, avif: 16_384, png: 65_500 }
/** Longest edge of the variant of a drawing, which has no full resolution: enough for any screen. */
const vectorEdge = 4096

/** Encodes a variant without the metadata of the file: positions, names, thumbnails. */
async function encodeVariant(
  sharp: Sharp,
  picture: OpenPicture,
  wanted: WantedRenditions,
  failOn: 'error' | 'none',
): Promise<Uint8Array> {
  const format = wanted.format ?? defaultFormat('variant')
  const { mirror, rotation } = uprighting(picture.orientation, wanted.rotation)
  const edge = maxEdge[format]
  const image = pipeline(sharp, picture, vectorEdge, failOn)
    .timeout({ seconds: timeLimit * 2 })
    .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
  if (mirror) image.flop()
  if (rotation !== 0) image.rotate(rotation)
  return encode(image, 'variant', format)
}
