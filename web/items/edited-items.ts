/** Which items the metadata screen edits, and which of them it shows. */
import { computed, signal } from '@preact/signals-react'
import { address, go } from '../app/address.ts'
import { addressOfEditor } from '../app/current-filter.ts'
import { itemAt, list, loadAround } from './items.ts'
import { selected } from './selection/selection.ts'

const idsInAddress = computed<readonly number[]>(() => {
  const text = new URLSearchParams(address.value.search).get('items') ?? ''
  return text.split(',').flatMap(id => (/^[1-9]\d{0,14}$/.test(id) ? [Number(id)] : []))
})

/** Ids of the items that had unsaved changes when the screen was left. */
export const idsLeftUnsaved = signal<readonly number[]>([])
/** Ids of items that are not edited, because they were removed, hidden, or moved to another collection. */
export const leftOut = signal<ReadonlySet<number>>(new Set())
/** The item that the user chose among the edited ones. */
const chosenId = signal<number | null>(null)

const onlyIdInAddress = computed(() => (idsInAddress.value.length === 1 ? (idsInAddress.value[0] ?? null) : null))

/**
 * Ids of the items to edit, in the order of their buttons: those in the address, else the selected ones, else those left
 * with unsaved changes. If the address has the id of only one of several selected items, all selected items are edited.
 */
export const editedIds = computed<readonly number[]>(() => {
  const selectedIds = [...selected.value.keys()]
  const [only] = idsInAddress.value
  const ids =
    idsInAddress.value.length > 1
      ? idsInAddress.value
      : only !== undefined
        ? selectedIds.length > 1 && selectedIds.includes(only)
          ? selectedIds
          : [only]
        : selectedIds.length > 0
          ? selectedIds
          : idsLeftUnsaved.value
  return ids.filter(id => !leftOut.value.has(id))
})

/** Id of the item that the screen shows; null if there is none to edit. */
export const editedId = computed<number | null>(() => {
  const ids = editedIds.value
  if (chosenId.value !== null && ids.includes(chosenId.value)) return chosenId.value
  if (onlyIdInAddress.value !== null && ids.includes(onlyIdInAddress.value)) return onlyIdInAddress.value
  return ids[0] ?? null
})

/** The edited item's index in the gallery's list; null unless it is edited alone and in the list. */
const indexInList = computed<number | null>(() => {
  if (editedIds.value.length !== 1) return null
  for (const [index, { id }] of list.value?.items ?? []) if (id === editedId.value) return index
  return null
})

/** Position of the shown item among several edited items or, if it is edited alone, in the gallery's list. */
export interface EditedPosition {
  /** Index, from 0. */
  index: number
  total: number
  among: 'selected' | 'listed' | 'alone'
  /** Id of the item before it. */
  previous: number | null
  /** Id of the item after it. */
  next: number | null
}

export const editedPosition = computed<EditedPosition>(() => {
  const ids = editedIds.value
  if (ids.length > 1) {
    const index = ids.indexOf(editedId.value ?? 0)
    return {
      index,
      total: ids.length,
      among: 'selected',
      previous: ids[index - 1] ?? null,
      next: ids[index + 1] ?? null,
    }
  }
  const index = indexInList.value
  if (index === null) return { index: 0, total: 1, among: 'alone', previous: null, next: null }
  const idAt = (at: number) => list.value?.items.get(at)?.id ?? null
  return { index, total: list.value?.total ?? 1, among: 'listed', previous: idAt(index - 1), next: idAt(index + 1) }
})

/** Loads the edited item's neighbours in the gallery's list. */
export function loadNeighbours(): void {
  const index = indexInList.peek()
  if (index !== null && (itemAt(index + 1) === undefined || itemAt(index - 1) === undefined)) void loadAround(index, 3)
}

/** Shows an item: one of the edited ones, or another one, which is then edited alone. */
export function editItem(id: number): void {
  if (editedIds.peek().includes(id)) chosenId.value = id
  else {
    chosenId.value = null
    go(addressOfEditor([id]), { replace: true })
  }
}

/** Leaves out an item that was removed. If it was shown, the next one is shown, or else the previous one. */
export function leaveOut(id: number): void {
  const { previous, next } = editedPosition.peek()
  const wasShown = editedId.peek() === id
  const wasAlone = editedIds.peek().length === 1
  leftOut.value = new Set(leftOut.peek()).add(id)
  const replacement = next ?? previous
  if (!wasShown || replacement === null) return
  if (wasAlone) go(addressOfEditor([replacement]), { replace: true })
  else chosenId.value = replacement
}

/** Edits items again that were left out, because they were restored. */
export function includeAgain(ids: readonly number[]): void {
  if (!ids.some(id => leftOut.peek().has(id))) return
  leftOut.value = new Set([...leftOut.peek()].filter(id => !ids.includes(id)))
}
