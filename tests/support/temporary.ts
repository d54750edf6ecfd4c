/** Temporary directories, removed after the tests. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
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
