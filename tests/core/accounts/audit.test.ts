import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { createAudit } from '../../../core/accounts/audit/audit.ts'
import { Failure } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { type AuditOptions, addAuditRows } from '../../support/audit-rows.ts'
import { openTestLibrary } from '../../support/library.ts'

async function setup(rows: AuditOptions[] = []) {
  const library = openTestLibrary()
  const { db, clock, make } = library
  const [admin, vera] = [await make.user('ines', { globalAdmin: true }), await make.user('Vera')]
  await addAuditRows(db, rows)
  const audit = createAudit({ db, clock })
  const list = (query: Parameters<typeof audit.list>[1] = {}) => audit.list(terminalViewer, query)
  return { ...library, audit, admin, vera, list, texts: (query = {}) => list(query).entries.map(({ text }) => text) }
}

/** Ids of the accounts that `setup` creates. */
const [ines, vera] = [1, 2]

test('only global admins and the terminal may read the audit log', async () => {
  const { audit, viewer, admin, vera, db } = await setup([{ action: 'login', user: ines }])
  expect(audit.list(viewer(admin), {}).entries).toHaveLength(1)
  expect(audit.list(terminalViewer, {}).entries).toHaveLength(1)
  for (const somebody of [viewer(vera), viewer(null)]) expect(() => audit.list(somebody, {})).toThrow(Failure)
  db.close()
})

test('an entry has its time, user, action, address and count', async () => {
  const { list, db } = await setup([
    { action: 'login.failed', actor: 'anonymous', user: ines, address: '192.0.2.9', count: 5, at: 1000 },
  ])
  expect(list().entries).toEqual([
    {
      id: 1,
      at: 1000,
      who: 'Visitor',
      username: 'ines',
      address: '192.0.2.9',
      action: 'login.failed',
      count: 5,
      text: 'Could not sign in: ines, 5 times',
      actor: 'anonymous',
      names: { user: 'ines', group: null, collection: null },
      detail: {},
    },
  ])
  db.close()
})

test('pages have every entry once, even while entries are added', async () => {
  const { list, db } = await setup(Array.from({ length: 250 }, (): AuditOptions => ({ action: 'login', user: ines })))
  const first = list({})
  expect(first.entries).toHaveLength(limits.auditPage)
  await addAuditRows(db, [{ action: 'logout', user: ines }])
  const ids: number[] = first.entries.map(({ id }) => id)
  for (let { next } = first; next !== null; ) {
    const page = list({ before: next, limit: 40 })
    ids.push(...page.entries.map(({ id }) => id))
    next = page.next
  }
  expect(ids).toEqual(Array.from({ length: 250 }, (_, n) => 250 - n))
  db.close()
})

describe('filtering', () => {
  const rows: AuditOptions[] = [
    { action: 'login', user: ines, address: '192.168.1.24', at: 1000 },
    { action: 'login.failed', actor: 'anonymous', address: '2001:db8:1::5', at: 2000 },
    { action: 'user.disable', actor: 'terminal', detail: { user: vera }, at: 3000 },
    { action: 'refused', user: vera, detail: { method: 'GET', path: '/v1/audit', status: 403 }, at: 4000 },
  ]
  const all = [
    'Was refused: GET /v1/audit, no permission',
    'Disabled an account: Vera',
    'Could not sign in',
    'Signed in',
  ]
  for (const [name, query, found] of [
    ['nothing', {}, [0, 1, 2, 3]],
    ['a username, ignoring case', { user: 'VERA' }, [0]],
    ['the actor', { actor: 'terminal' as const }, [1]],
    ['an action', { action: 'login' as const }, [3]],
    ['a kind of action', { action: 'refusals' as const }, [0, 2]],
    ['an address', { address: '192.168.1.24' }, [3]],
    ['a time', { from: 2000, to: 3000 }, [1, 2]],
    ['a part of a username', { q: 'ver' }, [0]],
    ['a part of an action', { q: 'SIGN' }, [2, 3]],
    ['a part of an address', { q: '2001:DB8' }, [2]],
    ['this machine', { q: 'machine' }, [1]],
    ['text that nothing contains', { q: '%' }, []],
    ['several conditions', { action: 'logins' as const, from: 1500 }, [2]],
  ] as const) {
    test(`by ${name}`, async () => {
      const { texts, db } = await setup(rows)
      expect(texts(query)).toEqual(found.map(n => all[n] ?? ''))
      db.close()
    })
  }

  test('by an unknown username is refused', async () => {
    const { list, db } = await setup(rows)
    expect(() => list({ user: 'nobody' })).toThrow("There is no user 'nobody'.")
    db.close()
  })
})

