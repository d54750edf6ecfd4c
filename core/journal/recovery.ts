/** Finishes or undoes file operations of killed processes, according to the journal. */
import { asc, eq, inArray } from 'drizzle-orm'
import { collections } from '../../schema/tables/collections.ts'
import { jobs } from '../../schema/tables/jobs.ts'
import { journal } from '../../schema/tables/journal.ts'
import { type DiskPlace, displayPlace } from '../files/anchor.ts'
import type { Disk } from '../files/disk.ts'
import { bytesOfRaw, displayName } from '../files/names.ts'
import { choiceOf, setChoice } from '../kernel/choices.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import { isRunning, ownIdentity } from '../kernel/process-identity.ts'
import { rootState } from '../survey/safety.ts'
import { ownerIsGone } from '../work/job-row.ts'
import { removeTree } from './remove-tree.ts'
import { registerWritten } from './written-files.ts'

type JournalRow = typeof journal.$inferSelect

export interface Recovered {
  finished: number
  undone: number
  /** Number of units that cannot be recovered now: their disk is unavailable, for example. The next call tries again. */
  left: number
}

export interface RecoverOptions {
  job?: number
  restarted?: boolean
  patient?: boolean
  signal?: AbortSignal
}

/** Holder of rows that belong to no process: any recovery processes them. */
export const nobody = 0

/**
 * Key in the table `choices` under which the call that is recovering stores its turn, so that others wait. A turn is a
 * process identity and a random token.
 */
const turnName = 'journal-recovery'
const turnRetryMs = 50
/** Turns that calls in this process hold or wait for. */
const ownTurns = new Set<string>()

/** Holder of journal rows of work that is not a job, such as an upload. Negative, where jobs are positive. */
export const holderOfProcess = (): number => -ownIdentity()

/** Thrown if a disk is unavailable: nothing is known about its files then. */
class DiskUnavailable extends Error {}

export interface JournalParts {
  db: LibraryDatabase
  clock: Clock
  disk: Disk
  log: Log
  /** Called in a transaction for an item whose file is another picture after an interrupted replacement. */
  onReplaced: (tx: Transaction, itemId: number) => void
}

/** Whether the process that wrote the row is still running. */
function isHeld({ db, clock }: JournalParts, holder: number): boolean {
  if (holder === nobody) return false
  if (holder < 0) return isRunning(-holder)
  const job = db.orm.select().from(jobs).where(eq(jobs.id, holder)).get()
  return job?.state === 'running' && job.leaseUntil >= clock.now() && !ownerIsGone(job.owner)
}

/** A path below its root. In rows of earlier versions, the root is the collection's directory, or the path's parent. */
function placeOf({ db }: JournalParts, path: Uint8Array): DiskPlace {
  const text = Buffer.from(path).toString('latin1')
  const end = text.lastIndexOf('//')
  if (end >= 0) return { root: bytesOfRaw(text.slice(0, end) || '/'), path: bytesOfRaw(text.slice(end + 2)) }
  let root = ''
  for (const row of db.orm.select().from(collections).all()) {
    for (const candidate of [row.path, row.pathVariant]) {
      const bytes = Buffer.from(candidate).toString('latin1')
      if (candidate.length > root.length && text.startsWith(`${bytes}/`)) root = candidate
    }
  }
  if (root !== '') return { root, path: Buffer.from(text.slice(Buffer.byteLength(root) + 1), 'latin1') }
  const slash = text.lastIndexOf('/')
  return {
    root: Buffer.from(text.slice(0, slash) || '/', 'latin1'),
    path: Buffer.from(text.slice(slash + 1), 'latin1'),
  }
}

/** The file at a place; null if there is none. Throws DiskUnavailable if the root is missing too, or unreadable. */
function inspect({ disk }: JournalParts, place: DiskPlace) {
  const found = disk.stat(place)
  if (found !== null) return found
  const root = rootState(typeof place.root === 'string' ? place.root : displayName(place.root))
  if (root.kind !== 'present') throw new DiskUnavailable(`${displayPlace(place)}: its disk is not there`)
  return null
}

/** Whether the place has the file whose hash and size the journal recorded. */
async function hasRecordedFile(parts: JournalParts, place: DiskPlace, { hash, size }: JournalRow): Promise<boolean> {
  const found = inspect(parts, place)
  return found?.kind === 'file' && found.size === size && hash !== null && (await parts.disk.hash(place)) === hash
}

