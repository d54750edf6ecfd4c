/** Makes hashes of picture data for items from older versions; `saveUnit` stores those of files that scans read. */
import { joinPath } from '../files/names.ts'
import { choiceOf, setChoice } from '../kernel/choices.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { hashesDuePage, knownItem, putPictureHash } from './scan.sql.ts'

/** Key in `choices` of the highest id of an item without a hash. */
const dueName = 'picture-hashes-due'
const pauseMs = 5

/** Whether there are items without a hash. */
export function hashesDue(db: Pick<LibraryDatabase, 'orm'>): boolean {
  return choiceOf(db, dueName) !== null
}

/** The parameters of decoding an item's main file that are the same for every purpose. */
export function taskOf({ name, type, root, dirBytes, nameBytes }: RowOfQuery<typeof hashesDuePage>) {
  return { name, kind: type, path: joinPath(Buffer.from(root), dirBytes, nameBytes), metadata: false }
}

/** Reads files of items without a hash, newest first, with `onFile` after each. Continues after an interruption. */
export async function makeDueHashes(
  db: LibraryDatabase,
  pool: DecodePool,
  { signal, onFile }: { signal: AbortSignal; onFile: (name: string) => void },
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const due = choiceOf(db, dueName)
    if (due === null) return
    const rows = db.all(hashesDuePage, Number(due))
    const hashes = await Promise.all(
      rows.map(async row => {
        const result = await pool.decode({ ...taskOf(row), cache: '', sizes: [], pictureHash: true })
        onFile(row.name)
        // A changed file is left to the next scan.
        return { id: row.id, hash: result.content === row.content ? result.pictureHash : undefined }
      }),
    )
    const last = rows.at(-1)?.id
    await db.transact({ userId: null }, tx => {
      for (const { id, hash } of hashes) {
        if (hash !== undefined && tx.get(knownItem, id) !== null) tx.run(putPictureHash, id, hash)
      }
      setChoice(tx, dueName, last === undefined ? null : last - 1)
    })
    await Bun.sleep(pauseMs)
  }
}
