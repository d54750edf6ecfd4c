/** Removes people and objects that are unused after an import because only files had named them. Undo restores them. */
import { eq, or } from 'drizzle-orm'
import { z } from 'zod'
import { keyOf } from '../../../schema/keys.ts'
import { textDue } from '../../../schema/tables/changes.ts'
import { objects, people, personNames } from '../../../schema/tables/vocabulary.ts'
import type { Undo, UndoTable } from '../../editing/undo.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { personRow, publishPerson } from '../../people/people.ts'
import { personNamesOf } from '../../people/person-names.ts'
import { objectRow, publishObject } from '../../vocabulary/objects.ts'
import { keystringKey } from '../../words/keystrings.ts'
import { objectIsUsed, personIsUsed } from '../exchange.sql.ts'

type Kind = 'person' | 'object'

const removedRecord = z.object({ kind: z.enum(['person', 'object']), id: z.int(), name: z.string(), nameId: z.int() })
const restoredRecord = removedRecord.pick({ kind: true, id: true })

/** The name of a person who has no other data and is not used; null for all other people. */
function barePerson(tx: Transaction, id: number): { name: string; nameId: number } | null {
  const [name, another] = personNamesOf(tx, id)
  if (name === undefined || another !== undefined || name.active_from !== null || name.active_to !== null) return null
  if (personRow(tx, id)?.birthdate !== null) return null
  return tx.get(personIsUsed, id) === null ? { name: name.name, nameId: name.id } : null
}

function bareObject(tx: Transaction, id: number): { name: string; nameId: number } | null {
  const row = objectRow(tx, id)
  if (row === null || row.description !== '' || row.parent_id !== null) return null
  return tx.get(objectIsUsed, id) === null ? { name: row.name, nameId: 0 } : null
}

/** Removes a person or an object that is on no item and has no data but a name. Returns true if it was removed. */
export function removeLeftover(tx: Transaction, kind: Kind, id: number): boolean {
  const bare = kind === 'person' ? barePerson(tx, id) : bareObject(tx, id)
  if (bare === null) return false
  tx.orm
    .delete(textDue)
    .where(eq(textDue.key, keyOf(kind, id)))
    .run()
  if (kind === 'person') {
    tx.orm.delete(people).where(eq(people.id, id)).run()
    publishPerson(tx, 'delete', id)
  } else {
    tx.orm.delete(objects).where(eq(objects.id, id)).run()
    publishObject(tx, 'delete', id)
  }
  tx.history({ operation: 'leftover.remove', before: { kind, id, ...bare } satisfies z.output<typeof removedRecord> })
  return true
}

const undoRemoval: Undo = (tx, { before }) => {
  const { kind, id, name, nameId } = removedRecord.parse(before)
  const key = keystringKey(name)
  if (kind === 'person') {
    if (personRow(tx, id) !== null) return 'changed'
    tx.orm.insert(people).values({ id }).run()
    tx.orm.insert(personNames).values({ id: nameId, personId: id, name, nameKey: key }).run()
    publishPerson(tx, 'create', id)
  } else {
    // A file may have added the object again, with another id.
    const isIt = or(eq(objects.id, id), eq(objects.nameKey, key))
    if (tx.orm.select().from(objects).where(isIt).limit(1).get() !== undefined) return 'changed'
    tx.orm.insert(objects).values({ id, name, nameKey: key }).run()
    publishObject(tx, 'create', id)
  }
  tx.history({ operation: 'leftover.return', after: { kind, id } satisfies z.output<typeof restoredRecord> })
  return 'undone'
}

const undoReturn: Undo = (tx, { after }) => {
  const { kind, id } = restoredRecord.parse(after)
  return removeLeftover(tx, kind, id) ? 'undone' : 'changed'
}

export const leftoverUndos: UndoTable = { 'leftover.remove': undoRemoval, 'leftover.return': undoReturn }
