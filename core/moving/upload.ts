/** Uploads: a stream of bytes becomes a file of a collection and an item, or nothing. */
import { Failure, type Sentence, sentence } from '../../schema/errors.ts'
import { sizeText } from '../../schema/figures.ts'
import { channels } from '../../schema/realtime.ts'
import { requireOnCollection, type Viewer } from '../accounts/access.ts'
import type { CollectionRow } from '../collections/collections.ts'
import type { DiskPlace } from '../files/anchor.ts'
import { bytesOfRaw, bytesOfText, componentsOf, displayName, displayRaw, joinPath, rawOf } from '../files/names.ts'
import { isInvisible } from '../files/new-names.ts'
import { temporaryName } from '../files/write-whole.ts'
import { hiddenFrom } from '../filter/hidden-items.ts'
import type { Items } from '../items/items.ts'
import type { SameContent } from '../items/same-content.ts'
import { closeUnit } from '../journal/journal.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { ignoredName, type MediaType, presumedKind, sniff, sniffLength } from '../media/formats/sniff.ts'
import { readUnit, shownSizes } from '../scan/read-unit.ts'
import type { FoundUnit } from '../survey/found-unit.ts'
import { rootState } from '../survey/safety.ts'
import { stemAndExtension } from '../survey/unit-names.ts'
import { saveUnitAt } from './import-directory.ts'
import { directoryRow } from './item-moves.ts'
import { beginUnit } from './journal-units.ts'
import type { MovingParts } from './move-files.ts'
import { fileIn, forgetFingerprint } from './moving.sql.ts'
import { newPlace } from './new-place.ts'
import { pathOf } from './paths.ts'
import { sideOf } from './sides.ts'
import { requireTarget } from './targets.ts'

export interface Upload {
  collectionId: number
  /** File name from the client. */
  name: string
  /** Milliseconds since the epoch: the file's modification time at its source. */
  modified?: number | undefined
  /** Directory within the collection; the root by default. Managed collections choose it for dated pictures. */
  folder?: string | undefined
  /** Bytes, if the client announces them; else null. */
  length: number | null
}

/** The new item. If its name was taken, a number was added to it. */
export interface Uploaded {
  id: number
  name: string
  collectionId: number
}

interface UploadStore extends Omit<MovingParts, 'mover'> {
  items: Items
  findItemWithContent: SameContent
  limit: number
  pool: DecodePool | null
}

/** Extensions of types whose name is not their extension. */
const extensions: Partial<Record<MediaType, string>> = {
  jpeg: 'jpg',
  tiff: 'tif',
  raw: 'dng',
  quicktime: 'mov',
  matroska: 'mkv',
  'mpeg-ts': 'mts',
  'mpeg-ps': 'mpg',
  asf: 'wmv',
  ogg: 'ogv',
}

function invalid(message: string | Sentence, field: string): Failure {
  return new Failure('invalid', message, { field })
}

/** Returns a client's file name without outer spaces. Browsers send plain names, other clients may send anything. */
function requireName(name: string): string {
  const plain = name.normalize('NFC').trim()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (plain === '' || plain === '.' || plain === '..' || /[/\\\u0000-\u001f\u007f]/.test(plain))
    throw invalid('name is a file name without a path.', 'name')
  if (isInvisible(plain)) throw invalid('A name needs at least one visible character.', 'name')
  if (Buffer.byteLength(plain) > 200) throw invalid('name is too long.', 'name')
  return plain
}

function requireFolder(folder: string | undefined): Buffer {
  const names = componentsOf(bytesOfText(folder ?? ''))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (names === null || /[\\\u0000-\u001f\u007f]/.test(folder ?? ''))
    throw invalid('folder is a path within the collection.', 'folder')
  if (names.map(displayName).some(isInvisible)) throw invalid('A name needs at least one visible character.', 'folder')
  const ignored = names.map(displayName).find(name => ignoredName(name, 'dir'))
  if (ignored !== undefined) throw invalid(sentence`Scans skip folders named '${ignored}'.`, 'folder')
  return joinPath(...names)
}

