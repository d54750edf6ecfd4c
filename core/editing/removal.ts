/** Removes all files of an item or none, even if the process dies at any moment. */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { journal as journalRows } from '../../schema/tables/journal.ts'
import type { DiskPlace } from '../files/anchor.ts'
import type { Disk } from '../files/disk.ts'
import { bytesOfText, joinPath } from '../files/names.ts'
import { closeUnit, holderOfProcess, type Journal, type JournalEntry, writeJournal } from '../journal/journal.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'

/** A file below its root: the directory's path and the name as the file system's bytes. */
export interface RemovedFile {
  root: string
  dirBytes: Uint8Array
  nameBytes: Uint8Array
  size: number
}

interface Removal {
  from: DiskPlace
  /** The file's temporary name until the rows are gone: scans skip such names. */
  temporary: DiskPlace
  size: number
}

function removalOf({ root, dirBytes, nameBytes, size }: RemovedFile): Removal {
  const name = bytesOfText(`.keepsake-${randomBytes(8).toString('hex')}.tmp`)
  return {
    from: { root, path: joinPath(dirBytes, nameBytes) },
    temporary: { root, path: joinPath(dirBytes, name) },
    size,
  }
}

export interface RemovalParts {
  db: LibraryDatabase
  disk: Disk
  clock: Clock
  journal: Journal
  log: Log
}

/**
 * Renames the files to names that scans skip, lets `record` remove the rows in a transaction (repeated if necessary),
 * then deletes the files. Errors before or in `record` leave everything unchanged; after a kill, the journal finishes
 * or undoes the removal. No file is deleted by its own name: once the rows are gone, another file may have that name.
 */
export async function removeFiles(
  { db, disk, clock, journal, log }: RemovalParts,
  actor: Actor,
  what: { jobId: number | null; itemId: number; files: readonly RemovedFile[] },
  record: (tx: Transaction) => void,
): Promise<void> {
  const unit = crypto.randomUUID()
  const holder = what.jobId ?? holderOfProcess()
  const removals = what.files.map(removalOf)
  const entry = (source: DiskPlace, size: number): JournalEntry => ({
    unit,
    operation: 'remove',
    itemId: what.itemId,
    source,
    destination: null,
    temporary: null,
    hash: null,
    size,
  })
  await db.transact(actor, tx => {
    const moves = removals.map(
      ({ from, temporary, size }): JournalEntry => ({
        ...entry(from, size),
        operation: 'move',
        destination: temporary,
      }),
    )
    writeJournal(tx, holder, moves, clock.now())
  })
  try {
    for (const { from, temporary } of removals) disk.move(from, temporary)
    await db.transact(actor, tx => {
      record(tx)
      closeUnit(tx, unit)
      const removed = removals.map(({ temporary, size }) => entry(temporary, size))
      writeJournal(tx, holder, removed, clock.now())
      tx.orm.update(journalRows).set({ state: 'recorded' }).where(eq(journalRows.unit, unit)).run()
    })
  } catch (error) {
    await journal.abandon(unit)
    throw error
  }
  try {
    for (const { temporary } of removals) disk.remove(temporary)
    await db.transact(actor, tx => closeUnit(tx, unit))
  } catch (error) {
    // The library no longer refers to these files; the next recovery tries again.
    log.warn('files of a purged item could not be removed yet', { item: what.itemId, error })
  }
}
