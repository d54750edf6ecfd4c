/** The files of a download: originals of a filter, or of chosen items, with names for unpacking. */
import type { FilterQuery } from '../../../schema/api/items.ts'
import { Failure, sentence } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { rightsOn, type Viewer } from '../../accounts/access.ts'
import { displayName, joinPath } from '../../files/names.ts'
import { uniqueNames, zipName } from '../../files/zip-out.ts'
import type { Items } from '../../items/items.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import { downloadedFiles } from './exporting.sql.ts'

type FileRow = RowOfQuery<typeof downloadedFiles>

/** A file of a download. It must be within `root`. */
export interface DownloadEntry extends Pick<FileRow, 'root' | 'size' | 'type' | 'content' | 'rotation'> {
  itemId: number
  name: string
  /** Absolute path, as the file system's bytes. */
  path: Buffer
  /** Milliseconds since the epoch. */
  modified: number
  /** People and places are hidden from the viewer: the original, which contains them, must not be sent. */
  withoutMetadata: boolean
}

export interface DownloadRequest {
  collectionId: number
  query: FilterQuery
  /** Ids of chosen items, without those that the viewer does not see; null: all items of the query. */
  items: readonly number[] | null
  /**
   * For visitors of a link: names contain neither folders nor collections. Without `details`, and in the collections
   * `privateIds`, files have no metadata, and numbers as names, because names may contain people and places.
   */
  toVisitors?: { details: boolean; privateIds: ReadonlySet<number> }
}

function tooMany(items: number): Failure {
  return new Failure(
    'tooLarge',
    sentence`A download has at most ${limits.downloadItems.toLocaleString('en')} items; these are ${items.toLocaleString('en')}. Choose fewer, or filter by year.`,
  )
}

export function createDownloads({ db, items }: { db: LibraryDatabase; items: Items }) {
  function idsOf(viewer: Viewer, { collectionId, query, items: chosen }: DownloadRequest): number[] {
    if (chosen !== null) {
      if (chosen.length > limits.downloadItems) throw tooMany(chosen.length)
      return items.visibleIds(viewer, chosen, query.includeHidden)
    }
    const { ids, total } = items.idsOf(viewer, collectionId, query, { most: limits.downloadItems })
    if (total > limits.downloadItems) throw tooMany(total)
    return ids
  }

  function nameOf(viewer: Viewer, row: FileRow, isForVisitors: boolean): string {
    const name = displayName(row.name)
    if (isForVisitors) return zipName(name)
    // Users who may not see the folders of a collection get all its files in one.
    const folder = rightsOn(viewer, row.collectionId).update && row.path !== '' ? `${row.path}/` : ''
    return zipName(`${row.collection.replaceAll('/', '_')}/${folder}${name}`)
  }

  return {
    /** Files of a download, in order, without unseen items. Throws `notFound` if there are none, or `tooLarge`. */
    plan(viewer: Viewer, wanted: DownloadRequest): DownloadEntry[] {
      const ids = idsOf(viewer, wanted)
      const rows = db.all(downloadedFiles, JSON.stringify(ids))
      if (rows.length === 0) throw new Failure('notFound', 'No items available')
      const bytes = rows.reduce((sum, { size }) => sum + size, 0)
      if (bytes > limits.downloadBytes) {
        const most = Math.round(limits.downloadBytes / 1024 ** 3)
        throw new Failure(
          'tooLarge',
          sentence`A download has at most ${most} GB; this one would have more. Choose fewer items.`,
        )
      }
      const privateIds = items.privateCollections(viewer)
      const { toVisitors } = wanted
      const unique = uniqueNames()
      return rows.flatMap((row, place): DownloadEntry[] => {
        const isAnonymous =
          toVisitors !== undefined && (!toVisitors.details || toVisitors.privateIds.has(row.collectionId))
        const withoutMetadata = isAnonymous || privateIds.includes(row.collectionId)
        // A motion part contains the place too. That cannot be removed from a video, so the file is left out.
        if (withoutMetadata && row.role === 'motion') return []
        const name = nameOf(viewer, row, toVisitors !== undefined)
        const stem = isAnonymous ? String(place + 1).padStart(4, '0') : name.replace(/\.[^./]*$/, '')
        const { root, size, type, content, rotation } = row
        return [
          {
            ...{ root, size, type, content, rotation, withoutMetadata },
            itemId: row.itemId ?? 0,
            name: unique(withoutMetadata ? `${stem}.${type === 'image' ? 'jpg' : 'mp4'}` : name),
            path: joinPath(Buffer.from(root), row.dir, row.name),
            modified: row.mtime * 1000,
          },
        ]
      })
    },
  }
}