/** The name, with the extension of the type added if scans would not read the file otherwise. */
function nameOfMedia(name: string, type: MediaType): string {
  const fits = presumedKind(name) !== null && stemAndExtension(name).extension !== '' && !ignoredName(name)
  return fits ? name : `${name.replace(/^\.+/, '') || 'upload'}.${extensions[type] ?? type}`
}

function tooLarge({ limit }: UploadStore): Failure {
  return new Failure('tooLarge', sentence`A file can have at most ${sizeText(limit, 'en')} here.`)
}

function requireUploadTarget(store: UploadStore, viewer: Viewer, { collectionId, length }: Upload): CollectionRow {
  requireOnCollection(viewer, collectionId, 'create')
  const row = requireTarget(store.db, collectionId)
  if (length !== null && length > store.limit) throw tooLarge(store)
  if (rootState(row.path).kind !== 'present')
    throw new Failure('unavailable', sentence`The directory of '${row.name}' cannot be reached now.`)
  return row
}

/** 409 if the collection has the content already; names the item if the user sees it. Hidden items do not count. */
async function requireNew(
  { db, items, findItemWithContent }: UploadStore,
  viewer: Viewer,
  collection: CollectionRow,
  { result: { content = '', size = 0 } }: FoundUnit,
  hash: string,
): Promise<void> {
  const existing = await findItemWithContent(collection.id, { key: content, size, hash: async () => hash }, ids =>
    hiddenFrom(db, viewer, ids),
  )
  if (existing === null) return
  const [shown] = items.byIds(viewer, [existing], viewer.unlockValue ?? undefined)
  const { name } = collection
  if (shown === undefined) throw new Failure('conflict', sentence`'${name}' has this file already.`)
  throw new Failure('conflict', sentence`'${name}' has this file already: ${shown.name}`, {
    current: { id: shown.id, name: shown.name },
  })
}

async function readUpload(
  store: UploadStore,
  collection: CollectionRow,
  temporary: DiskPlace,
  name: string,
): Promise<FoundUnit> {
  const { db, cache, clock } = store
  const facts = store.disk.stat(temporary)
  if (facts === null) throw new Error('the upload is not there')
  const { size, mtimeSeconds, mtimeNanoseconds } = facts
  const raw = rawOf(temporary.path)
  store.pool ??= store.openPool(false)
  const reading = {
    db,
    pool: store.pool,
    cache,
    clock,
    collectionId: collection.id,
    sizes: shownSizes,
  }
  const directory = {
    id: 0,
    path: '',
    bytes: bytesOfText(collection.path),
    files: new Map([[raw, { raw, name, size, mtimeSeconds, mtimeNanoseconds }]]),
  }
  const alone = { main: raw, companions: [], film: null, sidecars: [], filmSidecars: [] }
  const [unit] = await readUnit(reading, directory, alone, () => presumedKind(name) ?? 'image')
  if (unit === undefined) throw new Error('a unit without a picture')
  return unit
}

/** Moves the file to its name in the collection, or to another name if a concurrent request has taken the first. */
function placeFile(
  { db, disk }: UploadStore,
  collection: CollectionRow,
  temporary: DiskPlace,
  { metadata: { date, category } }: FoundUnit,
  { name, folder }: { name: string; folder: Buffer },
) {
  const side = sideOf(db, collection)
  const raw = rawOf(bytesOfText(name))
  const arriving = {
    dir: folder,
    raws: [raw],
    taken: date?.seconds ?? 0,
    sortsByDate: date !== null && date.source !== 'file',
    category: category[0] ?? null,
  }
  const { root } = side.views
  for (let attempt = 1; ; attempt++) {
    const { dir, stem } = newPlace(side, arriving)
    const refusal = side.views.refusal(dir)
    if (refusal !== null) throw new Failure('conflict', refusal)
    const now = `${stem}${stemAndExtension(raw).extension}`
    const to = { root, path: pathOf(dir, now) }
    try {
      disk.makeDirectory({ root, path: dir })
      disk.move(temporary, to)
      return { dir, raw: now, to }
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'conflict' || attempt >= 20) throw error
      side.views.forget()
    }
  }
}

