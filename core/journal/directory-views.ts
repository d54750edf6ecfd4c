/** Directories of a collection as they are on the disk, cached while many of their files are moved. */

import { bytesOfRaw, displayName, displayRaw, joinPath, rawOf } from '../files/names.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { nameKey, numbered } from '../survey/folder-format.ts'
import type { DiskFile } from '../survey/found-unit.ts'
import { rootState, unavailableReason } from '../survey/safety.ts'
import { stemAndExtension, stemsTakenBy } from '../survey/unit-names.ts'
import { listDirectory } from '../survey/walk.ts'
import { directoriesOf, namesIn, presentItem } from './journal.sql.ts'

interface View {
  /** Why nothing can be put into or moved from this directory; null if it can. */
  refusal: string | null
  files: Map<string, DiskFile>
  /** Names of all other entries. */
  others: string[]
  /** Names of files that were moved out or removed since the directory was read. */
  gone: Set<string>
  /** By the key of a stem: how many names make it unusable for new files. Counted when a free stem is requested. */
  taken: Map<string, number> | null
}

/** Maximum number of cached directories: a library has few, but a long job may visit many. */
const maxViews = 200

/** The cache of one collection's directories. */
interface Views {
  db: LibraryDatabase
  root: string
  collectionId: number | null
  byPath: Map<string, View>
  /** Directories in the library, and their parents, by the key of their path; null until they are requested. */
  spellings: Map<string, Buffer> | null
  /** Why the collection's disk is unavailable; undefined until checked. */
  unavailable: string | null | undefined
}

/** Adds `change` to the number of names that block each stem that this name blocks. */
function changeTaken(taken: Map<string, number>, raw: string, change: 1 | -1) {
  for (const stem of new Set(stemsTakenBy(displayRaw(raw)).map(nameKey))) {
    const n = (taken.get(stem) ?? 0) + change
    if (n > 0) taken.set(stem, n)
    else taken.delete(stem)
  }
}

function takenNames(views: Views, path: Buffer): Map<string, number> {
  const view = viewOf(views, path)
  if (view.taken !== null) return view.taken
  const names = new Set([...view.files.keys(), ...view.others])
  // Names that the library knows but the disk no longer has are still reserved for their items.
  for (const { nameBytes } of views.db.all(namesIn, views.collectionId, path)) {
    const raw = rawOf(nameBytes)
    if (!view.gone.has(raw)) names.add(raw)
  }
  view.taken = new Map()
  for (const raw of names) changeTaken(view.taken, raw, 1)
  return view.taken
}

/** Why the collection's disk is unavailable; null if it is available. Without present items, it may be empty. */
function whyUnavailable(views: Views): string | null {
  if (views.unavailable !== undefined) return views.unavailable
  const state = rootState(views.root)
  const isNew = views.db.get(presentItem, views.collectionId) === null
  views.unavailable = state.kind === 'present' && isNew ? null : unavailableReason(state)
  return views.unavailable
}

function load(views: Views, path: Buffer): View {
  const listing = listDirectory(views.root, path)
  const shown = path.length === 0 ? 'the collection' : displayName(path)
  const view: View = { refusal: null, files: new Map(), others: [], gone: new Set(), taken: null }
  if (listing?.error != null) view.refusal = `The directory ${shown} cannot be read: ${listing.error}`
  // Files that are moved into the mount point of an unmounted disk would be invisible once it is mounted.
  else if (listing === null || path.length === 0) view.refusal = whyUnavailable(views)
  else if (listing.excludedBy !== null)
    view.refusal = `Scans pass over ${shown}: there is a ${listing.excludedBy} in it.`
  for (const entry of listing?.entries ?? []) {
    const { raw, display: name, size, mtimeSeconds, mtimeNanoseconds } = entry
    if (entry.kind === 'file' && entry.error === null)
      view.files.set(raw, { raw, name, size, mtimeSeconds, mtimeNanoseconds })
    else view.others.push(raw)
  }
  return view
}

