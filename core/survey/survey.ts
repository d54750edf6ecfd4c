/** The first phase of a scan: finds the directories that have changed, and counts their files. */
import { bytesOfRaw, joinPath, rawOf } from '../files/names.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { ignoredName, presumedKind } from '../media/formats/sniff.ts'
import type { DiskFile } from './found-unit.ts'
import { type JournalledPaths, journalledBelow } from './journalled-paths.ts'
import { type PackedFiles, packed } from './packed-files.ts'
import { reconcile } from './reconcile.ts'
import { directoriesOf, directoryAt, filesOfDirectory } from './survey.sql.ts'
import { type WalkedDirectory, walk } from './walk.ts'

export type KnownFile = Omit<RowOfQuery<typeof filesOfDirectory>, 'nameBytes'> & { raw: string }

/** Rows of one directory's files, by name bytes. */
export function knownFiles(db: LibraryDatabase, dirId: number): Map<string, KnownFile> {
  return new Map(
    db.all(filesOfDirectory, dirId).map(({ nameBytes, ...row }) => {
      const raw = rawOf(nameBytes)
      return [raw, { ...row, raw }]
    }),
  )
}

const sidecarEnding = /\.(?:xmp|json)$/i

/** Media files and possible sidecars of a directory that was read, by name bytes. */
export function filesOf(directory: WalkedDirectory): Map<string, DiskFile> {
  const files = new Map<string, DiskFile>()
  for (const { raw, kind, error, display: name, size, mtimeSeconds, mtimeNanoseconds } of directory.entries) {
    if (kind !== 'file' || error !== null) continue
    if (presumedKind(name) !== null || sidecarEnding.test(name))
      files.set(raw, { raw, name, size, mtimeSeconds, mtimeNanoseconds })
  }
  return files
}

/** A directory to process, as it was listed: the scan does not list it again. */
export interface ChangedDirectory {
  /** Null for one that the library does not know yet. */
  id: number | null
  path: Buffer
  fingerprint: Uint8Array
  files: PackedFiles
  /** Names of files whose size could not be read. */
  withoutSize: readonly string[]
}

/** Returns a test for files whose state is unknown (no size, or in the journal). They count as unchanged. */
export function unknownStateTest(
  { path, withoutSize }: Pick<ChangedDirectory, 'path' | 'withoutSize'>,
  journalled: JournalledPaths,
) {
  const unseen = new Set(withoutSize)
  return (raw: string) => unseen.has(raw) || (!journalled.isEmpty && journalled.has(joinPath(path, bytesOfRaw(raw))))
}

/** The files without those whose state is unknown. */
export function filesWithKnownState(
  files: ReadonlyMap<string, DiskFile>,
  isStateUnknown: (raw: string) => boolean,
): Map<string, DiskFile> {
  return new Map([...files].filter(([raw]) => !isStateUnknown(raw)))
}

export interface Survey {
  /** Media files seen on the disk. */
  found: number
  /** Media files that differ from the library's records; with `full`, all. */
  toOpen: number
  directories: ChangedDirectory[]
  /** Ids of directories that were seen, even if they could not be read: they are not gone. */
  seen: Set<number>
  /** Directories that could not be read, and why. */
  unreadable: { path: Buffer; display: string; reason: string }[]
  /** Journal entries when the survey began: directories that are being renamed are not gone. */
  journalled: JournalledPaths
}

/**
 * Walks the whole collection, or the part below `below`, and compares. Opens and writes nothing; needs memory for one
 * directory's entries, and compact storage of the files of changed directories.
 */
export async function survey(options: {
  db: LibraryDatabase
  collectionId: number
  root: string
  below: Buffer
  /** Surveys only the directory `below`, without its subdirectories. */
  shallow?: boolean
  full: boolean
  signal: AbortSignal
  onProgress: (found: number, path: string) => void
}): Promise<Survey> {
  const { db, collectionId } = options
  const result: Survey = {
    found: 0,
    toOpen: 0,
    directories: [],
    seen: new Set(),
    unreadable: [],
    journalled: journalledBelow(db, options.root),
  }
  for await (const directory of walk(options.root, {
    below: options.below,
    ignored: ignoredName,
    isLeftOut: () => options.shallow === true,
    signal: options.signal,
  })) {
    const { path } = directory
    const row = db.get(directoryAt, collectionId, path)
    if (row !== null) result.seen.add(row.id)
    if (result.journalled.has(path)) continue
    if (directory.error !== null) {
      result.unreadable.push({ path, display: directory.display, reason: directory.error })
      continue
    }
    const all = filesOf(directory)
    const withoutSize = directory.entries.flatMap(({ raw, error }) => (error === null ? [] : [raw]))
    const files = filesWithKnownState(all, unknownStateTest({ path, withoutSize }, result.journalled))
    const isMedia = (file: DiskFile) => presumedKind(file.name) !== null
    for (const file of files.values()) if (isMedia(file)) result.found++
    options.onProgress(result.found, directory.display)
    const { fingerprint } = directory
    if (row?.fingerprint != null && Buffer.from(row.fingerprint).equals(fingerprint) && !options.full) continue

    const known = row === null ? [] : knownFiles(db, row.id).values()
    const { added, changed, unchanged } = reconcile([...files.values()], [...known])
    const again = [...changed, ...(options.full ? unchanged : [])].map(pair => pair.found)
    result.toOpen += [...added, ...again].filter(isMedia).length
    result.directories.push({ id: row?.id ?? null, path, fingerprint, files: packed([...all.values()]), withoutSize })
  }
  return result
}

function isBelow(path: Uint8Array, top: Uint8Array): boolean {
  if (top.length === 0) return true
  const bytes = Buffer.from(path)
  if (!bytes.subarray(0, top.length).equals(top)) return false
  return bytes.length === top.length || bytes[top.length] === 0x2f
}

/** Ids of directories that the library knows and that no longer exist, within the walked part. */
export function goneDirectories(
  db: LibraryDatabase,
  collectionId: number,
  below: Buffer,
  { seen, unreadable, journalled }: Survey,
): number[] {
  const blocked = unreadable.map(directory => directory.path)
  return (
    db
      .all(directoriesOf, collectionId)
      .filter(row => !seen.has(row.id) && isBelow(row.pathBytes, below))
      // Below an unreadable directory nothing was read, so nothing is gone.
      .filter(row => !blocked.some(path => isBelow(row.pathBytes, path)) && !journalled.has(row.pathBytes))
      .map(row => row.id)
  )
}
