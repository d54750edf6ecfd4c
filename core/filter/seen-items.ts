/** Single items and lists of ids restricted to what their viewer may see: every call on an item starts here. */
import { alias } from 'drizzle-orm/sqlite-core'
import type { Right } from '../../schema/api/contract.ts'
import { Failure } from '../../schema/errors.ts'
import { items } from '../../schema/tables/items.ts'
import { notFound, requireSignedIn, rightsOn, showsHiddenTo, type Viewer } from '../accounts/access.ts'
import { chunksOf } from '../kernel/chunks.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type Fragment, sql } from '../kernel/database/sql-fragment.ts'
import type { Columns, RowOfColumns } from '../kernel/database/statement.ts'
import { allOf, firstOf } from './bound.ts'
import { conditionOf, itemsRow } from './condition.ts'
import { everything } from './filter.ts'
import { frameQuery, inFrame } from './frame.ts'
import { collectionsAmong, goneItems, itemWhere } from './seen-items.sql.ts'
import { type ItemListKind, visibleItems, within } from './visible-items.ts'

const i = alias(items, 'i')
const idAlone = { id: i.id }
const collectionAndState = { collectionId: i.collectionId, state: i.state }
const states: readonly ItemListKind[] = ['live', 'deleted', 'missing']

export function createSeenItems({ db }: { db: LibraryDatabase }) {
  /** Condition on `items AS i`: the viewer sees the item in this state. `collectionId` 0: in all collections. */
  function visibleCondition(viewer: Viewer, which: ItemListKind, showsHidden: boolean, collectionId = 0): Fragment {
    const visible = within(visibleItems(db, viewer, { includeHidden: showsHidden, which }), collectionId)
    const { frame, rest } = frameQuery(visible, everything)
    return sql`${inFrame(frame, 'i')} AND ${conditionOf(rest, itemsRow, { fewRows: true })}`
  }

  /** A row that the viewer may see, in any state that they may see; null otherwise. */
  function visibleRow<const Selected extends Columns>(
    viewer: Viewer,
    id: number,
    showsHidden: boolean,
    columns: Selected,
  ): RowOfColumns<Selected> | null {
    for (const which of states) {
      const found = firstOf(db, itemWhere(columns, id, visibleCondition(viewer, which, showsHidden)))
      if (found !== null) return found
    }
    return null
  }

  /**
   * State and collection of an item: 404 if the viewer does not see it, 403 without this right. An unlocked session may
   * change hidden items without sending its unlock value.
   */
  function requireRight(viewer: Viewer, id: number, right: Right): { collectionId: number; state: number } {
    if (right !== 'view') requireSignedIn(viewer)
    const row = visibleRow(viewer, id, showsHiddenTo(viewer), collectionAndState)
    if (row === null) throw notFound()
    if (!rightsOn(viewer, row.collectionId)[right]) throw new Failure('denied', 'Permission Denied')
    return row
  }

  function canSee(viewer: Viewer, id: number, showsHidden = showsHiddenTo(viewer)): boolean {
    return visibleRow(viewer, id, showsHidden, idAlone) !== null
  }

  /** Requires the right on many items; one failure rejects all. Returns their collections. */
  async function requireAll(viewer: Viewer, ids: readonly number[], right: Right): Promise<Set<number>> {
    if (right !== 'view') requireSignedIn(viewer)
    const collections = new Set<number>()
    for (const part of chunksOf(new Set(ids), 2000)) {
      let found = 0
      for (const which of states) {
        const visible = visibleCondition(viewer, which, showsHiddenTo(viewer))
        for (const { id, n } of allOf(db, collectionsAmong(part, visible))) {
          collections.add(id)
          found += n
        }
      }
      if (found < part.length) throw notFound()
      // Yields between the chunks.
      await Bun.sleep(0)
    }
    for (const id of collections) {
      if (!rightsOn(viewer, id)[right]) throw new Failure('denied', 'Permission Denied')
    }
    return collections
  }

  /** Ids of recycled or missing items in collections with this right, oldest first. */
  function goneIds(
    viewer: Viewer,
    request: {
      which: 'deleted' | 'missing'
      /** 0 means all collections. */
      collectionId: number
      right: Right
      showsHidden: boolean
      /** Only items that were recycled or found missing before this time, in seconds. */
      before?: number
    },
  ): number[] {
    const { which, collectionId, right, showsHidden, before = Number.MAX_SAFE_INTEGER } = request
    return allOf(db, goneItems(which, before, visibleCondition(viewer, which, showsHidden, collectionId)))
      .filter(row => rightsOn(viewer, row.collectionId)[right])
      .map(({ id }) => id)
  }

  return { visibleCondition, visibleRow, canSee, requireRight, requireAll, goneIds }
}
