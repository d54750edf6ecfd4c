/** Temporary directories, removed after the tests. */
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const created: string[] = []

// At the end of the process, not of a test: tests of a file may share a directory.
process.on('exit', () => {
  for (const path of created) rmSync(path, { recursive: true, force: true })
})

/** Creates a directory that is removed when the test process ends. */
export function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-test-')))
  created.push(path)
  return path
}

/** From now on, temporary directories are on the disk, because the web pages cannot create collections below /dev. */
export function temporaryOnDisk(): void {
  if (process.env.DISK_TMPDIR !== undefined) process.env.TMPDIR = process.env.DISK_TMPDIR
}

/** A directory on another file system than the temporary directories; null if there is none. */
export const otherDisk =
  ['/dev/shm', '/tmp', '/var/tmp'].find(path => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev) ??
  null
if (otherDisk === null) console.warn('SKIPPED: there is no other disk to move files to')
