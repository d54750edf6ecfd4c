import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { restoreBackup } from '../../../../core/exchange/backup/restore-backup.ts'
import { openLibrary } from '../../../../core/library.ts'
import { migrations } from '../../../../schema/migrations.ts'
import { temporaryDirectory } from '../../../support/temporary.ts'
import { buildZip, type ZipEntry } from '../../../support/zip-maker.ts'

let database: Uint8Array = new Uint8Array()
beforeAll(() => {
  const data = join(temporaryDirectory(), 'data')
  const library = openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none' })
  const copy = join(temporaryDirectory(), 'copy.db')
  library.db.copyTo(copy)
  library.close()
  database = readFileSync(copy)
})

const hash = (data: Uint8Array | string) => new Bun.SHA256().update(data).digest('hex')

/** An archive of the database and `more`. Its manifest lists these files and the names in `alsoListed`. */
function archive(more: readonly (ZipEntry & { name: string })[], alsoListed: readonly string[] = []): Uint8Array {
  const files = [{ name: 'library.db', data: database }, ...more]
  const list = [
    ...files.map(({ name, data = '' }) => ({ name, size: Buffer.from(data).length, sha256: hash(data) })),
    ...alsoListed.map(name => ({ name, size: 0, sha256: hash('') })),
  ]
  const manifest = {
    type: 'keepsake-backup',
    schema: 1,
    keepsake: '0.1.0',
    made: '2026-11-22T00:00:00Z',
    database: migrations.length,
    items: 0,
    collections: 0,
    files: list,
  }
  return buildZip([{ name: 'backup.json', data: JSON.stringify(manifest) }, ...files])
}

/** Restores into `target/data`. Returns all names in `target`, and the error's message ('' if there is no error). */
async function runRestore(bytes: Uint8Array): Promise<{ message: string; target: string; names: string[] }> {
  const target = join(temporaryDirectory(), 'target')
  mkdirSync(target)
  writeFileSync(join(target, 'backup.zip'), bytes)
  const { signal } = new AbortController()
  const request = {
    file: join(target, 'backup.zip'),
    data: join(target, 'data'),
    force: false,
    dryRun: false,
    signal,
  }
  const message = await restoreBackup(request)
    .then(() => '')
    .catch((error: Error) => error.message)
  return { message, target, names: readdirSync(target, { recursive: true }).map(String).sort() }
}

describe('a refused backup leaves nothing behind:', () => {
  test.each<[string, () => Uint8Array, RegExp]>([
    ['an unknown file', () => archive([{ name: 'notes.txt', data: 'x' }]), /'notes.txt', which no backup/],
    ['a log for the database', () => archive([{ name: 'library.db-wal', data: 'x' }]), /'library.db-wal'/],
    ['a file in the cache', () => archive([{ name: 'cache/x', data: 'x' }]), /'cache\/x'/],
    ['a file named plugins', () => archive([{ name: 'plugins', data: 'x' }]), /'plugins'/],
    ['a folder with the name of a file', () => archive([{ name: 'config.toml/x', data: 'x' }]), /'config.toml\/x'/],
    ['a path outside, in the archive', () => archive([{ name: '../evil', data: 'x' }]), /leads out/],
    ['a path outside, only in the manifest', () => archive([], ['../evil']), /'..\/evil', which no backup/],
    ['a path outside through plugins', () => archive([], ['plugins/../../evil']), /which no backup/],
    ['an absolute path, only in the manifest', () => archive([], ['/tmp/evil']), /which no backup/],
    ['a plugin that is missing', () => archive([], ['plugins/a/plugin.json']), /'plugins\/a\/plugin.json' is missing/],
    ['a link', () => archive([{ name: 'plugins/link', data: '/etc/passwd', mode: 0o120777 }]), /link/],
    [
      'a link in place of the secrets',
      () => archive([{ name: 'secrets.json', data: '/etc/passwd', mode: 0o120777 }]),
      /link/,
    ],
    ['a device', () => archive([{ name: 'plugins/zero', mode: 0o020666 }]), /neither a file nor a folder/],
  ])('%s', async (_, bytes, expected) => {
    const { message, names } = await runRestore(bytes())
    expect(message).toMatch(expected)
    expect(names).toEqual(['backup.zip'])
  })
})

test('restored files do not get modes from the archive, so none is executable', async () => {
  const secrets = JSON.stringify({ tokenKey: 'ab'.repeat(32), setup: 'x'.repeat(24) })
  const { message, target } = await runRestore(
    archive([
      { name: 'secrets.json', data: secrets, mode: 0o100777 },
      { name: 'config.toml', data: '', mode: 0o100666 },
      { name: 'plugins/one/run.sh', data: '#!/bin/sh\n', mode: 0o104755 },
    ]),
  )
  expect(message).toBe('')
  for (const name of ['library.db', 'secrets.json', 'config.toml', 'plugins/one/run.sh'])
    expect([name, statSync(join(target, 'data', name)).mode & 0o7777]).toEqual([name, 0o600])
  for (const name of ['.', 'plugins', 'plugins/one'])
    expect([name, statSync(join(target, 'data', name)).mode & 0o7777]).toEqual([name, 0o700])
  expect(existsSync(join(target, 'data/backup.json'))).toBe(false)
})
