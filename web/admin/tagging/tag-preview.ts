/** The item that Manage Tags previews, and its page size. */
import { computed, signal } from '@preact/signals-react'
import type { Item } from '../../../schema/api/items.ts'
import { limits } from '../../../schema/limits.ts'
import { selected } from '../../items/selection/selection.ts'
import { itemTable } from '../item-table-state.ts'

export const tagPageSize = signal<number>(limits.pageSize)

const pointed = signal<number | null>(null)

export function pointAt({ id }: Item): void {
  pointed.value = id
}

/** The last row under the pointer, if it is on the page; else the first selected one, else the first. */
export const previewedItem = computed<Item | null>(() => {
  const items = itemTable.value?.items ?? []
  return (
    items.find(({ id }) => id === pointed.value) ?? items.find(({ id }) => selected.value.has(id)) ?? items[0] ?? null
  )
})
