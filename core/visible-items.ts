/** What a viewer may see of the items: the one place that decides it, for lists, counts, and single items alike. */
import { keyOf, tagBits } from '../schema/keys.ts'
import { itemState } from '../schema/tables/items.ts'
import { collectionsWith, type Viewer } from './access.ts'
import type { LibraryDatabase } from './database.ts'
import { everything, type Filter, inCollections, not, withKeys } from './item-filter/filter.ts'
import { type Fragment, raw, sql } from './sql-fragment.ts'

/** Items of these collections, in these states, for which the filter holds. */
export interface Visible {
  collections: 'all' | readonly number[]
  states: readonly number[]
  /** Everything, but while the items of a keystring are being hidden: then all but those. */
  filter: Filter
}

/** Which items are asked for: those of the gallery, the recycle bin's, or those whose file is gone. */
export type Which = 'live' | 'deleted' | 'missing'

const everyTag = Object.values(tagBits).reduce((bits, bit) => bits | bit, 0)

/** Keystrings whose items are being hidden now: the items' rows say so only when the job is done. */
function pendingHide(db: LibraryDatabase): Filter {
  const rows = db.all<{ id: number }>('SELECT keystring_id AS id FROM pending_hide')
  if (rows.length === 0) return everything
  return not(
    withKeys(
      rows.map(({ id }) => keyOf('keystring', id)),
      everyTag,
    ),
  )
}

/**
 * What this viewer sees. `includeHidden` must come from `seesHidden` (or, for pictures, from the session being unlocked).
 * The recycle bin and missing items are seen with the right to update; hidden ones among them as elsewhere, by the filter.
 */
export function visibleItems(
  db: LibraryDatabase,
  viewer: Viewer,
  { includeHidden, which = 'live' }: { includeHidden: boolean; which?: Which },
): Visible {
  const pending = includeHidden ? everything : pendingHide(db)
  if (which === 'live') {
    const states = includeHidden ? [itemState.shown, itemState.hidden] : [itemState.shown]
    return { collections: collectionsWith(viewer, 'view'), states, filter: pending }
  }
  return { collections: collectionsWith(viewer, 'update'), states: [itemState[which]], filter: pending }
}

/** The same, of one collection only; 0 is all of them. A collection that he can't see has nothing for him. */
export function within(visible: Visible, collectionId: number): Visible {
  if (collectionId === 0) return visible
  const { collections } = visible
  const seen = collections === 'all' || collections.includes(collectionId)
  return { ...visible, collections: seen ? [collectionId] : [] }
}

/** A list of ids as one value, so that statements are the same for any number of them. */
export function idsIn(ids: readonly number[]): Fragment {
  return sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

/** Condition on columns named `${alias}.state` and `${alias}.collection_id`; the filter is not in it. */
export function partitionOf({ collections, states }: Visible, alias: string): Fragment {
  // States are constants of ours: as text they let the planner use the index.
  const state = states.length === 1 ? `= ${states[0]}` : `IN (${states.join(', ')})`
  const inState = raw(`${alias}.state ${state}`)
  return collections === 'all' ? inState : sql`${inState} AND ${raw(alias)}.collection_id IN ${idsIn(collections)}`
}

/** As part of a filter: for what has a filter anyway. */
export function asFilter({ collections, filter }: Visible): Filter {
  return collections === 'all' ? filter : { is: 'and', of: [inCollections(collections), filter] }
}
