/** The interface of write transactions. */
import type { SQLQueryBindings } from 'bun:sqlite'
import type { AuditAction } from '../../../schema/api/audit.ts'
import type { RealtimeMessage } from '../../../schema/realtime.ts'
import type { Changes, Orm } from './orm.ts'
import type { Query } from './statement.ts'

export type Bindings = SQLQueryBindings[]

/** A change for undo: rows of one `step` belong together. */
interface HistoryEntry {
  operation: string
  collectionId?: number
  itemId?: number
  before?: unknown
  after?: unknown
  /** A step of its own: it stays when the rest of the transaction is undone. */
  apart?: boolean
}

/** Who makes a change: a user's id, or null for the local terminal and jobs without a user. */
export interface Actor {
  userId: number | null
  /** Work in several transactions that is undone as one gives its step here. */
  step?: string
  /** For the audit log, where the actor is a viewer: what kind of viewer, and the address they came from. */
  kind?: string
  address?: string
}

/** What a transaction's callback gets. Everything here is synchronous and is committed or undone together. */
export interface Transaction {
  /** Statements written by hand, cached by their text, which must not contain values. */
  all<Row>(sql: string | Query<Row>, ...bindings: Bindings): Row[]
  get<Row>(sql: string | Query<Row>, ...bindings: Bindings): Row | null
  run(sql: string, ...bindings: Bindings): Changes
  /** The query builder, for ordinary reads and writes. */
  orm: Orm
  /** Sends an event to listeners in every process, once this is committed. */
  event(channel: string, message: RealtimeMessage): void
  /** Stores the old values, for undo. */
  history(entry: HistoryEntry): void
  /**
   * Adds to the audit log. `detail` has ids, and names that are never hidden. `about` is the account that acted if it
   * is not the transaction's actor, for example at a login.
   */
  audit(action: AuditAction, detail: Record<string, unknown>, about?: Actor): void
  step: string
}

/** Anything but a promise: an async callback would continue after COMMIT and could not be rolled back. */
export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T

/** How long this process may block for the lock at a time, and how long it tries in all (milliseconds). */
export interface LockWait {
  blockMs: number
  patienceMs: number
}

/** Observers of this process's writes. */
export interface WritesListener {
  /** True: a write has waited for long, as another process has the lock. False: none waits any more. */
  waiting?(isWaiting: boolean): void
  /** A step of the history was committed, or a job for one was started. */
  step?(step: string, job?: number): void
}
