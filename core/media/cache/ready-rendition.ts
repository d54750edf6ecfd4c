/** Finds an existing rendition of an item. */
import { existsSync } from 'node:fs'
import { type FixedSize, type Rotation, renditionPath, rotationFrom } from './renditions.ts'

/** Path of a rendition and the remaining rotation; null if none exists yet. */
export function readyRendition(
  cache: string,
  { content, rotation }: { content: string; rotation: number },
  size: FixedSize,
): { path: string; turn: Rotation } | null {
  const turn = rotationFrom(rotation)
  const turned = renditionPath(cache, content, size, 'webp', turn)
  if (existsSync(turned)) return { path: turned, turn: 0 }
  const upright = renditionPath(cache, content, size, 'webp')
  return existsSync(upright) ? { path: upright, turn } : null
}
