/** The sizes a picture is shown in, and where their files lie in the cache. */
import { join } from 'node:path'

/** Longest edge in pixels of each fixed size (decisions §5); never enlarged. */
export const longestEdge = { tiny: 160, small: 480, medium: 960, large: 2048 } as const
export type FixedSize = keyof typeof longestEdge
export const fixedSizes = ['tiny', 'small', 'medium', 'large'] as const satisfies readonly FixedSize[]
/** A fixed size, or the picture in full resolution in a format that every browser shows. */
export type RenditionSize = FixedSize | 'variant'

/** Formats a caller may ask a rendition in. */
export const renditionFormats = ['webp', 'jpeg', 'avif', 'png'] as const
export type RenditionFormat = (typeof renditionFormats)[number]

/** Clockwise turns that the Rotation property adds to the file's own orientation. */
export type Turn = 0 | 90 | 180 | 270

/** The format a rendition has when nobody asks for another: small files, or what even old programs open. */
export function defaultFormat(size: RenditionSize): RenditionFormat {
  return size === 'variant' ? 'jpeg' : 'webp'
}

/**
 * Path of a rendition below the cache directory. `content` is the content key of the file, so that a moved file keeps its
 * renditions. Its first three digits spread the files over 4,096 directories: some hundred files in each at 100,000
 * photos, where two levels of 256 would cost a directory (and its 4 KB) for nearly every photo.
 */
export function renditionPath(
  cache: string,
  content: string,
  size: RenditionSize,
  format: RenditionFormat | 'mp4' = defaultFormat(size),
  turn: Turn = 0,
): string {
  const turned = turn === 0 ? '' : `-${turn}`
  return join(cache, 'renditions', content.slice(0, 3), `${content}-${size}${turned}.${format}`)
}