function viewOf(views: Views, path: Buffer): View {
  const key = rawOf(path)
  const view = views.byPath.get(key) ?? load(views, path)
  views.byPath.delete(key)
  views.byPath.set(key, view)
  if (views.byPath.size > maxViews) {
    const [oldest] = views.byPath.keys()
    if (oldest !== undefined) views.byPath.delete(oldest)
  }
  return view
}

function knownSpellings(views: Views): Map<string, Buffer> {
  if (views.spellings !== null) return views.spellings
  views.spellings = new Map()
  for (const { pathBytes } of views.db.all(directoriesOf, views.collectionId)) {
    const raw = rawOf(pathBytes)
    for (let end = raw.length; end > 0; end = raw.lastIndexOf('/', end - 1)) {
      const path = bytesOfRaw(raw.slice(0, end))
      views.spellings.set(nameKey(displayName(path)), path)
    }
  }
  return views.spellings
}

/** `root`: trusted absolute path; `collectionId` is null for a directory without rows in the library. */
export function createDirectoryViews(db: LibraryDatabase, root: string, collectionId: number | null) {
  const views: Views = { db, root, collectionId, byPath: new Map(), spellings: null, unavailable: undefined }
  let generation = 0

  return {
    root,
    /** A number that is incremented when everything is read again. */
    generation: () => generation,

    /** A file of a directory; null if it does not exist. */
    file: (path: Buffer, raw: string): DiskFile | null => viewOf(views, path).files.get(raw) ?? null,
    /** All files of a directory, by their raw names: each byte is one character. */
    files: (path: Buffer): ReadonlyMap<string, DiskFile> => viewOf(views, path).files,

    /** Why nothing may be put into a directory: it, or a parent, can't be read or is skipped by scans. */
    refusal(path: Buffer): string | null {
      const raw = rawOf(path)
      for (let end = raw.length; ; end = raw.lastIndexOf('/', end - 1)) {
        const { refusal } = viewOf(views, Buffer.from(end <= 0 ? '' : raw.slice(0, end), 'latin1'))
        if (refusal !== null) return refusal
        if (end <= 0) return null
      }
    },

    /** Path of a directory with these names, in the spelling of an existing one that differs only in case. */
    spelled(folders: readonly string[]): Buffer {
      let path = Buffer.alloc(0)
      for (const folder of folders) {
        const wanted = joinPath(path, Buffer.from(folder))
        path = Buffer.from(knownSpellings(views).get(nameKey(displayName(wanted))) ?? wanted)
      }
      return path
    },

    /** The first free stem of `stem`, `stem_2`, …; for `stem`, the stems of the names `raws` must be free too. */
    freeStem(path: Buffer, stem: string, raws: readonly string[]): string {
      const taken = takenNames(views, path)
      const rawKeys = raws.map(raw => nameKey(displayRaw(stemAndExtension(raw).stem)))
      for (let n = 1; ; n++) {
        const candidate = numbered(stem, n)
        const keys = n === 1 ? [nameKey(displayRaw(candidate)), ...rawKeys] : [nameKey(displayRaw(candidate))]
        if (!keys.some(key => taken.has(key))) return candidate
      }
    },

    /** Adds a file that exists, or will exist, in a directory. */
    add(path: Buffer, file: DiskFile) {
      const view = viewOf(views, path)
      if (view.taken !== null && !view.files.has(file.raw)) changeTaken(view.taken, file.raw, 1)
      view.files.set(file.raw, file)
      view.gone.delete(file.raw)
      const known = knownSpellings(views)
      const key = nameKey(displayName(path))
      if (path.length > 0 && !known.has(key)) known.set(key, path)
    },

    /** Removes a file that is gone, or will be, from a directory. */
    remove(path: Buffer, raw: string) {
      const view = viewOf(views, path)
      if (!view.files.delete(raw)) return
      view.gone.add(raw)
      if (view.taken !== null) changeTaken(view.taken, raw, -1)
    },

    /** Makes directories be read again after a planned change failed. */
    forget() {
      views.byPath.clear()
      views.spellings = null
      generation++
    },
  }
}

export type DirectoryViews = ReturnType<typeof createDirectoryViews>
