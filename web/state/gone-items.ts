/** The recycle bin and the missing items: their pages, and what becomes of what is in them. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import { plural } from '../../schema/figures.ts'
import { api } from '../api.ts'
import { createLoading } from '../app/resource.ts'
import { hiddenQuery } from './hidden.ts'
import { jobEnd } from './job-end.ts'
import { fault, report, say, succeeds } from './messages.ts'
import { pageCount } from './pages.ts'

export type Gone = 'deleted' | 'missing'

/** What is looked at: a page of one collection, 0 being all. */
export interface GoneView {
  collection: number
  page: number
  size: number
}

export interface GonePage extends GoneView {
  total: number
  items: readonly Item[]
}

export const gonePages = { deleted: signal<GonePage | null>(null), missing: signal<GonePage | null>(null) } as const
const loading = createLoading('Failed to load items')
export const goneFailed = loading.failed
/** Counts up when items have come, gone, or come back somewhere. */
export const goneVersion = signal(0)

export function goneChanged(): void {
  goneVersion.value++
}

/** Loads a page; the last one where that one is gone. */
export async function loadGone(which: Gone, view: GoneView, how: { quiet?: boolean } = {}): Promise<void> {
  const query = { limit: view.size, page: view.page, ...hiddenQuery() }
  const ask = () => api.items[which]({ params: { collectionId: view.collection }, query })
  await loading.load(
    ask,
    ({ items, _meta: { total_records: total } }) => {
      const last = pageCount(total, view.size)
      if (view.page > last) return loadGone(which, { ...view, page: last }, how)
      gonePages[which].value = { ...view, total, items }
    },
    how,
  )
}

/** It leaves its list at once. */
function leave(which: Gone, id: number): void {
  const known = gonePages[which].peek()
  if (known === null) return
  const items = known.items.filter(item => item.id !== id)
  gonePages[which].value = { ...known, items, total: known.total - (known.items.length - items.length) }
}

export async function restoreItem({ id, name }: Pick<Item, 'id' | 'name'>): Promise<void> {
  try {
    await api.items.restore({ params: { id } })
    leave('deleted', id)
    say('1 item restored', name)
  } catch (error) {
    report(error, 'Failed to restore item')
  }
  goneChanged()
}

/** Deletes a recycled item for good, or forgets a missing one. False when it could not be done, which is reported. */
export async function removeGone(which: Gone, { id, name }: Pick<Item, 'id' | 'name'>): Promise<boolean> {
  const done = await succeeds('Failed to delete item', async () => {
    await api.items.remove({ params: { id } })
    leave(which, id)
    say(which === 'deleted' ? '1 item deleted for good' : '1 missing item removed', name)
  })
  goneChanged()
  return done
}

/** Begins to empty the recycle bin of a collection, 0 being all that the person administers. True when it has begun. */
export async function emptyBin(collectionId: number): Promise<boolean> {
  return succeeds('Failed to empty the recycle bin', async () => {
    const { taskid } = await api.items.emptyBin({ params: { collectionId } })
    void jobEnd(taskid).then(({ counts, state, message, error }) => {
      const { deleted = 0, kept = 0 } = counts
      goneChanged()
      if (state === 'failed') fault('Failed to empty the recycle bin', error ?? '')
      else if (kept > 0)
        say(`${plural(deleted, 'item')} deleted for good`, `${plural(kept, 'item')} could not be deleted. ${message}`)
      else say(`${plural(deleted, 'item')} deleted for good`)
    })
  })
}

/** Forgets every missing item of a collection, 0 being all that the person may change. */
export async function removeMissing(collectionId: number): Promise<boolean> {
  const done = await succeeds('Failed to remove missing items', async () => {
    const { forgotten, back } = await api.items.forgetMissing({ params: { collectionId } })
    const isBack =
      back === 1 ? 'The file of 1 item is there again: it is' : `The files of ${back} items are there again: they are`
    say(`${plural(forgotten, 'missing item')} removed`, back === 0 ? '' : `${isBack} shown as before.`)
  })
  goneChanged()
  return done
}
