import { expect, test } from 'bun:test'
import { createAuditNotes } from '../../../core/accounts/audit/audit-notes.ts'
import { silentLog } from '../../../core/kernel/log.ts'
import { openTestLibrary } from '../../support/library.ts'

function setup() {
  const { db, clock } = openTestLibrary()
  return {
    db,
    clock,
    notes: createAuditNotes({ db, clock, log: silentLog }),
    rows: () =>
      db.all<{ action: string; actor: string; user_id: number | null; address: string; detail: string; count: number }>(
        'SELECT action, actor, user_id, address, detail, count FROM audit_log ORDER BY id',
      ),
  }
}

const visitor = { userId: null, kind: 'anonymous', address: '192.0.2.1' }

test('equal entries within a minute share one row with a count, even after the row was written', async () => {
  const { notes, rows, clock, db } = setup()
  for (let n = 0; n < 3; n++) notes.note('login.failed', visitor)
  notes.note('login.failed', { ...visitor, userId: 7 }, { why: 'password' })
  expect(rows()).toEqual([])
  await notes.write()
  clock.advance(30)
  notes.note('login.failed', visitor)
  await notes.write()
  const first = { action: 'login.failed', actor: 'anonymous', user_id: null, address: '192.0.2.1', detail: '{}' }
  expect(rows()).toEqual([
    { ...first, count: 4 },
    { ...first, user_id: 7, detail: '{"why":"password"}', count: 1 },
  ])

  clock.advance(31)
  notes.note('login.failed', visitor)
  await notes.write()
  expect(rows().map(({ count }) => count)).toEqual([4, 1, 1])
  db.close()
})

test('entries are written automatically', async () => {
  const { notes, rows, db } = setup()
  notes.note('refused', visitor)
  while (rows().length === 0) await new Promise(resolve => setTimeout(resolve, 20))
  expect(rows()).toHaveLength(1)
  db.close()
})

test('closing writes pending entries and ignores later ones', async () => {
  const { notes, rows, db } = setup()
  notes.note('refused', visitor)
  void notes.close()
  notes.note('refused', { ...visitor, address: '192.0.2.2' })
  expect(rows()).toHaveLength(1)
  db.close()
})

test('an attack from many addresses creates at most a hundred rows a minute, plus one row that counts the rest', async () => {
  const { notes, rows, db } = setup()
  for (let n = 0; n < 5000; n++) notes.note('login.limited', { ...visitor, address: `10.0.${n >> 8}.${n & 255}` })
  notes.note('refused', visitor, { call: 'users.list' })
  await notes.write()
  const limited = rows().filter(({ action }) => action === 'login.limited')
  expect(limited).toHaveLength(101)
  expect(limited.at(-1)).toMatchObject({ address: '', user_id: null, detail: '{}', count: 4900 })
  // Other actions are still recorded.
  expect(rows().filter(({ action }) => action === 'refused')).toHaveLength(1)
  db.close()
})

test('addresses in one IPv6 network share a row with the first address', async () => {
  const { notes, rows, db } = setup()
  for (let n = 1; n <= 50; n++) notes.note('login.limited', { ...visitor, address: `2001:db8:1:2::${n}` })
  notes.note('login.limited', { ...visitor, address: '2001:db8:1:3::1' })
  await notes.write()
  expect(rows()).toMatchObject([
    { address: '2001:db8:1:2::1', count: 50 },
    { address: '2001:db8:1:3::1', count: 1 },
  ])
  db.close()
})

test('entries noted during a dry run are written', async () => {
  const { notes, rows, db } = setup()
  await db.rehearse(async () => {
    notes.note('refused', visitor)
    await notes.write()
  })
  expect(rows()).toHaveLength(1)
  db.close()
})
