/** Scans one directory after another: groups its files, opens what changed, writes it, and records what is gone. */
import { lstatSync } from 'node:fs'
import { and, eq, ne } from 'drizzle-orm'
import { dirs, files as fileRows } from '../../schema/tables/collections.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { codeOf } from '../files/disk-error.ts'
import { bytesOfRaw, displayName, displayRaw, joinPath } from '../files/names.ts'
import { timesOf } from '../files/open-file.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { BatchWriter } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { findBy } from '../kernel/database/find-by.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { presumedKind } from '../media/formats/sniff.ts'
import { placeholderCodes } from '../media/media-problem.ts'
import { type DiskFile, displayPath, type FoundUnit, isNoItem, problemsToReport } from '../survey/found-unit.ts'
import { membersOf, type Unit } from '../survey/group.ts'
import { unpacked } from '../survey/packed-files.ts'
import {
  type ChangedDirectory,
  filesWithKnownState,
  type KnownFile,
  knownFiles,
  type Survey,
  unknownStateTest,
} from '../survey/survey.ts'
import { forgetProblems } from '../work/work.sql.ts'
import { changedUnits } from './changed-units.ts'
import { findItemOfMovedFile } from './moved.ts'
import { type Reading, readUnit, sizesFor, type UnitDirectory } from './read-unit.ts'
import { isRotten } from './rot.ts'
import { saveUnit } from './save-unit.ts'
import { setFingerprint } from './scan.sql.ts'
import type { ScanCounts } from './scan-counts.ts'
import { pairByIdentifier } from './unit-files.ts'
import type { Vanishing } from './vanishing.ts'

/** Limits of units in progress and of waiting writes: decode workers are never idle, nor far ahead of the writer. */
const unitsAtOnce = 32
const writesWaiting = 400

interface DirectoryScanParts {
  db: LibraryDatabase
  clock: Clock
  cache: string
  collection: CollectionRow
  jobId: number
  full: boolean
  fileWins: boolean
  pool: DecodePool
  surveyed: Survey
  writer: BatchWriter
  vanishing: Vanishing
  counts: ScanCounts
  signal: AbortSignal
  onFile: (path: string) => void
}

interface ScanState extends DirectoryScanParts {
  startedAt: number
  reading: Reading
  /** Items that files were matched with. */
  claimed: Set<number>
  /** Directories that must be read again, whatever their fingerprint. */
  toReadAgain: Set<number>
  running: Set<Promise<void>>
  failure: unknown
}

const dirById = findBy(dirs, dirs.id)
const fileById = findBy(fileRows, fileRows.id)

function dirIdOf({ db, collection }: ScanState, { id, path }: ChangedDirectory): Promise<number> | number {
  if (id !== null) return id
  return db.transact({ userId: null }, ({ orm }) => {
    const here = and(eq(dirs.collectionId, collection.id), eq(dirs.pathBytes, path))
    const row = orm.select({ id: dirs.id }).from(dirs).where(here).get()
    if (row !== undefined) return row.id
    return orm
      .insert(dirs)
      .values({ collectionId: collection.id, path: displayName(path), pathBytes: path })
      .run().lastInsertRowid
  })
}

/** Finds the item that a unit's file belonged to at another place, and sets the unit's `movedFrom`. */
function matchMovedItem(
  { db, collection, claimed, vanishing }: ScanState,
  tx: Transaction,
  unit: FoundUnit,
  known: KnownFile | undefined,
) {
  const [main] = unit.files
  const { content, pictureHash = 0 } = unit.result
  const isKnown = known?.role === 'main'
  if (main === undefined || content === undefined || isNoItem(unit)) return
  if (isKnown && fileById(tx, known.id)?.content === content) return
  const { size, name } = main.file
  const file = { collectionId: collection.id, content, size, name, dirId: unit.dirId, type: unit.kind, pictureHash }
  const from = findItemOfMovedFile(db, file, known?.itemId ?? null, claimed)
  if (from === null) return
  claimed.add(from)
  unit.movedFrom = from
  if (isKnown && known.itemId !== null && known.itemId !== from) vanishing.addDisplaced(known.itemId)
}

function save(state: ScanState, tx: Transaction, unit: FoundUnit, known: KnownFile | undefined) {
  const { jobId, clock, fileWins, counts, toReadAgain } = state
  // The directory was deleted while its files were read: they are gone with it.
  if (dirById(tx, unit.dirId) === undefined) return
  const stamp = { jobId, nowMs: clock.now(), now: seconds(clock), fileWins }
  if (isRotten(tx, unit, stamp)) {
    // The unit's other changes are read once the damaged file is repaired.
    toReadAgain.add(unit.dirId)
    counts.failed++
    return
  }
  matchMovedItem(state, tx, unit, known)
  for (const { raw } of unit.problems.filter(problem => problem.code === 'unreadable')) {
    toReadAgain.add(unit.dirId)
    const file = unit.files.find(one => one.file.raw === raw)
    // No file has such a date, so the next scan treats this one as changed.
    if (file !== undefined) file.file = { ...file.file, mtimeNanoseconds: -1 }
  }
  const saved = saveUnit(tx, unit, stamp)
  if (saved !== 'skipped') counts[saved]++
  if (problemsToReport(unit).some(({ code }) => code === 'damaged' || placeholderCodes.has(code))) counts.failed++
}

/** A file's current facts; null if it is gone or no longer a file. If they cannot be read, returns `listed`. */
function factsNow(path: Buffer, listed: DiskFile | undefined): DiskFile | null | undefined {
  try {
    const now = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (now?.isFile() !== true) return null
    return listed && { ...listed, size: Number(now.size), ...timesOf(now.mtimeNs) }
  } catch (error) {
    return codeOf(error) === 'ENOTDIR' ? null : listed
  }
}

