/** Records written files: in the transaction of their writer, or in recovery if that process was killed. */
import { and, eq } from 'drizzle-orm'
import { files } from '../../schema/tables/collections.ts'
import { items } from '../../schema/tables/items.ts'
import type { DiskPlace } from '../files/anchor.ts'
import type { Disk, PlaceFacts } from '../files/disk.ts'
import { displayName } from '../files/names.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { contentKeyOfFile } from '../media/decode/content-key.ts'
import { descriptorSource } from '../metadata/file-source.ts'
import { readMetadataOf } from '../metadata/read.ts'
import { directoryBelow, moveFaceLooks, noteWritten, putWritten } from './journal.sql.ts'

const slash = 0x2f

/** What the row of a written file stores. `content` and `motionOffset` are only for the main file of an item. */
export interface WrittenFile {
  dirId: number
  name: Uint8Array
  itemId: number
  facts: Pick<PlaceFacts, 'size' | 'mtimeSeconds' | 'mtimeNanoseconds'>
  content: string | null
  /** New offset of the video of a motion photo: it moves if the bytes before it change their length. */
  motionOffset: number | null
}

/** Updates the rows of file and item, so that the next scan does not open the file. */
export function recordWritten(
  tx: Transaction,
  { dirId, name, itemId, facts, content, motionOffset }: WrittenFile,
): void {
  const { size, mtimeSeconds, mtimeNanoseconds } = facts
  const role = content === null ? 'sidecar' : 'main'
  tx.run(putWritten, dirId, Buffer.from(name), itemId, role, size, mtimeSeconds, mtimeNanoseconds, content)
  if (content === null) return
  tx.run(moveFaceLooks, content, itemId)
  tx.run(noteWritten, content, size, motionOffset, itemId)
}

/** Updates the rows for a file that was completely written, so that scans do not treat it as an external change. */
export async function registerWritten(
  { db, disk }: { db: LibraryDatabase; disk: Disk },
  place: DiskPlace,
  itemId: number,
): Promise<void> {
  const end = place.path.lastIndexOf(slash)
  const name = place.path.subarray(end + 1)
  const dir = db.get(
    directoryBelow,
    typeof place.root === 'string' ? place.root : displayName(place.root),
    place.path.subarray(0, Math.max(0, end)),
  )
  const item = db.orm.select().from(items).where(eq(items.id, itemId)).get()
  if (dir === null || item === undefined || item.missing !== null) return
  const named = and(eq(files.dirId, dir.id), eq(files.nameBytes, Buffer.from(name)))
  const row = db.orm.select().from(files).where(named).get()
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
