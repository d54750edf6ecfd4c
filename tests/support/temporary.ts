/** Temporary directories that are gone after the tests. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

// At the end of the process, not of a test: what one test set up, others of its file may use.
process.on('exit', () => {
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

/** A fresh directory; removed when the test process ends. */
export function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-test-')))
  made.push(path)
  return path
}
