/** After many items have changed at once: everything that shows or counts them is loaded anew; what is shown stays meanwhile. */
import { loadCollections } from './collections.ts'
import { goneChanged } from './gone-items.ts'
import { anyItemChanged } from './item-changes.ts'
import { itemsTableChanged } from './item-table.ts'
import { refreshList } from './items.ts'
import { loadTimeline } from './timeline.ts'
import { vocabularyChanged } from './vocabulary.ts'

export async function everythingAnew(): Promise<void> {
  vocabularyChanged()
  goneChanged()
  anyItemChanged()
  itemsTableChanged()
  await Promise.all([refreshList(), loadTimeline({ quiet: true }), loadCollections({ quiet: true })])
}
