/** Which of a test's own files this process has open. */
import { existsSync, readdirSync, readlinkSync } from 'node:fs'

/**
 * Paths of the open files and directories that are in `root`; empty where the system does not list them. Only these
 * belong to the test: other descriptors of the process can open and close at any time. For example, a library that an
 * earlier test file left open closes three descriptors when its database is garbage-collected.
 */
export function openPathsIn(root: string): string[] {
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
    // The descriptor that read the list is closed by now.
    return null
  }
}
