/** Merges two keystrings with the same meaning: items of the other get the first instead. Undoes merges, too. */
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { keyOf } from '../../schema/keys.ts'
import { channels } from '../../schema/realtime.ts'
import { history, textDue } from '../../schema/tables/changes.ts'
import { keystrings, pendingHide } from '../../schema/tables/vocabulary.ts'
import { changeItem, requireItemToEdit } from '../editing/item-edit.ts'
import type { ItemParts } from '../editing/item-parts.ts'
import { keystringTags } from '../editing/tag-change.ts'
import type { Undo, UndoEntry } from '../editing/undo.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { replaceInList } from '../words/keystring-lists.ts'
import { keystringByKey, keystringKey } from '../words/keystrings.ts'
import { type KeystringRow, keystringRow, setHiding } from './keystring-table.ts'
import type { Merge } from './merge-jobs.ts'
import { restoreReferences, updatedReferences, updateReferences } from './merged-references.ts'
import { itemsOfKey, shownItemsOfKey } from './vocabulary.sql.ts'

export const keystringShape = z.object({
  id: z.int(),
  content: z.string(),
  is_hidden: z.int(),
  is_associated_items_hidden: z.int(),
})

/** The step's first entry. It is undone last, so that no item becomes visible that still has the first keystring. */
const beginBefore = z.object({ part: z.literal('begin'), into: keystringShape, other: keystringShape })
const beginAfter = z.object({ is_hidden: z.int(), is_associated_items_hidden: z.int() })
const endBefore = z.object({ part: z.literal('end'), into: z.int(), keystring: keystringShape })
const endAfter = z.object({ references: updatedReferences })
/** What undoing either entry records, so that the merge can be redone. */
const restored = z.object({ part: z.enum(['begin', 'end']), into: z.int(), other: z.int() })

function requireBoth(tx: Transaction, id: number, otherId: number): { into: KeystringRow; other: KeystringRow } {
  const into = keystringRow(tx, id)
  const other = keystringRow(tx, otherId)
  if (into === null || other === null) throw new Failure('notFound', 'One of the two keystrings no longer exists.')
  return { into, other }
}

function publishKeystring(tx: Transaction, action: 'create' | 'update' | 'delete', id: number): void {
  tx.event(channels.keystrings, { action, keystring: { id } })
}

export const keystringsMerge: Merge = {
  kind: 'keystring',
  operation: 'keystring.merge',

  /** From now on, both keystrings hide what either of them hid. */
  begin(tx, { id, otherId }) {
    const { into, other } = requireBoth(tx, id, otherId)
    const flags = {
      is_hidden: Math.max(into.is_hidden, other.is_hidden),
      is_associated_items_hidden: Math.max(into.is_associated_items_hidden, other.is_associated_items_hidden),
    }
    for (const row of [into, other]) {
      setHiding(tx, row, flags)
      publishKeystring(tx, 'update', row.id)
    }
    tx.history({
      operation: 'keystring.merge',
      before: { part: 'begin', into, other } satisfies z.output<typeof beginBefore>,
      after: flags satisfies z.output<typeof beginAfter>,
    })
  },

  next(tx, { otherId }, limit, among) {
    const key = keyOf('keystring', otherId)
    const rows =
      among === undefined ? tx.all(itemsOfKey, key, limit) : tx.all(shownItemsOfKey, key, JSON.stringify(among), limit)
    return rows.map(({ id }) => id)
  },

  item(tx, { id, otherId }, itemId) {
    const item = requireItemToEdit(tx, itemId)
    const tags: NonNullable<ItemParts['tags']> = {}
    for (const name of keystringTags) {
      const word = item.parts.tags[name]
      if (word?.d === undefined || !word.d.includes(otherId)) continue
      // If an item has both, the earlier of the two positions is kept.
      const list = replaceInList(word.d, [id, otherId], [id])
      if (list !== null) tags[name] = { ...word, d: list }
    }
    const { changed } = changeItem(tx, item, { tags }, { operation: 'keystring.merge', quiet: true })
    if (!changed) throw new Error(`item ${itemId} keeps the keystring ${otherId}`)
    return item.collectionId
  },

  end(tx, { id, otherId }) {
    const { into, other } = requireBoth(tx, id, otherId)
    tx.orm.delete(pendingHide).where(eq(pendingHide.keystringId, otherId)).run()
    tx.orm
      .delete(textDue)
      .where(eq(textDue.key, keyOf('keystring', otherId)))
      .run()
    tx.orm.delete(keystrings).where(eq(keystrings.id, otherId)).run()
    const references = updateReferences(tx, 'keystring', { id, otherId })
    tx.history({
      operation: 'keystring.merge',
      before: { part: 'end', into: into.id, keystring: other } satisfies z.output<typeof endBefore>,
      after: { references } satisfies z.output<typeof endAfter>,
    })
    publishKeystring(tx, 'delete', otherId)
    publishKeystring(tx, 'update', id)
  },
}

