/** Collects what a scan did not find any more, and marks it missing once it is sure that nothing moved and no disk is gone. */
import { channels } from '../../schema/realtime.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { goneDirectories, type Survey } from '../survey/survey.ts'
import type { ScanCounts } from './scan-counts.ts'

/** Items a transaction marks at most. */
const batch = 200

/** Only what a scan knows for sure: rows of files that are not on the disk, and directories that went with them. */
export function createVanishing({
  db,
  clock,
  collection,
  counts,
}: {
  db: LibraryDatabase
  clock: Clock
  collection: CollectionRow
  counts: ScanCounts
}) {
  /** Row ids of main files that were not found: their items vanish, unless they turn up elsewhere meanwhile. */
  const goneFiles: number[] = []
  /** Items that lost their file to another item that moved into its place. */
  const displaced = new Set<number>()
  /** Fingerprints that may be written once the rows of what is gone from there are dealt with. */
  const fingerprints = new Map<number, Buffer>()
  const emptied: number[] = []

  return {
    /** Main files of a directory that was read; its fingerprint is written in the end, unless it is to be read again. */
    add(dirId: number, fileIds: readonly number[], fingerprint: Buffer | null) {
      goneFiles.push(...fileIds)
      if (fingerprint !== null) fingerprints.set(dirId, fingerprint)
    },
    displace(itemId: number) {
      displaced.add(itemId)
    },
    /** Directories that are not there any more, with all that was in them. */
    addDirectories(look: Survey, below: Buffer) {
      for (const id of goneDirectories(db, collection.id, below, look)) {
        emptied.push(id)
        for (const row of db.all<{ id: number }>("SELECT id FROM files WHERE dir_id = ? AND role = 'main'", id))
          goneFiles.push(row.id)
      }
    },
    /** Ids of items that really vanish: neither moved meanwhile nor missing already. */
    items(): number[] {
      const ids = new Set<number>()
      for (const fileId of goneFiles) {
        const row = db.get<{ id: number }>(
          'SELECT i.id FROM files AS f JOIN items AS i ON i.id = f.item_id WHERE f.id = ? AND i.missing IS NULL',
          fileId,
        )
        if (row !== null) ids.add(row.id)
      }
      for (const id of displaced) {
        const row = db.get<{ id: number }>(
          "SELECT id FROM items WHERE id = ? AND missing IS NULL AND NOT EXISTS (SELECT 1 FROM files WHERE item_id = items.id AND role = 'main')",
          id,
        )
        if (row !== null) ids.add(row.id)
      }
      return [...ids]
    },
    async mark(ids: readonly number[]): Promise<void> {
      const gone = new Set(goneFiles)
      for (let from = 0; from < ids.length; from += batch) {
        await db.transact({ userId: null }, tx => {
          for (const id of ids.slice(from, from + batch)) {
            tx.run('UPDATE items SET missing = ?, version = version + 1 WHERE id = ?', seconds(clock), id)
            tx.run('DELETE FROM problems WHERE item_id = ?', id)
            // Its other files may still be there: their directories are looked into again.
            for (const { id: fileId, dir_id } of tx.all<{ id: number; dir_id: number }>(
              'SELECT id, dir_id FROM files WHERE item_id = ?',
              id,
            )) {
              if (gone.has(fileId)) continue
              fingerprints.delete(dir_id)
              tx.run('UPDATE dirs SET fingerprint = NULL WHERE id = ?', dir_id)
            }
            tx.run('DELETE FROM files WHERE item_id = ?', id)
          }
          tx.event(channels.collection(collection.id), {
            action: 'update',
            level: 'status',
            collection: { id: collection.id },
          })
        })
        counts.missing += Math.min(batch, ids.length - from)
        await Bun.sleep(5)
      }
      await db.transact({ userId: null }, tx => {
        for (const id of goneFiles) tx.run('DELETE FROM files WHERE id = ?', id)
        for (const id of emptied) {
          tx.run('DELETE FROM files WHERE dir_id = ?', id)
          tx.run('UPDATE dirs SET fingerprint = NULL WHERE id = ?', id)
          // Missing items still say where they were.
          tx.run('DELETE FROM dirs WHERE id = ? AND NOT EXISTS (SELECT 1 FROM items WHERE dir_id = dirs.id)', id)
        }
        for (const [id, fingerprint] of fingerprints)
          tx.run('UPDATE dirs SET fingerprint = ? WHERE id = ?', fingerprint, id)
      })
    },
  }
}

export type Vanishing = ReturnType<typeof createVanishing>
