/** The recycle bin and the missing items: pages and actions. */
import type { Item } from '../../../schema/api/items.ts'
import { api } from '../../api.ts'
import { hiddenQuery } from '../../app/hidden.ts'
import { waitForJob } from '../../app/jobs/job-end.ts'
import { createLoading, type LoadOptions, requestPage } from '../../app/loading/resource.ts'
import { markStale } from '../../app/loading/stale.ts'
import { attempt, report, say, showError } from '../../app/messages.ts'
import { userSignal } from '../../app/user-data.ts'
import { managementTexts } from '../../texts/admin/management.ts'
import { baseTexts } from '../../texts/base.ts'

export type GoneKind = 'deleted' | 'missing'

/** A page of the list. `collection` is an id, or 0 for all collections. */
export interface GoneView {
  collection: number
  page: number
  size: number
}

export interface GonePage extends GoneView {
  total: number
  items: readonly Item[]
}

export const gonePages = {
  deleted: userSignal<GonePage | null>(null),
  missing: userSignal<GonePage | null>(null),
} as const
const { failed: goneFailed, load } = createLoading(baseTexts.failedToLoadItems)

export { goneFailed }

export async function loadGoneItems(which: GoneKind, view: GoneView, how?: LoadOptions): Promise<void> {
  const loadPage = (page: number) =>
    api.items[which]({ params: { collectionId: view.collection }, query: { limit: view.size, page, ...hiddenQuery() } })
  await load(
    () => requestPage(view.page, view.size, loadPage),
    ({ items, page, _meta: { total_records: total } }) => {
      gonePages[which].value = { ...view, page, total, items }
    },
    how,
  )
}

/** Removes the item from its list at once. */
function removeFromList(which: GoneKind, id: number): void {
  const known = gonePages[which].peek()
  if (known === null) return
  const items = known.items.filter(item => item.id !== id)
  gonePages[which].value = { ...known, items, total: known.total - (known.items.length - items.length) }
}

export async function restoreItem({ id, name }: Pick<Item, 'id' | 'name'>): Promise<void> {
  try {
    await api.items.restore({ params: { id } })
    removeFromList('deleted', id)
    say(managementTexts.itemRestored, name)
  } catch (error) {
    report(error, managementTexts.failedToRestoreItem)
  }
  markStale('items')
}

/** Deletes a recycled item for good, or forgets a missing one. Returns false on failure, which is reported. */
export async function removeGoneItem(which: GoneKind, { id, name }: Pick<Item, 'id' | 'name'>): Promise<boolean> {
  const done = await attempt(baseTexts.failedToDeleteItem, async () => {
    await api.items.remove({ params: { id } })
    removeFromList(which, id)
    say(which === 'deleted' ? managementTexts.itemDeletedForGood : managementTexts.missingItemRemoved, name)
  })
  markStale('items')
  return done
}

/** Starts a job that empties the recycle bin of a collection (0: of all). Returns true if it has started. */
export async function emptyBin(collectionId: number): Promise<boolean> {
  return attempt(managementTexts.failedToEmptyBin, async () => {
    const { taskid } = await api.items.emptyBin({ params: { collectionId } })
    void waitForJob(taskid).then(({ counts, state, message, error }) => {
      const { deleted = 0, kept = 0 } = counts
      markStale('items')
      if (state === 'failed') showError(managementTexts.failedToEmptyBin, error ?? '')
      else if (kept > 0)
        say(
          managementTexts.itemsDeletedForGood({ count: deleted }),
          managementTexts.itemsCouldNotBeDeleted({ count: kept, message }),
        )
      else say(managementTexts.itemsDeletedForGood({ count: deleted }))
    })
  })
}

/** Forgets every missing item of a collection (0: all that the user may change). */
export async function removeMissing(collectionId: number): Promise<boolean> {
  const done = await attempt(managementTexts.failedToRemoveMissingItems, async () => {
    const { forgotten, back } = await api.items.forgetMissing({ params: { collectionId } })
    const detail = back === 0 ? '' : managementTexts.filesAreBack({ count: back })
    say(managementTexts.missingItemsRemoved({ count: forgotten }), detail)
  })
  markStale('items')
  return done
}
