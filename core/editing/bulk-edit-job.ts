/** Changes tag sets of many items as one step of the history. */
import { z } from 'zod'
import type { TagSetName } from '../../schema/api/tags.ts'
import { seesHidden, type Viewer } from '../accounts/access.ts'
import type { Items } from '../items/items.ts'
import type { Clock } from '../kernel/clock.ts'
import { batchItems } from '../kernel/database/batches.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { changeMany, jobOnItems, type ManyParts, manyItems, planForItems } from './many-items.ts'
import { partsOfChanges, tagChange, unseenKeystrings } from './tag-change.ts'
import { type BulkMode, bulkChangeOf } from './tag-data.ts'

const input = manyItems.extend({
  changes: z.array(tagChange),
  /** Whether the caller sees hidden keystrings. Then the lists in `changes` are complete. */
  showsHidden: z.boolean(),
})

interface BulkEdit {
  items: readonly number[]
  changes: readonly { tagName: TagSetName; mode: BulkMode; data?: unknown }[]
}

/** Checks a bulk edit and resolves its names to ids, creating keystrings. Returns the input of the job `edit`. */
export async function planBulkEdit(
  { db, items }: { db: LibraryDatabase; items: Items },
  viewer: Viewer,
  edit: BulkEdit,
  includeHidden: string | undefined,
): Promise<z.output<typeof input>> {
  const planned = await planForItems(items, viewer, edit.items)
  const showsHidden = seesHidden(viewer, includeHidden)
  const changes = await db.transact(viewer, tx => {
    const unseen = unseenKeystrings(tx, showsHidden)
    return edit.changes.map((change, n) => bulkChangeOf(tx, change, { unseen, field: `changes.${n}.data` }))
  })
  return { ...planned, changes, showsHidden }
}

export const bulkEditJob = (parts: ManyParts & { clock: Clock }) =>
  jobOnItems('edit', input, context => {
    const { changes, showsHidden } = context.input
    // Replacements are saved item by item: if the run stops, the saved ones stay.
    const itemsAtOnce = changes.some(({ kind }) => kind === 'swap') ? 1 : batchItems
    const partsOf: Parameters<typeof changeMany>[3] = tx => {
      const changeContext = { unseen: unseenKeystrings(tx, showsHidden), now: parts.clock.now() }
      return item => partsOfChanges(tx, item, changes, changeContext)
    }
    return changeMany(parts, context, 'item.bulk', partsOf, itemsAtOnce)
  })
