/** Stores hashes of picture data: for each file that is read, and later for items from older versions. */

import { joinPath } from '../files/names.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'

/** Key in `choices` of the highest id of an item without a hash. */
const dueName = 'picture-hashes-due'
const page = 100
const pauseMs = 5

/** Stores the hash of an item's main file; undefined (the file could not be read) keeps the old one. */
export function writePictureHash(tx: Transaction, itemId: number, hash: number | undefined): void {
  if (hash === undefined) return
  tx.run(
    'INSERT INTO picture_hashes (item_id, hash) VALUES (?, ?) ON CONFLICT (item_id) DO UPDATE SET hash = excluded.hash',
    itemId,
    hash,
  )
}

/** Whether there are items without a hash. */
export function hashesDue(db: Pick<LibraryDatabase, 'get'>): boolean {
  return db.get('SELECT 1 FROM choices WHERE name = ?', dueName) !== null
}

/** Where the main file of an item lies. */
export interface MainFileRow {
  id: number
  name: string
  type: 'image' | 'video'
  content: string
  root: string
  dir_bytes: Uint8Array
  name_bytes: Uint8Array
}

/**
 * Reads the files of items without a hash, newest first, and calls `onFile` after each. Continues where the last call was
 * interrupted.
 */
export async function makeDueHashes(
  db: LibraryDatabase,
  pool: DecodePool,
  { signal, onFile }: { signal: AbortSignal; onFile: (name: string) => void },
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const due = db.get<{ value: string }>('SELECT value FROM choices WHERE name = ?', dueName)
    if (due === null) return
    const rows = db.all<MainFileRow>(
      `SELECT i.id, i.name, i.type, i.content, c.path AS root, d.path_bytes AS dir_bytes, f.name_bytes
       FROM items AS i JOIN collections AS c ON c.id = i.collection_id JOIN files AS f ON f.item_id = i.id AND f.role = 'main'
       JOIN dirs AS d ON d.id = f.dir_id
       WHERE i.id <= ? AND i.content <> '' AND NOT EXISTS (SELECT 1 FROM picture_hashes WHERE item_id = i.id)
       ORDER BY i.id DESC LIMIT ${page}`,
      Number(due.value),
    )
    const hashes = await Promise.all(
      rows.map(async ({ id, name, type, content, root, dir_bytes, name_bytes }) => {
        const path = joinPath(Buffer.from(root), dir_bytes, name_bytes)
        const task = { id, path, name, kind: type, cache: '', metadata: false, sizes: [], pictureHash: true }
        const result = await pool.decode(task)
        onFile(name)
        // A changed file is left to the next scan.
        return { id, hash: result.content === content ? result.pictureHash : undefined }
      }),
    )
    const last = rows.at(-1)?.id
    await db.transact({ userId: null }, tx => {
      for (const { id, hash } of hashes) {
        if (tx.get('SELECT 1 FROM items WHERE id = ?', id) !== null) writePictureHash(tx, id, hash)
      }
      if (last === undefined) tx.run('DELETE FROM choices WHERE name = ?', dueName)
      else tx.run('UPDATE choices SET value = ? WHERE name = ?', String(last - 1), dueName)
    })
    await Bun.sleep(pauseMs)
  }
}
