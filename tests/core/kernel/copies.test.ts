import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { copyIsDue, copyKind } from '../../../core/exchange/backup/copy-job.ts'
import { restoreBackup } from '../../../core/exchange/backup/restore-backup.ts'
import {
  copyName,
  formatCopyTime,
  lastNight,
  listCopies,
  lossRemedy,
  timeOfCopy,
} from '../../../core/kernel/data/copies.ts'
import { openLibrary } from '../../../core/library.ts'
import type { JobRow } from '../../../core/work/job-row.ts'
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const day = 86_400

function setup(clock: FakeClock = fakeClock()) {
  const data = join(temporaryDirectory(), 'data')
  const open = () => openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none', clock })
  const library = open()
  // The secrets determine the age of the library, so they get the clock's time.
  utimesSync(join(data, 'secrets.json'), clock.now() / 1000, clock.now() / 1000)
  const copy = async (of = library) => {
    const job = await of.jobs.enqueue(terminalViewer, copyKind, {}, { inProcess: true })
    await of.jobs.run(job).catch(() => {})
    const row = of.db.get<JobRow>('SELECT * FROM jobs WHERE id = ?', job)
    if (row === null) throw new Error('the job is gone')
    return row
  }
  return { data, library, clock, open, copy, copies: join(data, 'copies') }
}

const addHiddenWord = (db: { run(sql: string): unknown }) =>
  db.run("INSERT INTO keystrings (content, content_key, is_hidden) VALUES ('Secret', 'secret', 1)")

const signal = new AbortController().signal

test('a copy is due once a night, and an hour after a failure', async () => {
  const { data, library, clock, copy, copies } = setup()
  const parts = { db: library.db, clock, data }
  expect(copyIsDue(parts)).toBe(false)
  clock.advance(day)
  expect(copyIsDue(parts)).toBe(true)
  expect((await copy()).state).toBe('done')
  expect(copyIsDue(parts)).toBe(false)
  clock.advance(day)
  expect(copyIsDue(parts)).toBe(true)
  rmSync(copies, { recursive: true })
  writeFileSync(copies, 'no directory')
  expect((await copy()).state).toBe('failed')
  expect(copyIsDue(parts)).toBe(false)
  clock.advance(3601)
  expect(copyIsDue(parts)).toBe(true)
  library.close()
})

test('a night starts at 03:00 local time', () => {
  const at = (hour: number, minute: number) => new Date(2026, 10, 21, hour, minute).getTime()
  expect(lastNight(at(3, 0))).toBe(at(3, 0))
  expect(lastNight(at(23, 59))).toBe(at(3, 0))
  expect(lastNight(at(2, 59))).toBe(new Date(2026, 10, 20, 3).getTime())
  expect(formatCopyTime(at(3, 0))).toBe('Saturday 03:00 (2026-11-21)')
  expect(timeOfCopy(copyName(at(3, 0)))).toBe(at(3, 0))
  expect(timeOfCopy('library-2026-11-21T030000Z.db.tmp')).toBeNull()
})

