/** The first look of a scan: which directories are not as they were, and how much there is to do in them. */

import { joinPath } from '../files/names.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { ignoredName, mayBeMedia } from '../media/formats/sniff.ts'
import type { DiskFile } from './found-unit.ts'
import { type InHand, inHandBelow } from './in-hand.ts'
import { reconcile } from './reconcile.ts'
import { type WalkedDirectory, type WalkedEntry, walk } from './walk.ts'

/** A file that the library has a row for. */
export interface KnownFile {
  id: number
  raw: string
  itemId: number | null
  role: string
  size: number
  mtimeSeconds: number
  mtimeNanoseconds: number
}

interface FileRow {
  id: number
  name_bytes: Uint8Array
  item_id: number | null
  role: string
  size: number
  mtime: number
  mtime_ns: number
}

/** Rows of one directory's files, by name bytes. */
export function knownFiles(db: LibraryDatabase, dirId: number): Map<string, KnownFile> {
  const rows = db.all<FileRow>(
    'SELECT id, name_bytes, item_id, role, size, mtime, mtime_ns FROM files WHERE dir_id = ?',
    dirId,
  )
  return new Map(
    rows.map(row => {
      const raw = Buffer.from(row.name_bytes).toString('latin1')
      return [
        raw,
        {
          id: row.id,
          raw,
          itemId: row.item_id,
          role: row.role,
          size: row.size,
          mtimeSeconds: row.mtime,
          mtimeNanoseconds: row.mtime_ns,
        },
      ]
    }),
  )
}

const sidecarEnding = /\.(?:xmp|json)$/i

/** Media files and possible sidecars of a directory that was read, by name bytes. */
export function filesOf(directory: WalkedDirectory): Map<string, DiskFile> {
  const files = new Map<string, DiskFile>()
  for (const entry of directory.entries) {
    if (entry.kind !== 'file' || entry.error !== null) continue
    const file = diskFile(entry)
    if (mayBeMedia(file.name) !== null || sidecarEnding.test(file.name)) files.set(file.raw, file)
  }
  return files
}

/**
 * Names of a directory of which nothing can be said now, so that they count as they are known, neither new nor gone: the
 * disk would not even tell their size, or the journal has them in hand.
 */
export function untold({ path, entries }: WalkedDirectory, inHand: InHand): (raw: string) => boolean {
  const blind = new Set(entries.flatMap(({ raw, error }) => (error === null ? [] : [raw])))
  if (inHand.isEmpty) return raw => blind.has(raw)
  return raw => blind.has(raw) || inHand.has(joinPath(path, Buffer.from(raw, 'latin1')))
}

/** The same files without those of which nothing can be said. */
export function told(files: ReadonlyMap<string, DiskFile>, isUntold: (raw: string) => boolean): Map<string, DiskFile> {
  return new Map([...files].filter(([raw]) => !isUntold(raw)))
}

function diskFile(entry: WalkedEntry): DiskFile {
  return {
    raw: entry.raw,
    name: entry.display,
    size: entry.size,
    mtimeSeconds: entry.mtimeSeconds,
    mtimeNanoseconds: entry.mtimeNanoseconds,
  }
}

/** A directory that has to be looked into. `id` is null for one that the library has not seen yet. */
export interface ChangedDirectory {
  id: number | null
  path: Buffer
  /** As the survey of this one directory read it, and what the journal had in hand before; else it is read again. */
  read?: { listing: WalkedDirectory; inHand: InHand }
}

export interface Survey {
  /** Media files seen on the disk. */
  found: number
  /** Media files that are not as the library knows them. */
  toOpen: number
  /** Main files that are not where they were, before moves are recognised. */
  gone: number
  directories: ChangedDirectory[]
  /** Rows of directories that were seen, or could not be read: nothing in them counts as gone because of this scan. */
  seen: Set<number>
  /** Directories that could not be read, and why. */
  unreadable: { path: Buffer; display: string; id: number | null; reason: string }[]
  /** What the journal had in hand when it began: directories that are renamed are not gone. */
  inHand: InHand
}

