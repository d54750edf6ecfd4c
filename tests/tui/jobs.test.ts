/** Jobs, problems and the log in the terminal UI. */
import { afterEach, beforeEach, describe, test } from 'bun:test'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { addAuditRows } from '../support/audit-rows.ts'
import { createBuilders } from '../support/library.ts'
import { waitUntil } from '../support/server-process.ts'
import { expectFrame } from '../support/terminal-screen.ts'
import { openWorkingLibrary, type WorkingLibrary } from '../support/working-library.ts'

const timeout = 60_000
let workspace: WorkingLibrary
beforeEach(() => {
  workspace = openWorkingLibrary()
})
afterEach(() => workspace.close())

const masks = [
  [/(Today|Yesterday) \d\d:\d\d/g, '$1 12:34'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '2026-01-02 12:34:56'],
  [/\b\d+ s\b/g, '1 s'],
] as const

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
]

/** Creates a collection without scanning it. */
async function createUnscannedCollection(name: string) {
  await workspace.with(async ({ collections }) => {
    const { terminalViewer } = await import('../../core/accounts/access.ts')
    await collections.resolve(terminalViewer, workspace.folder(name), { create: true })
  })
}

describe('jobs', () => {
  for (const size of sizes)
    test(
      `ended jobs are listed with their counts at ${size.columns}×${size.rows}`,
      async () => {
        await workspace.pictures('Family', 12)
        workspace.put('pictures/Family/broken.jpg', 'no picture at all')
        await workspace.collection('Family')
        const screen = workspace.tui('jobs', size)
        await screen.waitFor('1 ended')
        screen.press('G')
        await screen.waitFor('› Scan of Family')
        expectFrame(screen, 'jobs', masks)
        screen.press('enter')
        await screen.waitFor('1 problem of Family')
        await screen.close()
      },
      timeout,
    )

  test(
    'a running job is shown with its progress bar, and cancelled',
    async () => {
      await workspace.pictures('Family', 500)
      await createUnscannedCollection('Family')
      const screen = workspace.tui('collections', { columns: 120, rows: 40 })
      await screen.waitFor('not scanned')
      screen.press('s')
      await screen.waitFor('scanning')
      screen.press('6')
      await screen.waitFor(/› Scan of Family +━+─+ +\d+ % +\d+ of 500/)
      await screen.waitFor(/\d+\/s/)
      await screen.waitFor(/Now +\d+\.jpg/)
      await screen.waitFor(/Counted +500 found, \d+ new/)
      screen.press('x')
      await screen.waitFor('Stop: Scan of Family?')
      screen.press('y')
      await screen.waitFor(/Scan of Family +cancelled/)
      await screen.waitFor('0 running')
      await screen.close()
    },
    timeout,
  )
})

describe('problems', () => {
  test(
    'problems are listed with reasons, filtered, dismissed, and listed again after a scan',
    async () => {
      await workspace.pictures('Family', 2)
      workspace.put('pictures/Family/broken.jpg', 'no picture at all')
      workspace.put('pictures/Family/empty.jpg', '')
      await workspace.collection('Family')
      workspace.put('pictures/Other one/odd.jpg', 'neither')
      await workspace.collection('Other one')
      for (const size of sizes) {
        const screen = workspace.tui('problems', size)
        await screen.waitFor('3 problems of all collections')
        await screen.waitFor('› broken.jpg')
        expectFrame(screen, 'problems', masks)
        await screen.close()
      }
      const screen = workspace.tui('problems')
      await screen.waitFor('› broken.jpg')
      screen.press(']')
      await screen.waitFor('2 problems of Family')
      screen.press(']')
      await screen.waitFor('1 problem of Other one')
      screen.press(']', '/')
      await screen.waitFor('Find')
      screen.type('EMPTY')
      screen.press('enter')
      await screen.waitFor("1 problem of all collections, with 'EMPTY'")
      await screen.waitFor('› empty.jpg')
      screen.press('d')
      await screen.waitFor('Remove empty.jpg from the list?')
      screen.press('y')
      await screen.waitFor('1 problem removed from the list.')
      screen.press('/')
      await screen.waitFor('Find EMPTY')
      screen.press('ctrl-u', 'enter')
      await screen.waitFor('2 problems of all collections')
      screen.press('g', 's')
      await screen.waitFor('3 problems of all collections')
      // A scan that is still running would list removed problems again.
      await waitUntil(() =>
        workspace.with(({ db }) => (db.get("SELECT 1 FROM jobs WHERE state = 'running'") ? null : true)),
      )
      screen.press('g', 'v', 'j', 'v')
      await screen.waitFor('2 marked')
      screen.press('d')
      await screen.waitFor('Remove 2 problems from the list?')
      screen.press('y')
      await screen.waitFor('1 problem of all collections')
      await screen.close()
    },
    timeout,
  )
})

