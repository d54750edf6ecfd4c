/** The item of a share. Visitors do not get its id, but the viewer shows it like any other item. */
import { computed, signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import type { SharedItem } from '../../schema/api/shares.ts'
import { Refused } from '../../schema/client.ts'
import { api, type Shared } from '../api.ts'
import { address } from '../app/address.ts'
import { createLoading, type LoadOptions } from '../app/loading/resource.ts'
import { baseTexts } from '../texts/base.ts'
import { leaveDeadLink, rememberLink } from './dead-link.ts'

/** The id that the viewer uses for the item of a share. */
export const sharedId = -1

/** The share's name in the address; null at other addresses. */
export const shareName = computed(() => /^\/share\/([^/]+)\/?$/.exec(address.value.path)?.[1] ?? null)

const loaded = signal<{ share: SharedItem; item: Item & Shared } | null>(null)
const current = computed(() => (loaded.value?.share.name === shareName.value ? loaded.value : null))
export const sharedItem = computed(() => current.value?.item ?? null)
/** The share at this address; null until it is loaded. */
export const openedShare = computed(() => current.value?.share ?? null)

/** Converts a share to an item for the viewer, with only what the share contains. */
function itemOfShare(share: string, shared: SharedItem): Item & Shared {
  return {
    id: sharedId,
    share,
    name: shared.name,
    path: shared.name,
    type: shared.type,
    collection_id: 0,
    width: shared.width,
    height: shared.height,
    taken_at: shared.taken_at,
    taken: Date.parse(`${shared.taken_at.replace(' ', 'T')}Z`) / 1000,
    utc_offset: null,
    date_source: '',
    rating: null,
    duration: shared.duration,
    live: shared.live,
    thumbhash: null,
    reloads: shared.reloads,
    problem: null,
    properties: [],
    tags: {},
  }
}

const { load } = createLoading(baseTexts.failedToLoadItemShared, error => {
  if (!(error instanceof Refused && error.status < 500)) return false
  leaveDeadLink(shareName.peek() ?? '')
  return true
})

/** Loads the share in the address, unless it is loaded. Returns false on failure, which is reported. */
export async function loadShared(options: LoadOptions): Promise<boolean> {
  const name = shareName.value
  if (name === null || openedShare.value !== null) return true
  const take = (response: SharedItem) => {
    loaded.value = { share: response, item: itemOfShare(name, response) }
    rememberLink(name, response.expires)
  }
  return load(() => api.shares.get({ params: { name } }), take, options)
}
