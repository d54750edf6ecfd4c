/** The items that the metadata screen edits: those in the address, the selected ones, or those left unsaved. */
import { computed, signal } from '@preact/signals-react'
import { address, go } from '../app/address.ts'
import { addressOfEditor } from '../app/current-filter.ts'
import { bring, itemAt, list } from './items.ts'
import { selected } from './selection/selection.ts'

/** The ids in the address. */
const addressed = computed<readonly number[]>(() => {
  const text = new URLSearchParams(address.value.search).get('items') ?? ''
  return text.split(',').flatMap(id => (/^[1-9]\d{0,14}$/.test(id) ? [Number(id)] : []))
})

/** Ids of items with unsaved changes when the screen was left; they are edited if nothing else is chosen. */
export const leftUnsaved = signal<readonly number[]>([])
/** Ids of items that are left out, because they were removed, hidden, or moved to another collection. */
export const gone = signal<ReadonlySet<number>>(new Set())
const chosenId = signal<number | null>(null)

/** The id in the address, if there is only one. */
const single = computed(() => (addressed.value.length === 1 ? (addressed.value[0] ?? null) : null))

/**
 * Ids of the items to edit, in the order of their buttons. If the address has the id of only one of several selected
 * items, all selected items are edited.
 */
export const editedIds = computed<readonly number[]>(() => {
  const chosen = [...selected.value.keys()]
  const [only] = addressed.value
  const ids =
    addressed.value.length > 1
      ? addressed.value
      : only !== undefined
        ? chosen.length > 1 && chosen.includes(only)
          ? chosen
          : [only]
        : chosen.length > 0
          ? chosen
          : leftUnsaved.value
  return ids.filter(id => !gone.value.has(id))
})

export const editedId = computed<number | null>(() => {
  const ids = editedIds.value
  if (chosenId.value !== null && ids.includes(chosenId.value)) return chosenId.value
  if (single.value !== null && ids.includes(single.value)) return single.value
  return ids[0] ?? null
})

/** The item's index in the gallery's list, if it is edited alone. */
const listedAt = computed<number | null>(() => {
  if (editedIds.value.length !== 1) return null
  for (const [at, { id }] of list.value?.items ?? []) if (id === editedId.value) return at
  return null
})

/** Where the edited item is among several edited items or, if it is edited alone, in the gallery's list. */
export interface RowPlace {
  /** Index, from 0. */
  at: number
  total: number
  of: 'selected' | 'listed' | 'alone'
  previous: number | null
  next: number | null
}

export const rowPlace = computed<RowPlace>(() => {
  const ids = editedIds.value
  if (ids.length > 1) {
    const at = ids.indexOf(editedId.value ?? 0)
    return { at, total: ids.length, of: 'selected', previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null }
  }
  const at = listedAt.value
  if (at === null) return { at: 0, total: 1, of: 'alone', previous: null, next: null }
  const beside = (index: number) => (index < 0 ? null : (list.value?.items.get(index)?.id ?? null))
  return { at, total: list.value?.total ?? 1, of: 'listed', previous: beside(at - 1), next: beside(at + 1) }
})

/** Loads the edited item's neighbours in the gallery's list. */
export function bringNeighbours(): void {
  const at = listedAt.peek()
  if (at !== null && (itemAt(at + 1) === undefined || itemAt(at - 1) === undefined)) void bring(at, 3)
}

export function choose(id: number): void {
  if (editedIds.peek().includes(id)) chosenId.value = id
  else {
    chosenId.value = null
    go(addressOfEditor([id]), { replace: true })
  }
}

/** Leaves out an item that was removed. If it was being edited, the next one is edited, or else the previous one. */
export function leaveOut(id: number): void {
  const { previous, next } = rowPlace.peek()
  const wasEdited = editedId.peek() === id
  const alone = editedIds.peek().length === 1
  gone.value = new Set(gone.peek()).add(id)
  const stand = next ?? previous
  if (!wasEdited || stand === null) return
  if (alone) go(addressOfEditor([stand]), { replace: true })
  else chosenId.value = stand
}

/** Shows items again that were left out, because they were restored. */
export function bringBack(ids: readonly number[]): void {
  if (!ids.some(id => gone.peek().has(id))) return
  gone.value = new Set([...gone.peek()].filter(id => !ids.includes(id)))
}
