/** Sizes of pictures, and the paths of their files in the cache. */
import { join } from 'node:path'

/** Longest edge in pixels of each fixed size; pictures are never enlarged. */
export const longestEdge = { tiny: 160, small: 480, medium: 960, large: 2048 } as const
export type FixedSize = keyof typeof longestEdge
export const fixedSizes = ['tiny', 'small', 'medium', 'large'] as const satisfies readonly FixedSize[]
/** A fixed size, or the picture in full resolution in a format that every browser shows. */
export type RenditionSize = FixedSize | 'variant'

const renditionFormats = ['webp', 'jpeg', 'avif', 'png'] as const
export type RenditionFormat = (typeof renditionFormats)[number]

/** Clockwise rotations that the Rotation property adds to the file's own orientation. */
const rotations = [0, 90, 180, 270] as const
export type Rotation = (typeof rotations)[number]

/** The rotation for this many degrees, which may exceed a full turn; none if they are no multiple of 90. */
export function rotationFrom(degrees: number): Rotation {
  return rotations[(((degrees / 90) % 4) + 4) % 4] ?? 0
}

/** The default format: small files for fixed sizes; for a variant, one that even old programs open. */
export function defaultFormat(size: RenditionSize): RenditionFormat {
  return size === 'variant' ? 'jpeg' : 'webp'
}

/** Directory of renditions made on demand, whose size is limited (made-cache.ts). */
export function madeDirectory(cache: string): string {
  return join(cache, 'made')
}

/** Whether lists need this rendition. Such a file is never removed to make room. */
export function isAlwaysKept(name: string): boolean {
  return /-(?:tiny|small|medium)(?:-(?:90|180|270))?\.webp$/.test(name)
}

export function renditionDirectories(cache: string, content: string): string[] {
  return [join(cache, 'renditions'), madeDirectory(cache)].map(directory => join(directory, content.slice(0, 3)))
}

/**
 * Path of a rendition below the cache directory. `content` is the content key of the file, so that a moved file keeps
 * its renditions. The key's first three digits spread renditions over 4,096 directories: at 100,000 pictures, two
 * levels of 256 would cost a directory (4 KB) for nearly every picture.
 */
export function renditionPath(
  cache: string,
  content: string,
  size: RenditionSize,
  format: RenditionFormat | 'mp4' = defaultFormat(size),
  rotation: Rotation = 0,
): string {
  const suffix = rotation === 0 ? '' : `-${rotation}`
  const name = `${content}-${size}${suffix}.${format}`
  const directory = isAlwaysKept(name) ? join(cache, 'renditions') : madeDirectory(cache)
  return join(directory, content.slice(0, 3), name)
}
