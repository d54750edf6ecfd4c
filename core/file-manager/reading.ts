/** Opens files to show them, and folders to download them as an archive. */
import { Failure, sentence } from '../../schema/errors.ts'
import { requireGlobalAdmin, type Viewer } from '../accounts/access.ts'
import type { Disk } from '../files/disk.ts'
import { diskError } from '../files/disk-error.ts'
import { bytesOfText, joinPath } from '../files/names.ts'
import type { OpenFile } from '../files/open-file.ts'
import { uniqueNames, type ZipEntry, zipName } from '../files/zip-out.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { fileFailure } from './file-failures.ts'
import { mainItemAt } from './item-at.ts'
import { headLength, kindOfBytes, type ShownAs } from './mime-types.ts'
import { type FilePlace, type FilePlaces, topFailure } from './places.ts'
import type { Walking } from './walking.ts'

/** An open file; the receiver closes it. */
export interface FileToShow {
  file: OpenFile
  name: string
  shown: ShownAs
  /** The item whose picture or video it is; null for all other files. */
  itemId: number | null
}

interface ReadingParts {
  db: LibraryDatabase
  disk: Disk
  places: FilePlaces
  walking: Walking
}

const nothing = async () => null

async function open(disk: Disk, place: FilePlace): Promise<OpenFile> {
  try {
    return await disk.openAsync(place.at)
  } catch (error) {
    throw fileFailure(diskError(error, place.virtual), place, 'path')
  }
}

async function* entriesOf(
  { disk, walking }: ReadingParts,
  viewer: Viewer,
  folder: FilePlace,
  signal: AbortSignal | undefined,
): AsyncGenerator<ZipEntry> {
  const unique = uniqueNames()
  const leftOut: string[] = []
  const above = folder.virtual.length - folder.name.length
  for await (const { path, virtual, entries, error } of walking.below(viewer, folder, signal)) {
    const inside = virtual.slice(above)
    if (error !== null) leftOut.push(`${inside}: ${error}`)
    else if (entries.length === 0) yield { name: unique(zipName(inside)), modified: 0, folder: true, open: nothing }
    for (const entry of entries) {
      if (entry.kind === 'dir') continue
      if (entry.kind !== 'file') {
        leftOut.push(`${inside}/${entry.display}: links and devices are not packed`)
        continue
      }
      const name = unique(zipName(`${inside}/${entry.display}`))
      yield {
        name,
        modified: entry.mtimeSeconds * 1000,
        async open() {
          try {
            const file = await disk.openAsync({ root: folder.at.root, path: joinPath(path, entry.name) })
            return file.stream()
          } catch {
            // The file is gone or unreadable: the archive reports it at the end.
            leftOut.push(name)
            return null
          }
        },
      }
    }
  }
  if (leftOut.length === 0) return
  const note = bytesOfText(['These could not be packed when the archive was made:', ...leftOut, ''].join('\n'))
  yield { name: unique('Left out.txt'), modified: Date.now(), open: async () => note }
}

export function createFileReading(parts: ReadingParts) {
  const { db, disk, places } = parts
  return {
    /** Opens a file; its bytes determine how to show it. 400: a folder; 403: a link; 404: it does not exist. */
    async open(viewer: Viewer, place: FilePlace | null): Promise<FileToShow> {
      requireGlobalAdmin(viewer)
      if (place === null) throw topFailure()
      if (places.requireEntry(place).kind !== 'file') {
        throw new Failure('invalid', sentence`${place.virtual} is a folder, not a file.`, { field: 'path' })
      }
      const file = await open(disk, place)
      try {
        const kind = kindOfBytes(file.read(0, headLength), place.name)
        return { file, name: place.name, shown: kind, itemId: mainItemAt(db, place) }
      } catch (error) {
        file.close()
        throw error
      }
    },

    /** The item whose picture or video a file is; null for other files and for folders. Does not open the file. */
    itemId(viewer: Viewer, place: FilePlace | null): number | null {
      requireGlobalAdmin(viewer)
      if (place === null || places.requireEntry(place).kind !== 'file') return null
      return mainItemAt(db, place)
    },

    /** Whether the place is a folder, which is downloaded as an archive. */
    isFolder(viewer: Viewer, place: FilePlace | null): place is FilePlace {
      requireGlobalAdmin(viewer)
      if (place === null) throw topFailure()
      return places.requireEntry(place).kind === 'dir'
    },

    /** Throws 409 if an archive of the folder would lack files that are hidden from the viewer. */
    requireWhole: (viewer: Viewer, folder: FilePlace): Promise<void> =>
      places.requireNoneHidden(viewer, [folder], 'path'),

    /** The entries of an archive of a folder: its files and empty folders, and a note of what was left out. */
    entries(viewer: Viewer, folder: FilePlace, signal?: AbortSignal): AsyncGenerator<ZipEntry> {
      requireGlobalAdmin(viewer)
      return entriesOf(parts, viewer, folder, signal)
    },
  }
}
