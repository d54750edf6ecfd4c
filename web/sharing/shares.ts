/** Active shares of the user, for global admins of everybody: loads the list, and ends one. */
import type { ItemDetails } from '../../schema/api/items.ts'
import type { Share } from '../../schema/api/shares.ts'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { hiddenQuery } from '../app/hidden.ts'
import { createLoading, type LoadOptions } from '../app/loading/resource.ts'
import { report } from '../app/messages.ts'
import { userSignal } from '../app/user-data.ts'
import { sharingTexts } from '../texts/sharing.ts'

/** Newest first; null until loaded. */
export const shares = userSignal<readonly Share[] | null>(null)
/** The shared items that the user can see. */
export const sharedItems = userSignal<ReadonlyMap<number, ItemDetails>>(new Map())
const { failed: sharesFailed, load } = createLoading(sharingTexts.failedToLoadShares)

export { sharesFailed }

const maxRequests = 4

/** The share of a deleted or hidden item stays in the list, without the item's name. */
async function loadItem(id: number): Promise<void> {
  try {
    const item = await api.items.get({ params: { id }, query: hiddenQuery() })
    sharedItems.value = new Map(sharedItems.peek()).set(id, item)
  } catch (error) {
    // If the server is down, loading the whole list fails; it is repeated when the server is back.
    if (!(error instanceof Refused && error.status < 500)) throw error
  }
}

async function loadItems(ids: readonly number[]): Promise<void> {
  const rest = [...ids]
  const loadRest = async () => {
    for (let id = rest.shift(); id !== undefined; id = rest.shift()) await loadItem(id)
  }
  await Promise.all(Array.from({ length: maxRequests }, loadRest))
}

export function loadShares(how?: LoadOptions): Promise<boolean> {
  return load(
    () => api.shares.list(),
    async response => {
      shares.value = response
      await loadItems([...new Set(response.map(({ item }) => item))])
    },
    how,
  )
}

/** Ends a share at once, for everybody. */
export async function revokeShare({ item, name }: Share): Promise<boolean> {
  try {
    await api.shares.remove({ params: { id: item, name } })
    shares.value = (shares.peek() ?? []).filter(share => share.name !== name)
    return true
  } catch (error) {
    report(error, sharingTexts.failedToEndTheShare)
    void loadShares()
    return false
  }
}

export function addressOfShare({ name }: Pick<Share, 'name'>): string {
  return `${location.origin}/share/${name}`
}
