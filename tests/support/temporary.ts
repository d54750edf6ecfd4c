/** Temporary directories that are gone after the test file. */
import { afterAll } from 'bun:test'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A fresh directory; removed when the test file ends. */
export function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-test-')))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return path
}
