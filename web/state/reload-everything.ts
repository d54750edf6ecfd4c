/** After many items have changed at once: everything that shows or counts them is loaded again; it stays on the screen meanwhile. */
import { markStale } from '../app/stale.ts'
import { loadCollections } from './collections.ts'
import { anyItemChanged } from './item-changes.ts'
import { refreshList } from './items.ts'
import { loadTimeline } from './timeline.ts'

export async function reloadEverything(): Promise<void> {
  markStale('words', 'items')
  anyItemChanged()
  await Promise.all([refreshList(), loadTimeline({ quiet: true }), loadCollections({ quiet: true })])
}
