/** People and the names they had over time. */
import type { Transaction } from './database.ts'
import { cleanKeystring, keystringKey } from './keystrings.ts'

/** The person whom a file calls by this name: one who has or had it, else a new one. Null for a name of nothing. */
export function personByName(tx: Transaction, raw: string): number | null {
  const name = cleanKeystring(raw)
  if (name === '') return null
  const key = keystringKey(name)
  const known = tx.get<{ id: number }>(
    'SELECT person_id AS id FROM person_names WHERE name_key = ? ORDER BY person_id LIMIT 1',
    key,
  )
  if (known !== null) return known.id
  const { lastInsertRowid: id } = tx.run('INSERT INTO people (birthdate) VALUES (NULL)')
  tx.run('INSERT INTO person_names (person_id, name, name_key) VALUES (?, ?, ?)', id, name, key)
  return id
}
