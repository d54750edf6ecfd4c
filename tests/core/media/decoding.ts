/** Helpers for tests that decode single files: directories, tasks and pixels. */
import { afterAll, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type RenditionSize, renditionPath } from '../../../core/media/cache/renditions.ts'
import type { DecodeResult, DecodeTask } from '../../../core/media/decode/decode.ts'
import { decodeFile } from '../../../core/media/decode/decode-file.ts'
import type { Pixels } from '../../../core/media/decode/fingerprints.ts'
import { loadSharp } from '../../../core/media/decode/sharp.ts'
import { findVideoTools, type VideoTools } from '../../../core/media/video/tools.ts'
import { mustNotSkip } from '../../support/samples.ts'

/** A temporary directory, removed after the file's tests. Also sets a timeout that is long enough for busy machines. */
export function workspace(): string {
  setDefaultTimeout(60_000)
  const directory = mkdtempSync(join(tmpdir(), 'keepsake-media-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export function put(directory: string, name: string, bytes: Uint8Array | string): string {
  const path = join(directory, name)
  writeFileSync(path, bytes)
  return path
}

export function taskFor(path: string, cache: string, more: Partial<DecodeTask> = {}): DecodeTask {
  const name = basename(path)
  return {
    path: Buffer.from(path),
    name,
    kind: 'image',
    cache,
    metadata: true,
    sizes: ['tiny', 'small'],
    ...more,
  }
}

export function decode(
  path: string,
  cache: string,
  more: Partial<DecodeTask> = {},
  tools: VideoTools = findVideoTools(),
): Promise<DecodeResult> {
  return decodeFile(taskFor(path, cache, more), { tools, runAlone: work => work() })
}

/** The pixels of a picture file: four channels if it has alpha, else three. */
export async function pixelsOf(path: string): Promise<Pixels> {
  const sharp = await loadSharp()
  const bytes = await Bun.file(path).bytes()
  const { data, info } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  if (info.channels !== 3 && info.channels !== 4) throw new Error(`${info.channels} channels`)
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** The path of a rendition of a decoded file. */
export function renditionOf(cache: string, result: DecodeResult, size: RenditionSize): string {
  return renditionPath(cache, result.content ?? 'none', size)
}

/** Colour at a place given in fractions of width and height. */
export function colourAt({ data, width, height, channels }: Pixels, x: number, y: number): number[] {
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * channels
  return [...data.subarray(at, at + channels)]
}

/** Mean difference of two pictures, 0–255; 255 if their sizes or channels differ. */
export function difference(a: Pixels, b: Pixels): number {
  if (a.width !== b.width || a.height !== b.height || a.channels !== b.channels) return 255
  let sum = 0
  for (let i = 0; i < a.data.length; i++) sum += Math.abs((a.data[i] ?? 0) - (b.data[i] ?? 0))
  return sum / a.data.length
}

/** A picture with red, green, blue and white quarters, so that every orientation differs. Three channels. */
export function quarters(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 3)
  const colours = [
    [220, 30, 30],
    [30, 200, 30],
    [30, 30, 220],
    [240, 240, 240],
  ]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = colours[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? []
      data.set(colour, (y * width + x) * 3)
    }
  }
  return { data, width, height, channels: 3 }
}

/** Tools for tests that need ffmpeg, or null with a warning if it is not installed. In CI it throws instead. */
export function videoTools(): VideoTools | null {
  const tools = findVideoTools()
  if (tools.ffmpeg !== null && tools.ffprobe !== null) return tools
  if (mustNotSkip()) throw new Error('ffmpeg is not installed')
  console.warn('skipped: tests of films, as ffmpeg is not installed')
  return null
}

/** How many of the 64 bits of two perceptual hashes differ. */
export function hashDistance(a: string, b: string): number {
  let differing = BigInt(`0x${a}`) ^ BigInt(`0x${b}`)
  let count = 0
  for (; differing > 0n; differing >>= 1n) count += Number(differing & 1n)
  return count
}
