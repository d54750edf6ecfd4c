/** Changes of face groups in the history: faces moved to another group, ignored groups; and undoing them. */
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { channels } from '../../../schema/realtime.ts'
import { faceGroups } from '../../../schema/tables/faces.ts'
import { notFound } from '../../accounts/access.ts'
import type { Undo, UndoTable } from '../../editing/undo.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import * as statements from './groups.sql.ts'

/** A group from which faces were moved, with its attributes: undo may have to create it again. */
const formerGroup = z.object({ group: z.int(), model: z.string(), ignored: z.boolean() })
const moved = z.object({ ...formerGroup.shape, faces: z.array(z.int()) })
type Moved = z.output<typeof moved>
const target = z.object({ group: z.int() })
const ignoredState = z.object({ group: z.int(), ignored: z.boolean() })

type Movement = 'faces.merge' | 'faces.split'

const groupRow = ({ orm }: Transaction, id: number) => orm.select().from(faceGroups).where(eq(faceGroups.id, id)).get()

/** Notifies editors that groups have changed, so that they reload them. */
export function publishGroups(tx: Transaction): void {
  tx.event(channels.faceGroups, { action: 'update' })
}

/** Moves these faces of a group to another existing one, and records it. */
export function moveFacesToGroup(
  tx: Transaction,
  { faces, from, to }: { faces: readonly number[]; from: number; to: number },
  operation: Movement,
): void {
  const row = groupRow(tx, from)
  if (row === undefined) throw notFound()
  tx.run(statements.setGroupOfFaces, to, from, JSON.stringify(faces))
  tx.run(statements.dropEmptyGroups)
  tx.history({
    operation,
    before: { group: from, model: row.model, ignored: row.ignored, faces: [...faces] } satisfies Moved,
    after: { group: to } satisfies z.output<typeof target>,
  })
  publishGroups(tx)
}

/** Ignores a group, or restores it, unless it is in that state already. */
export function setIgnored(tx: Transaction, group: number, ignored: boolean): void {
  const isOther = and(eq(faceGroups.id, group), eq(faceGroups.ignored, !ignored))
  if (tx.orm.update(faceGroups).set({ ignored }).where(isOther).run().changes === 0) return
  tx.history({
    operation: 'faces.ignore',
    before: { group, ignored: !ignored } satisfies z.output<typeof ignoredState>,
    after: { group, ignored } satisfies z.output<typeof ignoredState>,
  })
  publishGroups(tx)
}

const undoMove: Undo = (tx, { operation, before, after }) => {
  const from = moved.parse(before)
  const { group: to } = target.parse(after)
  const currentGroups = tx.all(statements.groupsOfFaces, JSON.stringify(from.faces))
  const movable = currentGroups.filter(({ group }) => group === to).map(({ id }) => id)
  if (movable.length === 0) return currentGroups.length === 0 ? 'gone' : 'changed'
  // Their previous group may have been deleted with its last face.
  const { group: id, model, ignored } = from
  tx.orm.insert(faceGroups).values({ id, model, ignored }).onConflictDoNothing().run()
  moveFacesToGroup(
    tx,
    { faces: movable, from: to, to: from.group },
    operation === 'faces.split' ? 'faces.merge' : 'faces.split',
  )
  return 'undone'
}

const undoIgnore: Undo = (tx, { before, after }) => {
  const [was, now] = [ignoredState.parse(before), ignoredState.parse(after)]
  const row = groupRow(tx, now.group)
  if (row === undefined) return 'gone'
  if (row.ignored !== now.ignored) return 'changed'
  setIgnored(tx, now.group, was.ignored)
  return 'undone'
}

export const faceGroupUndos: UndoTable = {
  'faces.merge': undoMove,
  'faces.split': undoMove,
  'faces.ignore': undoIgnore,
}
