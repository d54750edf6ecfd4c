/** The item of a share link: it has no id for visitors, but is shown in the viewer like any other item. */
import { computed, signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import type { SharedItem } from '../../schema/api/shares.ts'
import { Refused } from '../../schema/client.ts'
import { api, type Shared } from '../api.ts'
import { address } from '../app/address.ts'
import { createLoading, type LoadOptions } from '../app/loading/resource.ts'
import { baseTexts } from '../texts/base.ts'
import { leaveDeadLink, rememberLink } from './dead-link.ts'

/** The id that stands for the item of a share link. */
export const sharedId = -1

/** The share's name in the address; null at other addresses. */
export const shareName = computed(() => /^\/share\/([^/]+)\/?$/.exec(address.value.path)?.[1] ?? null)

const loaded = signal<{ share: SharedItem; item: Item & Shared } | null>(null)
const current = computed(() => (loaded.value?.share.name === shareName.value ? loaded.value : null))
export const sharedItem = computed(() => current.value?.item ?? null)
/** The share at this address, once it is loaded: by whom, and until when. */
export const openedShare = computed(() => current.value?.share ?? null)

/** Converts a share to an item for the viewer, with only what the share contains. */
function itemOfShare(share: string, of: SharedItem): Item & Shared {
  return {
    id: sharedId,
    share,
    name: of.name,
    path: of.name,
    type: of.type,
    collection_id: 0,
    width: of.width,
    height: of.height,
    taken_at: of.taken_at,
    taken: Date.parse(`${of.taken_at.replace(' ', 'T')}Z`) / 1000,
    utc_offset: null,
    date_source: '',
    rating: null,
    duration: of.duration,
    live: of.live,
    thumbhash: null,
    reloads: of.reloads,
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

/** Returns false on failure, which is reported. */
export async function loadShared(how: LoadOptions): Promise<boolean> {
  const name = shareName.value
  if (name === null || openedShare.value !== null) return true
  const take = (response: SharedItem) => {
    loaded.value = { share: response, item: itemOfShare(name, response) }
    rememberLink(name, response.expires)
  }
  return load(() => api.shares.get({ params: { name } }), take, how)
}
