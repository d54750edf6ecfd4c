/** Collections with their counts, making one, scanning one. */
import { computed, signal } from '@preact/signals-react'
import type { Collection, CollectionChanges, NewCollection } from '../../schema/api/collections.ts'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { filter } from './current-filter.ts'
import { includeHidden } from './hidden.ts'
import { report, succeeds } from './messages.ts'
import { user } from './session.ts'

/** 'All' first; null until they are known. */
export const collections = signal<readonly Collection[] | null>(null)

export const collectionsFailed = signal(false)

/** Without 'All'. */
export const ownCollections = computed(() => (collections.value ?? []).filter(({ id }) => id !== 0))
export const administered = computed(() => ownCollections.value.filter(({ rights }) => rights.admin))
export const currentCollection = computed(
  () => ownCollections.value.find(({ id }) => id === filter.value.collection) ?? null,
)
/** Items of all collections; null until known. It grows while a scan runs. */
export const itemCount = computed(() => collections.value?.find(({ id }) => id === 0)?.itemcount ?? null)

/** Loads them. Quietly: a poll that fails is no event for whoever looks at pictures. */
export async function loadCollections({ quiet = false } = {}): Promise<void> {
  const asker = user.value?.id
  const hidden = includeHidden.value
  try {
    const answer = await api.collections.list({ query: hidden === '' ? {} : { includeHidden: hidden } })
    if (user.value?.id === asker && includeHidden.value === hidden) collections.value = answer
    collectionsFailed.value = false
  } catch (error) {
    collectionsFailed.value = true
    if (!quiet) report(error, 'Unable to load collection')
  }
}

/** What is wrong, and with which field; '' is the whole. */
export interface SaveFault {
  text: string
  field: string
}

/** 400 and 409 show the server's message on the path field; anything else is reported (§8). */
function saveFault(error: unknown): SaveFault {
  if (error instanceof Refused && (error.status === 400 || error.status === 409))
    return { text: error.message, field: 'path' }
  report(error, 'Failed to save collection')
  return { text: 'Failed to save collection', field: '' }
}

/** Makes a collection. Answers it, or what is wrong. */
export async function createCollection(body: NewCollection): Promise<{ made: Collection } | SaveFault> {
  try {
    const made = await api.collections.create({ body })
    await loadCollections()
    return { made }
  } catch (error) {
    return saveFault(error)
  }
}

/** Changes a collection; null when that is done. */
export async function updateCollection(id: number, body: CollectionChanges): Promise<SaveFault | null> {
  try {
    await api.collections.update({ params: { id }, body })
    await loadCollections()
    return null
  } catch (error) {
    return saveFault(error)
  }
}

/** Forgets a collection; its files stay. True when it is gone. */
export async function removeCollection(id: number): Promise<boolean> {
  try {
    await api.collections.remove({ params: { id } })
  } catch (error) {
    report(error, 'Failed to delete collection')
    return false
  }
  await loadCollections()
  return true
}

/** Scans that are being started: a second click means the same one. */
const starting = new Set<number>()

/** Starts a scan; true when it has begun. */
export async function scanCollection(id: number, { acceptMissing = false } = {}): Promise<boolean> {
  if (starting.has(id)) return false
  starting.add(id)
  // Until its row says that it is under way.
  setTimeout(() => starting.delete(id), 1_000)
  return succeeds('Failed to scan collection', () =>
    api.collections.scan({ params: { id }, query: acceptMissing ? { acceptMissing } : {} }),
  )
}
