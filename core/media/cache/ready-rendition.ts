/** Finds an existing rendition of an item. */
import { existsSync } from 'node:fs'
import { type FixedSize, type Rotation, renditionPath, rotationFrom } from './renditions.ts'

/** Path of a rendition and the remaining rotation; null if none exists yet. */
export function readyRendition(
  cache: string,
  { content, rotation: degrees }: { content: string; rotation: number },
  size: FixedSize,
): { path: string; rotation: Rotation } | null {
  const rotation = rotationFrom(degrees)
  const rotated = renditionPath(cache, content, size, 'webp', rotation)
  if (existsSync(rotated)) return { path: rotated, rotation: 0 }
  const upright = renditionPath(cache, content, size, 'webp')
  return existsSync(upright) ? { path: upright, rotation } : null
}
