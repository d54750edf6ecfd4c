/** What a scan would do, computed without writing anything: for `--dry-run`. */
import { eq } from 'drizzle-orm'
import type { ForecastFile, ScanForecast } from '../../schema/api/plans.ts'
import { dirs } from '../../schema/tables/collections.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { bytesOfRaw, displayName, displayRaw, joinPath } from '../files/names.ts'
import { openRegularFile } from '../files/open-file.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { contentKeyOfFile } from '../media/decode/content-key.ts'
import { presumedKind } from '../media/formats/sniff.ts'
import { findItemOfMovedFile } from '../scan/moved.ts'
import { liveItems } from '../scan/scan-job.ts'
import { type DiskFile, displayPath } from '../survey/found-unit.ts'
import { unpacked } from '../survey/packed-files.ts'
import { reconcile } from '../survey/reconcile.ts'
import { rootState, stopReason } from '../survey/safety.ts'
import {
  type ChangedDirectory,
  filesWithKnownState,
  goneDirectories,
  type KnownFile,
  knownFiles,
  type Survey,
  survey,
  unknownStateTest,
} from '../survey/survey.ts'
import { itemPlace, sizesOfItems } from './upkeep.sql.ts'

interface ForecastRequest {
  below: Buffer
  full: boolean
  acceptMissing: boolean
  signal: AbortSignal
  /** Whether the requester may see files of this collection. */
  maySeeCollection?: (collectionId: number) => boolean
}

interface ForecastState {
  db: LibraryDatabase
  collection: CollectionRow
  request: ForecastRequest
  report: (change: ForecastFile) => void
  result: ScanForecast
  /** Paths of items whose file is gone. */
  gone: Map<number, string>
  /** Files that are new here, in the order of a scan. */
  added: { directory: ChangedDirectory; file: DiskFile }[]
}

function addGoneItems({ gone }: ForecastState, directory: Uint8Array, files: readonly KnownFile[]) {
  for (const { role, itemId, raw } of files)
    if (role === 'main' && itemId !== null) gone.set(itemId, displayPath(displayName(directory), displayRaw(raw)))
}

/** Compares the listed directories with the records, like a scan. */
function compare(forecastState: ForecastState, surveyed: Survey) {
  const { db, collection, request, report, result, added } = forecastState
  for (const directory of surveyed.directories) {
    request.signal.throwIfAborted()
    const isStateUnknown = unknownStateTest(directory, surveyed.journalled)
    const known = directory.id === null ? [] : [...knownFiles(db, directory.id).values()]
    const media = [...filesWithKnownState(unpacked(directory.files), isStateUnknown).values()].filter(
      file => presumedKind(file.name) !== null,
    )
    const compared = reconcile(media, known)
    for (const file of compared.added) added.push({ directory, file })
    for (const { found } of [...compared.changed, ...(request.full ? compared.unchanged : [])]) {
      result.changed++
      report({ change: 'changed', path: displayPath(displayName(directory.path), found.name) })
    }
    const lost = compared.gone.filter(({ raw }) => !isStateUnknown(raw))
    addGoneItems(forecastState, directory.path, lost)
  }
  for (const id of goneDirectories(db, collection.id, request.below, surveyed)) {
    const path = db.orm.select().from(dirs).where(eq(dirs.id, id)).get()?.pathBytes ?? Buffer.alloc(0)
    addGoneItems(forecastState, path, [...knownFiles(db, id).values()])
  }
}

/** Content key of a file, if an item has its size; else ''. Also '' for unreadable files, which a scan reports. */
function contentOf(path: Uint8Array, sizes: ReadonlySet<number>): string {
  try {
    const file = openRegularFile(path)
    try {
      return sizes.has(file.size) ? contentKeyOfFile(file.fd, file.size) : ''
    } finally {
      file.close()
    }
  } catch {
    return ''
  }
}

/** Matches new files to moved items, but only by equal content: a scan's other tests would take as long as a scan. */
function matchMovedItems({ db, collection, request, report, result, gone, added }: ForecastState) {
  if (added.length === 0) return
  const sizes = new Set(db.all(sizesOfItems).map(({ size }) => size))
  const claimed = new Set<number>()
  const fresh: string[] = []
  for (const { directory, file } of added) {
    request.signal.throwIfAborted()
    const { raw, name, size } = file
    const path = displayPath(displayName(directory.path), name)
    const content = contentOf(joinPath(Buffer.from(collection.path), directory.path, bytesOfRaw(raw)), sizes)
    const here = { collectionId: collection.id, dirId: directory.id ?? 0, name }
    const found = { ...here, content, size, type: presumedKind(name) ?? 'image', pictureHash: 0 }
    const id = content === '' ? null : findItemOfMovedFile(db, found, null, claimed)
    const before = id === null ? null : db.get(itemPlace, id)
    if (id === null || before === null) {
      fresh.push(path)
      continue
    }
    claimed.add(id)
    const from = gone.get(id) ?? displayPath(before.dir, before.name)
    gone.delete(id)
    // An item that was missing and is back at its place has not moved.
    const isBack = before.dirId === here.dirId && before.name === name
    result[isBack ? 'changed' : 'moved']++
    if (isBack) report({ change: 'changed', path })
    else
      report({ change: 'moved', path, ...(request.maySeeCollection?.(before.collectionId) === false ? {} : { from }) })
  }
  for (const path of fresh) report({ change: 'new', path })
  result.new = fresh.length
}

/** Checks a collection like a scan. It opens only files that may have been moved. */
export async function forecast(
  db: LibraryDatabase,
  collection: CollectionRow,
  request: ForecastRequest,
  report: (change: ForecastFile) => void,
): Promise<ScanForecast> {
  const result: ScanForecast = { found: 0, new: 0, changed: 0, moved: 0, missing: 0, unreadable: [], stop: null }
  const items = liveItems(db, collection.id)
  const stop = (vanishing: number) =>
    stopReason({
      root: rootState(collection.path),
      knownDevice: collection.root_device,
      items,
      vanishing,
      accepted: request.acceptMissing,
    })
  result.stop = stop(0)
  if (result.stop !== null) return result

  const { below, full, signal } = request
  const { id: collectionId, path: root } = collection
  const surveyed = await survey({ db, collectionId, root, below, full, signal, onProgress() {} })
  result.found = surveyed.found
  result.unreadable = surveyed.unreadable.map(({ display, reason }) => ({ path: display, reason }))
  const forecastState: ForecastState = { db, collection, request, report, result, gone: new Map(), added: [] }
  compare(forecastState, surveyed)
  matchMovedItems(forecastState)
  for (const path of forecastState.gone.values()) report({ change: 'missing', path })
  result.missing = forecastState.gone.size
  result.stop = stop(result.missing)
  return result
}
