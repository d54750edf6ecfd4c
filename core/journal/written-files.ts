/** Notes in the library what a killed process had written into files but not come to note. */

import type { Place } from '../files/anchor.ts'
import type { Disk, PlaceFacts } from '../files/disk.ts'
import { bytesOfText, displayName } from '../files/names.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { contentKeyOfFile } from '../media/decode/content-key.ts'
import { descriptorSource } from '../metadata/file-source.ts'
import { readMetadataOf } from '../metadata/read.ts'

const slash = 0x2f

/** What a file's row learns of a file that was written. `content` and `motionOffset` only of an item's main file. */
export interface WrittenFile {
  dirId: number
  name: Uint8Array
  itemId: number
  facts: Pick<PlaceFacts, 'size' | 'mtimeSeconds' | 'mtimeNanoseconds'>
  content: string | null
  /** Where the film of a motion photo begins now: it has moved with what stands before it. */
  motionOffset: number | null
}

/** Rows of file and item as the file is now, so that the next scan opens nothing. */
export function recordWritten(tx: Transaction, { dirId, name, itemId, facts, ...more }: WrittenFile): void {
  const { content, motionOffset } = more
  tx.run(
    `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (dir_id, name_bytes) DO UPDATE SET size = excluded.size, mtime = excluded.mtime,
       mtime_ns = excluded.mtime_ns, content = excluded.content, full_hash = NULL`,
    dirId,
    Buffer.from(name),
    itemId,
    content === null ? 'sidecar' : 'main',
    facts.size,
    facts.mtimeSeconds,
    facts.mtimeNanoseconds,
    content,
  )
  if (content === null) return
  // The picture is the same one: what was seen on it is so still.
  tx.run(
    'UPDATE face_looks SET content = ?1 WHERE item_id = ?2 AND content = (SELECT content FROM items WHERE id = ?2)',
    content,
    itemId,
  )
  tx.run(
    `UPDATE items SET content = ?, size = ?, version = version + 1,
       details = CASE WHEN ? IS NULL THEN details ELSE json_set(details, '$.motionOffset', ?) END WHERE id = ?`,
    content,
    facts.size,
    motionOffset,
    motionOffset,
    itemId,
  )
}

/**
 * The file at a place is whole, and what the journal said would be written there for this item: its rows learn it, so that
 * nobody takes it for the work of another program. Renditions had been copied before.
 */
export async function learnWritten(
  { db, disk }: { db: LibraryDatabase; disk: Disk },
  place: Place,
  itemId: number,
): Promise<void> {
  const end = place.path.lastIndexOf(slash)
  const name = place.path.subarray(end + 1)
  const dir = db.get<{ id: number }>(
    'SELECT d.id FROM dirs AS d JOIN collections AS c ON c.id = d.collection_id WHERE c.path = ? AND d.path_bytes = ?',
    typeof place.root === 'string' ? place.root : displayName(place.root),
    Buffer.from(end < 0 ? bytesOfText('') : place.path.subarray(0, end)),
  )
  const isThere = db.get('SELECT 1 FROM items WHERE id = ? AND missing IS NULL', itemId) !== null
  if (dir === null || !isThere) return
  const row = db.get<{ role: string }>(
    'SELECT role FROM files WHERE dir_id = ? AND name_bytes = ?',
    dir.id,
    Buffer.from(name),
  )
  const file = disk.open(place)
  let written: WrittenFile
  try {
    const isMain = row?.role === 'main'
    const { size, mtimeSeconds, mtimeNanoseconds } = file
    const source = descriptorSource(file.fd, size)
    written = {
      dirId: dir.id,
      name,
      itemId,
      facts: { size, mtimeSeconds, mtimeNanoseconds },
      content: isMain ? contentKeyOfFile(file.fd, size) : null,
      motionOffset: isMain ? (readMetadataOf(source, displayName(name)).motionVideoOffset ?? null) : null,
    }
  } finally {
    file.close()
  }
  await db.transact({ userId: null }, tx => recordWritten(tx, written))
}
