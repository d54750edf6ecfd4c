/** Directories of a collection as they are on the disk, remembered while many files of them are moved. */

import { displayName, displayRaw, joinPath, rawOf } from '../files/names.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { nameKey, numbered } from '../survey/folder-format.ts'
import type { DiskFile } from '../survey/found-unit.ts'
import { awayReason, rootState } from '../survey/safety.ts'
import { stemAndExtension, stemsTakenBy } from '../survey/unit-names.ts'
import { listDirectory } from '../survey/walk.ts'

interface View {
  /** Why nothing can be put here or moved from here; null when all is well. */
  refusal: string | null
  files: Map<string, DiskFile>
  /** Names of everything else in it. */
  others: readonly string[]
  /** Names of files that have left since it was read. */
  gone: Set<string>
  /** How many names keep a stem from being used, by the stem's key; counted when a free one is first asked for. */
  taken: Map<string, number> | null
}

/** A library's directories are few; those of a long job may be many. */
const mostViews = 200

/** `root` is trusted, absolute; `collectionId` null for a directory that the library has no rows of. */
export function createDirectoryViews(db: LibraryDatabase, root: string, collectionId: number | null) {
  const views = new Map<string, View>()
  let spellings: Map<string, Buffer> | null = null
  let generation = 0
  let asked: string | null | undefined

  function count(taken: Map<string, number>, raw: string, by: 1 | -1) {
    for (const stem of new Set(stemsTakenBy(displayRaw(raw)).map(nameKey))) {
      const n = (taken.get(stem) ?? 0) + by
      if (n > 0) taken.set(stem, n)
      else taken.delete(stem)
    }
  }

  function takenIn(path: Buffer): Map<string, number> {
    const view = viewOf(path)
    if (view.taken !== null) return view.taken
    const names = new Set([...view.files.keys(), ...view.others])
    // Names that the library knows and the disk does not have any more still stand for their items.
    for (const { name_bytes } of db.all<{ name_bytes: Uint8Array }>(
      `SELECT f.name_bytes FROM files AS f JOIN dirs AS d ON d.id = f.dir_id WHERE d.collection_id = ? AND d.path_bytes = ?`,
      collectionId,
      path,
    )) {
      const raw = rawOf(name_bytes)
      if (!view.gone.has(raw)) names.add(raw)
    }
    view.taken = new Map()
    for (const raw of names) count(view.taken, raw, 1)
    return view.taken
  }

  /** Why the collection's disk is not there, asked once; an empty directory is one where nothing was in it before. */
  function away(): string | null {
    if (asked !== undefined) return asked
    const state = rootState(root)
    const isNew =
      db.get('SELECT 1 FROM items WHERE collection_id = ? AND missing IS NULL LIMIT 1', collectionId) === null
    asked = state.kind === 'present' && isNew ? null : awayReason(state)
    return asked
  }

  function load(path: Buffer): View {
    const view: View = { refusal: null, files: new Map(), others: [], gone: new Set(), taken: null }
    const listing = listDirectory(root, path)
    const shown = path.length === 0 ? 'the collection' : displayName(path)
    if (listing?.error != null) view.refusal = `The directory ${shown} cannot be read: ${listing.error}`
    // Into the directory above a disk that is away files would come to lie where nobody looks for them.
    else if (listing === null || path.length === 0) view.refusal = away()
    else if (listing?.endedBy != null) view.refusal = `Scans pass over ${shown}: there is a ${listing.endedBy} in it.`
    const others: string[] = []
    for (const entry of listing?.entries ?? []) {
      const { raw, display: name, size, mtimeSeconds, mtimeNanoseconds } = entry
      if (entry.kind === 'file' && entry.error === null)
        view.files.set(raw, { raw, name, size, mtimeSeconds, mtimeNanoseconds })
      else others.push(raw)
    }
    return { ...view, others }
  }

  function viewOf(path: Buffer): View {
    const key = rawOf(path)
    const known = views.get(key)
    if (known !== undefined) {
      views.delete(key)
      views.set(key, known)
      return known
    }
    const view = load(path)
    views.set(key, view)
    if (views.size > mostViews) {
      const [oldest] = views.keys()
      if (oldest !== undefined) views.delete(oldest)
    }
    return view
  }

  /** Directories that the library knows, and those above them, by the key of their path. */
  function knownSpellings(): Map<string, Buffer> {
    if (spellings !== null) return spellings
    spellings = new Map()
    for (const { path_bytes } of db.all<{ path_bytes: Uint8Array }>(
      'SELECT path_bytes FROM dirs WHERE collection_id = ? ORDER BY id DESC',
      collectionId,
    )) {
      const raw = rawOf(path_bytes)
      for (let end = raw.length; end > 0; end = raw.lastIndexOf('/', end - 1)) {
        const path = Buffer.from(raw.slice(0, end), 'latin1')
        spellings.set(nameKey(displayName(path)), path)
      }
    }
    return spellings
  }

  return {
    root,
    /** Grows when everything is read anew. */
    generation: () => generation,

    /** A file of a directory; null when it is not there. */
    file: (path: Buffer, raw: string): DiskFile | null => viewOf(path).files.get(raw) ?? null,
    /** All files of a directory by the bytes of their names, a character each. */
    files: (path: Buffer): ReadonlyMap<string, DiskFile> => viewOf(path).files,

    /** Why nothing may be put into a directory: it, or one above it, can't be read or is passed over by scans. */
    refusal(path: Buffer): string | null {
      const raw = rawOf(path)
      for (let end = raw.length; ; end = raw.lastIndexOf('/', end - 1)) {
        const { refusal } = viewOf(Buffer.from(end <= 0 ? '' : raw.slice(0, end), 'latin1'))
        if (refusal !== null) return refusal
        if (end <= 0) return null
      }
    },

    /** Path of a directory with these names, spelled as the one that is there already where only the case differs. */
    spelled(folders: readonly string[]): Buffer {
      let path = Buffer.alloc(0)
      for (const folder of folders) {
        const wanted = joinPath(path, Buffer.from(folder))
        path = Buffer.from(knownSpellings().get(nameKey(displayName(wanted))) ?? wanted)
      }
      return path
    },

    /**
     * The first stem of `stem`, `stem_2`, `stem_3` … that no name in the directory stands in the way of. `raws`: names
     * that are kept when the stem is; their stems have to be free as well.
     */
    freeStem(path: Buffer, stem: string, raws: readonly string[]): string {
      const taken = takenIn(path)
      const own = raws.map(raw => nameKey(displayRaw(stemAndExtension(raw).stem)))
      for (let n = 1; ; n++) {
        const candidate = numbered(stem, n)
        const keys = n === 1 ? [nameKey(displayRaw(candidate)), ...own] : [nameKey(displayRaw(candidate))]
        if (!keys.some(key => taken.has(key))) return candidate
      }
    },

    /** A file is, or will be, there. */
    add(path: Buffer, file: DiskFile) {
      const view = viewOf(path)
      if (view.taken !== null && !view.files.has(file.raw)) count(view.taken, file.raw, 1)
      view.files.set(file.raw, file)
      view.gone.delete(file.raw)
      const known = knownSpellings()
      const key = nameKey(displayName(path))
      if (path.length > 0 && !known.has(key)) known.set(key, path)
    },

    /** A file is, or will be, gone from there. */
    remove(path: Buffer, raw: string) {
      const view = viewOf(path)
      if (!view.files.delete(raw)) return
      view.gone.add(raw)
      if (view.taken !== null) count(view.taken, raw, -1)
    },

    /** What was expected did not come: the disk is asked again. */
    forget() {
      views.clear()
      spellings = null
      generation++
    },
  }
}

export type DirectoryViews = ReturnType<typeof createDirectoryViews>
