/** Which state of a file somebody has seen: told with its bytes, and sent back with what he makes of them. */
import type { PlaceFacts } from '../files/disk.ts'

type State = Pick<PlaceFacts, 'size' | 'mtimeSeconds' | 'mtimeNanoseconds'>

/** The beginning of the file's ETag; another one as soon as the file is. */
export function versionOf({ size, mtimeSeconds, mtimeNanoseconds }: State): string {
  return `${size}-${mtimeSeconds}.${mtimeNanoseconds}`
}

/** `tag`: an ETag as it came, also one that a server on the way has made weak. */
export function isOfVersion(now: State, tag: string): boolean {
  const told = tag.replace(/^W\//, '').replaceAll('"', '')
  return told === versionOf(now) || told.startsWith(`${versionOf(now)}-`)
}
