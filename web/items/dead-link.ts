/** Links that are not active: their page, the notice, and when a link ended that this browser had opened. */
import { computed, effect, signal } from '@preact/signals-react'
import { z } from 'zod'
import { address, go } from '../app/address.ts'
import { collections, collectionsFailed, ownCollections } from '../app/collections.ts'
import { showError } from '../app/messages.ts'
import { signedIn } from '../app/session.ts'
import { readStored, writeStored } from '../kit/stored.ts'
import { baseTexts } from '../texts/base.ts'

const stored = 'keepsake.links'
/** Ends by the link's name, in seconds since the epoch; null: never. */
const ends = z.record(z.string(), z.number().nullable())
const mostStored = 50

/** Remembers that this browser has opened a link. `expires` in seconds since the epoch; null: never. */
export function rememberLink(name: string, expires: number | null): void {
  const { [name]: _, ...others } = readStored(stored, ends) ?? {}
  const kept = Object.entries(others).slice(1 - mostStored)
  writeStored(stored, Object.fromEntries([...kept, [name, expires]]))
}

/** The link whose page a visitor gets who may see nothing. `ended`: its end, if this browser had opened it and it expired. */
export const deadLink = signal<{ ended: number | null } | null>(null)

/** Whether the page of a dead link is shown instead of Home. */
export const atDeadLink = computed(() => deadLink.value !== null && address.value.path === '/' && !signedIn.value)

/** Goes to '/': there visitors who may see nothing get the page of a dead link, all others Home and a notice. */
export function leaveDeadLink(name: string): void {
  const stop = effect(() => {
    if (collections.value === null && !collectionsFailed.value) return
    queueMicrotask(() => stop())
    if (signedIn.peek() || ownCollections.value.length > 0) showError(baseTexts.sharedLinkIsNotActive)
    else {
      const expires = readStored(stored, ends)?.[name] ?? null
      deadLink.value = { ended: expires !== null && expires * 1000 <= Date.now() ? expires : null }
    }
    go('/', { replace: true })
  })
}
