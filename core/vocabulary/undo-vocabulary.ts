/** Undoes changes of keystrings, unless they were changed again since. Each undo can itself be undone. */
import { channels } from '../../schema/realtime.ts'
import type { Undo, UndoTable } from '../editing/undo.ts'
import { type KeystringRow, keystringRow, otherNamed, setContent, setHiding } from './keystring-table.ts'
import { keystringShape, redoKeystringsMerge, undoingMergeShowsItems, undoKeystringsMerge } from './merge-keystrings.ts'
import { nameChanged } from './text-job.ts'

const flagsOf = (row: KeystringRow) => `${row.is_hidden} ${row.is_associated_items_hidden}`

const undoKeystring: Undo = (tx, entry) => {
  const [before, after] = [keystringShape.parse(entry.before), keystringShape.parse(entry.after)]
  const now = keystringRow(tx, after.id)
  if (now === null) return 'gone'
  const isRenamed = before.content !== after.content
  const isFlagged = flagsOf(before) !== flagsOf(after)
  if ((isRenamed && now.content !== after.content) || (isFlagged && flagsOf(now) !== flagsOf(after))) return 'changed'
  if (isRenamed) {
    // A file that still has the word may have created it again.
    if (otherNamed(tx, now.id, before.content) !== undefined) return 'changed'
    setContent(tx, now.id, before.content)
    nameChanged(tx, 'keystring', now.id)
  }
  if (isFlagged) setHiding(tx, now, before)
  tx.event(channels.keystrings, { action: 'update', keystring: { id: now.id } })
  tx.history({ operation: 'keystring.update', before: now, after: keystringRow(tx, now.id) })
  return 'undone'
}

export const vocabularyUndos: UndoTable = {
  'keystring.update': {
    undo: undoKeystring,
    needsGlobalAdmin: ({ before, after }) =>
      flagsOf(keystringShape.parse(before)) !== flagsOf(keystringShape.parse(after)),
    needsUnlocked: ({ before, after }) =>
      keystringShape.parse(before).is_associated_items_hidden < keystringShape.parse(after).is_associated_items_hidden,
  },
  'keystring.merge': { undo: undoKeystringsMerge, needsUnlocked: undoingMergeShowsItems },
  'keystring.restore': redoKeystringsMerge,
}
