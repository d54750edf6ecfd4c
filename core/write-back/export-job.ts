/** Writes tags into files: `metadata-export` writes all that the files lack, `metadata-write` only those of due items. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { Failure, sentence } from '../../schema/errors.ts'
import { metadataDue } from '../../schema/tables/changes.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { createDisk, type Disk } from '../files/disk.ts'
import { type FileNotes, noteProblems, storeDue } from '../items/due-items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { collectionOf, type ScanParts } from '../scan/scan-job.ts'
import { rootState } from '../survey/safety.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind, onCollection } from '../work/job-kind.ts'
import { type MetadataDirectory, readDirectory } from './directory.ts'
import { type ExportedRow, type Inspection, inspectItem } from './plan-item.ts'
import { finishItem, type ItemWrites, type WriteOutcome, writeItems } from './write.ts'
import { itemsToWriteCount, itemsToWritePage } from './write-back.sql.ts'

const input = z.object({ collectionId: z.int().positive() })
type Input = z.output<typeof input>

/** Maximum number, and total size, of items that are written and recorded together. */
const itemsAtOnce = 16
const bytesAtOnce = 48 * 1024 * 1024
/** Maximum number of items without writes whose results are recorded together. */
const notesAtOnce = 200

/** The items of a collection, one directory after another. */
function* itemsOf(
  parts: Pick<ScanParts, 'db' | 'clock'>,
  collectionId: number,
  onlyDue: boolean,
): Generator<ExportedRow> {
  const now = parts.clock.now()
  let dir = 0
  let id = 0
  for (;;) {
    const rows = parts.db.all(itemsToWritePage, { collection: collectionId, due: onlyDue ? 1 : 0, now, dir, id })
    const last = rows.at(-1)
    if (last === undefined) return
    yield* rows
    dir = last.dirId
    id = last.id
  }
}

/** Inspects items of a collection. One decode worker reads the videos; it is started for the first video. */
export function createInspector(parts: ScanParts, disk: Disk, collection: CollectionRow) {
  let opened: DecodePool | null = null
  const pool = () => {
    opened ??= parts.openPool(true, 1)
    return opened
  }
  const directoryOf = ({ dirId: id, dirBytes: bytes, dirPath: path }: ExportedRow) =>
    readDirectory(parts.db, collection, { id, bytes, path })
  const inspect = (at: MetadataDirectory | string | null, row: ExportedRow, whyNotInFile: string | null) =>
    inspectItem({ ...parts, disk, collection, pool }, at, row, whyNotInFile)

  return {
    /** Inspects items one after the other; each directory is read once for all of its items. */
    async *all(onlyDue: boolean, signal: AbortSignal): AsyncGenerator<{ row: ExportedRow; found: Inspection }> {
      let directory: MetadataDirectory | string | null = null
      let inspected = 0
      for (const row of itemsOf(parts, collection.id, onlyDue)) {
        signal.throwIfAborted()
        if (inspected !== row.dirId) directory = directoryOf(row)
        inspected = row.dirId
        yield { row, found: await inspect(directory, row, null) }
      }
    },
    /** Inspects an item again after its file could not be replaced: plans a sidecar for its tags. */
    inspectForSidecar: (row: ExportedRow, whyNotInFile: string) => inspect(directoryOf(row), row, whyNotInFile),
    close: async () => opened?.close(),
  }
}

/** The collection, if its files can be written now; null if nothing is to be written. Removes useless due marks. */
async function requireWritable(parts: ScanParts, id: number, onlyDue: boolean): Promise<CollectionRow | null> {
  const collection = collectionOf(parts.db, id)
  const { readonly, write_back } = collection
  if (readonly === 1 || (onlyDue && write_back === 'off')) {
    await parts.db.transact({ userId: null }, tx =>
      tx.orm.delete(metadataDue).where(eq(metadataDue.collectionId, id)).run(),
    )
    if (onlyDue) return null
  }
  return requireWritableRoot(parts.db, id)
}

/** A collection whose directory is neither missing nor empty, and which is not read-only. */
export function requireWritableRoot(db: LibraryDatabase, id: number): CollectionRow {
  const collection = collectionOf(db, id)
  const { name, path, readonly } = collection
  if (readonly === 1)
    throw new Failure('denied', sentence`The collection '${name}' is read-only: nothing is written to its files.`)
  const root = rootState(path)
  if (root.kind === 'present' && !root.empty) return collection
  throw new Failure(
    'unavailable',
    sentence`There is nothing in ${path} of the collection '${name}': is its disk there?`,
  )
}

