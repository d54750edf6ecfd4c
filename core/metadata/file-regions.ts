/** Putting together the regions that several writers left in one picture. */
import type { FileRegion } from './metadata.ts'

/** How names, keywords and the like are compared: case and the ways of composing accents make no difference. */
export function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/**
 * The first list, and those of the second whose names it lacks: where both speak of somebody, the first is believed.
 * Faces without a name are taken from the second list only when the first has no region at all.
 */
export function uniteRegions(first: readonly FileRegion[], second: readonly FileRegion[]): FileRegion[] {
  const known = new Set(first.map(region => `${region.kind} ${comparable(region.name)}`))
  const added = second.filter(region =>
    region.name === '' ? first.length === 0 : !known.has(`${region.kind} ${comparable(region.name)}`),
  )
  return [...first, ...added]
}