/** Reads a unit's files as they are now: a long scan listed them much earlier. */
async function readAndSave(
  state: ScanState,
  directory: UnitDirectory,
  unit: Unit,
  known: ReadonlyMap<string, KnownFile>,
) {
  const { writer, signal } = state
  for (const raw of membersOf(unit)) {
    const now = factsNow(joinPath(directory.bytes, bytesOfRaw(raw)), directory.files.get(raw))
    if (now === null) {
      // The file has vanished since it was listed: the next scan deals with that.
      state.toReadAgain.add(directory.id)
      return
    }
    if (now !== undefined) directory.files.set(raw, now)
  }
  const kindOf = (raw: string) => presumedKind(directory.files.get(raw)?.name ?? '') ?? 'image'
  const found = await readUnit(state.reading, directory, unit, kindOf)
  if (signal.aborted) return
  for (const one of found) {
    const [main] = one.files
    writer.add(tx => save(state, tx, one, main === undefined ? undefined : known.get(main.file.raw)))
  }
  for (const raw of [unit.main, ...unit.companions, ...(unit.film === null ? [] : [unit.film])]) {
    state.onFile(displayPath(directory.path, directory.files.get(raw)?.name ?? ''))
  }
}

/** Starts a unit's work when there is room. Returns `ended` in an object, since a promise alone would be awaited. */
async function startWhenPossible(state: ScanState, work: () => Promise<void>): Promise<{ ended: Promise<void> }> {
  const { running, writer } = state
  while (running.size >= unitsAtOnce || writer.waiting() >= writesWaiting) {
    if (running.size === 0) await Bun.sleep(5)
    else await Promise.race(running)
    if (state.failure !== null) throw state.failure
  }
  const ended: Promise<void> = work()
    .catch((error: unknown) => {
      state.failure ??= error
    })
    .finally(() => running.delete(ended))
  running.add(ended)
  return { ended }
}

/** Stores the fingerprint once the whole directory is written; `vanishing` does that later if main files are gone. */
function finishDirectory(
  state: ScanState,
  { id, path }: UnitDirectory,
  gone: readonly KnownFile[],
  fingerprint: Uint8Array,
) {
  const { collection, counts, vanishing, toReadAgain } = state
  const vanished = gone.filter(file => file.role === 'main').map(file => file.id)
  state.writer.add(tx => {
    for (const file of gone) {
      if (file.role === 'main') continue
      tx.orm
        .delete(fileRows)
        .where(and(eq(fileRows.id, file.id), ne(fileRows.role, 'main')))
        .run()
      tx.run(forgetProblems, collection.id, displayPath(path, displayRaw(file.raw)))
    }
    if (collection.pairing === 1) {
      counts.new -= pairByIdentifier(tx, id, new Set(gone.map(file => file.id)), state.startedAt)
    }
    // Unreadable files are tried again each time: a permission changes neither size nor date.
    const final = toReadAgain.has(id) ? null : Buffer.from(fingerprint)
    if (vanished.length > 0) vanishing.add(id, vanished, final)
    if (final === null || vanished.length === 0) tx.run(setFingerprint, final, id)
  })
}

/** Scans a directory. Resolves when all of its work is started, not when it is done. */
async function scanDirectory(state: ScanState, changed: ChangedDirectory): Promise<void> {
  const { db, collection, full, surveyed, signal, toReadAgain, running } = state
  const id = await dirIdOf(state, changed)
  surveyed.seen.add(id)
  const isStateUnknown = unknownStateTest(changed, surveyed.journalled)
  const listed = unpacked(changed.files)
  const known = knownFiles(db, id)
  // Files in the journal are read again once their new place is known.
  const isJournalled = (raw: string) => surveyed.journalled.has(joinPath(changed.path, bytesOfRaw(raw)))
  if (!surveyed.journalled.isEmpty && [...listed.keys(), ...known.keys()].some(isJournalled)) toReadAgain.add(id)
  const files = filesWithKnownState(listed, isStateUnknown)
  const bytes = joinPath(Buffer.from(collection.path), changed.path)
  const directory: UnitDirectory = { id, path: displayName(changed.path), bytes, files }
  const { toOpen, gone } = changedUnits(files, known, { pairing: collection.pairing === 1, full })
  // A file that was added after the directory was listed is not gone.
  const isNew = (raw: string) => !listed.has(raw) && factsNow(joinPath(bytes, bytesOfRaw(raw)), undefined) !== null
  const lost = gone.filter(({ raw }) => !isStateUnknown(raw) && !isNew(raw))
  const pending: Promise<void>[] = []
  for (const unit of toOpen) {
    signal.throwIfAborted()
    pending.push((await startWhenPossible(state, () => readAndSave(state, directory, unit, known))).ended)
  }
  const closing: Promise<void> = Promise.all(pending)
    .then(() => {
      if (!signal.aborted && state.failure === null) finishDirectory(state, directory, lost, changed.fingerprint)
    })
    .finally(() => running.delete(closing))
  running.add(closing)
}

export function createDirectoryScan(parts: DirectoryScanParts) {
  const state: ScanState = {
    ...parts,
    startedAt: seconds(parts.clock),
    reading: { ...parts, collectionId: parts.collection.id, sizes: sizesFor(parts.surveyed.toOpen) },
    claimed: new Set(),
    toReadAgain: new Set(),
    running: new Set(),
    failure: null,
  }
  return {
    scan: (changed: ChangedDirectory) => scanDirectory(state, changed),

    async finish(): Promise<void> {
      while (state.running.size > 0) await Promise.all(state.running)
      if (state.failure !== null) throw state.failure
    },
  }
}
