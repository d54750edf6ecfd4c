/** Links that were shared and are still good: loading them, and ending one. */
import { signal } from '@preact/signals-react'
import type { ItemDetails } from '../../schema/api/items.ts'
import type { Share } from '../../schema/api/shares.ts'
import { api } from '../api.ts'
import { hiddenQuery } from '../app/hidden.ts'
import { createLoading, type LoadOptions } from '../app/loading/resource.ts'
import { report } from '../app/messages.ts'

/** Newest first; null until they are known. */
export const shares = signal<readonly Share[] | null>(null)
/** What is shared, as far as the person may see it. */
export const sharedItems = signal<ReadonlyMap<number, ItemDetails>>(new Map())
const { failed: sharesFailed, load } = createLoading('Failed to load shares')

export { sharesFailed }

const atOnce = 4

async function loadItems(ids: readonly number[]): Promise<void> {
  const rest = [...ids]
  const query = hiddenQuery()
  const one = async () => {
    for (let id = rest.shift(); id !== undefined; id = rest.shift()) {
      // What is gone, or hidden since, keeps its place in the list without a name.
      const item = await api.items.get({ params: { id }, query }).catch(() => null)
      if (item !== null) sharedItems.value = new Map(sharedItems.peek()).set(id, item)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

export function loadShares(how?: LoadOptions): Promise<boolean> {
  return load(
    () => api.shares.list(),
    async answer => {
      shares.value = answer
      await loadItems([...new Set(answer.map(({ item }) => item))])
    },
    how,
  )
}

/** Ends one at once, for everybody who has the link. */
export async function revokeShare({ item, name }: Share): Promise<boolean> {
  try {
    await api.shares.remove({ params: { id: item, name } })
    shares.value = (shares.peek() ?? []).filter(share => share.name !== name)
    return true
  } catch (error) {
    report(error, 'Failed to end the share')
    void loadShares()
    return false
  }
}

export function linkOf({ name }: Pick<Share, 'name'>): string {
  return `${location.origin}/share/${name}`
}

/** '6 days', '23 hours', '12 minutes', 'under a minute': how long a link is still good. Seconds since the epoch. */
export function remainingText(expires: number, now: number): string {
  const seconds = expires - now
  const count = (unit: number, word: string) => {
    const n = Math.floor(seconds / unit)
    return `${n} ${word}${n === 1 ? '' : 's'}`
  }
  if (seconds >= 2 * 86_400) return count(86_400, 'day')
  if (seconds >= 3600) return count(3600, 'hour')
  return seconds >= 60 ? count(60, 'minute') : 'under a minute'
}
