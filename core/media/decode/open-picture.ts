/** Converts every kind of picture into a form for sharp, with the remaining rotation. */
import type { ByteSource } from '../../metadata/byte-source.ts'
import type { Metadata } from '../../metadata/metadata.ts'
import { decodeHeif } from '../formats/heif.ts'
import { decodeJxl } from '../formats/jxl.ts'
import { findPreview } from '../formats/raw-preview.ts'
import type { Sniffed } from '../formats/sniff.ts'
import { MediaProblem } from '../media-problem.ts'
import type { ToolInput, VideoTools } from '../video/tools.ts'
import { decodeStill } from '../video/video.ts'
import type { Pixels } from './fingerprints.ts'
import { loadSharp, maxPixels, type Sharp, sharpReason } from './sharp.ts'

/** A picture that sharp can read, from a file or from pixels. */
export interface OpenPicture {
  input: Uint8Array | Pixels
  /** Stored width and height in pixels, before `orientation`. */
  width: number
  height: number
  /** EXIF orientation that is still to be applied, 1–8. */
  orientation: number
  frames?: number
  /** Whether it is a vector graphic, which is drawn at the wanted size. */
  vector?: true
}

export interface PictureFile {
  source: ByteSource
  sniffed: Sniffed
  metadata: Metadata
  /** The same file as input of ffmpeg, for the formats that only ffmpeg decodes. */
  input: ToolInput
  tools: VideoTools
}

/** Larger files (except raw ones) are refused, because pictures are decoded in memory. */
const maxFileBytes = 1024 * 1024 * 1024

/** Opens a picture with as little decoding as its format allows: none for sharp's own formats. Throws MediaProblem. */
export async function openPicture(file: PictureFile): Promise<OpenPicture> {
  const { source, sniffed, metadata } = file
  requireAllowedPixels(metadata.width ?? 0, metadata.height ?? 0)
  if (sniffed.type === 'raw') return openRaw(file)
  if (source.size > maxFileBytes)
    throw new MediaProblem('too-large', `A picture file of ${source.size} bytes is too large`)
  const bytes = source.read(0, source.size)
  switch (sniffed.type) {
    case 'heic':
      return { ...(await decodeHeif(bytes)), orientation: 1 }
    case 'jxl':
      return fromPixels(await decodeJxl(bytes))
    case 'bmp':
    case 'jp2':
    case 'psd':
      return fromPixels(await decodeStill(file.tools, file.input))
    default:
      return openNative(bytes, file)
  }
}

function fromPixels(pixels: Pixels): OpenPicture {
  return { input: pixels, width: pixels.width, height: pixels.height, orientation: 1 }
}

function requireAllowedPixels(width: number, height: number): void {
  if (width * height > maxPixels) throw new MediaProblem('too-large', `${width} × ${height} pixels are too many`)
}

/** Maximum number of bytes that a decoder may need for formats that can only be decoded as a whole. */
const maxHeld = 400 * 1024 * 1024

type Header = Awaited<ReturnType<typeof headerOf>>

/** Bytes per pixel that a decoder needs for the whole picture; 0 if it reads rows, or scales while decoding. */
function bytesPerPixel({ format, isProgressive = false, chromaSubsampling, channels = 3, depth }: Header): number {
  if (format === 'gif') return 4
  if (!isProgressive) return 0
  if (format === 'png') return channels * (depth === 'ushort' ? 2 : 1)
  if (format !== 'jpeg') return 0
  // Coefficients of two bytes, fewer for subsampled colours.
  return 2 * (chromaSubsampling?.startsWith('4:2:0') ? 1.5 : chromaSubsampling?.startsWith('4:2:2') ? 2 : channels)
}

function requireAllowedMemory(header: Header): void {
  const { width, height } = header
  if (width * height * bytesPerPixel(header) <= maxHeld) return
  const reason = `${width} × ${height} pixels are too many for a picture that is only decoded as a whole`
  throw new MediaProblem('too-large', reason)
}

async function openNative(bytes: Uint8Array, { sniffed, metadata }: PictureFile): Promise<OpenPicture> {
  const sharp = await loadSharp()
  const header = await headerOf(sharp, bytes)
  requireAllowedPixels(header.width, header.height)
  requireAllowedMemory(header)
  // AVIF is rotated by its decoder; other formats by the orientation that Keepsake's reader finds, XMP's included.
  const orientation = sniffed.type === 'avif' ? 1 : (metadata.orientation ?? header.orientation ?? 1)
  const picture: OpenPicture = { input: bytes, width: header.width, height: header.height, orientation }
  if (sniffed.type === 'svg') return { ...picture, orientation: 1, vector: true }
  // The pages of a TIFF are not an animation.
  const frames = sniffed.type === 'png' ? pngFrames(bytes) : sniffed.type === 'tiff' ? 1 : (header.pages ?? 1)
  return frames > 1 ? { ...picture, frames } : picture
}

/** Reads the header leniently: damage is reported when the picture is decoded. */
async function headerOf(sharp: Sharp, bytes: Uint8Array) {
  try {
    return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'none' }).metadata()
  } catch (error) {
    const reason = sharpReason(error)
    throw new MediaProblem(/pixel limit/i.test(reason) ? 'too-large' : 'undecodable', reason, error)
  }
}

/** Number of frames of a PNG; an animated one has a chunk for it before the first picture data. */
function pngFrames(bytes: Uint8Array): number {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64 * 1024))
  const at = head.indexOf('acTL', 8, 'latin1')
  const data = head.indexOf('IDAT', 8, 'latin1')
  return at > 0 && at + 8 <= head.length && (data < 0 || at < data) ? head.readUInt32BE(at + 4) : 1
}

async function openRaw(file: PictureFile): Promise<OpenPicture> {
  const { source, metadata } = file
  const preview = findPreview(source)
  if (preview !== null) {
    const { bytes, width, height } = preview
    requireAllowedPixels(width, height)
    return { input: bytes, width, height, orientation: metadata.orientation ?? 1 }
  }
  // Some DNGs have, instead of a JPEG, a small picture as plain TIFF rows in their first directory.
  try {
    return await openNative(source.read(0, Math.min(source.size, maxFileBytes)), file)
  } catch (error) {
    throw new MediaProblem('unsupported', 'This raw file has no preview picture inside', error)
  }
}
