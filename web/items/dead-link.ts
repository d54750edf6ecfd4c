/** What visitors get for a link that does not exist or has ended, and which links this browser has opened. */
import { computed, effect, signal } from '@preact/signals-react'
import { z } from 'zod'
import { address, go } from '../app/address.ts'
import { collections, collectionsFailed, ownCollections } from '../app/collections.ts'
import { showError } from '../app/messages.ts'
import { signedIn } from '../app/session.ts'
import { readStored, writeStored } from '../kit/stored.ts'
import { baseTexts } from '../texts/base.ts'

const storageKey = 'keepsake.links'
/** When each link ends, by the link's name: seconds since the epoch; null: never. */
const storedLinks = z.record(z.string(), z.number().nullable())
const maxStored = 50

/** Remembers that this browser has opened a link. `expires` in seconds since the epoch; null: never. */
export function rememberLink(name: string, expires: number | null): void {
  const { [name]: _, ...others } = readStored(storageKey, storedLinks) ?? {}
  const kept = Object.entries(others).slice(1 - maxStored)
  writeStored(storageKey, Object.fromEntries([...kept, [name, expires]]))
}

/** Set when a visitor who may see nothing else opened a dead link. `ended`: when it expired, if this browser knows that. */
export const deadLink = signal<{ ended: number | null } | null>(null)

/** Whether the page of a dead link is shown instead of Home. */
export const isDeadLinkShown = computed(() => deadLink.value !== null && address.value.path === '/' && !signedIn.value)

/**
 * Leaves a dead link for '/'. Visitors who may see nothing there get the page of a dead link; everyone else gets Home and
 * a notice. Waits until the collections are loaded.
 */
export function leaveDeadLink(name: string): void {
  const stop = effect(() => {
    if (collections.value === null && !collectionsFailed.value) return
    queueMicrotask(() => stop())
    if (signedIn.peek() || ownCollections.value.length > 0) showError(baseTexts.sharedLinkIsNotActive)
    else {
      const expires = readStored(storageKey, storedLinks)?.[name] ?? null
      deadLink.value = { ended: expires !== null && expires * 1000 <= Date.now() ? expires : null }
    }
    go('/', { replace: true })
  })
}
