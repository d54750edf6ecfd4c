/** Moves and copies the files of items: each item completely or not at all, even if the process is killed. */
import { Failure, type FailureCode, reasonOf, sentence } from '../../schema/errors.ts'
import { type DiskPlace, displayPlace } from '../files/anchor.ts'
import type { Disk, PlaceFacts } from '../files/disk.ts'
import { codeOf, DiskError } from '../files/disk-error.ts'
import { joinPath } from '../files/names.ts'
import { isPrivateDirectory } from '../files/private-directory.ts'
import { temporaryName } from '../files/write-whole.ts'
import { closeUnit, type Journal, type JournalEntry, recordUnit, writeJournal } from '../journal/journal.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { rowsHeld } from './moving.sql.ts'
import { directoryOf, splitPath } from './paths.ts'

/** A file to move. `size`: its size in bytes when the move was planned. */
export interface FileTransfer {
  /** The source of a copy is unchanged. */
  operation: 'move' | 'copy'
  from: DiskPlace
  to: DiskPlace
  size: number
}

/** Files that move together, and the database changes for them. */
export interface FileUnit {
  itemId: number | null
  files: readonly FileTransfer[]
  /** Writes the rows; receives the files at their new places, in the order of `files`. */
  record(tx: Transaction, placed: readonly PlaceFacts[]): void
}

/** Why a unit's files were not moved. `taken`: the target path that already exists, if that is the reason. */
export interface UnitFailure {
  reason: string
  code: FailureCode
  taken: DiskPlace | null
}

/** Null on success. */
export type UnitOutcome = UnitFailure | null

class PlaceTaken extends Failure {
  constructor(readonly target: DiskPlace) {
    super('conflict', `There is already something at ${displayPlace(target)}.`)
  }
}

/** Failure codes of disk errors; all other errors are conflicts. */
const diskCodes: Partial<Record<string, FailureCode>> = {
  ENOSPC: 'noSpace',
  EDQUOT: 'noSpace',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENAMETOOLONG: 'invalid',
}

/** For whom and by which job files are moved. `holder`: the job, or `holderOfProcess()`. */
export interface MoveContext {
  holder: number
  actor: Actor
  signal?: AbortSignal | undefined
}

interface PlannedFileUnit {
  unit: string
  fileUnit: FileUnit
  entries: JournalEntry[]
}

export interface MoverParts {
  db: LibraryDatabase
  clock: Clock
  log: Log
  disk: Disk
  journal: Journal
}

/** Plans a unit's journal rows: creates directories and hashes files to copy. Adds paths that become free to `freedPaths`. */
async function planUnit(
  { disk, log }: MoverParts,
  fileUnit: FileUnit,
  alwaysCopy: boolean,
  freedPaths: Set<string>,
): Promise<PlannedFileUnit> {
  const unit = crypto.randomUUID()
  const entries: JournalEntry[] = []
  for (const { operation, from, to, size } of fileUnit.files) {
    const found = disk.stat(from)
    if (found === null || found.kind !== 'file')
      throw new Failure('notFound', sentence`${displayPlace(from)} is not there.`)
    if (found.size !== size) throw new Failure('changed', sentence`${displayPlace(from)} has changed meanwhile.`)
    // A new directory gets the permissions of the source's, so that private files stay private.
    const like = operation === 'move' ? { like: directoryOf(from) } : {}
    const lost = disk.makeDirectory(directoryOf(to), like)
    if (lost !== null)
      log.warn('a new directory could not get all attributes of the old one', {
        path: displayPlace(directoryOf(to)),
        lost,
      })
    if (disk.stat(to) !== null && !freedPaths.has(displayPlace(to))) throw new PlaceTaken(to)
    if (operation === 'move' && !disk.mayChange(directoryOf(from)))
      throw new Failure('denied', sentence`Nothing may be moved out of the directory of ${displayPlace(from)}.`)
    const copies = operation === 'copy' || alwaysCopy || found.device !== disk.deviceOf(directoryOf(to))
    entries.push({
      unit,
      operation,
      itemId: fileUnit.itemId,
      source: from,
      destination: to,
      temporary: copies ? { root: to.root, path: joinPath(splitPath(to.path).dir, temporaryName()) } : null,
      hash: copies ? await disk.hash(from) : null,
      size,
    })
  }
  for (const { source, temporary } of entries) if (temporary === null) freedPaths.add(displayPlace(source))
  return { unit, fileUnit, entries }
}

/** Moves or copies every file of a unit to its new place. The sources of copies stay. */
async function moveOrCopyFiles(
  { disk, log }: MoverParts,
  { entries }: PlannedFileUnit,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const { operation, source, destination, temporary, hash } of entries) {
    if (destination === null) continue
    if (temporary === null) {
      disk.move(source, destination, { flush: false })
      continue
    }
    const written = await disk.copyTemporary(source, temporary, { keep: operation === 'move', signal })
    if (written.hash !== hash)
      throw new Failure('changed', sentence`${displayPlace(source)} has changed while it was copied.`)
    // Reads the copy back: bytes that were written may still not be readable.
    if ((await disk.hash(temporary)) !== hash)
      throw new Failure(
        'conflict',
        sentence`The copy of ${displayPlace(source)} reads back differently: the disk may be failing.`,
      )
    disk.move(temporary, destination, { flush: false })
    if (written.lost !== null)
      log.warn('a file could not keep all its attributes on another disk', {
        path: displayPlace(destination),
        lost: written.lost,
      })
  }
}

function flush({ disk }: MoverParts, units: readonly PlannedFileUnit[]) {
  const directories = new Map<string, DiskPlace>()
  for (const { source, destination, temporary } of units.flatMap(({ entries }) => entries)) {
    for (const place of [destination, temporary === null ? source : null]) {
      if (place === null) continue
      const directory = directoryOf(place)
      directories.set(displayPlace(directory), directory)
    }
  }
  for (const directory of directories.values()) disk.sync(directory)
}

