/** STUB by the lead so that the rest compiles while the real one is being written: overwrite this file entirely. */
import type { FilterQuery, ItemDetails, ItemPage, PageQuery } from '../schema/api/items.ts'
import type { Viewer } from './access.ts'
import type { Clock } from './clock.ts'
import type { LibraryDatabase } from './database.ts'
import type { Turn } from './media/renditions.ts'

/** What the byte routes (server/bytes.ts) need of an item that the viewer may have. */
export interface ItemBytes {
  /** Absolute path of the main file as bytes. */
  path: Uint8Array
  name: string
  type: 'image' | 'video'
  mime: string
  content: string
  rotation: Turn
  /** Hidden by a keystring (the session is unlocked): never cached. */
  hidden: boolean
  /** Every visitor has view on its collection. */
  public: boolean
  /** Short hash of what the caller may see: part of ETags. */
  rightsTag: string
  problem: string | null
  /** What plays: the video itself, the motion file, or the film inside a motion photo (offset and length in the main file). */
  stream: { path: Uint8Array; mime: string; offset: number; length: number | null } | null
}

export function createItems(_: { db: LibraryDatabase; clock: Clock }) {
  return {
    list(_viewer: Viewer, _params: { collectionId: number }, _query: FilterQuery & PageQuery): ItemPage {
      throw new Error('stub')
    },
    timeline(_viewer: Viewer, _params: { collectionId: number }, _query: FilterQuery): { total_records: number; months: { year: number; month: number; count: number }[] } {
      throw new Error('stub')
    },
    get(_viewer: Viewer, _params: { id: number }, _query: { includeHidden?: string }): ItemDetails {
      throw new Error('stub')
    },
    findForBytes(_viewer: Viewer, _id: number): ItemBytes {
      throw new Error('stub')
    },
  }
}
