/** The screen Management: its tabs, and when the recycle bin deletes an item. Pure. */

import { limits } from '../../../schema/limits.ts'
import { managementTexts } from '../../texts/admin/management.ts'
import { baseTexts } from '../../texts/base.ts'

export const managementTabs = ['Recycle Bin', 'Missing Items', 'People', 'Plugins'] as const
/** Tabs for global admins. */
export const globalAdminTabs = [...managementTabs, 'Log'] as const
export type ManagementTab = (typeof globalAdminTabs)[number]

const wordOf = (tab: ManagementTab) => tab.toLowerCase().replace(' ', '-')

/** The tab in an address; the first one if the address has none. */
export function tabOf(search: string, tabs: readonly ManagementTab[]): ManagementTab {
  const word = new URLSearchParams(search).get('tab')
  return tabs.find(tab => wordOf(tab) === word) ?? managementTabs[0]
}

export function tabAddress(tab: ManagementTab): string {
  return tab === managementTabs[0] ? '/admin/manage' : `/admin/manage?tab=${wordOf(tab)}`
}

const daySeconds = 86_400

/**
 * When the recycle bin deletes an item: 'Today' if that time has come, else 'in N days'; 'Never' if `keep` is null.
 * Times are in seconds since the epoch; `keep` is how many seconds the bin keeps items.
 */
export function deletionTimeText(
  recycled: number,
  now: number,
  keep: number | null = limits.recycledDays * daySeconds,
): string {
  if (keep === null) return baseTexts.never
  const left = recycled + keep - now
  return left <= 0 ? baseTexts.today : managementTexts.inDays({ count: Math.ceil(left / daySeconds) })
}

/** Seconds since the epoch when an item was recycled; null if it is not recycled. */
export function recycledAt({
  properties,
}: {
  properties: readonly { name: string; value: string | number }[]
}): number | null {
  const { value } = properties.find(({ name }) => name === 'Deleted') ?? {}
  return typeof value === 'number' ? value : null
}
