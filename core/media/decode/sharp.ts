/** The only place that loads sharp: lazily, because it is native code, and with limits for untrusted files. */
import type sharpModule from 'sharp'
import { reasonOf } from '../../../schema/errors.ts'

export type Sharp = typeof sharpModule

/** Phones make pictures of 200 megapixels. Larger ones are maps, or made to exhaust the memory. */
export const maxPixels = 210_000_000

/** Only these loaders are allowed, and only from memory: by path, an SVG embeds files beside it. */
const loaders = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
  'VipsForeignLoadTiffBuffer',
  'VipsForeignLoadHeifBuffer',
  'VipsForeignLoadSvgBuffer',
]

let loaded: Promise<Sharp> | undefined

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  // As many pictures at once as there are cores, each on one thread: no thread waits for another.
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  return sharp
}

/** sharp, ready to use; the first call takes some 40 ms. */
export function loadSharp(): Promise<Sharp> {
  loaded ??= load()
  return loaded
}

/** Messages that say nothing about a file of known kind. */
const silent = new Set(['', 'Unknown error', 'Input buffer contains unsupported image format'])

/** sharp's message about a file as one sentence: libvips repeats itself over several lines, or gives no reason. */
export function sharpReason(error: unknown): string {
  const lines = reasonOf(error)
    .replace(/Input (?:buffer|file) has corrupt header:\s*/g, '')
    .split('\n')
    .map(line => line.replace(/^(?:(?:Vips\w+|vips\w+|\w+_buffer|tiff2vips|source|source input): )+/, '').trim())
  const [first = ''] = lines.filter(line => !silent.has(line))
  return first === '' ? 'The picture data are damaged' : first
}