function record(
  { disk, clock }: UploadStore,
  tx: Transaction,
  { id: collectionId }: CollectionRow,
  unit: FoundUnit,
  { dir, raw, to }: ReturnType<typeof placeFile>,
): Uploaded {
  const facts = disk.stat(to)
  if (facts === null) throw new Failure('conflict', 'The file is gone again.')
  const dirId = directoryRow(tx, collectionId, dir)
  const names = new Map([[unit.files[0]?.file.raw ?? '', raw]])
  saveUnitAt(tx, unit, { dirId, dir, names }, [facts], { clock, collectionId, jobId: 0 })
  tx.run(forgetFingerprint, dirId)
  const id = tx.get(fileIn, dirId, bytesOfRaw(raw))?.itemId ?? null
  if (id === null) throw invalid('This is not a picture or video.', 'name')
  tx.event(channels.collection(collectionId), { action: 'create', item: { id, collection_id: collectionId } })
  const after = { path: displayName(pathOf(dir, raw)) }
  tx.history({ operation: 'item.upload', collectionId, itemId: id, after })
  return { id, name: displayRaw(raw), collectionId }
}

/** Inspects, compares, names and records a file after its bytes were received. */
async function storeUpload(
  store: UploadStore,
  viewer: Viewer,
  collection: CollectionRow,
  temporary: DiskPlace,
  request: { name: string; folder: Buffer; hash: string; journalUnit: string },
): Promise<Uploaded> {
  const { db, disk } = store
  const file = disk.open(temporary)
  let head: Uint8Array
  try {
    head = file.read(0, sniffLength)
  } finally {
    file.close()
  }
  const sniffed = sniff(head, request.name)
  if (sniffed === null) throw invalid(sentence`${request.name} is not a picture or video.`, 'name')
  const name = nameOfMedia(request.name, sniffed.type)
  const unit = await readUpload(store, collection, temporary, name)
  await requireNew(store, viewer, collection, unit, request.hash)
  const placed = placeFile(store, collection, temporary, unit, { name, folder: request.folder })
  try {
    return await db.transact(viewer, tx => {
      const uploaded = record(store, tx, collection, unit, placed)
      closeUnit(tx, request.journalUnit)
      return uploaded
    })
  } catch (error) {
    disk.remove(placed.to)
    throw error
  }
}

export function createUploads(parts: Omit<UploadStore, 'pool'>) {
  const store: UploadStore = { ...parts, pool: null }
  const { disk, journal, limit } = parts
  return {
    limit,

    /**
     * Stores a file; the item exists when this returns. Throws 409 if the collection already has the content, 413 for
     * too many bytes, 400 if it is not a picture or video. After a failure, or when `signal` aborts, no file is left.
     */
    async upload(
      viewer: Viewer,
      request: Upload,
      content: AsyncIterable<Uint8Array>,
      signal?: AbortSignal,
    ): Promise<Uploaded> {
      const collection = requireUploadTarget(store, viewer, request)
      const name = requireName(request.name)
      const folder = requireFolder(request.folder)
      const temporary: DiskPlace = { root: collection.path, path: temporaryName() }
      const journalUnit = await beginUnit(parts, viewer, [{ operation: 'write', source: temporary, temporary }])
      try {
        const { hash } = await disk.writeTemporary(temporary, content, {
          limit,
          tooMany: () => tooLarge(store),
          ...(request.modified === undefined ? {} : { modified: request.modified / 1000 }),
          ...(signal === undefined ? {} : { signal }),
        })
        return await storeUpload(store, viewer, collection, temporary, { name, folder, hash, journalUnit })
      } catch (error) {
        await journal.abandon(journalUnit)
        throw error
      }
    },

    async close(): Promise<void> {
      await store.pool?.close()
    },
  }
}
