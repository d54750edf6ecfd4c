import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { systemClock } from '../../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../../core/kernel/database/database.ts'
import { type AuditOptions, addAuditRows } from '../support/audit-rows.ts'
import { runCommand } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const now = Math.floor(Date.now() / 1000)

async function workspace(rows: readonly AuditOptions[]) {
  const data = join(temporaryDirectory(), 'data')
  await runCommand(['--data', data, 'user', 'create', 'ines', '--admin'], { input: 'good picture\n' })
  const db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock })
  // Removes the entries that creating the account added, so that ids start at 1 again.
  await db.transact({ userId: null }, tx => {
    tx.run('DELETE FROM audit_log')
    tx.run("DELETE FROM sqlite_sequence WHERE name = 'audit_log'")
  })
  await addAuditRows(db, rows)
  db.close()
  return (...words: string[]) => runCommand(['--data', data, 'audit', ...words])
}

const rows: AuditOptions[] = [
  { action: 'login', user: 1, address: '192.168.1.24', at: now - 30 * 86_400 },
  { action: 'login.failed', actor: 'anonymous', user: 1, address: '192.0.2.9', count: 5, at: now - 3600 },
  { action: 'token.issue', actor: 'terminal', detail: { name: 'evil\u001b[2J' }, at: now - 60 },
]

test('audit lists entries newest first, with control characters escaped', async () => {
  const audit = await workspace(rows)
  const { out, err, code } = await audit()
  expect(code).toBe(0)
  const lines = out.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^WHEN +WHO +FROM +WHAT$/)
  expect(lines[1]).toContain('This machine')
  expect(lines[1]).toEndWith('Issued a token: evil\\u{1b}[2J')
  expect(lines[2]).toMatch(/Visitor +192\.0\.2\.9 +Could not sign in: ines, 5 times$/)
  expect(lines[3]).toMatch(/ines +192\.168\.1\.24 +Signed in$/)
  expect(err).toContain('3 entries')
})

test('audit takes filters, and prints objects with --json', async () => {
  const audit = await workspace(rows)
  const ids = async (...words: string[]) =>
    (await audit(...words, '--json')).objects.filter(({ type }) => type === 'audit').map(({ id }) => id)
  expect(await ids('--action', 'refusals')).toEqual([2])
  expect(await ids('--action', 'token.issue')).toEqual([3])
  expect(await ids('--user', 'INES')).toEqual([2, 1])
  expect(await ids('--address', '192.0.2.9')).toEqual([2])
  expect(await ids('--since', '7d')).toEqual([3, 2])
  expect(await ids('--since', '10m')).toEqual([3])
  expect(await ids('--limit', '1')).toEqual([3])
  const { objects } = await audit('--action', 'logins', '--since', '7d', '--json')
  expect(objects).toEqual([
    expect.objectContaining({
      type: 'audit',
      who: 'Visitor',
      username: 'ines',
      text: 'Could not sign in: ines, 5 times',
    }),
    { type: 'summary', schema: 1, state: 'done', entries: 1 },
  ])
})

test('audit --limit may exceed the page size of a server', async () => {
  const audit = await workspace(
    Array.from({ length: 1200 }, (): AuditOptions => ({ action: 'login', user: 1, at: now })),
  )
  expect((await audit('--limit', '1100', '--json')).objects.at(-1)).toMatchObject({ entries: 1100 })
})

test('audit reports what is wrong with a flag', async () => {
  const audit = await workspace([])
  expect(await audit('--user', 'nobody')).toMatchObject({ code: 4 })
  expect((await audit('--user', 'nobody')).err).toContain("There is no user 'nobody'.")
  expect(await audit('--action', 'nothing')).toMatchObject({ code: 2 })
  expect((await audit('--action', 'nothing')).err).toContain('action is one of: logins, refusals')
  expect(await audit('--since', 'yesterday')).toMatchObject({ code: 2 })
  expect((await audit()).err).toContain('No matching entries.')
})
