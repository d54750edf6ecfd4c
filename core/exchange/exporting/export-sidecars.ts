/** Writes XMP sidecars of a collection's items to a separate folder, with all metadata of the library. */

import { Failure, sentence } from '../../../schema/errors.ts'
import { tagSetNames } from '../../../schema/limits.ts'
import { requireGlobalAdmin, type Viewer } from '../../accounts/access.ts'
import { overlappingPlace } from '../../collections/apart.ts'
import type { Disk } from '../../files/disk.ts'
import { DiskError } from '../../files/disk-error.ts'
import { bytesOfText, joinPath } from '../../files/names.ts'
import { type ItemDetailsColumn, parseTags } from '../../items/item-row.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import { type StoredPicture, uprightSize } from '../../metadata/regions.ts'
import { writtenSets } from '../../metadata/write/written-tags.ts'
import { writeXmpTags } from '../../metadata/write/xmp-tags.ts'
import { displayPath } from '../../survey/found-unit.ts'
import { wantedTags } from '../../write-back/item-tags.ts'
import { inPathOrder } from './export-collection.ts'
import { dirsOfCollection, keptItemNames, sidecarItem } from './exporting.sql.ts'

type Row = RowOfQuery<typeof sidecarItem>

export interface SidecarRequest {
  /** Absolute path of the folder; it must exist, except in a dry run. */
  directory: string
  /** Overwrite sidecars with different contents. */
  replace: boolean
  dryRun: boolean
  signal: AbortSignal
}

/** What happened, or would happen, to an item's sidecar. `path` is the path of the sidecar within the folder. */
export interface SidecarOutcome {
  path: string
  result: 'written' | 'unchanged' | 'skipped' | 'failed'
  /** Why the sidecar was skipped, or failed; '' otherwise. */
  reason: string
}

const longestName = 255
const largestSidecar = 4 * 1024 * 1024

function pictureOf({ width, height, details }: Row): StoredPicture | null {
  if (width === 0 || height === 0) return null
  // The column needs no check: only the library writes it.
  const { orientation = 1 }: ItemDetailsColumn = JSON.parse(details)
  return { ...uprightSize({ width, height, orientation }), orientation }
}

export function createSidecarExport({ db, disk, data }: { db: LibraryDatabase; disk: Disk; data: string }) {
  /** Sidecars beside pictures are written by `meta export`, which reads what exists there. */
  function requireApart(directory: string): void {
    const owner = overlappingPlace({ db, data }, directory)
    if (owner === null) return
    const hint = owner.isCollection ? ' To write beside the pictures: keepsake meta export' : ''
    throw new Failure('conflict', sentence`${directory} and ${owner.name} lie within each other.${hint}`)
  }

  /** Returns the bytes of an item's sidecar; null when there is nothing to write. */
  function sidecarOf(row: Row): Uint8Array | null {
    const wanted = wantedTags(db, row)
    const { date, position, rating, rotation, recycled: _, ...texts } = wanted
    const hasValues = date !== null || position !== null || rating !== null || rotation !== 0
    const isEdited = Object.values(parseTags(row.tags)).some(tag => tag.u === 1)
    if (!hasValues && !isEdited && Object.values(texts).every(value => value.length === 0)) return null
    const sets = new Set(writtenSets)
    return writeXmpTags(null, { wanted, sets, picture: pictureOf(row), complete: tagSetNames, padding: null })
  }

  async function write(row: Row, bytes: Uint8Array, request: SidecarRequest): Promise<Omit<SidecarOutcome, 'path'>> {
    const name = Buffer.concat([row.name, bytesOfText('.xmp')])
    if (name.length > longestName) return { result: 'failed', reason: 'Its name would be too long.' }
    const dir = { root: request.directory, path: Buffer.from(row.dir) }
    const place = { root: request.directory, path: joinPath(dir.path, name) }
    try {
      const there = statOf(place)
      const same =
        there?.kind === 'file' &&
        there.size === bytes.length &&
        Buffer.from(disk.read(place, largestSidecar)).equals(Buffer.from(bytes))
      if (same) return { result: 'unchanged', reason: '' }
      if (there !== null && !request.replace)
        return { result: 'skipped', reason: 'Another sidecar already exists. To overwrite it: --replace' }
      if (request.dryRun) return { result: 'written', reason: '' }
      if (dir.path.length > 0) disk.makeDirectory(dir)
      await disk.write(place, bytes, { replace: there !== null })
      return { result: 'written', reason: '' }
    } catch (error) {
      if (error instanceof DiskError && ['ENOSPC', 'EDQUOT', 'EROFS'].includes(error.code))
        throw new Failure('noSpace', error.message, { cause: error })
      if (error instanceof DiskError) return { result: 'failed', reason: error.reason }
      if (error instanceof Failure) return { result: 'failed', reason: error.message }
      throw error
    }
  }

  /** The state of a file; null if it does not exist, or its folder does not. */
  function statOf(place: { root: string; path: Buffer }) {
    try {
      return disk.stat(place)
    } catch (error) {
      if (error instanceof DiskError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
      throw error
    }
  }

  return {
    /** Rejects a folder that contains a collection or the data directory, or is within one. */
    requireApart,

    /**
     * Writes `PATH.xmp` for each item with metadata, in the order of paths; items in the recycle bin get none. Each
     * sidecar is complete: a picture that is read with its sidecar beside it gets the same metadata as in the library.
     */
    async *write(viewer: Viewer, collectionId: number, request: SidecarRequest): AsyncGenerator<SidecarOutcome> {
      requireGlobalAdmin(viewer)
      requireApart(request.directory)
      const dirs = db.all(dirsOfCollection, collectionId)
      for (const { id, dir, name } of inPathOrder(dirs, one => db.all(keptItemNames, one.id))) {
        request.signal.throwIfAborted()
        const row = db.get(sidecarItem, id)
        const bytes = row === null ? null : sidecarOf(row)
        if (row === null || bytes === null) continue
        yield { path: `${displayPath(dir, name)}.xmp`, ...(await write(row, bytes, request)) }
      }
    },
  }
}
