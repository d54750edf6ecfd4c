/** Opens the library's SQLite file with every pragma that matters, migrates it, and runs its write transactions. */

import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AuditAction } from '../../../schema/api/audit.ts'
import { Failure } from '../../../schema/errors.ts'
import { channels, type RealtimeMessage } from '../../../schema/realtime.ts'
import type { Clock } from '../clock.ts'
import { heldLibrary } from '../data/copies.ts'
import { makePrivateFile } from '../data/private-files.ts'
import type { Seals } from '../data/sealed.ts'
import { auditAddress, auditDetail } from './audit-row.ts'
import { copyTrouble, damageRemedy, databaseTrouble, isBusy, isDamaged } from './database-trouble.ts'
import { migrate, sealOldRows } from './migrate.ts'
import { type Changes, createOrm, type Orm } from './orm.ts'
import type { Query } from './statement.ts'

/** Older versions can corrupt a database whose write-ahead log is reset while another process reads. */
const leastSqlite = [3, 52] as const

export type Bindings = SQLQueryBindings[]

/** What a change did, for undo: rows of one `step` belong together. */
interface HistoryEntry {
  operation: string
  collectionId?: number
  itemId?: number
  before?: unknown
  after?: unknown
  /** A step of its own: it stays when the rest of the transaction is undone. */
  apart?: boolean
}

/** Who makes a change: a user's id, or null for the machine's own terminal and jobs of nobody. */
export interface Actor {
  userId: number | null
  /** Work in several transactions that is undone as one names its step. */
  step?: string
  /** For the audit log, where the actor is a viewer: what kind of viewer, and the address they came from. */
  kind?: string
  address?: string
}

/** What a transaction's callback gets. Everything here is synchronous and is committed or undone together. */
export interface Transaction {
  /** Statements written by hand, cached by their text: it must not vary with values. */
  all<Row>(sql: string | Query<Row>, ...bindings: Bindings): Row[]
  get<Row>(sql: string | Query<Row>, ...bindings: Bindings): Row | null
  run(sql: string, ...bindings: Bindings): Changes
  /** The query builder, for ordinary reads and writes. */
  orm: Orm
  /** Tells whoever listens, in every process, once this is committed. */
  event(channel: string, message: RealtimeMessage): void
  /** Remembers what stood there, for undo. */
  history(entry: HistoryEntry): void
  /**
   * Adds to the audit log. `detail` holds ids, and names that nothing hides. `about` is the account that acted where it is
   * not the transaction's actor: somebody who is just signing in, say.
   */
  audit(action: AuditAction, detail: Record<string, unknown>, about?: Actor): void
  /** Id of this step in the history. */
  step: string
}

/** Anything but a promise: an async callback would go on after COMMIT and its failure could undo nothing. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T

export interface LibraryDatabase {
  readonly path: string
  /** Statements written by hand, for reading, cached by their text. */
  all<Row>(sql: string | Query<Row>, ...bindings: Bindings): Row[]
  get<Row>(sql: string | Query<Row>, ...bindings: Bindings): Row | null
  /**
   * Several reads of one moment: what another process writes meanwhile is not seen, and the lock is taken once (2.4 µs a
   * statement otherwise, as much as most of them cost). Nothing may be written within.
   */
  reading<T>(work: () => Synchronous<T>): T
  /** Another number whenever anything was written since it was asked for, by this process or another. */
  state(): number
  orm: Orm
  /**
   * One IMMEDIATE transaction. Retries while another process writes, without blocking for longer than this process may
   * wait at a time; gives up with `unavailable` when its patience is over. What the callback throws undoes everything.
   */
  transact<T>(actor: Actor, work: (tx: Transaction) => Synchronous<T>): Promise<T>
  /**
   * Does a call up to its first write, which is undone: what refuses the call refuses this. Nothing is told to anybody, and
   * what the call would have answered is not known.
   */
  rehearse(call: () => Promise<unknown> | unknown): Promise<void>
  /** Called after every commit of this process that wrote to the outbox. */
  onEvents(listener: () => void): () => void
  /** Changes with every commit of another process. */
  dataVersion(): number
  /** Bytes of the write-ahead log. */
  logSize(): number
  /** Moves the log into the database; true when all of it was moved. */
  checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean
  /** Lets the planner learn what the tables hold now; a sample of each index is enough. */
  optimize(): void
  /** A whole copy at `path`, which must not exist; a DiskError for what its disk refuses. */
  copyTo(path: string): void
  close(): void
}

