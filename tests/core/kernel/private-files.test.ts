import { expect, test } from 'bun:test'
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataPrivate } from '../../../core/kernel/data/private-files.ts'
import { openLibrary } from '../../../core/library.ts'
import { createMadeCache } from '../../../core/media/cache/made-cache.ts'
import { runCommand } from '../../support/command.ts'
import { picture } from '../../support/scanning-library.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

/** Files and directories at and below a path that give any permission to users other than the owner. */
function pathsOpenToOthers(path: string): string[] {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return []
  const inner = found.isDirectory() ? readdirSync(path).flatMap(name => pathsOpenToOthers(join(path, name))) : []
  return (found.mode & 0o077) === 0 ? inner : [path, ...inner]
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

function open(data: string) {
  return openLibrary({ role: 'server', data, create: true, environment: {}, stderrLevel: 'none' })
}

/** A data directory with wide permissions, as created by an older version or a plain `mkdir`. */
function wideDirectory(): string {
  const data = join(temporaryDirectory(), 'data')
  const library = open(data)
  library.log.info('said')
  library.close()
  for (const name of ['logs', 'plugins/mine', 'models/one', 'replaced/2019-01-01', 'cache/renditions/ab'])
    mkdirSync(join(data, name), { recursive: true })
  for (const name of [
    'config.toml',
    'library-before-version-3.db',
    'logs/server.log.1',
    'plugins/mine/plugin.json',
    'cache/renditions/ab/small.webp',
  ])
    writeFileSync(join(data, name), '')
  for (const name of readdirSync(data, { recursive: true })) {
    const path = join(data, String(name))
    chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644)
  }
  chmodSync(data, 0o755)
  return data
}

test('a new library has only private files, whatever the umask', async () => {
  const root = join(temporaryDirectory(), 'pictures')
  mkdirSync(root)
  writeFileSync(join(root, 'a.jpg'), await picture({ seed: 1 }))
  const data = join(temporaryDirectory(), 'new/data')
  const before = process.umask(0)
  try {
    expect((await runCommand(['--data', data, 'scan', root])).code).toBe(0)
    expect((await runCommand(['--data', data, 'config', 'set', 'registration', 'closed'])).code).toBe(0)
    const library = open(data)
    library.log.info('said')
    await library.sessions.of('')
    const made = createMadeCache({ cache: library.cache, limit: null, log: library.log })
    await made.start()
    await made.close()
    expect(pathsOpenToOthers(data)).toEqual([])
    library.close()
  } finally {
    process.umask(before)
  }
  expect(pathsOpenToOthers(data)).toEqual([])
})

test('opening an existing directory makes its files and logs private', () => {
  const data = wideDirectory()
  expect(modeOf(join(data, 'library.db'))).toBe('644')
  const library = open(data)
  const names = ['library.db', 'library.db-wal', 'library.db-shm', 'secrets.json', 'config.toml', 'logs/server.log']
  for (const name of [...names, 'logs/server.log.1', 'library-before-version-3.db'])
    expect([name, modeOf(join(data, name))]).toEqual([name, '600'])
  for (const name of ['.', 'cache', 'logs', 'plugins', 'models', 'replaced'])
    expect([name, modeOf(join(data, name))]).toEqual([name, '700'])
  library.close()
})

test('targets of links and unknown files keep their permissions', () => {
  const data = wideDirectory()
  const elsewhere = join(temporaryDirectory(), 'elsewhere')
  mkdirSync(elsewhere, { mode: 0o755 })
  chmodSync(elsewhere, 0o755)
  symlinkSync(elsewhere, join(data, 'plugins/linked'))
  writeFileSync(join(data, 'notes.txt'), '', { mode: 0o644 })
  makeDataPrivate(data, { deep: true })
  expect([modeOf(elsewhere), modeOf(join(data, 'notes.txt'))]).toEqual(['755', '644'])
})

test('doctor reports and fixes files that others can read', async () => {
  const data = wideDirectory()
  const first = await runCommand(['--data', data, 'doctor', '--json'])
  const privacy = first.objects.find(one => one.check === 'privacy')
  expect(privacy).toMatchObject({ state: 'warn' })
  expect(String(privacy?.message)).toContain('could read')
  expect(pathsOpenToOthers(data)).toEqual([])
  const second = await runCommand(['--data', data, 'doctor', '--json'])
  expect(second.objects.find(one => one.check === 'privacy')).toMatchObject({ state: 'ok' })
})

test('doctor changes nothing in a directory without a library', async () => {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'config.toml'), '')
  chmodSync(join(directory, 'config.toml'), 0o644)
  await runCommand(['--data', directory, 'doctor', '--json'])
  expect(modeOf(join(directory, 'config.toml'))).toBe('644')
})
