/** Collects items that a scan did not find; marks them missing at its end, when it is clear that none has moved. */
import { and, eq } from 'drizzle-orm'
import { files } from '../../schema/tables/collections.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { dropFile } from '../items/item-files.sql.ts'
import { markItemMissing } from '../items/mark-missing.ts'
import { chunksOf } from '../kernel/chunks.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { publishCollections } from '../kernel/events.ts'
import { goneDirectories, type Survey } from '../survey/survey.ts'
import { displacedItem, presentItemOf, removeUnusedDirectory, setFingerprint } from './scan.sql.ts'
import type { ScanCounts } from './scan-counts.ts'
import { fileRowsOfItem } from './unit-files.sql.ts'

/** Maximum number of items that a transaction marks. */
const itemsAtOnce = 200

/** Holds the rows of files that are not on the disk, and of directories that no longer exist. */
export function createVanishing(parts: {
  db: LibraryDatabase
  clock: Clock
  collection: CollectionRow
  counts: ScanCounts
}) {
  const { db, clock, collection, counts } = parts
  /** Row ids of main files that were not found: their items vanish, unless they are found elsewhere meanwhile. */
  const goneFiles: number[] = []
  /** Items that lost their file to another item that moved into its place. */
  const displaced = new Set<number>()
  /** Fingerprints that may be written once the rows of missing files are processed. */
  const fingerprints = new Map<number, Buffer>()
  const goneDirs: number[] = []

  return {
    /** Adds missing main files of a directory. Its fingerprint is written at the end; null: it must be read again. */
    add(dirId: number, fileIds: readonly number[], fingerprint: Buffer | null) {
      goneFiles.push(...fileIds)
      if (fingerprint !== null) fingerprints.set(dirId, fingerprint)
    },
    addDisplaced(itemId: number) {
      displaced.add(itemId)
    },
    /** Adds the directories that no longer exist, and their main files. */
    addDirectories(surveyed: Survey, below: Buffer) {
      for (const id of goneDirectories(db, collection.id, below, surveyed)) {
        goneDirs.push(id)
        const mains = and(eq(files.dirId, id), eq(files.role, 'main'))
        for (const row of db.orm.select({ id: files.id }).from(files).where(mains).all()) goneFiles.push(row.id)
      }
    },
    /** Ids of items that really vanish: neither moved meanwhile nor missing already. */
    items(): number[] {
      const gone = goneFiles.map(id => db.get(presentItemOf, id))
      const rows = [...gone, ...[...displaced].map(id => db.get(displacedItem, id))]
      return [...new Set(rows.flatMap(row => row?.id ?? []))]
    },
    async mark(ids: readonly number[]): Promise<void> {
      const gone = new Set(goneFiles)
      for (const some of chunksOf(ids, itemsAtOnce)) {
        await db.transact({ userId: null }, tx => {
          for (const id of some) {
            // The item's other files may still exist: their directories are read again.
            for (const file of tx.all(fileRowsOfItem, id)) if (!gone.has(file.id)) fingerprints.delete(file.dirId)
            markItemMissing(tx, clock, id)
          }
          publishCollections(tx, [collection.id])
        })
        counts.missing += some.length
        await Bun.sleep(5)
      }
      await db.transact({ userId: null }, tx => {
        for (const id of goneFiles) tx.run(dropFile, id)
        for (const id of goneDirs) {
          tx.orm.delete(files).where(eq(files.dirId, id)).run()
          tx.run(setFingerprint, null, id)
          tx.run(removeUnusedDirectory, id)
        }
        for (const [id, fingerprint] of fingerprints) tx.run(setFingerprint, fingerprint, id)
      })
    },
  }
}

export type Vanishing = ReturnType<typeof createVanishing>