/** How long this process may block for the lock at a time, and how long it tries in all (milliseconds). */
export interface Waiting {
  blockMs: number
  patienceMs: number
}

/** The server's event loop must not stand still: 10 ms a try, 5 s in all. */
export const serverWaiting: Waiting = { blockMs: 10, patienceMs: 5_000 }
/** A screen goes on drawing and answering keys. */
const screenWaiting: Waiting = { blockMs: 2, patienceMs: 20_000 }
/** Commands and workers serve nobody: they may wait. */
export const terminalWaiting: Waiting = { blockMs: 30_000, patienceMs: 30_000 }

/** How each role opens it: who looks after the log himself, and who has little memory. */
export const openings = {
  server: { waiting: serverWaiting, ownCheckpoints: true, frugal: false },
  worker: { waiting: terminalWaiting, ownCheckpoints: true, frugal: false },
  terminal: { waiting: terminalWaiting, ownCheckpoints: false, frugal: false },
  screen: { waiting: screenWaiting, ownCheckpoints: false, frugal: true },
} as const

/** Whoever wants to know what becomes of the writes of this process. */
export interface WritesListener {
  /** True: a write has waited for long, as another process has the lock. False: none waits any more. */
  waiting?(isWaiting: boolean): void
  /** A step of the history was committed, or a job was asked for that will make it. */
  step?(step: string, job?: number): void
}

/** A write that has waited so long is told of. Milliseconds. */
const longWaitMs = 500

function checkSqlite(db: Database) {
  const row = db.query<{ v: string }, []>('SELECT sqlite_version() AS v').get()
  const [major = 0, minor = 0] = (row?.v ?? '0.0').split('.').map(Number)
  if (major > leastSqlite[0] || (major === leastSqlite[0] && minor >= leastSqlite[1])) return
  throw new Failure(
    'unavailable',
    `This build carries SQLite ${row?.v}; Keepsake needs ${leastSqlite.join('.')} or later.`,
  )
}

/** What ends a rehearsal: all that the call asked was granted, and its first transaction undone. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
}

/** Is what runs now a rehearsal? One of a server's callers must not make one of another's call. */
const rehearsing = new AsyncLocalStorage<true>()

