/** Objects: things on pictures that have a name. */
import type { Transaction } from './database.ts'
import { cleanKeystring, keystringKey } from './keystrings.ts'

/** The object of this name, made when it is not there. Null for a name of nothing. */
export function objectByName(tx: Transaction, raw: string): number | null {
  const name = cleanKeystring(raw)
  if (name === '') return null
  const key = keystringKey(name)
  const known = tx.get<{ id: number }>('SELECT id FROM objects WHERE name_key = ? ORDER BY id LIMIT 1', key)
  return known?.id ?? tx.run('INSERT INTO objects (name, name_key) VALUES (?, ?)', name, key).lastInsertRowid
}
