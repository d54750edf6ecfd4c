/** What a scan would do, found out without writing anything: for `--dry-run`. */
import type { ForeseenFile, ForeseenScan } from '../../schema/api/plans.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { bytesOfRaw, displayName, displayRaw, joinPath, rawOf } from '../files/names.ts'
import { openRegularFile } from '../files/open-file.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { contentKeyOfFile } from '../media/decode/content-key.ts'
import { ignoredName, mayBeMedia } from '../media/formats/sniff.ts'
import { liveItems } from '../scan/scan-job.ts'
import { type DiskFile, displayPath } from '../survey/found-unit.ts'
import { type MovableFile, matchMoves, reconcile } from '../survey/reconcile.ts'
import { rootState, stopReason } from '../survey/safety.ts'
import { filesOf, goneDirectories, type KnownFile, knownFiles, survey } from '../survey/survey.ts'
import { listDirectory } from '../survey/walk.ts'

/** A file that came or went, with what a person is told of it. */
interface Mover extends MovableFile {
  path: string
  /** Its item was missing already: it is not gone now, but it may come back. */
  wasMissing?: true
}

/** Items of all collections that are missing: whatever is found with their content is theirs. */
function missingItems(db: LibraryDatabase, collectionId: number): Mover[] {
  return db
    .all<{ name: string; size: number; content: string; collection_id: number; dir_path: Uint8Array | null }>(
      `SELECT i.name, i.size, i.content, i.collection_id, d.path_bytes AS dir_path
       FROM items AS i LEFT JOIN dirs AS d ON d.id = i.dir_id WHERE i.missing IS NOT NULL AND i.content <> ''`,
    )
    .map(item => {
      const directory = item.dir_path ?? new Uint8Array()
      const own = item.collection_id === collectionId && item.dir_path !== null
      return {
        directory: own ? rawOf(directory) : `${item.collection_id}:${rawOf(directory)}`,
        raw: rawOf(Buffer.from(item.name)),
        size: item.size,
        content: item.content,
        path: displayPath(displayName(directory), item.name),
        wasMissing: true,
      }
    })
}

/** Content key of a file of one of these sizes; '' for all others, and for what can't be read. */
function keyOf(path: Uint8Array, sizes: ReadonlySet<number>): string {
  try {
    const file = openRegularFile(path)
    try {
      return sizes.has(file.size) ? contentKeyOfFile(file.fd, file.size) : ''
    } finally {
      file.close()
    }
  } catch {
    // It is told as new; the scan itself will say what is wrong with it.
    return ''
  }
}

/**
 * Looks at a collection as a scan would. Files are only opened to recognise moved ones, those of a size that is gone.
 * Throws the signal's reason when aborted.
 */
export async function forecast(
  db: LibraryDatabase,
  collection: CollectionRow,
  options: { below: Buffer; full: boolean; acceptMissing: boolean; signal: AbortSignal },
  tell: (change: ForeseenFile) => void,
): Promise<ForeseenScan> {
  const result: ForeseenScan = { found: 0, new: 0, changed: 0, moved: 0, missing: 0, unreadable: [], stop: null }
  const items = liveItems(db, collection.id)
  const safety = { knownDevice: collection.root_device, items, accepted: options.acceptMissing }
  result.stop = stopReason({ ...safety, root: rootState(collection.path), vanishing: 0 })
  if (result.stop !== null) return result

  const look = await survey({
    db,
    collectionId: collection.id,
    root: collection.path,
    below: options.below,
    full: options.full,
    signal: options.signal,
    onProgress() {},
  })
  result.found = look.found
  result.unreadable = look.unreadable.map(({ display, reason }) => ({ path: display, reason }))

  const gone: Mover[] = []
  const added: (Mover & { bytes: Buffer })[] = []
  function lose(directory: Uint8Array, file: KnownFile) {
    if (file.role !== 'main') return
    const row = db.get<{ content: string | null }>('SELECT content FROM files WHERE id = ?', file.id)
    const path = displayPath(displayName(directory), displayRaw(file.raw))
    gone.push({ directory: rawOf(directory), raw: file.raw, size: file.size, content: row?.content ?? '', path })
  }

  for (const directory of look.directories) {
    options.signal.throwIfAborted()
    const listing = listDirectory(collection.path, directory.path, { ignored: ignoredName })
    if (listing === null || listing.error !== null) continue
    const known = directory.id === null ? new Map<string, KnownFile>() : knownFiles(db, directory.id)
    const media = [...filesOf(listing).values()].filter(file => mayBeMedia(file.name) !== null)
    const compared = reconcile(media, [...known.values()])
    const pathOf = (file: DiskFile) => displayPath(displayName(directory.path), file.name)
    for (const file of compared.added) {
      const bytes = joinPath(Buffer.from(collection.path), directory.path, bytesOfRaw(file.raw))
      added.push({
        directory: rawOf(directory.path),
        raw: file.raw,
        size: file.size,
        content: '',
        path: pathOf(file),
        bytes,
      })
    }
    for (const { found } of [...compared.changed, ...(options.full ? compared.unchanged : [])]) {
      result.changed++
      tell({ change: 'changed', path: pathOf(found) })
    }
    for (const file of compared.gone) lose(directory.path, file)
  }
  for (const id of goneDirectories(db, collection.id, options.below, look)) {
    const row = db.get<{ path_bytes: Uint8Array }>('SELECT path_bytes FROM dirs WHERE id = ?', id)
    for (const file of knownFiles(db, id).values()) lose(row?.path_bytes ?? new Uint8Array(), file)
  }

  gone.push(...missingItems(db, collection.id))
  const sizes = new Set(gone.map(file => file.size))
  const moves = matchMoves(
    gone,
    added.map(file => ({ ...file, content: keyOf(file.bytes, sizes) })),
  )
  for (const { from, to } of moves.moved) {
    const isBack = from.wasMissing && from.directory === to.directory && from.raw === to.raw
    if (isBack) result.changed++
    else result.moved++
    tell(isBack ? { change: 'changed', path: to.path } : { change: 'moved', path: to.path, from: from.path })
  }
  const missing = moves.missing.filter(file => !file.wasMissing)
  for (const { path } of moves.added) tell({ change: 'new', path })
  for (const { path } of missing) tell({ change: 'missing', path })
  result.new = moves.added.length
  result.missing = missing.length
  result.stop = stopReason({ ...safety, root: rootState(collection.path), vanishing: result.missing })
  return result
}
