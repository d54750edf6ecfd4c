/** Processes one file in the decode worker: opens it once, computes its key, reads, decodes and renders it. */
import { constants, existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { reasonOf } from '../../../schema/errors.ts'
import { type ByteSource, memorySource } from '../../metadata/byte-source.ts'
import { fromFfprobe } from '../../metadata/ffprobe.ts'
import { descriptorSource } from '../../metadata/file-source.ts'
import { type Metadata, noMetadata } from '../../metadata/metadata.ts'
import { readMediaMetadata } from '../../metadata/read.ts'
import { isStorageFailure, markedJpeg, storeVariant } from '../cache/kept-variant.ts'
import { type RenditionSize, type Rotation, renditionPath } from '../cache/renditions.ts'
import { CacheError, putFile } from '../cache/write-file.ts'
import { type Sniffed, sniff, sniffLength } from '../formats/sniff.ts'
import { MediaProblem } from '../media-problem.ts'
import type { ToolInput, VideoTools } from '../video/tools.ts'
import { filmTraits, posterFrame, probeVideo } from '../video/video.ts'
import { contentKeyOf, contentKeyOfFile } from './content-key.ts'
import type { DecodeResult, DecodeTask } from './decode.ts'
import type { Pixels } from './fingerprints.ts'
import { type OpenPicture, openPicture } from './open-picture.ts'
import { sizeAfter, uprighting } from './orientation.ts'
import { pictureHashOf } from './picture-hash.ts'
import { makeRenditions, picturePixels } from './pictures.ts'

export interface DecodeEnvironment {
  tools: VideoTools
  /** Runs memory-intensive work, one at a time. */
  runAlone: <T>(work: () => Promise<T>) => Promise<T>
}

/** Files up to this size are read as a whole; of larger ones only the needed parts. */
const maxReadWhole = 64 * 1024 * 1024
/** Pictures with more pixels than this are decoded one at a time. */
const manyPixels = 50_000_000

/** Processes one task. Errors of the file are in the result's `problems`; throws only CacheError. */
export async function decodeFile(task: DecodeTask, environment: DecodeEnvironment): Promise<DecodeResult> {
  const result: DecodeResult = { made: [], problems: [] }
  let file: FileHandle
  try {
    file = await openRegular(task.path)
  } catch (error) {
    result.problems.push({ code: 'unreadable', reason: whyUnreadable(error) })
    return result
  }
  try {
    await processFile(task, file, environment, result)
  } catch (error) {
    if (error instanceof CacheError) throw error
    if (error instanceof MediaProblem) result.problems.push({ code: error.code, reason: error.message })
    else result.problems.push({ code: 'undecodable', reason: reasonOf(error) })
  } finally {
    await file.close()
  }
  return result
}

/** The RGB pixels of a picture's file, and its content key, for image analysis. Throws MediaProblem. */
export async function pixelsOfFile(
  { path, name }: Pick<DecodeTask, 'path' | 'name'>,
  { edge, rotation, tools }: { edge: number; rotation: Rotation; tools: VideoTools },
): Promise<{ content: string; pixels: Pixels }> {
  const file = await openRegular(path).catch(error => {
    throw error instanceof MediaProblem ? error : new MediaProblem('unreadable', whyUnreadable(error), error)
  })
  try {
    const { source, content } = await readContent(file)
    const sniffed = source.size === 0 ? null : sniff(source.read(0, sniffLength), name)
    if (sniffed?.kind !== 'image') throw new MediaProblem('not-media', 'This is no picture')
    const metadata = metadataOf(source, { problems: [] })
    const picture = await openPicture({ source, sniffed, metadata, input: { fd: file.fd, path }, tools })
    return { content, pixels: await picturePixels(picture, edge, rotation) }
  } finally {
    await file.close()
  }
}

async function openRegular(path: Uint8Array): Promise<FileHandle> {
  // Without O_NONBLOCK opening a FIFO would wait for a writer.
  const file = await open(Buffer.from(path), constants.O_RDONLY | constants.O_NONBLOCK)
  const stat = await file.stat()
  if (stat.isFile()) return file
  await file.close()
  throw new MediaProblem('unreadable', 'It is not a regular file')
}

const systemReasons: Record<string, string> = {
  ENOENT: 'The file is no longer there',
  EACCES: 'There is no permission to read it',
  EPERM: 'There is no permission to read it',
  EIO: 'The disk reports a read error',
  EISDIR: 'It is a directory',
  ELOOP: 'Its links lead in a circle',
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return systemReasons[code] ?? reasonOf(error)
}

async function processFile(task: DecodeTask, file: FileHandle, environment: DecodeEnvironment, result: DecodeResult) {
  const { source, content } = await readContent(file)
  result.size = source.size
  result.content = content
  if (source.size === 0) throw new MediaProblem('empty', 'The file is empty')
  const sniffed = sniff(source.read(0, sniffLength), task.name)
  if (sniffed === null) throw new MediaProblem('not-media', 'This is neither a picture nor a video')
  result.kind = sniffed.kind
  result.mime = sniffed.mime
  const metadata = metadataOf(source, result)
  if (task.metadata) result.metadata = metadata
  if (task.pictureHash === true) result.pictureHash = pictureHashOf(source)
  const input = { fd: file.fd, path: task.path }
  if (sniffed.kind === 'image') await processPicture({ source, sniffed, metadata, input, task, environment, result })
  else await processFilm({ source, sniffed, metadata, input, task, environment, result })
}

/** The file's bytes and their key; a small file is read into memory. */
async function readContent(file: FileHandle): Promise<{ source: ByteSource; content: string }> {
  const { size } = await file.stat()
  try {
    if (size > maxReadWhole)
      return { source: descriptorSource(file.fd, size), content: contentKeyOfFile(file.fd, size) }
    const bytes = Buffer.allocUnsafe(size)
    for (let filled = 0; filled < size; ) {
      const { bytesRead } = await file.read(bytes, filled, size - filled, filled)
      if (bytesRead === 0) throw new Error('The file became shorter while it was read')
      filled += bytesRead
    }
    return { source: memorySource(bytes), content: contentKeyOf(bytes) }
  } catch (error) {
    throw new MediaProblem('unreadable', whyUnreadable(error), error)
  }
}

/** Metadata is always read: decoding needs orientation, size and duration. */
function metadataOf(source: ByteSource, result: Pick<DecodeResult, 'problems'>): Metadata {
  try {
    return readMediaMetadata(source)
  } catch (error) {
    result.problems.push({ code: 'metadata', reason: `Its metadata cannot be read: ${reasonOf(error)}` })
    return noMetadata()
  }
}

interface FileInProgress {
  source: ByteSource
  sniffed: Sniffed
  metadata: Metadata
  input: ToolInput
  task: DecodeTask
  environment: DecodeEnvironment
  result: DecodeResult
}

async function processPicture(file: FileInProgress): Promise<void> {
  const { source, sniffed, metadata, input, environment, result, task } = file
  const { width = 0, height = 0 } = metadata
  // The metadata's size counts if nothing has to be decoded.
  if (width > 0 && height > 0)
    Object.assign(result, sizeAfter(uprighting(metadata.orientation ?? 1), { width, height }))
  const due = missingSizes(file)
  if (!due.any) return
  if (sniffed.type === 'svg' && task.shared === true) {
    result.isDrawing = true
    return
  }
  const decode = async () => {
    const picture = await openPicture({ source, sniffed, metadata, input, tools: environment.tools })
    await render(file, picture, task.variant === true && due.variant)
  }
  const isLarge = width * height > manyPixels || source.size > maxReadWhole
  await (isLarge ? environment.runAlone(decode) : decode())
}

async function processFilm(file: FileInProgress): Promise<void> {
  const { input, environment, result, task } = file
  const { tools } = environment
  // Keepsake's reader handles most films; ffprobe is needed if it could not, or if the film may be HDR.
  const { duration, width, videoCodec } = file.metadata
  const isComplete = duration !== undefined && width !== undefined && videoCodec !== undefined
  const json =
    isComplete && !['hevc', 'av1', 'vp9', 'prores'].includes(videoCodec) ? null : await probeVideo(tools, input)
  const metadata = json === null ? file.metadata : withProbedDetails(file.metadata, fromFfprobe(json))
  if (task.metadata) result.metadata = metadata
  if (metadata.width && metadata.height) {
    const turned = metadata.videoRotation === 90 || metadata.videoRotation === 270
    result.width = turned ? metadata.height : metadata.width
    result.height = turned ? metadata.width : metadata.height
  }
  if (!missingSizes(file).any) return
  const traits = { ...filmTraits(json), duration: metadata.duration ?? 0 }
  const frame = await posterFrame(tools, input, traits)
  const { width: statedWidth = frame.width, height = frame.height } = result
  await render(file, { input: frame, width: frame.width, height: frame.height, orientation: 1 }, false)
  // The frame may have been scaled down, but it has the right proportions even if pixels are not square.
  const shape = frame.width / frame.height
  const isSquare = Math.abs(statedWidth / height / shape - 1) < oblongFrom
  Object.assign(result, { width: isSquare ? statedWidth : Math.round(height * shape), height })
}

/** In practice non-square pixels differ by at least 7 %; a smaller difference is rounding. */
const oblongFrom = 0.04

/** Adds details from ffprobe that Keepsake's reader did not find. */
function withProbedDetails(metadata: Metadata, probed: Partial<Metadata>): Metadata {
  const defined = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined))
  return {
    ...metadata,
    ...probed,
    ...defined,
    dates: metadata.dates.length > 0 ? metadata.dates : (probed.dates ?? []),
    camera: { ...probed.camera, ...metadata.camera },
  }
}