test('copies are complete databases, accessible only to their owner, and removed after seven days', async () => {
  const { data, library, clock, copy, copies } = setup()
  await library.db.transact({ userId: null }, tx => void addHiddenWord(tx))
  const first = clock.now()
  for (let n = 0; n < 9; n++) {
    expect((await copy()).state).toBe('done')
    clock.advance(day)
  }
  expect(listCopies(data).map(({ at }) => (at - first) / (day * 1000))).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
  expect(statSync(copies).mode & 0o777).toBe(0o700)
  for (const { path } of listCopies(data)) {
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const db = new Database(path, { readonly: true })
    expect(db.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(db.query("SELECT is_hidden AS hidden FROM keystrings WHERE content = 'Secret'").get()).toEqual({ hidden: 1 })
    db.close()
  }
  library.close()
})

test('partial copies are removed, other files stay, and a damaged database is not copied', async () => {
  const { data, library, copy, copies } = setup()
  mkdirSync(copies)
  writeFileSync(join(copies, 'library-2026-11-20T030000Z.db.tmp'), 'half')
  writeFileSync(join(copies, 'notes.txt'), 'mine')
  const { message } = await copy()
  expect(readdirSync(copies).sort()).toEqual([message, 'notes.txt'])
  // Overwrite a page like a failing disk.
  const page = library.db.get<{ at: number; size: number }>(
    "SELECT rootpage AS at, page_size AS size FROM sqlite_schema, pragma_page_size() WHERE name = 'keystrings'",
  )
  library.db.checkpoint('TRUNCATE')
  library.close()
  const { at = 0, size = 0 } = page ?? {}
  const file = openSync(join(data, 'library.db'), 'r+')
  writeSync(file, Buffer.alloc(size, 0xfe), 0, size, (at - 1) * size)
  closeSync(file)
  const again = openLibrary({ role: 'worker', data, create: false, environment: {}, stderrLevel: 'none' })
  expect(await copy(again)).toMatchObject({ state: 'failed', error: expect.stringContaining('damaged') })
  again.close()
  expect(readdirSync(copies).sort()).toEqual([message, 'notes.txt'])
})

test('a lost database is not replaced by an empty one; restoring its copy moves the remaining files aside', async () => {
  const { data, library, open, copy } = setup()
  await library.db.transact({ userId: null }, tx => void addHiddenWord(tx))
  await copy()
  library.close()
  for (const name of ['library.db', 'library.db-wal', 'library.db-shm']) rmSync(join(data, name), { force: true })
  // A remaining log would be applied to the next database.
  writeFileSync(join(data, 'library.db-wal'), 'old log')
  const [newest] = listCopies(data)
  expect(open).toThrow(`restore ${newest?.path} --force`)
  expect(open).toThrow('--new')
  expect(existsSync(join(data, 'library.db'))).toBe(false)

  const request = { file: newest?.path ?? '', data, signal }
  await expect(restoreBackup({ ...request, force: false, dryRun: false })).rejects.toThrow('--force')
  expect(await restoreBackup({ ...request, force: true, dryRun: true })).toMatchObject({ items: 0, kept: null })
  expect(existsSync(join(data, 'library.db'))).toBe(false)
  const { kept } = await restoreBackup({ ...request, force: true, dryRun: false })
  expect(readdirSync(kept ?? '')).toEqual(['library.db-wal'])
  const back = open()
  expect(back.db.get("SELECT is_hidden AS hidden FROM keystrings WHERE content = 'Secret'")).toEqual({ hidden: 1 })
  expect(back.secrets).toEqual(library.secrets)
  back.close()
  expect(listCopies(data)).toHaveLength(1)
})

test.each([
  ['gone', (path: string) => rmSync(path)],
  ['empty', (path: string) => writeFileSync(path, '')],
  ['damaged', (path: string) => writeFileSync(path, crypto.getRandomValues(new Uint8Array(9000)))],
])('a new library moves the old files aside if the database is %s', async (_what, lose) => {
  const { data, library, copy } = setup()
  await copy()
  library.close()
  const begin = (asNew: boolean) =>
    openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none', asNew })
  expect(() => begin(true)).toThrow('is intact')
  lose(join(data, 'library.db'))
  expect(() => begin(false)).toThrow('--new')
  const [{ path = '' } = {}] = listCopies(data)
  begin(true).close()
  const [aside = ''] = readdirSync(data).filter(name => name.startsWith('.before-new-'))
  expect(readdirSync(join(data, aside))).toContain('copies')
  expect(existsSync(path.replace(data, join(data, aside)))).toBe(true)
  begin(false).close()
  expect(() => begin(true)).toThrow('is intact')
})

test('a first library is created with and without --new', () => {
  for (const asNew of [true, false]) {
    const data = join(temporaryDirectory(), 'data')
    openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none', asNew }).close()
    expect(readdirSync(data).filter(name => name.startsWith('.before'))).toEqual([])
  }
})

test('a copy with a future date is not suggested for restoring', async () => {
  const { data, copy, copies, clock } = setup()
  await copy()
  writeFileSync(join(copies, copyName(Date.now() + 365 * day * 1000)), '')
  expect(lossRemedy(data)).toStartWith(`Restore the copy of ${formatCopyTime(clock.now())}`)
})

test('a database without the tables of a library does not become a new library if there are copies', async () => {
  const { data, library, open, copy } = setup()
  await copy()
  library.close()
  for (const name of ['library.db', 'library.db-wal', 'library.db-shm']) rmSync(join(data, name), { force: true })
  const other = new Database(join(data, 'library.db'), { create: true })
  other.run('CREATE TABLE x (a)')
  other.close()
  expect(open).toThrow(/holds no library: what was in it is lost\. Restore the copy of .* Or start a new library/)
})