/** Finishes a recorded row: removes remains at the old path, once the new file is known to be complete. */
async function finish(parts: JournalParts, row: JournalRow): Promise<void> {
  const { disk, log } = parts
  if (row.operation === 'remove') {
    const source = placeOf(parts, row.source)
    if (inspect(parts, source) !== null) await removeTree(disk, source)
    return
  }
  if (row.operation !== 'move' || row.destination === null || row.temporary === null) return
  const source = placeOf(parts, row.source)
  if (inspect(parts, source) === null) return
  if (!(await hasRecordedFile(parts, placeOf(parts, row.destination), row))) {
    log.error('a file stays at its old place, because the copy at its new place has changed', {
      source: displayPlace(source),
      destination: displayName(row.destination),
    })
    return
  }
  // Another file may have been put at the source since, which must stay.
  if (await hasRecordedFile(parts, source, row)) disk.remove(source)
}

/** Undoes a row, since the database has the old path: removes the temporary file, and moves a renamed file back. */
async function undo(parts: JournalParts, row: JournalRow, patient: boolean): Promise<void> {
  const { db, disk } = parts
  if (row.operation === 'remove') return
  if (row.operation === 'replace') {
    const { itemId: item } = row
    if (item !== null && (await hasRecordedFile(parts, placeOf(parts, row.source), row)))
      await db.transact({ userId: null }, tx => parts.onReplaced(tx, item))
    return
  }
  if (row.temporary !== null) {
    const temporary = placeOf(parts, row.temporary)
    if (patient && row.operation === 'write') requireDirectoryOf(parts, temporary)
    // The temporary entry of an unpacked archive is a directory.
    if (inspect(parts, temporary) !== null) await removeTree(disk, temporary)
  }
  if (row.operation === 'write' && row.itemId !== null && row.destination !== null) {
    // The destination has the complete old or new file; if it has the new one, its rows must be updated.
    const written = placeOf(parts, row.destination)
    if (await hasRecordedFile(parts, written, row)) await registerWritten({ db, disk }, written, row.itemId)
  }
  if (row.destination === null || (row.operation !== 'move' && row.operation !== 'copy')) return
  const source = placeOf(parts, row.source)
  const destination = placeOf(parts, row.destination)
  const there = inspect(parts, destination)
  const here = inspect(parts, source)
  if (there === null) {
    // On an unmounted disk, both would seem to be missing.
    const empty = [source, destination].some(({ root }) => {
      const state = rootState(typeof root === 'string' ? root : displayName(root))
      return state.kind === 'present' && state.empty
    })
    if (here === null && empty) throw new DiskUnavailable(`${displayPlace(source)}: its disk is not there`)
    return
  }
  if (row.temporary !== null) {
    // The target is a complete copy without rows. It may be removed only if the source is complete too.
    if ((await hasRecordedFile(parts, source, row)) && (await hasRecordedFile(parts, destination, row)))
      disk.remove(destination)
    return
  }
  if (here === null) {
    // The size of a directory depends on more than its contents.
    if (there.kind !== 'dir' && there.size !== row.size) return
    const above = source.path.lastIndexOf(0x2f)
    if (above > 0) disk.makeDirectory({ root: source.root, path: source.path.subarray(0, above) })
    disk.move(destination, source)
    return
  }
  // A killed rename by link and unlink may leave both names; a rename that reserves the name may leave an empty file.
  const linked = there.inode === here.inode && there.device === here.device
  if (linked || (there.kind === 'file' && there.size === 0 && row.size > 0)) disk.remove(destination)
}

/** Throws DiskUnavailable if the write's directory was moved away: it may come back with the temporary file. */
function requireDirectoryOf(parts: JournalParts, temporary: DiskPlace): void {
  const end = Math.max(0, temporary.path.lastIndexOf(0x2f))
  const directory = { root: temporary.root, path: temporary.path.subarray(0, end) }
  if (end > 0 && inspect(parts, directory) === null)
    throw new DiskUnavailable(`${displayPlace(directory)}: it is not there`)
}

