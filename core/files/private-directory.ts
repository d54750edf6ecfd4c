/** Directories that fewer people may read than the rest of a collection. */
import { lstatSync, type Stats, statSync } from 'node:fs'
import { bytesOfText, componentsOf, joinPath } from './names.ts'

/** Permission bits for reading and entering: of the group and of all others. */
const reading = 0o055
const readingOfOthers = 0o005

/** Whether `dir`, or a directory between it and the root, admits fewer people than the root; skips missing ones. */
export function isPrivateDirectory(root: string | Uint8Array, dir: Uint8Array): boolean {
  const top = typeof root === 'string' ? bytesOfText(root) : Buffer.from(root)
  // A collection may be reached through a link, which has different permissions.
  const rootStats = statSync(top, { throwIfNoEntry: false })
  if (rootStats === undefined) return false
  const names = componentsOf(dir) ?? []
  return names.some((_, n) => {
    const found = lstatSync(joinPath(top, ...names.slice(0, n + 1)), { throwIfNoEntry: false })
    return found !== undefined && isClosedTo(found, rootStats)
  })
}

function isClosedTo(dir: Stats, root: Stats): boolean {
  const isOpen = (dir.mode & readingOfOthers) === readingOfOthers
  return (root.mode & reading & ~dir.mode) !== 0 || (dir.gid !== root.gid && !isOpen)
}
