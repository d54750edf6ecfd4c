/** The items that the metadata screen goes through, the one that is edited, and saving it. */
import { computed, signal } from '@preact/signals-react'
import type { ItemDetails } from '../../schema/api/items.ts'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { address, go } from './address.ts'
import { filterQuery } from './current-filter.ts'
import { replaceItem } from './item-changes.ts'
import { changes, dateFault, formOf, type ItemForm } from './item-form.ts'
import { report } from './messages.ts'
import { selected } from './selection.ts'

/** Ids in the address, else what is selected. */
export const editedIds = computed<readonly number[]>(() => {
  const named = new URLSearchParams(address.value.search).get('items') ?? ''
  const ids = named.split(',').flatMap(text => (/^[1-9]\d{0,14}$/.test(text) ? [Number(text)] : []))
  return ids.length > 0 ? ids : [...selected.value.keys()]
})

const chosenId = signal<number | null>(null)
export const editedId = computed(() => {
  const ids = editedIds.value
  return chosenId.value !== null && ids.includes(chosenId.value) ? chosenId.value : (ids[0] ?? null)
})

export const editedItem = signal<ItemDetails | null>(null)
export const form = signal<ItemForm | null>(null)
export const saving = signal(false)
/** What was begun on other items of the row waits for them. */
const drafts = new Map<number, ItemForm>()

const before = computed(() => (editedItem.value === null ? null : formOf(editedItem.value)))
export const pending = computed(() =>
  form.value === null || before.value === null ? [] : changes(before.value, form.value),
)
export const faulty = computed(() => form.value !== null && dateFault(form.value.date) !== null)

export function edit(change: Partial<ItemForm>): void {
  if (form.value === null || editedItem.value === null) return
  form.value = { ...form.value, ...change }
  drafts.set(editedItem.value.id, form.value)
}

/** Shows another one of the row; what was begun is kept. */
export function choose(id: number): void {
  chosenId.value = id
}

export async function loadEdited(): Promise<void> {
  const id = editedId.value
  if (id === null) {
    editedItem.value = null
    form.value = null
    return
  }
  const { includeHidden } = filterQuery.peek()
  try {
    const item = await api.items.get({ params: { id }, query: includeHidden === undefined ? {} : { includeHidden } })
    if (editedId.value !== id) return
    editedItem.value = item
    form.value = drafts.get(id) ?? formOf(item)
  } catch (error) {
    if (editedId.value === id) {
      editedItem.value = null
      form.value = null
    }
    report(error, `Failed to load Item: ${id}`)
  }
}

export function revert(): void {
  if (editedItem.value === null) return
  drafts.delete(editedItem.value.id)
  form.value = formOf(editedItem.value)
}

/** Writes what changed, one set after the other; what failed stays in the form, keywords are restored (§8). */
export async function saveEdited(): Promise<void> {
  const item = editedItem.value
  if (item === null || saving.value) return
  saving.value = true
  const failed: string[] = []
  try {
    for (const { tagName, data, failure } of pending.value) {
      try {
        await api.tags.update({ params: { id: item.id, tagName }, query: {}, body: { data } })
      } catch (error) {
        failed.push(tagName)
        report(error, failure)
        if (!(error instanceof Refused)) break
      }
    }
    const { includeHidden } = filterQuery.peek()
    const now = await api.items.get({
      params: { id: item.id },
      query: includeHidden === undefined ? {} : { includeHidden },
    })
    replaceItem(now)
    if (editedItem.value?.id !== item.id) return
    editedItem.value = now
    const saved = formOf(now)
    const kept = form.value
    drafts.delete(item.id)
    form.value =
      failed.length === 0 || kept === null
        ? saved
        : {
            date: failed.includes('DateTimeOriginal') ? kept.date : saved.date,
            description: failed.includes('Description') ? kept.description : saved.description,
            category: failed.includes('Category') ? kept.category : saved.category,
            keywords: saved.keywords,
            author: failed.includes('Author') ? kept.author : saved.author,
            place: failed.includes('Locations') ? kept.place : saved.place,
          }
  } catch (error) {
    report(error, `Failed to load Item: ${item.id}`)
  } finally {
    saving.value = false
  }
}

/** Saves, and goes on to the next one of the row; after the last one it stays. */
export async function saveAndNext(): Promise<void> {
  const ids = editedIds.value
  const at = ids.indexOf(editedId.value ?? 0)
  await saveEdited()
  const next = ids[at + 1]
  if (next !== undefined && pending.value.length === 0) choose(next)
}

export function leaveEditor(): void {
  if (history.length > 1) history.back()
  else go('/')
}
