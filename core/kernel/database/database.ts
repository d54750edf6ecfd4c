/** Opens the library's SQLite file with all pragmas, migrates it, and runs its write transactions. */

import { Database } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure, sentence } from '../../../schema/errors.ts'
import type { Clock } from '../clock.ts'
import { hadLibrary } from '../data/copies.ts'
import { makePrivateFile } from '../data/private-files.ts'
import type { Seals } from '../data/sealed.ts'
import { damageRemedy, isDamaged, toCopyError, toDatabaseError } from './database-error.ts'
import { migrate, sealOldRows } from './migrate.ts'
import type { Orm } from './orm.ts'
import type { Query } from './statement.ts'
import { createStatements } from './statements.ts'
import type { Actor, Bindings, LockWait, Synchronous, Transaction, WritesListener } from './transaction.ts'
import { createWrites } from './writes.ts'

export type { Actor, Bindings, Transaction, WritesListener }

/** Older versions can corrupt a database whose write-ahead log is reset while another process reads. */
const minSqlite = [3, 52] as const

export interface LibraryDatabase {
  readonly path: string
  /** Runs statements written by hand, for reading, cached by their text. */
  all<Row>(sql: string | Query<Row>, ...bindings: Bindings): Row[]
  get<Row>(sql: string | Query<Row>, ...bindings: Bindings): Row | null
  /** Runs reads on one state of the database, under one lock (each lock takes 2.4 µs). `work` must not write. */
  reading<T>(work: () => Synchronous<T>): T
  /** A number that changes whenever this process or another has written. */
  state(): number
  orm: Orm
  /**
   * Runs one IMMEDIATE transaction. Retries while another process writes, without blocking longer than this role may at
   * a time; finally gives up with `unavailable`. An error in the callback rolls everything back.
   */
  transact<T>(actor: Actor, work: (tx: Transaction) => Synchronous<T>): Promise<T>
  /** Runs a call to the end of its first transaction, which is rolled back. Throws its errors; sends no events. */
  rehearse(call: () => Promise<unknown> | unknown): Promise<void>
  /** Registers a listener that is called after every commit of this process that wrote to the outbox. */
  onEvents(listener: () => void): () => void
  /** A number that changes with every commit of another process. */
  dataVersion(): number
  /** Bytes of the write-ahead log. */
  logSize(): number
  /** Moves the log into the database; true if all of it was moved. */
  checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean
  /** Updates the planner's statistics; a sample of each index is enough. */
  optimize(): void
  /** Makes a complete copy at `path`, which must not exist; throws a DiskError for errors of its disk. */
  copyTo(path: string): void
  close(): void
}

/** The server's event loop must not block: 10 ms a try, 5 s in all. */
export const serverWaiting: LockWait = { blockMs: 10, patienceMs: 5_000 }
/** A screen must keep drawing and handling keys. */
const screenWaiting: LockWait = { blockMs: 2, patienceMs: 20_000 }
/** Commands and workers may block. */
export const terminalWaiting: LockWait = { blockMs: 30_000, patienceMs: 30_000 }

/** Settings by role. `ownCheckpoints`: it moves the log into the database itself. `frugal`: it uses little memory. */
export const settingsOfRoles = {
  server: { waiting: serverWaiting, ownCheckpoints: true, frugal: false },
  worker: { waiting: terminalWaiting, ownCheckpoints: true, frugal: false },
  terminal: { waiting: terminalWaiting, ownCheckpoints: false, frugal: false },
  screen: { waiting: screenWaiting, ownCheckpoints: false, frugal: true },
} as const

function checkSqlite(db: Database) {
  const row = db.query<{ v: string }, []>('SELECT sqlite_version() AS v').get()
  const [major = 0, minor = 0] = (row?.v ?? '0.0').split('.').map(Number)
  if (major > minSqlite[0] || (major === minSqlite[0] && minor >= minSqlite[1])) return
  throw new Failure(
    'unavailable',
    sentence`This build carries SQLite ${row?.v}; Keepsake needs ${minSqlite.join('.')} or later.`,
  )
}

function openFile(path: string, options: Preparation): Database {
  let db: Database
  try {
    // If SQLite created the file, other users could read it. The log and its index get the same mode.
    if (options.isNew) makePrivateFile(path)
    db = new Database(path, { create: true, strict: true })
  } catch (error) {
    throw toDatabaseError(error, path)
  }
  try {
    prepare(db, options)
    return db
  } catch (error) {
    db.close()
    if (!isDamaged(error)) throw toDatabaseError(error, path)
    throw new Failure('conflict', sentence`${path} is damaged, or is no database of Keepsake. ${damageRemedy(path)}`, {
      cause: error,
    })
  }
}

