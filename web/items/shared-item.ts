/** The item of a share link: it has no id for visitors, but is shown in the viewer like any other item. */
import { computed, signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import type { SharedItem } from '../../schema/api/shares.ts'
import { Refused } from '../../schema/client.ts'
import { api, type Shared } from '../api.ts'
import { address, go } from '../app/address.ts'
import { createLoading, type LoadOptions } from '../app/loading/resource.ts'
import { say } from '../app/messages.ts'
import { baseTexts } from '../texts/base.ts'

/** The id that stands for the item of a share link. */
export const sharedId = -1

/** The share's name in the address; null at other addresses. */
export const shareName = computed(() => /^\/share\/([^/]+)\/?$/.exec(address.value.path)?.[1] ?? null)

const loaded = signal<{ name: string; item: Item & Shared } | null>(null)
export const sharedItem = computed(() => (loaded.value?.name === shareName.value ? loaded.value.item : null))

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
  say(baseTexts.sharedLinkIsNotActive)
  go('/', { replace: true })
  return true
})

/** Returns false on failure, which is reported. */
export async function loadShared(how: LoadOptions): Promise<boolean> {
  const name = shareName.value
  if (name === null || loaded.value?.name === name) return true
  const take = (response: SharedItem) => {
    loaded.value = { name, item: itemOfShare(name, response) }
  }
  return load(() => api.shares.get({ params: { name } }), take, how)
}
