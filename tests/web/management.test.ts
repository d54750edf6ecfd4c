import { expect, test } from 'bun:test'
import { limits } from '../../schema/limits.ts'
import {
  deletionTimeText,
  globalAdminTabs,
  managementTabs,
  recycledAt,
  tabAddress,
  tabOf,
} from '../../web/admin/management/management-state.ts'

const day = 86_400
const now = Date.UTC(2026, 10, 21, 12) / 1000

test("'Will be deleted' is 'Today' for now and the past, else 'in 1 day' or 'in N days'", () => {
  const keep = limits.recycledDays * day
  const textFor = (left: number) => deletionTimeText(now - keep + left, now)
  expect([-40 * day, -1, 0].map(textFor)).toEqual(['Today', 'Today', 'Today'])
  expect([1, 3600, day].map(textFor)).toEqual(['in 1 day', 'in 1 day', 'in 1 day'])
  expect([day + 1, 2 * day, 29.5 * day, 30 * day].map(textFor)).toEqual([
    'in 2 days',
    'in 2 days',
    'in 30 days',
    'in 30 days',
  ])
})

test('a setting decides how long the bin keeps items; null keeps them for ever', () => {
  expect(deletionTimeText(now, now, 7 * day)).toBe('in 7 days')
  expect(deletionTimeText(now - 8 * day, now, 7 * day)).toBe('Today')
  expect(deletionTimeText(now - 8 * day, now, null)).toBe('Never')
})

test('reads the recycling time from the property Deleted', () => {
  expect(
    recycledAt({
      properties: [
        { name: 'Rotation', value: 90 },
        { name: 'Deleted', value: now },
      ],
    }),
  ).toBe(now)
  expect(recycledAt({ properties: [] })).toBeNull()
  expect(recycledAt({ properties: [{ name: 'Deleted', value: 'yes' }] })).toBeNull()
})

test('there are four tabs, each with an address', () => {
  expect(managementTabs).toEqual(['Recycle Bin', 'Missing Items', 'People', 'Plugins'])
  for (const tab of managementTabs) expect(tabOf(new URL(tabAddress(tab), 'http://x').search, managementTabs)).toBe(tab)
  expect(tabAddress('Missing Items')).toBe('/admin/manage?tab=missing-items')
  expect(tabOf('?tab=nothing', managementTabs)).toBe('Recycle Bin')
})

test('global admins have one more tab, Log, after the others', () => {
  expect(globalAdminTabs).toEqual([...managementTabs, 'Log'])
  expect(tabOf('?tab=log', globalAdminTabs)).toBe('Log')
  expect(tabOf('?tab=log', managementTabs)).toBe('Recycle Bin')
})
