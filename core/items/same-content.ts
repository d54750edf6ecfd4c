/** Does a collection have this content already? Keys make candidates, full hashes decide. */

import { Failure } from '../../schema/errors.ts'
import type { Disk } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { joinPath } from '../files/names.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'

/** A content that may be there: its key, its bytes, and its sha256 when that is asked for. */
export interface Content {
  key: string
  size: number
  hash: () => Promise<string>
}

interface Candidate {
  item: number
  file: number
  full_hash: string | null
  root: string
  dir_bytes: Uint8Array
  name_bytes: Uint8Array
}

/** `remembers` false: full hashes are not noted, so that nothing at all is written. */
export function createSameContent({
  db,
  disk,
  remembers = true,
}: {
  db: LibraryDatabase
  disk: Disk
  remembers?: boolean
}) {
  /** sha256 of an item's main file; remembered with the file. Null when it can't be read. */
  async function hashOf(candidate: Candidate): Promise<string | null> {
    if (candidate.full_hash !== null) return candidate.full_hash
    try {
      const path = joinPath(candidate.dir_bytes, candidate.name_bytes)
      const hash = await disk.hash({ root: candidate.root, path })
      if (!remembers) return hash
      await db.transact({ userId: null }, tx =>
        tx.run('UPDATE files SET full_hash = ? WHERE id = ?', hash, candidate.file),
      )
      return hash
    } catch (error) {
      if (error instanceof DiskError || error instanceof Failure) return null
      throw error
    }
  }

  /**
   * The oldest item of a collection whose file has this very content, recycled ones too; null when none has. Those that
   * `without` returns do not count.
   */
  return async function itemWith(
    collectionId: number,
    content: Content,
    without: (ids: readonly number[]) => ReadonlySet<number> = () => new Set(),
  ): Promise<number | null> {
    const all = db.all<Candidate>(
      `SELECT i.id AS item, f.id AS file, f.full_hash, c.path AS root, d.path_bytes AS dir_bytes, f.name_bytes
       FROM items AS i JOIN collections AS c ON c.id = i.collection_id
       JOIN files AS f ON f.item_id = i.id AND f.role = 'main' JOIN dirs AS d ON d.id = f.dir_id
       WHERE i.content = ? AND i.size = ? AND i.collection_id = ? AND i.missing IS NULL ORDER BY i.id LIMIT 100`,
      content.key,
      content.size,
      collectionId,
    )
    const left = without(all.map(({ item }) => item))
    const candidates = all.filter(({ item }) => !left.has(item))
    if (candidates.length === 0 || content.key === '') return null
    const wanted = await content.hash()
    for (const candidate of candidates) if ((await hashOf(candidate)) === wanted) return candidate.item
    return null
  }
}

export type SameContent = ReturnType<typeof createSameContent>
