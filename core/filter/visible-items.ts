/** What a viewer may see of the items: the one place that decides it, for lists, counts, and single items alike. */
import { keyOf, tagBits } from '../../schema/keys.ts'
import { itemState } from '../../schema/tables/items.ts'
import { collectionsWith, type Viewer } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { everything, type Filter, not, withKeys } from './filter.ts'
import { beingHidden, hidingOrBeingHidden } from './seen-items.sql.ts'

/** Items of these collections, in these states, for which the filter holds. */
export interface Visible {
  collections: 'all' | readonly number[]
  states: readonly number[]
  /** Everything, but where keystrings hide items that their state does not call hidden: then all but those. */
  filter: Filter
}

/** Which items are requested: those of the gallery, the recycle bin's, or those whose file is gone. */
export type Which = 'live' | 'deleted' | 'missing'

const everyTag = Object.values(tagBits).reduce((bits, bit) => bits | bit, 0)

/**
 * All but the items of keystrings that are being hidden now: the items' rows say so only when the job is done. In the
 * recycle bin and among missing items the state says something else, so that there every hiding keystring counts.
 */
function notHidden(db: LibraryDatabase, which: Which): Filter {
  const rows = db.all(which === 'live' ? beingHidden : hidingOrBeingHidden)
  const keys = rows.map(({ id }) => keyOf('keystring', id))
  return keys.length === 0 ? everything : not(withKeys(keys, everyTag))
}

/**
 * What this viewer sees. `includeHidden` must come from `seesHidden` (or, for pictures, from the session being unlocked).
 * The recycle bin and missing items are seen with the right to update.
 */
export function visibleItems(
  db: LibraryDatabase,
  viewer: Viewer,
  { includeHidden, which = 'live' }: { includeHidden: boolean; which?: Which },
): Visible {
  const filter = includeHidden ? everything : notHidden(db, which)
  if (which === 'live') {
    const states = includeHidden ? [itemState.shown, itemState.hidden] : [itemState.shown]
    return { collections: collectionsWith(viewer, 'view'), states, filter }
  }
  return { collections: collectionsWith(viewer, 'update'), states: [itemState[which]], filter }
}

/** The same for one collection; 0 is all of them. A collection that the viewer can't see is empty. */
export function within(visible: Visible, collectionId: number): Visible {
  if (collectionId === 0) return visible
  const { collections } = visible
  const seen = collections === 'all' || collections.includes(collectionId)
  return { ...visible, collections: seen ? [collectionId] : [] }
}