/** The database with every pragma that matters. */
function opened(path: string, how: Preparation): Database {
  let db: Database
  try {
    // Made by SQLite it could be read by others; its log and the log's index take its mode.
    if (how.isNew) makePrivateFile(path)
    db = new Database(path, { create: true, strict: true })
  } catch (error) {
    throw databaseTrouble(error, path)
  }
  try {
    prepare(db, how)
    return db
  } catch (error) {
    db.close()
    if (!isDamaged(error)) throw databaseTrouble(error, path)
    throw new Failure('conflict', `${path} is damaged, or is no database of Keepsake. ${damageRemedy(path)}`, {
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
  // Opening, migrating and the first switch to WAL may meet another process that does the same.
  db.run('PRAGMA busy_timeout = 30000')
  checkSqlite(db)
  if (isNew) db.run('PRAGMA page_size = 8192')
  db.run('PRAGMA journal_mode = WAL')
  db.run(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
  db.run('PRAGMA foreign_keys = ON')
  db.run('PRAGMA trusted_schema = OFF')
  // What is deleted must not be readable in the file either: what faces look like, where somebody lives.
  db.run('PRAGMA secure_delete = ON')
  // Moving the log into the database is done where it hurts nobody: by bulk jobs, and by the server when it is idle.
  if (ownCheckpoints) db.run('PRAGMA wal_autocheckpoint = 0')
  db.run(`PRAGMA temp_store = ${frugal ? 'FILE' : 'MEMORY'}`)
  db.run(`PRAGMA cache_size = ${frugal ? -8192 : -16_384}`)
  // Pages that were looked at count as this process's memory for as long as they are mapped.
  db.run(`PRAGMA mmap_size = ${frugal ? 0 : 268_435_456}`)
}

/** Waits for the database of a library directory, or ':memory:' for tests. Makes and migrates it. */
export function openDatabase(
  path: string,
  options: {
    waiting: Waiting
    clock: Clock
    durable?: boolean
    ownCheckpoints?: boolean
    /** Little memory, for a process that stays open and reads little at a time. */
    frugal?: boolean
    onWrites?: WritesListener | undefined
    /** Seals what older versions stored in plain text; asked for only where there is some. */
    seals?: () => Seals
  },
): LibraryDatabase {
  const { waiting, clock, onWrites } = options
  const inMemory = path === ':memory:'
  const isNew = !inMemory && !existsSync(path)
  const db = opened(path, {
    isNew,
    ownCheckpoints: options.ownCheckpoints === true,
    durable: options.durable !== false,
    frugal: options.frugal === true,
  })
  /** What SQLite says of the file, in words that help. */
  function telling<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw databaseTrouble(error, path)
    }
  }
  const { seals } = options
  telling(() => {
    // Anew it would look as if everything had been deleted, and show what was hidden.
    const mustHold = !inMemory && !isNew && heldLibrary(dirname(path))
    migrate(db, inMemory ? null : path, undefined, mustHold)
    if (seals !== undefined) sealOldRows(db, seals)
  })
  db.run(`PRAGMA busy_timeout = ${waiting.blockMs}`)

  const listeners = new Set<() => void>()
  const statements = new Map<string, Statement>()
  /** Writes that have waited for long, and wait on. */
  let longWaits = 0

  function prepared<Row>(sql: string): Statement<Row, Bindings> {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = db.prepare(sql)
      statements.set(sql, statement)
      // Texts of filters vary in shape without end: the oldest goes first.
      if (statements.size > 500) {
        const [oldest] = statements.keys()
        if (oldest !== undefined) {
          statements.get(oldest)?.finalize()
          statements.delete(oldest)
        }
      }
    } else {
      statements.delete(sql)
      statements.set(sql, statement)
    }
    return statement as Statement<Row, Bindings>
  }

  const textOf = (sql: string | Query<unknown>) => (typeof sql === 'string' ? sql : sql.sql)
  const all = <Row>(sql: string | Query<Row>, ...bindings: Bindings) =>
    telling(() => prepared<Row>(textOf(sql)).all(...bindings))
  const get = <Row>(sql: string | Query<Row>, ...bindings: Bindings) =>
    telling(() => prepared<Row>(textOf(sql)).get(...bindings))
  const run = (sql: string, ...bindings: Bindings) => {
    const { changes, lastInsertRowid } = prepared(sql).run(...bindings)
    return { changes, lastInsertRowid: Number(lastInsertRowid) }
  }
  const orm = createOrm({
    run: (sql, bindings) => run(sql, ...(bindings as Bindings)),
    all: (sql, bindings) => all(sql, ...(bindings as Bindings)),
    values: (sql, bindings) => telling(() => prepared(sql).values(...(bindings as Bindings))),
  })

  const [begin, commit] = [db.prepare('BEGIN'), db.prepare('COMMIT')]

  function reading<T>(work: () => Synchronous<T>): T {
    if (db.inTransaction) return work()
    telling(() => begin.run())
    try {
      return work()
    } finally {
      telling(() => commit.run())
    }
  }

  const dataVersion = () => get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0
  let last = { others: -1, own: -1, state: 0 }

  /** Commits of other processes by one counter of SQLite's, changes of this one by another. */
  function state(): number {
    const others = dataVersion()
    const own = get<{ n: number }>('SELECT total_changes() AS n')?.n ?? -1
    if (others !== last.others || own !== last.own) last = { others, own, state: last.state + 1 }
    return last.state
  }

  function attempt<T>(actor: Actor, work: (tx: Transaction) => Synchronous<T>): T {
    db.run('BEGIN IMMEDIATE')
    const step = actor.step ?? crypto.randomUUID()
    let told = false
    let isStep = false
    function event(channel: string, message: RealtimeMessage) {
      told = true
      run('INSERT INTO events (at, channel, message) VALUES (?, ?, ?)', clock.now(), channel, JSON.stringify(message))
    }
    try {
      const result = work({
        all,
        get,
        run,
        orm,
        step,
        event,
        history({ operation, collectionId, itemId, before, after, apart = false }) {
          isStep = true
          run(
            'INSERT INTO history (at, user_id, step, operation, collection_id, item_id, before, after) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
            clock.now(),
            actor.userId,
            apart ? crypto.randomUUID() : step,
            operation,
            collectionId ?? null,
            itemId ?? null,
            before === undefined ? null : JSON.stringify(before),
            after === undefined ? null : JSON.stringify(after),
          )
        },
        audit(action, detail, { userId, kind, address = '' } = actor) {
          run(
            'INSERT INTO audit_log (at, actor, user_id, address, action, detail) VALUES (?, ?, ?, ?, ?, ?)',
            Math.floor(clock.now() / 1000),
            kind ?? (userId === null ? 'terminal' : 'user'),
            userId,
            auditAddress(address),
            action,
            auditDetail(detail),
          )
          event(channels.audit, { action: 'update' })
        },
      })
      if (result instanceof Promise) throw new TypeError('a transaction must not be asynchronous')
      if (rehearsing.getStore() === true) throw new Rehearsed('only rehearsed')
      db.run('COMMIT')
      if (told) for (const listener of listeners) listener()
      if (isStep) onWrites?.step?.(step)
      return result
    } catch (error) {
      if (db.inTransaction) db.run('ROLLBACK')
      throw error
    }
  }

  return {
    path,
    all,
    get,
    reading,
    state,
    orm,
    async transact(actor, work) {
      const from = performance.now()
      let isLong = false
      try {
        for (;;) {
          try {
            return attempt(actor, work)
          } catch (error) {
            if (!isBusy(error)) throw databaseTrouble(error, path)
            const waited = performance.now() - from
            if (waited >= waiting.patienceMs) {
              throw new Failure('unavailable', 'The library is busy with another change. Try again in a moment.', {
                retryAfter: 2,
                cause: error,
              })
            }
            if (waited >= longWaitMs && !isLong) {
              isLong = true
              if (longWaits++ === 0) onWrites?.waiting?.(true)
            }
          }
          await Bun.sleep(2 + Math.random() * 10)
        }
      } finally {
        if (isLong && --longWaits === 0) onWrites?.waiting?.(false)
      }
    },
    async rehearse(call) {
      try {
        await rehearsing.run(true, async () => call())
      } catch (error) {
        if (!(error instanceof Rehearsed)) throw error
      }
    },
    onEvents(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dataVersion,
    // Only ever stat'ed: opening the file in this process would drop SQLite's locks.
    logSize: () => (inMemory ? 0 : (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)),
    checkpoint(mode) {
      const row = telling(() =>
        db.query<{ busy: number; log: number; checkpointed: number }, []>(`PRAGMA wal_checkpoint(${mode})`).get(),
      )
      return row !== null && row.busy === 0 && row.log === row.checkpointed
    },
    optimize() {
      telling(() => db.run('PRAGMA analysis_limit = 1000'))
      telling(() => db.run('ANALYZE'))
    },
    copyTo(target) {
      try {
        db.run('VACUUM INTO ?', [target])
      } catch (error) {
        throw copyTrouble(error, path, target)
      }
    },
    close() {
      for (const statement of [begin, commit, ...statements.values()]) statement.finalize()
      statements.clear()
      db.close()
    },
  }
}