async function run(parts: ScanParts, context: JobContext<Input>, onlyDue: boolean): Promise<JobEnd> {
  const { jobId, signal, input } = context
  const disk = createDisk()
  await parts.journal.recover({ job: jobId, signal })
  const collection = await requireWritable(parts, input.collectionId, onlyDue)
  if (collection === null) return { state: 'done' }

  const inspector = createInspector(parts, disk, collection)
  const wanted = { collection: collection.id, due: onlyDue ? 1 : 0, now: parts.clock.now() }
  const total = parts.db.get(itemsToWriteCount, wanted)?.n ?? 0
  const writer = createWriter(parts, disk, collection, jobId, inspector.inspectForSidecar)
  let done = 0
  const report = (message?: string) =>
    context.progress({
      done,
      total: Math.max(done, total),
      counts: { ...writer.counts },
      ...(message === undefined ? {} : { message }),
    })
  report()
  try {
    for await (const { row, found } of inspector.all(onlyDue, signal)) {
      await writer.add(row, found)
      done++
      report(row.name)
    }
  } finally {
    await writer.flush()
    await inspector.close()
  }
  report('')
  const { failed, skipped, incomplete } = writer.counts
  return { state: 'done', message: '', problems: failed + skipped + incomplete }
}

/** Collects writes, and performs them in small batches. `inspectForSidecar`: if an item's file cannot be replaced. */
function createWriter(
  parts: ScanParts,
  disk: Disk,
  collection: CollectionRow,
  jobId: number,
  inspectForSidecar: (row: ExportedRow, whyNotInFile: string) => Promise<Inspection>,
) {
  /** `sidecars`: items written only into sidecars, against the setting. `incomplete`: without all of their metadata. */
  const counts = { written: 0, unchanged: 0, skipped: 0, failed: 0, sidecars: 0, incomplete: 0 }
  let writes: { row: ExportedRow; item: ItemWrites }[] = []
  let notes: { row: ExportedRow; found: Exclude<Inspection, { kind: 'write' }> }[] = []
  let size = 0

  /** Writes items, and sidecars for those whose files turn out not to be replaceable. */
  async function write(items: typeof writes): Promise<WriteOutcome[]> {
    const outcomes = await writeItems(
      { ...parts, disk },
      collection,
      jobId,
      items.map(({ item }) => item),
    )
    const done: WriteOutcome[] = []
    const beside: typeof writes = []
    for (const [n, outcome] of outcomes.entries()) {
      const row = items[n]?.row
      const isUnkept = outcome.failed?.unkept === true && row !== undefined
      const found = isUnkept ? await inspectForSidecar(row, outcome.failed?.reason ?? '') : null
      if (isUnkept && found?.kind === 'write') beside.push({ row, item: found.item })
      else done.push(outcome)
    }
    return beside.length === 0 ? done : [...done, ...(await write(beside))]
  }

  async function flush() {
    const [items, noted] = [writes, notes]
    writes = []
    notes = []
    size = 0
    if (items.length > 0) {
      const outcomes = await write(items)
      for (const { item, failed } of outcomes) {
        counts[failed === null ? 'written' : 'failed']++
        if (failed === null && item.shortfall !== null) counts.incomplete++
        const isBeside = failed === null && !item.writes.some(({ isMain }) => isMain)
        if (collection.write_back === 'file' && isBeside) counts.sidecars++
      }
      const hopeless = outcomes.find(({ failed }) => failed?.hopeless === true)?.failed
      if (hopeless) throw new Failure('noSpace', sentence`${collection.path}: ${hopeless.reason}`)
    }
    if (noted.length === 0) return
    await parts.db.transact({ userId: null }, tx => {
      for (const { row, found } of noted) {
        const item = { itemId: row.id, name: row.name, dir: { path: row.dirPath } }
        if (found.kind === 'same' || found.kind === 'unrepresentable')
          finishItem(tx, { itemId: row.id, wanted: found.wanted })
        else storeDue(tx, collection, item)
        const where = { collectionId: collection.id, jobId, at: parts.clock.now() }
        noteProblems(tx, where, item, notesOf(found))
      }
    })
  }

  return {
    counts,
    flush,
    async add(row: ExportedRow, found: Inspection) {
      if (found.kind === 'write') {
        writes.push({ row, item: found.item })
        size += found.item.writes.reduce((sum, { bytes }) => sum + bytes.length, 0)
      } else {
        counts[countedAs[found.kind]]++
        notes.push({ row, found })
      }
      if (writes.length >= itemsAtOnce || size > bytesAtOnce || notes.length >= notesAtOnce) await flush()
    },
  }
}

function notesOf(found: Exclude<Inspection, { kind: 'write' }>): FileNotes {
  if (found.kind === 'same') return { beside: found.beside }
  const reason = `Its tags were not written: ${found.reason}`
  return found.kind === 'unrepresentable'
    ? { shortfall: reason, beside: undefined }
    : { problem: reason, beside: undefined }
}

const countedAs = { same: 'unchanged', skipped: 'skipped', failed: 'failed', unrepresentable: 'failed' } as const

/** `metadata-export` and, for recent edits in collections that write back after each edit, `metadata-write`. */
export function metadataWritingJobs(parts: ScanParts): JobKind[] {
  const kind = (name: string, onlyDue: boolean) =>
    jobKind({ kind: name, input, ...onCollection, run: context => run(parts, context, onlyDue) })
  return [kind('metadata-export', false), kind('metadata-write', true)]
}
