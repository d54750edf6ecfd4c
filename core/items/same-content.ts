/** Whether a collection has this content already: keys select candidates, full hashes decide. */
import { eq } from 'drizzle-orm'
import { Failure } from '../../schema/errors.ts'
import { files } from '../../schema/tables/collections.ts'
import type { Disk } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { joinPath } from '../files/names.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { sameKey } from './item-bytes.sql.ts'

/** A content to look for: its key, its size in bytes, and its SHA-256 on demand. */
export interface Content {
  key: string
  size: number
  hash: () => Promise<string>
}

/** If `storesHashes` is false, nothing is written. */
export function createSameContent({
  db,
  disk,
  storesHashes = true,
}: {
  db: LibraryDatabase
  disk: Disk
  storesHashes?: boolean
}) {
  /** SHA-256 of an item's main file, stored with the file. Null if the file can't be read. */
  async function hashOf(candidate: RowOfQuery<typeof sameKey>): Promise<string | null> {
    if (candidate.fullHash !== null) return candidate.fullHash
    try {
      const path = joinPath(candidate.dirBytes, candidate.nameBytes)
      const hash = await disk.hash({ root: candidate.root, path })
      if (!storesHashes) return hash
      await db.transact({ userId: null }, tx =>
        tx.orm.update(files).set({ fullHash: hash }).where(eq(files.id, candidate.file)).run(),
      )
      return hash
    } catch (error) {
      if (error instanceof DiskError || error instanceof Failure) return null
      throw error
    }
  }

  /** The collection's oldest item with this content, even recycled, but none that `without` returns; null if none. */
  return async function findItemWithContent(
    collectionId: number,
    content: Content,
    without: (ids: readonly number[]) => ReadonlySet<number> = () => new Set(),
  ): Promise<number | null> {
    const all = db.all(sameKey, content.key, content.size, collectionId)
    const excluded = without(all.map(({ item }) => item))
    const candidates = all.filter(({ item }) => !excluded.has(item))
    if (candidates.length === 0 || content.key === '') return null
    const wanted = await content.hash()
    for (const candidate of candidates) if ((await hashOf(candidate)) === wanted) return candidate.item
    return null
  }
}

export type SameContent = ReturnType<typeof createSameContent>
