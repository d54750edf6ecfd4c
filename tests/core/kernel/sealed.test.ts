import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { makeBackup } from '../../../core/exchange/backup/make-backup.ts'
import { restoreBackup } from '../../../core/exchange/backup/restore-backup.ts'
import { createSeal } from '../../../core/kernel/data/sealed.ts'
import { openSecrets } from '../../../core/kernel/data/secrets.ts'
import { migrate } from '../../../core/kernel/database/migrate.ts'
import { openLibrary } from '../../../core/library.ts'
import { migrations } from '../../../schema/migrations.ts'
import { runCommand } from '../../support/command.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const key = 'ab'.repeat(32)

describe('a sealed text', () => {
  const seal = createSeal(key, 'shares')

  test('can be unsealed, and is different each time', () => {
    for (const text of ['', 'a', 'AbC-_123', 'Inés می‌خواهم 👩‍👧', 'x'.repeat(5000)]) {
      const sealed = seal.seal(text)
      expect(seal.unseal(sealed)).toBe(text)
      expect(sealed).toMatch(/^s1\.[\w-]+$/)
      expect(seal.seal(text)).not.toBe(sealed)
    }
  })

  test('cannot be unsealed with another key or purpose, or if it was changed, cut or never sealed', () => {
    const sealed = seal.seal('a secret')
    const changed = Buffer.from(sealed.slice(3), 'base64url')
    changed[14] = (changed[14] ?? 0) ^ 1
    for (const other of [createSeal('cd'.repeat(32), 'shares'), createSeal(key, 'pins')])
      expect(other.unseal(sealed)).toBeNull()
    for (const text of [
      `s1.${changed.toString('base64url')}`,
      sealed.slice(0, -4),
      's1.',
      's1.AAAA',
      '',
      'plain',
      '$argon2id$',
    ])
      expect(seal.unseal(text)).toBeNull()
  })

  test('has a constant lookup hash for each key and purpose', () => {
    expect(seal.lookupOf('name')).toBe(createSeal(key, 'shares').lookupOf('name'))
    expect(seal.lookupOf('name')).toMatch(/^[\w-]{43}$/)
    const all = [seal, createSeal(key, 'pins'), createSeal('cd'.repeat(32), 'shares')].map(one => one.lookupOf('name'))
    expect(new Set([...all, seal.lookupOf('name2')]).size).toBe(4)
  })
})

const oldSecrets = { tokenKey: '12'.repeat(32), setup: 'a'.repeat(24) }
const linkName = 'AbCdEfGhIjKlMnOpQrStUv'

