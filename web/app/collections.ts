/** Collections with their counts; creating, changing, removing and scanning them. */
import { computed } from '@preact/signals-react'
import type { Collection, CollectionChanges, NewCollection } from '../../schema/api/collections.ts'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { ignoreSecondPress } from '../kit/layers/second-press.ts'
import { baseTexts } from '../texts/base.ts'
import { filter } from './current-filter.ts'
import { hiddenQuery } from './hidden.ts'
import { createResource } from './loading/resource.ts'
import { attempt, report } from './messages.ts'

const { value, failed, load } = createResource<readonly Collection[]>(baseTexts.unableToLoadCollection, async () => {
  const [all, ...own] = await api.collections.list({ query: hiddenQuery() })
  return all === undefined ? [] : [{ ...all, name: baseTexts.wholeLibrary }, ...own]
})
/** The entry 'All' is the first. Null until loaded. */
export const collections = value
export const collectionsFailed = failed
export const loadCollections = load

/** All collections without the entry 'All'. */
export const ownCollections = computed(() => (collections.value ?? []).filter(({ id }) => id !== 0))
export const administeredCollections = computed(() => ownCollections.value.filter(({ rights }) => rights.admin))
export const currentCollection = computed(
  () => ownCollections.value.find(({ id }) => id === filter.value.collection) ?? null,
)
/** Whether no scan of any collection has ended yet. */
export const isFirstScan = computed(() => ownCollections.value.every(({ lastscan }) => lastscan === ''))
/** Number of items in all collections; null until loaded. Grows while a scan runs. */
export const itemCount = computed(() => collections.value?.find(({ id }) => id === 0)?.itemcount ?? null)

/** Why a collection was not saved, and the field to show this at; '' means the whole form. */
export interface SaveFault {
  text: string
  field: string
}

/** The server's messages for 400 and 409 are shown at the path field; other errors are reported. */
function saveFault(error: unknown): SaveFault {
  if (error instanceof Refused && (error.status === 400 || error.status === 409))
    return { text: error.message, field: 'path' }
  report(error, baseTexts.failedToSaveCollection)
  return { text: baseTexts.failedToSaveCollection, field: '' }
}

/** Creates a collection. Returns it, or the error. */
export async function createCollection(body: NewCollection): Promise<{ created: Collection } | SaveFault> {
  try {
    const created = await api.collections.create({ body })
    await loadCollections()
    return { created }
  } catch (error) {
    return saveFault(error)
  }
}

/** Changes a collection. Returns the error, or null. */
export async function updateCollection(id: number, body: CollectionChanges): Promise<SaveFault | null> {
  try {
    await api.collections.update({ params: { id }, body })
    await loadCollections()
    return null
  } catch (error) {
    return saveFault(error)
  }
}

/** Forgets a collection; its files are kept. Returns whether it succeeded. */
export async function removeCollection(id: number): Promise<boolean> {
  try {
    await api.collections.remove({ params: { id } })
  } catch (error) {
    report(error, baseTexts.failedToDeleteCollection)
    return false
  }
  await loadCollections()
  return true
}

/** Starts a scan; returns whether it has started. */
export async function scanCollection(id: number, { acceptMissing = false } = {}): Promise<boolean> {
  // Ignore a second press until the row shows the scan.
  ignoreSecondPress()
  return attempt(baseTexts.failedToScanCollection, () =>
    api.collections.scan({ params: { id }, query: acceptMissing ? { acceptMissing } : {} }),
  )
}