/** The content, with a number if it is taken: a file that still has the word may have created it again. */
function freeContent(tx: Transaction, content: string): string {
  for (let n = 1; ; n++) {
    const wanted = n === 1 ? content : `${content} ${n}`
    if (keystringByKey(tx, keystringKey(wanted)) === undefined) return wanted
  }
}

/** Restores the keystring that the merge had deleted, with its id and flags. */
function restore(tx: Transaction, row: z.output<typeof keystringShape>): void {
  if (keystringRow(tx, row.id) !== null) return
  const content = freeContent(tx, row.content)
  const contentKey = keystringKey(content)
  const flags = { isHidden: row.is_hidden === 1, isAssociatedItemsHidden: row.is_associated_items_hidden === 1 }
  tx.orm
    .insert(keystrings)
    .values({ id: row.id, content, contentKey, ...flags })
    .run()
  publishKeystring(tx, 'create', row.id)
}

/** Whether undoing a row of a merge would make one of the keystrings stop hiding its items. */
export function undoingMergeShowsItems({ before, after }: Pick<UndoEntry, 'before' | 'after'>): boolean {
  const begin = beginBefore.safeParse(before)
  if (!begin.success) return false
  const hides = beginAfter.parse(after).is_associated_items_hidden
  const { into, other } = begin.data
  return Math.min(into.is_associated_items_hidden, other.is_associated_items_hidden) < hides
}

/** Whether an item of the step still has the first keystring, because it was changed since. */
function hasRemainingItem(tx: Transaction, step: string): boolean {
  const stays = and(eq(history.step, step), isNotNull(history.itemId), isNull(history.undoneBy))
  return tx.orm.select().from(history).where(stays).limit(1).get() !== undefined
}

/** Restores the flags, unless they were changed since. Returns whether they are restored. */
function restoreFlags(tx: Transaction, old: KeystringRow, left: z.output<typeof beginAfter>): boolean {
  const now = keystringRow(tx, old.id)
  if (now === null) return false
  if (now.is_hidden !== left.is_hidden || now.is_associated_items_hidden !== left.is_associated_items_hidden)
    return false
  setHiding(tx, now, old)
  publishKeystring(tx, 'update', old.id)
  return true
}

function recordRestore(tx: Transaction, entry: z.output<typeof restored>): void {
  tx.history({ operation: 'keystring.restore', after: entry })
}

export const undoKeystringsMerge: Undo = (tx, { step, before, after }) => {
  const end = endBefore.safeParse(before)
  if (end.success) {
    const { keystring, into: id } = end.data
    restore(tx, keystring)
    const references = endAfter.safeParse(after).data?.references
    if (references !== undefined) restoreReferences(tx, references, { id, otherId: keystring.id })
    recordRestore(tx, { part: 'end', into: id, other: keystring.id })
    return 'undone'
  }
  const { into, other } = beginBefore.parse(before)
  const left = beginAfter.parse(after)
  const isOtherRestored = restoreFlags(tx, other, left)
  // Items that keep the first keystring were hidden by the other, and would become visible.
  const isIntoRestored = !hasRemainingItem(tx, step) && restoreFlags(tx, into, left)
  recordRestore(tx, { part: 'begin', into: into.id, other: other.id })
  return isOtherRestored && isIntoRestored ? 'undone' : 'changed'
}

/** Redoes a merge: its first entry first, and the last one after its items. */
export const redoKeystringsMerge: Undo = (tx, { after }) => {
  const { part, into: id, other: otherId } = restored.parse(after)
  if (keystringRow(tx, id) === null || keystringRow(tx, otherId) === null) return 'gone'
  // An item that got the other keystring since, or was changed since, keeps it.
  if (part === 'end' && keystringsMerge.next(tx, { id, otherId }, 1).length > 0) return 'changed'
  keystringsMerge[part](tx, { id, otherId })
  return 'undone'
}
