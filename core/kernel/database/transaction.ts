/** The interface of write transactions. */
import type { SQLQueryBindings } from 'bun:sqlite'
import type { AuditAction } from '../../../schema/api/audit.ts'
import type { RealtimeMessage } from '../../../schema/realtime.ts'
import type { Changes, Orm } from './orm.ts'
import type { Query } from './statement.ts'

export type Bindings = SQLQueryBindings[]

/** A change for undo; rows with the same `step` belong together. */
interface HistoryEntry {
  operation: string
  collectionId?: number
  itemId?: number
  before?: unknown
  after?: unknown
  /** A separate step, which stays when the rest of the transaction is undone. */
  apart?: boolean
}

/** Who makes a change: a user's id, or null for the local terminal and jobs without a user. */
export interface Actor {
  userId: number | null
  /** Set when several transactions are undone together as one step; without it each transaction is a step. */
  step?: string
  /** For the audit log, if the actor is a viewer: the kind of viewer, and the address they came from. */
  kind?: string
  address?: string
}

/** A transaction as its callback sees it. Functions are synchronous; all are committed or rolled back together. */
export interface Transaction {
  /** Runs statements written by hand, cached by their text, which must not contain values. */
  all<Row>(sql: string | Query<Row>, ...bindings: Bindings): Row[]
  get<Row>(sql: string | Query<Row>, ...bindings: Bindings): Row | null
  run(sql: string, ...bindings: Bindings): Changes
  /** The query builder, for ordinary reads and writes. */
  orm: Orm
  /** Sends an event to listeners in every process, once the transaction is committed. */
  event(channel: string, message: RealtimeMessage): void
  /** Stores the old and new values, for undo. */
  history(entry: HistoryEntry): void
  /** Adds to the audit log. `detail`: only ids, and names that are never hidden. `actor`: if not the transaction's. */
  audit(action: AuditAction, detail: Record<string, unknown>, actor?: Actor): void
  step: string
}

/** Anything but a promise: an async callback would continue after COMMIT and could not be rolled back. */
export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T

/** How long this process may block for the lock at a time, and how long it tries in total (milliseconds). */
export interface LockWait {
  blockMs: number
  patienceMs: number
}

/** Observers of this process's writes. */
export interface WritesListener {
  /** Called with true when a write waits long for another process's lock, with false when none waits any more. */
  waiting?(isWaiting: boolean): void
  /** Called when a step of the history was committed, or a job for one was queued. */
  step?(step: string, job?: number): void
}
