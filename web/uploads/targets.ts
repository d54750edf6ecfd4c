/** The collections that the user may add to, and where files would go now. */
import { computed } from '@preact/signals-react'
import type { Collection } from '../../schema/api/collections.ts'
import { ownCollections } from '../app/collections.ts'
import { filter } from '../app/current-filter.ts'
import { signedIn } from '../app/session.ts'

/** Collections that the user may add to. */
export const uploadTargets = computed<readonly Collection[]>(() =>
  signedIn.value ? ownCollections.value.filter(({ rights, readonly }) => rights.create && !readonly) : [],
)
export const mayUpload = computed(() => uploadTargets.value.length > 0)

/** Where files go: the shown or only possible collection; null if the user must choose, 'refused' if not allowed. */
export const uploadTarget = computed<Collection | null | 'refused'>(() => {
  const { collection } = filter.value
  const targets = uploadTargets.value
  if (collection !== 0) return targets.find(({ id }) => id === collection) ?? 'refused'
  return targets.length === 1 ? (targets[0] ?? null) : null
})