/** If the machine slept, another process may have recovered this unit meanwhile: then its rows must not be changed. */
function requireHeld(tx: Transaction, { unit, entries }: PlannedFileUnit, holder: number) {
  if (tx.get(rowsHeld, unit, holder)?.n !== entries.length)
    throw new Failure('interrupted', 'Taken over by another process')
}

function factsAt({ disk }: MoverParts, place: DiskPlace): PlaceFacts {
  const facts = disk.stat(place)
  if (facts === null) throw new Failure('notFound', sentence`${displayPlace(place)} is gone again.`)
  return facts
}

async function moveUnits(
  parts: MoverParts,
  units: readonly FileUnit[],
  { holder, actor, signal }: MoveContext,
  alwaysCopy: boolean,
): Promise<{ outcomes: Map<FileUnit, UnitOutcome>; onOtherDisks: FileUnit[] }> {
  const { db, clock, journal } = parts
  const outcomes = new Map<FileUnit, UnitOutcome>()
  const onOtherDisks: FileUnit[] = []
  const plans: PlannedFileUnit[] = []
  const freedPaths = new Set<string>()
  for (const unit of units) {
    try {
      plans.push(await planUnit(parts, unit, alwaysCopy, freedPaths))
    } catch (error) {
      outcomes.set(unit, failureOf(parts, error))
    }
  }
  await db.transact(actor, tx => {
    for (const { entries } of plans) writeJournal(tx, holder, entries, clock.now())
  })
  const done: { plan: PlannedFileUnit; facts: PlaceFacts[] }[] = []
  for (const plan of plans) {
    try {
      await moveOrCopyFiles(parts, plan, signal)
      done.push({ plan, facts: plan.fileUnit.files.map(({ to }) => factsAt(parts, to)) })
    } catch (error) {
      await journal.abandon(plan.unit)
      if (signal?.aborted === true) throw error
      // Different mounts of one disk have the same device number, yet files cannot be renamed between them.
      if (codeOf(error) === 'EXDEV' && !alwaysCopy) onOtherDisks.push(plan.fileUnit)
      else outcomes.set(plan.fileUnit, failureOf(parts, error))
    }
  }
  const placed = done.map(({ plan }) => plan)
  flush(parts, placed)
  await db.transact(actor, tx => {
    for (const { plan, facts } of done) {
      requireHeld(tx, plan, holder)
      plan.fileUnit.record(tx, facts)
      recordUnit(tx, plan.unit)
    }
  })
  for (const { fileUnit } of placed) outcomes.set(fileUnit, null)
  await unlinkSources(parts, placed)
  return { outcomes, onOtherDisks }
}

/** Removes the sources of moves to another disk: the last step, when everything else is durable. */
async function unlinkSources({ db, disk, log }: MoverParts, plans: readonly PlannedFileUnit[]): Promise<void> {
  const copiedPlans = plans.filter(({ entries }) => entries.some(isCopiedMove))
  if (copiedPlans.length === 0) return
  const finished = copiedPlans.filter(({ entries }) => {
    try {
      for (const { source } of entries.filter(isCopiedMove)) disk.remove(source)
      return true
    } catch (error) {
      // The journal's row stays, so the next recovery tries again.
      if (!(error instanceof DiskError)) throw error
      log.warn('a file that was moved to another disk is still at its old place', { error })
      return false
    }
  })
  await db.transact({ userId: null }, tx => {
    for (const { unit } of finished) closeUnit(tx, unit)
  })
}

function failureOf({ log }: MoverParts, error: unknown): UnitFailure {
  if (!(error instanceof Failure || error instanceof DiskError)) log.error('files could not be moved', { error })
  return {
    reason: reasonOf(error),
    code: (error instanceof DiskError ? diskCodes[error.code] : undefined) ?? 'conflict',
    taken: error instanceof PlaceTaken ? error.target : null,
  }
}

export function createFileMover(parts: MoverParts) {
  const { disk } = parts
  return {
    /** Moves or copies units: journal, files, flush, rows, then removal of old files. Disk errors become outcomes. */
    async run(units: readonly FileUnit[], moving: MoveContext): Promise<UnitOutcome[]> {
      const first = await moveUnits(parts, units, moving, false)
      const second = first.onOtherDisks.length === 0 ? null : await moveUnits(parts, first.onOtherDisks, moving, true)
      return units.map(unit => first.outcomes.get(unit) ?? second?.outcomes.get(unit) ?? null)
    },

    /**
     * Removes a directory and those above it, up to the root, as long as they are empty. Without `since`, private
     * directories stay; with `since` (milliseconds), directories created earlier stay. Returns the removed paths.
     */
    removeEmpty({ root, path }: DiskPlace, { since = null }: { since?: number | null } = {}): Uint8Array[] {
      const removed: Uint8Array[] = []
      for (let at = path; at.length > 0; at = splitPath(at).dir) {
        try {
          if (since !== null && (disk.createdAt({ root, path: at }) ?? 0) < since) break
          // Private directories stay: an undo would create them again with other permissions.
          if (since === null && isPrivateDirectory(root, at)) break
          disk.removeDirectory({ root, path: at })
        } catch (error) {
          if (!(error instanceof DiskError)) throw error
          break
        }
        removed.push(at)
      }
      return removed
    },
  }
}

export type FileMover = ReturnType<typeof createFileMover>

export interface MovingParts extends MoverParts {
  mover: FileMover
  cache: string
  openPool: (low: boolean) => DecodePool
}

function isCopiedMove({ operation, temporary }: JournalEntry): boolean {
  return operation === 'move' && temporary !== null
}
