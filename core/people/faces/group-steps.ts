/** Changes of face groups as the history keeps them: faces that went into another group, groups put aside; and back. */
import { z } from 'zod'
import { channels } from '../../../schema/realtime.ts'
import { notFound } from '../../accounts/access.ts'
import type { Undo, UndoTable } from '../../editing/undo.ts'
import type { Transaction } from '../../kernel/database/database.ts'

/** Where faces were, and what that group was like: it may have to be made again. */
const place = z.object({ group: z.int(), model: z.string(), ignored: z.boolean() })
const moved = z.object({ ...place.shape, faces: z.array(z.int()) })
type Moved = z.output<typeof moved>
const goal = z.object({ group: z.int() })
const aside = z.object({ group: z.int(), ignored: z.boolean() })

type Movement = 'faces.merge' | 'faces.split'

interface GroupRow {
  id: number
  model: string
  ignored: number
}

function groupRow(tx: Transaction, id: number): GroupRow | null {
  return tx.get<GroupRow>('SELECT id, model, ignored FROM face_groups WHERE id = ?', id)
}

/** Tells those who edit that groups are other ones now; which ones they ask. */
export function tellGroups(tx: Transaction): void {
  tx.event(channels.faceGroups, { action: 'update' })
}

export function dropEmptyGroups(tx: Transaction): void {
  tx.run('DELETE FROM face_groups WHERE NOT EXISTS (SELECT 1 FROM found_faces WHERE group_id = face_groups.id)')
}

/** Moves these faces of a group into another one, which is there, and remembers it. */
export function moveFaces(
  tx: Transaction,
  { faces, from, to }: { faces: readonly number[]; from: number; to: number },
  operation: Movement,
): void {
  const row = groupRow(tx, from)
  if (row === null) throw notFound()
  tx.run(
    'UPDATE found_faces SET group_id = ? WHERE group_id = ? AND id IN (SELECT value FROM json_each(?))',
    to,
    from,
    JSON.stringify(faces),
  )
  dropEmptyGroups(tx)
  tx.history({
    operation,
    before: { group: from, model: row.model, ignored: row.ignored === 1, faces: [...faces] } satisfies Moved,
    after: { group: to } satisfies z.output<typeof goal>,
  })
  tellGroups(tx)
}

/** Puts a group aside, or takes it back. False: it was so already. */
export function setAside(tx: Transaction, group: number, ignored: boolean): boolean {
  const row = groupRow(tx, group)
  if (row === null || (row.ignored === 1) === ignored) return false
  tx.run('UPDATE face_groups SET ignored = ? WHERE id = ?', ignored ? 1 : 0, group)
  tx.history({
    operation: 'faces.ignore',
    before: { group, ignored: !ignored } satisfies z.output<typeof aside>,
    after: { group, ignored } satisfies z.output<typeof aside>,
  })
  tellGroups(tx)
  return true
}

const undoMove: Undo = (tx, { operation, before, after }) => {
  const from = moved.parse(before)
  const { group: to } = goal.parse(after)
  const kept = JSON.stringify(from.faces)
  const there = tx
    .all<{ id: number; group_id: number | null }>(
      'SELECT id, group_id FROM found_faces WHERE id IN (SELECT value FROM json_each(?))',
      kept,
    )
    .filter(face => face.group_id === to)
    .map(({ id }) => id)
  if (there.length === 0) {
    const left = tx.get('SELECT 1 FROM found_faces WHERE id IN (SELECT value FROM json_each(?)) LIMIT 1', kept)
    return left === null ? 'gone' : 'changed'
  }
  // The group that they came from went with its last face.
  tx.run(
    'INSERT OR IGNORE INTO face_groups (id, model, ignored) VALUES (?, ?, ?)',
    from.group,
    from.model,
    from.ignored ? 1 : 0,
  )
  moveFaces(tx, { faces: there, from: to, to: from.group }, operation === 'faces.split' ? 'faces.merge' : 'faces.split')
  return 'undone'
}

const undoAside: Undo = (tx, { before, after }) => {
  const [was, now] = [aside.parse(before), aside.parse(after)]
  const row = groupRow(tx, now.group)
  if (row === null) return 'gone'
  if ((row.ignored === 1) !== now.ignored) return 'changed'
  setAside(tx, now.group, was.ignored)
  return 'undone'
}

export const faceGroupUndos: UndoTable = {
  'faces.merge': undoMove,
  'faces.split': undoMove,
  'faces.ignore': undoAside,
}
