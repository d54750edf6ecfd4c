/** After a change of many items, reloads everything that shows or counts them; the old data stay meanwhile. */

import { collections, loadCollections } from '../app/collections.ts'
import type { LoadOptions } from '../app/loading/resource.ts'
import { markStale } from '../app/loading/stale.ts'
import { notifyItemsChanged } from './item-changes.ts'
import { openList, refreshList } from './items.ts'
import { loadTimeline } from './timeline.ts'

export async function reloadItemsAndWords(): Promise<void> {
  markStale('words', 'items')
  notifyItemsChanged()
  await Promise.all([refreshList(), loadTimeline({ quiet: true }), loadCollections({ quiet: true })])
}

export async function loadAfterOutage(how: LoadOptions): Promise<void> {
  await Promise.all([collections.value === null ? loadCollections(how) : null, openList(how), loadTimeline(how)])
}
