/** Which item of the library a file on the disk belongs to. */

import { rawOf } from '../files/names.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Place } from './places.ts'

export interface FileOfItem {
  itemId: number
  role: 'main' | 'companion' | 'motion' | 'sidecar'
}

/** The item of the file at a place, and what the file is to it; null for a file that the library does not know. */
export function itemAt(db: LibraryDatabase, place: Place): FileOfItem | null {
  if (place.collection === null || place.inCollection === null) return null
  const raw = rawOf(place.inCollection)
  const slash = raw.lastIndexOf('/')
  const row = db.get<{ item_id: number; role: FileOfItem['role'] }>(
    `SELECT f.item_id, f.role FROM files AS f JOIN dirs AS d ON d.id = f.dir_id
     WHERE d.collection_id = ? AND d.path_bytes = ? AND f.name_bytes = ? AND f.item_id IS NOT NULL`,
    place.collection.id,
    Buffer.from(slash < 0 ? '' : raw.slice(0, slash), 'latin1'),
    Buffer.from(raw.slice(slash + 1), 'latin1'),
  )
  return row === null ? null : { itemId: row.item_id, role: row.role }
}
