import { expect, test } from 'bun:test'
import type { AuditEntry } from '../../schema/api/audit.ts'
import { limits } from '../../schema/limits.ts'
import {
  type AuditPage,
  auditDay,
  auditQueryOf,
  defaultAuditView,
  withOlder,
} from '../../web/admin/management/audit-view.ts'

const day = 86_400

test('requests the entries of the selected view', () => {
  const now = 100 * day
  expect(auditQueryOf(defaultAuditView, now)).toEqual({ from: 70 * day })
  expect(auditQueryOf({ who: 'user inés m', what: 'logins', days: limits.auditDays, q: ' 10.0 ' }, now)).toEqual({
    user: 'inés m',
    action: 'logins',
    q: '10.0',
  })
  expect(auditQueryOf({ ...defaultAuditView, who: 'actor terminal' }, now)).toMatchObject({ actor: 'terminal' })
})

test('names today and yesterday, and adds the year to days of other years', () => {
  const now = new Date(2026, 10, 22, 16)
  const at = (...parts: [number, number, number, number]) => new Date(...parts).getTime() / 1000
  expect(auditDay(at(2026, 10, 22, 0), now, 'en-GB')).toBe('Today, Sunday 22 November')
  expect(auditDay(at(2026, 10, 21, 23), now, 'en-GB')).toBe('Yesterday, Saturday 21 November')
  expect(auditDay(at(2026, 10, 20, 23), now, 'en-GB')).toBe('Friday 20 November')
  expect(auditDay(at(2025, 10, 20, 23), now, 'en-GB')).toBe('Thursday, 20 November 2025')
})

test('new entries keep the older loaded ones, unless some may be missing between them', () => {
  const entry = (id: number): AuditEntry => ({
    id,
    at: id,
    who: '',
    username: null,
    address: '',
    action: 'login',
    count: 1,
    text: '',
    actor: 'user',
    names: { user: null, group: null, collection: null },
    detail: {},
  })
  const page = (ids: number[], next: number | null): AuditPage => ({ entries: ids.map(entry), next })
  const ids = ({ entries }: AuditPage) => entries.map(({ id }) => id)
  const known = page([9, 8, 7, 6, 5], 5)
  expect(ids(withOlder(page([11, 10, 9], 9), known))).toEqual([11, 10, 9, 8, 7, 6, 5])
  expect(withOlder(page([11, 10, 9], 9), known).next).toBe(5)
  expect(ids(withOlder(page([14, 13, 12], 12), known))).toEqual([14, 13, 12])
  expect(ids(withOlder(page([2, 1], null), known))).toEqual([2, 1])
})