/** A library of the version before shares and PINs were sealed, with a share of an item and an account with the PIN 4711. */
async function oldLibrary(): Promise<string> {
  const data = join(temporaryDirectory(), 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'secrets.json'), JSON.stringify(oldSecrets))
  const db = new Database(join(data, 'library.db'))
  migrate(
    db,
    null,
    migrations.findIndex(({ name }) => name === '0009_sealed_shares'),
  )
  const pin = await Bun.password.hash('4711', { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 })
  db.run(
    `INSERT INTO users (username, username_key, name, email, password_hash, pin_hash, global_admin, created_at)
     VALUES ('ines', 'ines', '', '', '', ?, 1, 0)`,
    [pin],
  )
  db.run("INSERT INTO collections (name, path, created_at) VALUES ('Family', '/nowhere', 0)")
  db.run("INSERT INTO dirs (collection_id, path, path_bytes) VALUES (1, '', x'')")
  const columns = db.query<{ name: string; notnull: number; dflt_value: unknown; type: string; pk: number }, []>(
    'SELECT name, "notnull", dflt_value, type, pk FROM pragma_table_info(\'items\')',
  )
  const needed = columns.all().filter(one => one.notnull === 1 && one.dflt_value === null && one.pk === 0)
  const given: Record<string, string | number> = { collection_id: 1, dir_id: 1, name: 'a.jpg', type: 'image' }
  const values = needed.map(({ name, type }) => given[name] ?? (/int|real/i.test(type) ? 1 : 'x'))
  const names = needed.map(({ name }) => name)
  db.run(`INSERT INTO items (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, values)
  db.run('INSERT INTO shares (name, item_id, user_id, created_at, expires_at) VALUES (?, 1, 1, 0, ?)', [
    linkName,
    2 ** 40,
  ])
  db.close()
  return data
}

const open = (data: string) =>
  openLibrary({ role: 'worker', data, create: false, environment: {}, stderrLevel: 'none' })

/** Opens a session of the account and returns its viewer. */
async function openSessionOfInes(library: ReturnType<typeof open>): Promise<Viewer> {
  const row = library.users.byName('ines')
  if (row === null) throw new Error('no account')
  const session = await library.sessions.of((await library.sessions.open(row, 'test')).token)
  if (session === null) throw new Error('no session')
  return session.viewer
}

const failure = (work: Promise<unknown>) => work.then(() => '').catch((error: Error) => error.message)

/** Names of files in the data directory that contain a text, except the copy from before the migration. */
function filesWith(data: string, text: string): string[] {
  return readdirSync(data, { recursive: true })
    .map(String)
    .filter(name => statSync(join(data, name)).isFile() && !name.startsWith('library-before-version'))
    .filter(name => readFileSync(join(data, name)).includes(text))
}

describe('a library from before sealing', () => {
  test('keeps its links and PINs, but not in plain text', async () => {
    const data = await oldLibrary()
    const library = open(data)
    expect(library.shares.get(linkName)).toMatchObject({ name: linkName, type: 'image' })
    const ines = await openSessionOfInes(library)
    expect(library.shares.list(ines)).toMatchObject([{ name: linkName, username: 'ines' }])
    expect((await library.unlock.unlock(ines, '4711')).includeHidden.length).toBeGreaterThan(20)
    expect(await failure(library.unlock.unlock(ines, '4712'))).toBe('Wrong PIN')
    expect([filesWith(data, linkName), filesWith(data, '$argon2id$')]).toEqual([[], []])
    await library.shares.remove(ines, { id: 1, name: linkName })
    expect(() => library.shares.get(linkName)).toThrow('Not found')
    library.close()
  })

  test('is converted once, even if several processes open it', async () => {
    const data = await oldLibrary()
    const ran = await Promise.all([1, 2, 3, 4].map(() => runCommand(['--data', data, 'user', 'list'])))
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    const library = open(data)
    expect(library.secrets).toMatchObject(oldSecrets)
    expect(library.shares.get(linkName)).toMatchObject({ name: linkName })
    expect((await library.unlock.unlock(await openSessionOfInes(library), '4711')).seconds).toBeGreaterThan(0)
    library.close()
  })

  test('gets a permanent key', async () => {
    const data = await oldLibrary()
    const made = openSecrets(data)
    expect(made.sealKey).toMatch(/^[0-9a-f]{64}$/)
    expect(made.sealKey).not.toBe(oldSecrets.tokenKey)
    expect(openSecrets(data)).toEqual(made)
    expect(JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8'))).toEqual(made)
    expect(statSync(join(data, 'secrets.json')).mode & 0o777).toBe(0o600)
  })
})

test('neither the stored hash nor the sealed name opens a share', async () => {
  const library = open(await oldLibrary())
  const row = library.db.get<{ lookup: string; sealed_name: string }>('SELECT lookup, sealed_name FROM shares')
  for (const name of [row?.lookup ?? '', row?.sealed_name ?? ''])
    expect(() => library.shares.get(name)).toThrow('Not found')
  library.close()
})

test('a restored backup has the secrets for its links and PINs', async () => {
  const library = open(await oldLibrary())
  const [out, data] = [join(temporaryDirectory(), 'backup.zip'), join(temporaryDirectory(), 'restored')]
  const { signal } = new AbortController()
  await makeBackup(library, terminalViewer, { out, replace: false, signal })
  library.close()
  await restoreBackup({ file: out, data, force: false, dryRun: false, signal })
  const restored = open(data)
  expect(restored.shares.get(linkName)).toMatchObject({ name: linkName })
  expect((await restored.unlock.unlock(await openSessionOfInes(restored), '4711')).seconds).toBeGreaterThan(0)
  restored.close()
})

test('doctor reports the consequences of losing secrets.json, and what was lost', async () => {
  const data = await oldLibrary()
  open(data).close()
  const checks = async () => (await runCommand(['--data', data, 'doctor', '--json'])).objects
  expect((await checks()).filter(({ check }) => check === 'seals')).toEqual([])
  rmSync(join(data, 'secrets.json'))
  const missing = (await checks()).find(({ check }) => check === 'secrets')
  expect(missing).toMatchObject({ state: 'warn' })
  expect(String(missing?.remedy)).toMatch(/sign in again, links of shares are dead, and users set new PINs/)
  writeFileSync(join(data, 'secrets.json'), 'broken')
  const broken = (await checks()).find(({ check }) => check === 'secrets')
  expect(String(broken?.remedy)).toMatch(/^Take it from a backup\. Or delete it: then everybody has to sign in again/)
  rmSync(join(data, 'secrets.json'))
  open(data).close()
  expect((await checks()).find(({ check }) => check === 'seals')).toMatchObject({
    state: 'warn',
    message: 'Links of shares (1) and PINs (1) were made with another secrets.json: they are dead.',
  })
})

test('with another secrets.json, links are invalid and not listed, and PINs must be set again', async () => {
  const data = await oldLibrary()
  open(data).close()
  rmSync(join(data, 'secrets.json'))
  const library = open(data)
  const ines = await openSessionOfInes(library)
  expect(() => library.shares.get(linkName)).toThrow('Not found')
  expect(library.shares.list(ines)).toEqual([])
  expect(await failure(library.unlock.unlock(ines, '4711'))).toContain('Set a new PIN in your profile')
  await library.users.reset(terminalViewer, ines.userId ?? 0, { unlockPin: '1234' })
  expect((await library.unlock.unlock(await openSessionOfInes(library), '1234')).seconds).toBeGreaterThan(0)
  const { name } = await library.shares.create(await openSessionOfInes(library), 1, 24)
  expect(library.shares.get(name).name).toBe(name)
  library.close()
})
