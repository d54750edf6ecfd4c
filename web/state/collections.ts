/** Collections with their counts, making one, scanning one. */
import { computed, signal } from '@preact/signals-react'
import type { Collection, NewCollection } from '../../schema/api/collections.ts'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { filter } from './current-filter.ts'
import { includeHidden } from './hidden.ts'
import { report } from './messages.ts'
import { user } from './session.ts'

/** 'All' first; null until they are known. */
export const collections = signal<readonly Collection[] | null>(null)

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
  } catch (error) {
    if (!quiet) report(error, 'Unable to load collection')
  }
}

/** Makes a collection. Answers it, or what is wrong and with which field. */
export async function createCollection(
  body: NewCollection,
): Promise<{ made: Collection } | { text: string; field: string }> {
  try {
    const made = await api.collections.create({ body: { pathVariant: '', readonly: false, ...body } })
    await loadCollections()
    return { made }
  } catch (error) {
    if (error instanceof Refused && (error.status === 400 || error.status === 409)) {
      return {
        text: error.message,
        field: error.field === 'name' || error.field === 'pathVariant' ? error.field : 'path',
      }
    }
    report(error, 'Failed to save collection')
    return { text: 'Failed to save collection', field: '' }
  }
}

/** Starts a scan; true when it has begun. */
export async function scanCollection(id: number, { acceptMissing = false } = {}): Promise<boolean> {
  try {
    await api.collections.scan({ params: { id }, query: acceptMissing ? { acceptMissing } : {} })
    return true
  } catch (error) {
    report(error, 'Failed to scan collection')
    return false
  }
}
