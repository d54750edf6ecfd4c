/** Merges the regions that several programs wrote for one picture. */
import type { FileRegion } from './metadata.ts'

/** A form of names and keywords for comparing: NFC, ignoring case. */
export function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** The first list, and regions of the second with other names; unnamed faces of the second only if the first is empty. */
export function uniteRegions(first: readonly FileRegion[], second: readonly FileRegion[]): FileRegion[] {
  const known = new Set(first.map(region => `${region.kind} ${comparable(region.name)}`))
  const added = second.filter(region =>
    region.name === '' ? first.length === 0 : !known.has(`${region.kind} ${comparable(region.name)}`),
  )
  return [...first, ...added]
}
