/** Writes planned metadata to the disk, safely against crashes, and records in the library what was written. */
import { eq } from 'drizzle-orm'
import { Failure } from '../../schema/errors.ts'
import { metadataDue } from '../../schema/tables/changes.ts'
import { items } from '../../schema/tables/items.ts'
import type { CollectionRow } from '../collections/collections.ts'
import type { DiskPlace } from '../files/anchor.ts'
import { AttributesNotKept } from '../files/attributes.ts'
import type { Disk, PlaceFacts } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { bytesOfRaw, displayRaw, joinPath } from '../files/names.ts'
import type { FileFacts } from '../files/open-file.ts'
import { temporaryName } from '../files/write-whole.ts'
import { noteProblems, type ReadItem, storeDue } from '../items/due-items.ts'
import { closeUnit, writeJournal } from '../journal/journal.ts'
import { recordWritten } from '../journal/written-files.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { publishCollections } from '../kernel/events.ts'
import { copyRenditions } from '../media/cache/copy-renditions.ts'
import { removeRenditions } from '../media/cache/remove-renditions.ts'
import { contentKeyOf } from '../media/decode/content-key.ts'
import { memorySource } from '../metadata/byte-source.ts'
import { readMetadataOf } from '../metadata/read.ts'
import type { WantedTags } from '../metadata/write/written-tags.ts'
import { wantedTags } from './item-tags.ts'
import { taggedItem } from './write-back.sql.ts'

/** A file to be written with these bytes. */
export interface MetadataWrite {
  raw: string
  bytes: Uint8Array
  /** State of the file when it was read; null for a new file. */
  before: FileFacts | null
  /** The main file keeps its time, because undated pictures are sorted by it. Backups notice the changed size. */
  isMain: boolean
}

export interface ItemWrites extends ReadItem {
  wanted: WantedTags
  content: string
  /** Name of the main file, as the file system's bytes. */
  nameBytes: Uint8Array
  dir: { id: number; bytes: Uint8Array; path: string }
  writes: MetadataWrite[]
  /** Why not everything could be written, and why not into the file itself. Both are recorded as problems. */
  shortfall: string | null
  beside: string | null
}

/** The resulting state of an item's files. */
export interface WriteOutcome {
  item: ItemWrites
  /** Facts of the written files, in order. */
  facts: PlaceFacts[]
  /** `hopeless`: the disk accepts no more writes. `unkept`: a new main file would lose attributes: use a sidecar. */
  failed: { name: string; reason: string; hopeless: boolean; unkept: boolean } | null
}

export interface WriteParts {
  db: LibraryDatabase
  disk: Disk
  cache: string
  clock: { now(): number }
}

function placeOf(collection: CollectionRow, { dir }: ItemWrites, name: Uint8Array): DiskPlace {
  return { root: collection.path, path: joinPath(dir.bytes, name) }
}

/**
 * Writes the files of some items: first the journal, then each file through a temporary file in its directory, then
 * all rows in one transaction. After a crash at any point, each file is complete, old or new; recovery removes
 * temporary files. Returns the outcome of each item.
 */
export async function writeItems(
  parts: WriteParts,
  collection: CollectionRow,
  jobId: number,
  items: readonly ItemWrites[],
): Promise<WriteOutcome[]> {
  const { db, clock } = parts
  const planned = items.map(item => ({
    item,
    unit: `metadata ${crypto.randomUUID()}`,
    temporaries: item.writes.map(() => temporaryName()),
  }))
  await db.transact({ userId: null }, tx => {
    for (const { item, unit, temporaries } of planned) {
      const entries = item.writes.map(({ raw, bytes }, n) => ({
        unit,
        operation: 'write' as const,
        itemId: item.itemId,
        source: placeOf(collection, item, bytesOfRaw(raw)),
        destination: placeOf(collection, item, bytesOfRaw(raw)),
        temporary: placeOf(collection, item, temporaries[n] ?? temporaryName()),
        hash: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
        size: bytes.length,
      }))
      writeJournal(tx, jobId, entries, clock.now())
    }
  })
  const outcomes: WriteOutcome[] = []
  for (const { item, temporaries } of planned) outcomes.push(await writeOne(parts, collection, item, temporaries))
  await db.transact({ userId: null }, tx => {
    for (const outcome of outcomes) record(tx, collection, jobId, outcome, clock.now())
    for (const { unit } of planned) closeUnit(tx, unit)
    if (outcomes.some(({ item, facts }) => item.writes.some(({ isMain }, n) => isMain && facts[n] !== undefined)))
      publishCollections(tx, [collection.id])
  })
  for (const { item, failed } of outcomes) if (failed === null) dropOldRenditions(parts, item)
  return outcomes
}

const unwritableDiskCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

async function writeOne(
  { disk, cache }: WriteParts,
  collection: CollectionRow,
  item: ItemWrites,
  temporaries: readonly Buffer[],
): Promise<WriteOutcome> {
  const facts: PlaceFacts[] = []
  let name = item.name
  let isMainNow = false
  try {
    for (const [n, { raw, bytes, before, isMain }] of item.writes.entries()) {
      name = displayRaw(raw)
      isMainNow = isMain
      const place = placeOf(collection, item, bytesOfRaw(raw))
      if (isMain) copyRenditions(cache, item.content, contentKeyOf(bytes))
      // Microseconds, and never rounded up into the next second.
      const modified =
        isMain && before !== null ? before.mtimeSeconds + Math.floor(before.mtimeNanoseconds / 1000) / 1e6 : undefined
      await disk.write(place, bytes, {
        replace: before !== null,
        keepAll: before !== null,
        // A sidecar contains the same as its picture, so it gets the same permissions.
        ...(before === null ? { like: item.nameBytes } : { expected: before }),
        ...(modified === undefined ? {} : { modified }),
        ...(temporaries[n] === undefined ? {} : { temporary: temporaries[n] }),
      })
      const now = disk.stat(place)
      if (now === null) throw new DiskError('ENOENT', raw)
      facts.push(now)
    }
    return { item, facts, failed: null }
  } catch (error) {
    if (error instanceof DiskError)
      return {
        item,
        facts,
        failed: { name, reason: error.reason, hopeless: unwritableDiskCodes.has(error.code), unkept: false },
      }
    if (error instanceof Failure) {
      const unkept = error instanceof AttributesNotKept && isMainNow
      return { item, facts, failed: { name, reason: error.message, hopeless: false, unkept } }
    }
    throw error
  }
}

/** Updates an item's rows, due mark and problems. The next scan need not open the files that were written. */
function record(tx: Transaction, collection: CollectionRow, jobId: number, outcome: WriteOutcome, at: number): void {
  const { item, failed } = outcome
  const where = { collectionId: collection.id, jobId, at }
  if (failed !== null) {
    storeDue(tx, collection, item)
    const problem = `Its tags could not be written to ${failed.name}: ${failed.reason}`
    noteProblems(tx, where, item, { problem, beside: undefined })
  } else {
    finishItem(tx, item)
    const { shortfall, beside } = item
    const shortfallText = shortfall === null ? null : `Not all of its tags could be written: ${shortfall}`
    noteProblems(tx, where, item, { shortfall: shortfallText, beside })
  }
  // If a file failed, the files that were written before it are recorded too.
  outcome.facts.forEach((facts, n) => {
    const write = item.writes[n]
    if (write === undefined) return
    const { raw, bytes, isMain } = write
    const { motionVideoOffset = null } = isMain ? readMetadataOf(memorySource(bytes), item.name) : {}
    recordWritten(tx, {
      dirId: item.dir.id,
      name: bytesOfRaw(raw),
      itemId: item.itemId,
      facts,
      content: isMain ? contentKeyOf(bytes) : null,
      motionOffset: motionVideoOffset,
    })
  })
}

/** Removes an item's due mark, unless the item was edited since it was read, or a name on it has changed. */
export function finishItem(tx: Transaction, { itemId, wanted }: Pick<ItemWrites, 'itemId' | 'wanted'>): void {
  const row = tx.get(taggedItem, itemId)
  if (row !== null && JSON.stringify(wantedTags(tx, row)) !== JSON.stringify(wanted)) return
  tx.orm.delete(metadataDue).where(eq(metadataDue.itemId, itemId)).run()
}

/** Removes renditions of the file's earlier content, unless another copy of that content may need them. */
function dropOldRenditions({ db, cache }: WriteParts, { content, writes }: ItemWrites): void {
  if (!writes.some(({ isMain }) => isMain)) return
  const other = db.orm.select({ id: items.id }).from(items).where(eq(items.content, content)).limit(1).get()
  if (other === undefined) removeRenditions(cache, content)
}