/** Finishes a recorded unit, undoes any other; 'left' if impossible now. `patient`: missing files may come back. */
async function recoverUnit(
  parts: JournalParts,
  rows: readonly JournalRow[],
  patient: boolean,
): Promise<'finished' | 'undone' | 'left'> {
  const recorded = rows.some(({ state }) => state === 'recorded')
  try {
    for (const row of recorded ? rows : [...rows].reverse()) {
      await (recorded ? finish(parts, row) : undo(parts, row, patient))
      await parts.db.transact({ userId: null }, tx => tx.orm.delete(journal).where(eq(journal.id, row.id)).run())
    }
    return recorded ? 'finished' : 'undone'
  } catch (error) {
    const [first] = rows
    parts.log.warn('an interrupted file operation cannot be finished or undone now', {
      unit: first?.unit,
      source: first === undefined ? '' : displayName(first.source),
      error,
    })
    return 'left'
  }
}

/**
 * Finishes or undoes the operations of killed processes; idempotent, and safe beside running processes. `job`: id of
 * the caller's job; rows that an earlier attempt of it left are recovered too. `restarted`: rows with this process's
 * number belong to an earlier process. `patient`: a missing directory may come back. When it returns, no other process
 * is recovering: remaining rows could not be recovered. Aborting `signal` ends the waiting for other processes.
 */
export async function recoverJournal(parts: JournalParts, options: RecoverOptions = {}): Promise<Recovered> {
  const { db } = parts
  if (db.orm.select({ id: journal.id }).from(journal).limit(1).get() === undefined)
    return { finished: 0, undone: 0, left: 0 }
  const turn = `${ownIdentity()} ${crypto.randomUUID()}`
  ownTurns.add(turn)
  try {
    while (!(await acquireTurn(db, turn))) {
      await Bun.sleep(turnRetryMs)
      options.signal?.throwIfAborted()
    }
    return await recoverNow(parts, options)
  } finally {
    ownTurns.delete(turn)
    await db.transact({ userId: null }, tx => {
      if (choiceOf(tx, turnName) === turn) setChoice(tx, turnName, null)
    })
  }
}

/** Takes the turn; false while another running process recovers. */
function acquireTurn(db: LibraryDatabase, turn: string): Promise<boolean> {
  return db.transact({ userId: null }, tx => {
    const held = choiceOf(tx, turnName)
    if (held !== null && isTaken(String(held))) return false
    setChoice(tx, turnName, turn)
    return true
  })
}

/**
 * Whether a turn is taken. A turn with this process's number that this process did not take belongs to an earlier
 * process.
 */
function isTaken(turn: string): boolean {
  const holder = Number.parseInt(turn, 10)
  return holder === ownIdentity() ? ownTurns.has(turn) : isRunning(holder)
}

async function recoverNow(parts: JournalParts, options: RecoverOptions): Promise<Recovered> {
  const result: Recovered = { finished: 0, undone: 0, left: 0 }
  const { db, log } = parts
  const holders = db.orm.selectDistinct({ id: journal.holder }).from(journal).all()
  const recoverable = holders
    .map(({ id }) => id)
    .filter(id => {
      if (id === options.job) return true
      if (id === holderOfProcess()) return options.restarted === true
      return !isHeld(parts, id)
    })
  if (recoverable.length === 0) return result
  const holder = options.job ?? holderOfProcess()
  // Claimed first, so that two recoveries do not undo each other's work.
  const rows = await db.transact({ userId: null }, tx => {
    const wanted = inArray(journal.holder, recoverable)
    const found = tx.orm.select().from(journal).where(wanted).orderBy(asc(journal.id)).all()
    tx.orm.update(journal).set({ holder }).where(wanted).run()
    return found
  })
  const units = Map.groupBy(rows, ({ unit }) => unit)
  // In reverse order: a later file may be at the path to which an earlier one is restored.
  for (const [unit, members] of [...units].reverse()) {
    const outcome = await recoverUnit(parts, members, options.patient === true)
    result[outcome]++
    if (outcome === 'left') await releaseRows(db, unit)
  }
  log.info('interrupted file operations were finished or undone', { ...result })
  return result
}

/** Finishes or undoes a unit whose work failed in this process. If that is impossible now, a later recovery does it. */
export async function abandon(parts: JournalParts, unit: string): Promise<void> {
  const rows = parts.db.orm.select().from(journal).where(eq(journal.unit, unit)).orderBy(asc(journal.id)).all()
  if (rows.length > 0 && (await recoverUnit(parts, rows, true)) === 'left') await releaseRows(parts.db, unit)
}

/** Leaves the rows of a unit to the next recovery. */
function releaseRows(db: LibraryDatabase, unit: string) {
  return db.transact({ userId: null }, tx =>
    tx.orm.update(journal).set({ holder: nobody }).where(eq(journal.unit, unit)).run(),
  )
}
