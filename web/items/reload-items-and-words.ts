/** Reloads everything that shows or counts items; the old data stay until then. */
import { collections, loadCollections } from '../app/collections.ts'
import type { LoadOptions } from '../app/loading/resource.ts'
import { markStale } from '../app/loading/stale.ts'
import { notifyItemsChanged } from './item-changes.ts'
import { openList, refreshList } from './items.ts'
import { loadTimeline } from './timeline.ts'

/** For changes of many items: also people, keywords and other words are reloaded. */
export async function reloadItemsAndWords(): Promise<void> {
  markStale('words', 'items')
  notifyItemsChanged()
  await Promise.all([refreshList(), loadTimeline({ quiet: true }), loadCollections({ quiet: true })])
}

/** Loads what Home needs, after it could not be loaded. */
export async function loadAfterOutage(options: LoadOptions): Promise<void> {
  await Promise.all([
    collections.value === null ? loadCollections(options) : null,
    openList(options),
    loadTimeline(options),
  ])
}
