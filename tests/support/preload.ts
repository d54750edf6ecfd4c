/** Runs before every test file: no test may see or touch the user's library, settings or caches. */
import './page-language.ts'
import { afterAll, mock } from 'bun:test'
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isCompiled, ownCommand } from '../../core/kernel/worker-command.ts'
import { programCommand } from './command.ts'

/** Variables that are meant for the tests themselves. */
const forTests = new Set(['KEEPSAKE_SAMPLES', 'KEEPSAKE_CI', 'KEEPSAKE_BINARY', 'KEEPSAKE_FRAMES'])

for (const name of Object.keys(process.env)) {
  if (name.startsWith('KEEPSAKE_') && !forTests.has(name)) delete process.env[name]
}

/** A file system in memory: the library syncs each change, which takes milliseconds on a disk. */
const memory = '/dev/shm'
const memoryNeeded = 4 * 1024 ** 3

/** Whether the memory has room, and programs may be started there, unlike in most containers. */
function memoryIsUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < memoryNeeded) return false
    const program = join(memory, `keepsake-test-${process.pid}.sh`)
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    try {
      // Fails on a file system that starts no programs, even for root.
      accessSync(program, constants.X_OK)
    } finally {
      rmSync(program)
    }
    return true
  } catch {
    return false
  }
}

const { TMPDIR: temporary } = process.env
const home = mkdtempSync(join(temporary === undefined && memoryIsUsable() ? memory : tmpdir(), 'keepsake-test-home-'))
process.env.HOME = home
for (const [name, folder] of [
  ['XDG_DATA_HOME', '.local/share'],
  ['XDG_CACHE_HOME', '.cache'],
  ['XDG_CONFIG_HOME', '.config'],
] as const) {
  process.env[name] = join(home, folder)
}
// What a test does not remove is removed with the home directory.
process.env.DISK_TMPDIR = tmpdir()
process.env.TMPDIR = join(home, 'tmp')
mkdirSync(process.env.TMPDIR, { mode: 0o700 })
process.env.NO_COLOR = '1'

// Real hashes of passwords take 20 ms and 19 MiB each. A hash contains its costs, so a cheap one is checked quickly, too.
const { hash } = Bun.password
Bun.password.hash = password => hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

// Commands end before optimised code pays off, and compiling it takes a quarter of their time.
process.env.BUN_JSC_thresholdForOptimizeAfterWarmUp = '20000'

// A library in the test process starts its workers from the executable, too: this is four times as fast.
const program = process.env.TESTED_PROGRAM === undefined ? ownCommand() : programCommand()
mock.module('../../core/kernel/worker-command.ts', () => ({ isCompiled, ownCommand: () => program }))

afterAll(() => {
  rmSync(home, { recursive: true, force: true })
  // The next file of this process gets its own directories.
  if (temporary === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = temporary
}, 60_000)