interface Preparation {
  isNew: boolean
  ownCheckpoints: boolean
  durable: boolean
  frugal: boolean
}

function prepare(db: Database, { isNew, ownCheckpoints, durable, frugal }: Preparation) {
  // While opening, migrating and first switching to WAL, another process may do the same.
  db.run('PRAGMA busy_timeout = 30000')
  checkSqlite(db)
  if (isNew) db.run('PRAGMA page_size = 8192')
  db.run('PRAGMA journal_mode = WAL')
  db.run(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
  db.run('PRAGMA foreign_keys = ON')
  db.run('PRAGMA trusted_schema = OFF')
  // Deleted data must not be readable in the file either: vectors of faces, home addresses.
  db.run('PRAGMA secure_delete = ON')
  // These processes move the log into the database when that delays nobody: in bulk jobs, and while the server is idle.
  if (ownCheckpoints) db.run('PRAGMA wal_autocheckpoint = 0')
  db.run(`PRAGMA temp_store = ${frugal ? 'FILE' : 'MEMORY'}`)
  db.run(`PRAGMA cache_size = ${frugal ? -8192 : -16_384}`)
  // Mapped pages that were read count as this process's memory.
  db.run(`PRAGMA mmap_size = ${frugal ? 0 : 268_435_456}`)
}

/** Opens the database at `path` (':memory:' for tests), which it creates and migrates as needed; waits for its lock. */
export function openDatabase(
  path: string,
  options: {
    waiting: LockWait
    clock: Clock
    durable?: boolean
    ownCheckpoints?: boolean
    /** Use little memory, for a process that stays open and reads little at a time. */
    frugal?: boolean
    onWrites?: WritesListener | undefined
    /** Creates the seals for texts that older versions stored unencrypted; called only if there are such texts. */
    seals?: () => Seals
  },
): LibraryDatabase {
  const { waiting, clock, onWrites } = options
  const inMemory = path === ':memory:'
  const isNew = !inMemory && !existsSync(path)
  const db = openFile(path, {
    isNew,
    ownCheckpoints: options.ownCheckpoints === true,
    durable: options.durable !== false,
    frugal: options.frugal === true,
  })
  const statements = createStatements(db, path)
  const { all, get, orm, withDatabaseErrors } = statements
  const { seals } = options
  withDatabaseErrors(() => {
    // If a library was here, an empty file means that it is lost: a new one would hide the loss.
    const mustHold = !inMemory && !isNew && hadLibrary(dirname(path))
    migrate(db, inMemory ? null : path, undefined, mustHold)
    if (seals !== undefined) sealOldRows(db, seals)
  })
  db.run(`PRAGMA busy_timeout = ${waiting.blockMs}`)

  const writes = createWrites({ db, path, statements, waiting, clock, onWrites })
  const [begin, commit] = [db.prepare('BEGIN'), db.prepare('COMMIT')]
  const dataVersion = () => get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0
  let last = { others: -1, own: -1, state: 0 }

  return {
    path,
    all,
    get,
    orm,
    ...writes,
    reading(work) {
      if (db.inTransaction) return work()
      withDatabaseErrors(() => begin.run())
      try {
        return work()
      } finally {
        withDatabaseErrors(() => commit.run())
      }
    },
    /** SQLite counts commits of other processes and this process's changes in different counters. */
    state() {
      const others = dataVersion()
      const own = get<{ n: number }>('SELECT total_changes() AS n')?.n ?? -1
      if (others !== last.others || own !== last.own) last = { others, own, state: last.state + 1 }
      return last.state
    },
    dataVersion,
    // Must use stat only: opening and closing the file in this process would release SQLite's locks.
    logSize: () => (inMemory ? 0 : (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)),
    checkpoint(mode) {
      const row = withDatabaseErrors(() =>
        db.query<{ busy: number; log: number; checkpointed: number }, []>(`PRAGMA wal_checkpoint(${mode})`).get(),
      )
      return row !== null && row.busy === 0 && row.log === row.checkpointed
    },
    optimize() {
      withDatabaseErrors(() => db.run('PRAGMA analysis_limit = 1000'))
      withDatabaseErrors(() => db.run('ANALYZE'))
    },
    copyTo(target) {
      try {
        db.run('VACUUM INTO ?', [target])
      } catch (error) {
        throw toCopyError(error, path, target)
      }
    },
    close() {
      begin.finalize()
      commit.finalize()
      statements.finalize()
      db.close()
    },
  }
}
