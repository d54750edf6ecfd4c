/** What a viewer may see of the items: the only place that decides it, for lists, counts, and single items. */
import { keyOf, tagBits } from '../../schema/keys.ts'
import { itemState } from '../../schema/tables/items.ts'
import { collectionsWith, type Viewer } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { everything, type Filter, not, withKeys } from './filter.ts'
import { hidingOrPending, pendingHiding } from './seen-items.sql.ts'

/** Items of these collections, in these states, that satisfy the filter. */
export interface Visible {
  collections: 'all' | readonly number[]
  states: readonly number[]
  /** Excludes items that a keystring hides although their state does not say so. */
  filter: Filter
}

/** Which items are requested: those of the gallery, of the recycle bin, or those with missing files. */
export type ItemListKind = 'live' | 'deleted' | 'missing'

const everyTag = Object.values(tagBits).reduce((bits, bit) => bits | bit, 0)

/**
 * Excludes items of keystrings that start or stop hiding now, because a job has yet to update the rows. The states of
 * recycled and missing items do not include hiding, so for those every hiding keystring counts.
 */
function notHidden(db: LibraryDatabase, which: ItemListKind): Filter {
  const rows = db.all(which === 'live' ? pendingHiding : hidingOrPending)
  const keys = rows.map(({ id }) => keyOf('keystring', id))
  return keys.length === 0 ? everything : not(withKeys(keys, everyTag))
}

/**
 * What this viewer sees. `includeHidden` must come from `seesHidden`; for requests without an unlock value (pictures,
 * changes, events), from `showsHiddenTo`. The recycle bin and missing items require the right to update.
 */
export function visibleItems(
  db: LibraryDatabase,
  viewer: Viewer,
  { includeHidden, which = 'live' }: { includeHidden: boolean; which?: ItemListKind },
): Visible {
  const filter = includeHidden ? everything : notHidden(db, which)
  if (which === 'live') {
    const states = includeHidden ? [itemState.shown, itemState.hidden] : [itemState.shown]
    return { collections: collectionsWith(viewer, 'view'), states, filter }
  }
  return { collections: collectionsWith(viewer, 'update'), states: [itemState[which]], filter }
}

/** Restricts `visible` to one collection; 0 means all. A collection that the viewer can't see is empty. */
export function within(visible: Visible, collectionId: number): Visible {
  if (collectionId === 0) return visible
  const { collections } = visible
  const seen = collections === 'all' || collections.includes(collectionId)
  return { ...visible, collections: seen ? [collectionId] : [] }
}