describe('the log', () => {
  test(
    'is followed, filtered by level, searched, and shown entry by entry',
    async () => {
      await workspace.collection('Family')
      const file = join(workspace.data, 'logs', 'keepsake.log')
      mkdirSync(join(workspace.data, 'logs'), { recursive: true })
      const write = (level: string, message: string, fields: object = {}) =>
        appendFileSync(
          file,
          `${JSON.stringify({ time: '2026-01-02T12:34:56.000Z', level, message, process: 7, ...fields })}\n`,
        )
      write('info', 'serving', { port: 4480 })
      write('warn', 'a worker ended', { job: 3, code: 1 })
      write('error', 'a job failed', {
        job: 3,
        error: { name: 'Error', message: 'the disk is full', stack: 'Error: the disk is full\n    at write' },
      })
      appendFileSync(file, 'not a line of the log\n')
      for (const size of sizes) {
        const screen = workspace.tui('log', size)
        await screen.waitFor('› 2026'.slice(0, 2))
        await screen.waitFor('a job failed')
        expectFrame(screen, 'log', masks)
        await screen.close()
      }
      const screen = workspace.tui('log')
      await screen.waitFor('following')
      await screen.waitFor('a job failed')
      write('info', 'something new with \u001b[31mcolour')
      await screen.waitFor('something new with ?[31mcolour')
      screen.press(']')
      await screen.waitFor('2 lines, level warn and above')
      screen.press(']')
      await screen.waitFor('1 line, level error')
      screen.press('enter')
      await screen.waitFor('at write')
      screen.press('[')
      await screen.waitFor('2 lines, level warn and above')
      screen.press('/')
      await screen.waitFor('Find')
      screen.type('worker')
      screen.press('enter')
      await screen.waitFor("1 line, level warn and above, with 'worker'")
      await screen.close()
    },
    timeout,
  )

  test(
    'has a second page, the audit log: it is filtered by kind, searched, followed, and shown entry by entry',
    async () => {
      const at = Date.UTC(2026, 0, 2, 12, 34, 56) / 1000
      await workspace.with(async ({ db }) => {
        const ines = await createBuilders(db).user('ines', { globalAdmin: true })
        await db.transact({ userId: null }, tx => tx.run('DELETE FROM audit_log'))
        await addAuditRows(db, [
          { action: 'login', user: ines, address: '192.168.1.24', at },
          { action: 'login.failed', actor: 'anonymous', user: ines, address: '45.155.205.9', count: 5, at },
          { action: 'user.disable', actor: 'terminal', detail: { username: 'kenji' }, at },
          { action: 'token.issue', user: ines, address: '192.168.1.24', detail: { name: 'red\u001b[31m' }, at },
          {
            action: 'refused',
            user: ines,
            address: '2001:db8:9c40:1122:3344:5566:7788:99aa',
            detail: { method: 'PUT', path: '/v1/users/:id/disabled', status: 403 },
            at,
          },
          { action: 'download', user: ines, detail: { what: 'items', items: 1204, bytes: 3.4e9 }, at },
        ])
      })
      for (const size of sizes) {
        const screen = workspace.tui('log', size)
        await screen.waitFor('following')
        screen.press('tab')
        await screen.waitFor('6 entries')
        expectFrame(screen, 'audit', masks)
        await screen.close()
      }
      const screen = workspace.tui('log', { columns: 120, rows: 40 })
      await screen.waitFor('following')
      screen.press('tab')
      await screen.waitFor('Issued a token: red?[31m')
      screen.press(']')
      await screen.waitFor('2 entries, only logins')
      screen.press('down')
      screen.press('enter')
      await screen.waitFor('Recorded as')
      screen.press('enter')
      screen.press('[')
      await screen.waitFor('6 entries, kept')
      screen.press('/')
      await screen.waitFor('Find')
      screen.type('45.155')
      screen.press('enter')
      await screen.waitFor("1 entry, with '45.155'")
      // An entry by another process appears by itself.
      await workspace.with(({ db }) =>
        db.transact({ userId: null, kind: 'anonymous', address: '45.155.205.9' }, tx => tx.audit('login.limited', {})),
      )
      await screen.waitFor("2 entries, with '45.155'")
      screen.press('tab')
      await screen.waitFor('following')
      await screen.close()
    },
    timeout,
  )
})
