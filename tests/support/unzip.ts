/** Unpacks created archives with another program. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The text of each file by its path; empty folders end with '/' and have the text ''. */
export function unzip(bytes: Uint8Array): Record<string, string> {
  const directory = mkdtempSync(join(tmpdir(), 'keepsake-test-zip-'))
  try {
    writeFileSync(join(directory, 'a.zip'), bytes)
    const done = Bun.spawnSync(['unzip', '-q', 'a.zip', '-d', 'out'], { cwd: directory })
    if (done.exitCode !== 0) throw new Error(`unzip: ${done.stderr.toString()}`)
    const out = join(directory, 'out')
    const found: Record<string, string> = {}
    for (const path of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
      const isFolder = statSync(join(out, path)).isDirectory()
      if (!isFolder) found[path] = readFileSync(join(out, path), 'utf8')
      else if (readdirSync(join(out, path)).length === 0) found[`${path}/`] = ''
    }
    return found
  } finally {
    rmSync(directory, { recursive: true })
  }
}