interface DirRow {
  id: number
  fingerprint: Uint8Array | null
}

/**
 * Walks the whole collection, or the part below `below`, and compares. Nothing is opened and nothing written; memory is
 * one directory's entries and a line for each directory that changed.
 */
export async function survey(options: {
  db: LibraryDatabase
  collectionId: number
  root: string
  below: Buffer
  /** Only that one directory, and none of those in it. */
  shallow?: boolean
  full: boolean
  signal: AbortSignal
  onProgress: (found: number, path: string) => void
}): Promise<Survey> {
  const { db, collectionId } = options
  const result: Survey = {
    found: 0,
    toOpen: 0,
    gone: 0,
    directories: [],
    seen: new Set(),
    unreadable: [],
    inHand: inHandBelow(db, options.root),
  }
  for await (const directory of walk(options.root, {
    below: options.below,
    ignored: ignoredName,
    without: () => options.shallow === true,
    signal: options.signal,
  })) {
    const { path } = directory
    const row = db.get<DirRow>(
      'SELECT id, fingerprint FROM dirs WHERE collection_id = ? AND path_bytes = ?',
      collectionId,
      path,
    )
    if (row !== null) result.seen.add(row.id)
    if (result.inHand.has(path)) continue
    if (directory.error !== null) {
      result.unreadable.push({ path, display: directory.display, id: row?.id ?? null, reason: directory.error })
      continue
    }
    const isUntold = untold(directory, result.inHand)
    const files = told(filesOf(directory), isUntold)
    const media = [...files.values()].filter(file => mayBeMedia(file.name) !== null)
    result.found += media.length
    options.onProgress(result.found, directory.display)
    const same =
      row?.fingerprint !== null &&
      row?.fingerprint !== undefined &&
      Buffer.from(row.fingerprint).equals(directory.fingerprint)
    if (same && !options.full) continue

    const known = row === null ? new Map<string, KnownFile>() : knownFiles(db, row.id)
    const { added, changed, unchanged, gone } = reconcile([...files.values()], [...known.values()])
    const isMedia = (file: DiskFile) => mayBeMedia(file.name) !== null
    const again = [...changed, ...(options.full ? unchanged : [])].map(pair => pair.found).filter(isMedia)
    const come = added.filter(isMedia)
    result.toOpen += come.length + again.length
    result.gone += gone.filter(file => file.role === 'main' && !isUntold(file.raw)).length
    const { inHand } = result
    const read = options.shallow === true ? { read: { listing: directory, inHand } } : {}
    result.directories.push({ id: row?.id ?? null, path, ...read })
  }
  if (options.shallow === true) return result
  for (const id of goneDirectories(db, collectionId, options.below, result)) {
    result.gone +=
      db.get<{ n: number }>("SELECT count(*) AS n FROM files WHERE dir_id = ? AND role = 'main'", id)?.n ?? 0
  }
  return result
}

function isBelow(path: Uint8Array, top: Uint8Array): boolean {
  if (top.length === 0) return true
  const bytes = Buffer.from(path)
  if (!bytes.subarray(0, top.length).equals(top)) return false
  return bytes.length === top.length || bytes[top.length] === 0x2f
}

/** Ids of directories that the library knows and that are not there any more, within what was walked. */
export function goneDirectories(
  db: LibraryDatabase,
  collectionId: number,
  below: Buffer,
  { seen, unreadable, inHand }: Survey,
): number[] {
  const blocked = unreadable.map(directory => directory.path)
  return (
    db
      .all<{ id: number; path_bytes: Uint8Array; path: string }>(
        'SELECT id, path_bytes, path FROM dirs WHERE collection_id = ?',
        collectionId,
      )
      .filter(row => !seen.has(row.id) && isBelow(row.path_bytes, below))
      // What lies below a directory that could not be read was not looked at: it is not gone.
      .filter(row => !blocked.some(path => isBelow(row.path_bytes, path)) && !inHand.has(row.path_bytes))
      .map(row => row.id)
  )
}