/** Which renditions are missing, and whether anything has to be decoded; adds the existing ones to `made`. */
function missingSizes({ task, result, sniffed }: FileInProgress) {
  const isThere = (size: RenditionSize) => existsSync(pathOf(task, result, size))
  const there = task.sizes.filter(isThere)
  result.made.push(...there)
  const sizes = task.sizes.filter(size => !there.includes(size))
  const wantsVariant = task.variant === true && sniffed.kind === 'image'
  const variant = wantsVariant && !isThere('variant')
  if (wantsVariant && !variant) result.made.push('variant')
  return { sizes, variant, any: sizes.length > 0 || variant || task.hashes === true }
}

function pathOf(task: DecodeTask, { content = '' }: DecodeResult, size: RenditionSize): string {
  return renditionPath(task.cache, content, size, task.format, task.rotation)
}

/** Writes a variant to the variants path if requested; false if it has to go into the cache. */
async function storeJpeg(task: DecodeTask, result: DecodeResult, jpeg: Uint8Array): Promise<boolean> {
  const { keepVariant: place, content, format = 'jpeg', rotation = 0 } = task
  if (place === undefined || content === undefined || content !== result.content) return false
  if (format !== 'jpeg' || rotation !== 0) return false
  try {
    result.kept = await storeVariant(place, 'image', content, markedJpeg(jpeg, content))
    return true
  } catch (error) {
    if (isStorageFailure(error)) result.notKept = reasonOf(error)
    return false
  }
}

async function render(
  { task, result, metadata, sniffed }: FileInProgress,
  picture: OpenPicture,
  variant: boolean,
): Promise<void> {
  const sizes = task.sizes.filter(size => !result.made.includes(size))
  const rendered = await makeRenditions(picture, {
    sizes,
    variant,
    format: task.format,
    rotation: task.rotation,
    hashes: task.hashes === true || sizes.includes('tiny'),
    put: async (size, bytes) => {
      if (size === 'variant' && (await storeJpeg(task, result, bytes))) return
      await putFile(task.cache, pathOf(task, result, size), bytes)
    },
  })
  const made = rendered.made.filter(size => size !== 'variant' || result.kept === undefined)
  result.made.push(...made)
  const { damage, width, height, thumbhash, phash } = rendered
  if (thumbhash !== undefined) Object.assign(result, { thumbhash, phash })
  if (picture.frames !== undefined) result.frames = picture.frames
  // The size of a raw file is that of its sensor's picture; the preview is often smaller.
  const isPreview = sniffed.type === 'raw' && metadata.width !== undefined && metadata.width > picture.width
  if (!isPreview) Object.assign(result, { width, height })
  if (damage !== undefined) result.problems.push({ code: 'damaged', reason: damage })
}
