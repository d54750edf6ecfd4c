/**
 * Undoes changes of keywords: content, hiding, merges. Values that have changed since are kept. Each undo leaves a history row that can itself be undone.
 */
import { z } from 'zod'
import { channels } from '../../schema/realtime.ts'
import type { Undo, UndoTable } from '../editing/undo.ts'
import { keystringKey } from '../words/keystrings.ts'
import { keystringRow, setHiding } from './keystring-table.ts'
import { mergeUndoShows, redoKeystringsMerge, undoKeystringsMerge } from './merge-keystrings.ts'
import { nameChanged } from './text-job.ts'

const keystring = z.object({
  id: z.int(),
  content: z.string(),
  is_hidden: z.int(),
  is_associated_items_hidden: z.int(),
})
const flagsOf = (row: z.output<typeof keystring>) => `${row.is_hidden} ${row.is_associated_items_hidden}`

const undoKeystring: Undo = (tx, entry) => {
  const [before, after] = [keystring.parse(entry.before), keystring.parse(entry.after)]
  const now = keystringRow(tx, after.id)
  if (now === null) return 'gone'
  const isRenamed = before.content !== after.content
  const isFlagged = flagsOf(before) !== flagsOf(after)
  if ((isRenamed && now.content !== after.content) || (isFlagged && flagsOf(now) !== flagsOf(after))) return 'changed'
  if (isRenamed) {
    const key = keystringKey(before.content)
    // A file that still has the word may have created it again.
    if (tx.get('SELECT 1 FROM keystrings WHERE content_key = ? AND id <> ?', key, now.id) !== null) return 'changed'
    tx.run('UPDATE keystrings SET content = ?, content_key = ? WHERE id = ?', before.content, key, now.id)
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
    needsGlobalAdmin: ({ before, after }) => flagsOf(keystring.parse(before)) !== flagsOf(keystring.parse(after)),
    needsUnlocked: ({ before, after }) =>
      keystring.parse(before).is_associated_items_hidden < keystring.parse(after).is_associated_items_hidden,
  },
  'keystring.merge': { undo: undoKeystringsMerge, needsUnlocked: mergeUndoShows },
  'keystring.restore': redoKeystringsMerge,
}
