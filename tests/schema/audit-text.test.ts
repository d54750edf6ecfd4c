import { expect, test } from 'bun:test'
import { type AuditAction, auditActions, auditKinds } from '../../schema/api/audit.ts'
import { auditText, auditWho, auditWords } from '../../schema/audit-text.ts'

const nobody = { user: null, group: null, collection: null }

test('describes entries in words', () => {
  const cases: [
    AuditAction,
    string,
    { detail?: Record<string, unknown>; count?: number; names?: Partial<typeof nobody> | Record<string, string> },
  ][] = [
    ['login', 'Signed in', {}],
    ['login.failed', 'Could not sign in, 5 times', { count: 5 }],
    ['login.failed', 'Could not sign in: ines, 1,200 times', { count: 1200, names: { user: 'ines' } }],
    [
      'user.role',
      'Changed a global admin: vera is now a global admin',
      { names: { user: 'vera' }, detail: { globaladmin: true } },
    ],
    [
      'user.update',
      'Changed an account: vera (name, email)',
      { names: { user: 'vera' }, detail: { fields: ['name', 'email'] } },
    ],
    [
      'collection.update',
      'Changed a collection: Family (path)',
      { names: { collection: 'Family' }, detail: { fields: ['path'] } },
    ],
    ['group.add', 'Added to a group: vera to Editors', { names: { user: 'vera', group: 'Editors' } }],
    [
      'group.attach',
      'Gave a group access: Editors (update) in Scanned prints',
      { names: { group: 'Editors', collection: 'Scanned prints' }, detail: { update: true } },
    ],
    ['token.issue', 'Issued a token: backup of vera', { names: { user: 'vera' }, detail: { name: 'backup' } }],
    [
      'refused',
      'Was refused: PUT /v1/access/:id, no permission, 3 times',
      { detail: { method: 'PUT', path: '/v1/access/:id', status: 403 }, count: 3 },
    ],
    ['refused', 'Was refused, 4,900 times', { count: 4900 }],
    [
      'download',
      'Downloaded: 1,204 items, 3.4 GB from Family',
      { detail: { what: 'items', items: 1204, bytes: 3_400_000_000 }, names: { collection: 'Family' } },
    ],
    [
      'download',
      'Downloaded: a folder, 300 files, 2 GB',
      { detail: { what: 'folder', items: 300, bytes: 2_000_000_000 } },
    ],
    ['download', 'Downloaded: all people', { detail: { what: 'people' } }],
  ]
  for (const [action, text, { detail = {}, count = 1, names = {} }] of cases)
    expect(auditText({ action, count, detail, names: { ...nobody, ...names } })).toBe(text)
})

test('every action has its own text and belongs to a kind', () => {
  expect(new Set(auditActions.map(auditWords)).size).toBe(auditActions.length)
  const kinds = new Set<AuditAction>(Object.values(auditKinds).flat())
  expect(auditActions.filter(action => !kinds.has(action))).toEqual([])
})

test('shows a visitor and the terminal without a user name', () => {
  expect(auditWho('user', 'ines')).toBe('ines')
  expect(auditWho('anonymous', 'ines')).toBe('Visitor')
  expect(auditWho('terminal', null)).toBe('This machine')
})
