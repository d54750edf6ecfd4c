import { beforeAll, describe, expect, test } from 'bun:test'
import { type Seeded, seedLibrary } from '../../../bench/seed-library.ts'
import type { LibraryDatabase } from '../../../core/kernel/database/database.ts'
import { openTestLibrary } from '../../support/library.ts'

describe('tables maintained by triggers', () => {
  let db: LibraryDatabase
  let seeded: Seeded

  beforeAll(async () => {
    db = openTestLibrary().db
    seeded = await seedLibrary(db, { items: 3000 })
  })

  /** For each derived table, a query for missing rows and a query for surplus rows. */
  const checks = {
    'item_month, missing rows': `SELECT collection_id, state, ym, count(*) AS n FROM items GROUP BY 1, 2, 3
      EXCEPT SELECT collection_id, state, ym, n FROM item_month`,
    'item_month, surplus rows': `SELECT collection_id, state, ym, n FROM item_month
      EXCEPT SELECT collection_id, state, ym, count(*) AS n FROM items GROUP BY 1, 2, 3`,
    'keyed, missing rows': `SELECT j.value ->> 0, i.taken, i.id, i.collection_id, i.state, j.value ->> 1 FROM items AS i, json_each(i.keys) AS j
      EXCEPT SELECT * FROM keyed`,
    'keyed, surplus rows': `SELECT * FROM keyed
      EXCEPT SELECT j.value ->> 0, i.taken, i.id, i.collection_id, i.state, j.value ->> 1 FROM items AS i, json_each(i.keys) AS j`,
    'key_count, missing rows': `SELECT key, collection_id, state, tags, count(*) FROM keyed GROUP BY 1, 2, 3, 4 EXCEPT SELECT * FROM key_count`,
    'key_count, surplus rows': `SELECT * FROM key_count EXCEPT SELECT key, collection_id, state, tags, count(*) FROM keyed GROUP BY 1, 2, 3, 4`,
    'item_text, missing rows': `SELECT taken * 268435456 + id FROM items EXCEPT SELECT rowid FROM item_text`,
    'item_text, surplus rows': `SELECT rowid FROM item_text EXCEPT SELECT taken * 268435456 + id FROM items`,
  }
  const differences = () =>
    Object.entries(checks).flatMap(([name, sql]) => (db.all(`${sql} LIMIT 1`).length > 0 ? [name] : []))

  test('are correct in a seeded library and after items change or are removed', async () => {
    expect(differences()).toEqual([])
    await db.transact({ userId: null }, tx => {
      tx.run('UPDATE items SET deleted = 5 WHERE id % 97 = 0')
      tx.run('UPDATE items SET missing = 5 WHERE id % 89 = 0')
      tx.run('UPDATE items SET hidden_by = hidden_by + 1 WHERE id % 83 = 0')
      tx.run('UPDATE items SET deleted = NULL WHERE id % 194 = 0')
      tx.run('UPDATE items SET collection_id = ? WHERE id % 79 = 0', seeded.collections[1] ?? 0)
      tx.run("UPDATE items SET keys = '[[4,1],[5,8]]' WHERE id % 73 = 0")
      tx.run('DELETE FROM items WHERE id % 71 = 0')
    })
    expect(differences()).toEqual([])
  })
})
