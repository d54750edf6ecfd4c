/** Runs before every test file: no test may see or touch the user's library, settings or caches. */
import { afterAll, mock } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isCompiled, ownCommand } from '../../core/kernel/worker-command.ts'
import { ownProgram } from './command.ts'

/** Variables that are meant for the tests themselves. */
const forTests = new Set(['KEEPSAKE_SAMPLES', 'KEEPSAKE_CI', 'KEEPSAKE_BINARY', 'KEEPSAKE_FRAMES'])

for (const name of Object.keys(process.env)) {
  if (name.startsWith('KEEPSAKE_') && !forTests.has(name)) delete process.env[name]
}

const { TMPDIR: temporary } = process.env
const home = mkdtempSync(join(tmpdir(), 'keepsake-test-home-'))
process.env.HOME = home
for (const [name, folder] of [
  ['XDG_DATA_HOME', '.local/share'],
  ['XDG_CACHE_HOME', '.cache'],
  ['XDG_CONFIG_HOME', '.config'],
] as const) {
  process.env[name] = join(home, folder)
}
// What a test does not remove is removed with the home directory.
process.env.TMPDIR = join(home, 'tmp')
mkdirSync(process.env.TMPDIR, { mode: 0o700 })
process.env.NO_COLOR = '1'

// Workers of a library in the test process start four times as fast from the executable, too.
const program = process.env.TESTED_PROGRAM === undefined ? ownCommand() : ownProgram()
mock.module('../../core/kernel/worker-command.ts', () => ({ isCompiled, ownCommand: () => program }))

afterAll(() => {
  rmSync(home, { recursive: true, force: true })
  // The next file of this process gets its own directories.
  if (temporary === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = temporary
}, 60_000)