describe('pruning', () => {
  const day = 86_400

  test('removes entries after 400 days', async () => {
    const { audit, list, clock, db } = await setup()
    const now = clock.now() / 1000
    await addAuditRows(db, [
      { action: 'login', at: now - 401 * day },
      { action: 'login', at: now - 399 * day },
    ])
    expect(await audit.prune()).toBe(1)
    expect(list().entries.map(({ id }) => id)).toEqual([2])
    clock.advance(2 * day)
    expect(await audit.prune()).toBe(1)
    expect(await audit.prune()).toBe(0)
    db.close()
  })

  test('removes failed logins of visitors before entries of users', async () => {
    const { audit, clock, db } = await setup()
    const at = clock.now() / 1000
    const address = 'x'.repeat(36)
    await addAuditRows(db, [
      ...Array.from({ length: 1000 }, (): AuditOptions => ({ action: 'login', address, at })),
      ...Array.from(
        { length: 9000 },
        (): AuditOptions => ({ action: 'login.failed', actor: 'anonymous', address, at }),
      ),
    ])
    await audit.prune({ bytes: 5500 * 130 })
    const count = (action: string) =>
      db.get<{ n: number }>('SELECT count(*) AS n FROM audit_log WHERE action = ?', action)?.n
    expect([count('login'), count('login.failed')]).toEqual([1000, 2000])
    db.close()
  })

  test('removes the oldest entries beyond the size limit', async () => {
    const { audit, list, clock, db } = await setup()
    const at = clock.now() / 1000
    const address = 'x'.repeat(36)
    await addAuditRows(
      db,
      Array.from({ length: 5000 }, (): AuditOptions => ({ action: 'login', address, at })),
    )
    expect(await audit.prune({ bytes: 5000 * 200 })).toBe(0)
    // About 3,500 entries fit. Pruning removes a thousand at a time, so 3,000 remain.
    expect(await audit.prune({ bytes: 3500 * 111 })).toBe(2000)
    const { entries, next } = list({ limit: 500 })
    expect(entries[0]?.id).toBe(5000)
    expect(next).not.toBeNull()
    expect(db.get<{ n: number }>('SELECT count(*) AS n FROM audit_log')?.n).toBe(3000)
    db.close()
  })
})

test('an entry shows the stored names, or else the current names of its ids', async () => {
  const { texts, make, db } = await setup()
  const prints = await make.collection({ name: 'Scanned prints' })
  await addAuditRows(db, [
    { action: 'group.add', user: ines, detail: { group: 999, name: 'Editors', user: vera, username: 'vera' } },
    { action: 'group.attach', user: ines, detail: { group: 999, name: 'Editors', collection: prints } },
    { action: 'user.reset', user: ines, detail: { user: vera } },
    { action: 'collection.delete', user: ines, detail: { collection: 999, name: 'Old' } },
  ])
  expect(texts()).toEqual([
    'Deleted a collection: Old',
    'Reset an account: Vera',
    'Gave a group access: Editors in Scanned prints',
    'Added to a group: vera to Editors',
  ])
  db.close()
})

test('the length of an entry is limited', async () => {
  const { db, list } = await setup()
  await db.transact({ userId: null, kind: 'anonymous', address: 'a'.repeat(5000) }, tx => {
    tx.audit('refused', { method: 'GET', path: 'b'.repeat(5000) })
    tx.audit('refused', { parts: Array.from({ length: 500 }, () => 'c'.repeat(50)) })
  })
  const [second, first] = list().entries
  expect(first?.address).toHaveLength(64)
  expect(first?.text).toBe(`Was refused: GET ${'b'.repeat(60)}…`)
  expect(second?.detail).toEqual({ cut: true })
  db.close()
})
