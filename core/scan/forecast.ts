/** What a scan would do, found out without writing anything: for `--dry-run`. */
import type { CollectionRow } from '../collections.ts'
import { bytesOfRaw, displayName, displayRaw, joinPath } from '../files/names.ts'
import { openRegularFile } from '../files/open-file.ts'
import type { Library } from '../library.ts'
import { contentKeyOfFile } from '../media/content-key.ts'
import { ignoredName, mayBeMedia } from '../media/sniff.ts'
import { rootState, stopReason } from './safety.ts'
import { displayPath } from './save-unit.ts'
import { liveItems } from './scan-job.ts'
import { filesOf, goneDirectories, isUnchanged, type KnownFile, knownFiles, survey } from './survey.ts'
import { listDirectory } from './walk.ts'

export interface ForecastChange {
  change: 'new' | 'changed' | 'moved' | 'missing'
  /** Relative to the collection. */
  path: string
  /** Of a moved file: where it was. */
  from?: string
}

export interface Forecast {
  found: number
  new: number
  changed: number
  moved: number
  missing: number
  unreadable: { path: string; reason: string }[]
  /** Why the scan would stop for safety. */
  stop: string | null
}

interface GoneFile {
  path: string
  size: number
  content: string | null
}

/** Content key of a file of one of these sizes; null for all others, and for what can't be read. */
function keyOf(path: Uint8Array, sizes: ReadonlySet<number>): string | null {
  try {
    const file = openRegularFile(path)
    try {
      return sizes.has(file.size) ? contentKeyOfFile(file.fd, file.size) : null
    } finally {
      file.close()
    }
  } catch {
    // It is told as new; the scan itself will say what is wrong with it.
    return null
  }
}

/** Looks at a collection as a scan would. Files are only opened to recognise moved ones, those of a size that is gone. */
export async function forecast(
  library: Pick<Library, 'db'>,
  collection: CollectionRow,
  options: { below: Buffer; full: boolean },
  tell: (change: ForecastChange) => void,
): Promise<Forecast> {
  const { db } = library
  const result: Forecast = { found: 0, new: 0, changed: 0, moved: 0, missing: 0, unreadable: [], stop: null }
  const items = liveItems(db, collection.id)
  const safety = { knownDevice: collection.root_device, items, accepted: false }
  result.stop = stopReason({ ...safety, root: rootState(collection.path), vanishing: 0 })
  if (result.stop !== null) return result

  const look = await survey({
    db,
    collectionId: collection.id,
    root: collection.path,
    below: options.below,
    full: false,
    signal: new AbortController().signal,
    onProgress() {},
  })
  result.found = look.found
  result.unreadable = look.unreadable.map(({ display, reason }) => ({ path: display, reason }))

  const gone: GoneFile[] = []
  const added: { path: string; bytes: Buffer }[] = []
  const contentOf = (file: KnownFile) =>
    db.get<{ content: string | null }>('SELECT content FROM files WHERE id = ?', file.id)?.content ?? null
  for (const directory of look.directories) {
    const listing = listDirectory(collection.path, directory.path, { ignored: ignoredName })
    if (listing === null || listing.error !== null) continue
    const known = directory.id === null ? new Map<string, KnownFile>() : knownFiles(db, directory.id)
    const files = filesOf(listing)
    const dir = displayName(directory.path)
    for (const file of files.values()) {
      if (mayBeMedia(file.name) === null) continue
      const before = known.get(file.raw)
      const path = displayPath(dir, file.name)
      if (before === undefined) {
        added.push({ path, bytes: joinPath(Buffer.from(collection.path), directory.path, bytesOfRaw(file.raw)) })
      } else if (!isUnchanged(file, before) || options.full) {
        result.changed++
        tell({ change: 'changed', path })
      }
    }
    for (const file of known.values()) {
      if (file.role !== 'main' || files.has(file.raw)) continue
      gone.push({
        path: displayPath(dir, displayRaw(file.raw)),
        size: file.size,
        content: contentOf(file),
      })
    }
  }
  for (const id of goneDirectories(db, collection.id, options.below, look)) {
    const dir = db.get<{ path: string }>('SELECT path FROM dirs WHERE id = ?', id)?.path ?? ''
    for (const file of knownFiles(db, id).values()) {
      if (file.role !== 'main') continue
      gone.push({
        path: displayPath(dir, displayRaw(file.raw)),
        size: file.size,
        content: contentOf(file),
      })
    }
  }

  const sizes = new Set(gone.map(file => file.size))
  for (const file of added) {
    const content = keyOf(file.bytes, sizes)
    const place = content === null ? -1 : gone.findIndex(other => other.content === content)
    const [from] = place < 0 ? [] : gone.splice(place, 1)
    if (from === undefined) {
      result.new++
      tell({ change: 'new', path: file.path })
    } else {
      result.moved++
      tell({ change: 'moved', path: file.path, from: from.path })
    }
  }
  for (const file of gone) {
    result.missing++
    tell({ change: 'missing', path: file.path })
  }
  result.stop = stopReason({ ...safety, root: rootState(collection.path), vanishing: gone.length })
  return result
}
