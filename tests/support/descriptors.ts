/** What this process holds open of a test's own files. */
import { existsSync, readdirSync, readlinkSync } from 'node:fs'

/**
 * Paths of the open files and directories that are in `root`; none where the system does not tell. Only these are the
 * test's: everything else that the process has open may come and go at any time. A library that an earlier test file
 * left open, say, takes three descriptors with it when its database is collected as garbage.
 */
export function openWithin(root: string): string[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap(number => {
    const path = pathOf(number)
    // Removed files are listed as 'PATH (deleted)'.
    return path !== null && (path === root || path.startsWith(`${root}/`) || path === `${root} (deleted)`) ? [path] : []
  })
}

function pathOf(number: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${number}`)
  } catch {
    // The descriptor by which the list itself was read.
    return null
  }
}
