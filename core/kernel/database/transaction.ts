/** What a write transaction is given, and who makes it. */
import type { SQLQueryBindings } from 'bun:sqlite'
import type { AuditAction } from '../../../schema/api/audit.ts'
import type { RealtimeMessage } from '../../../schema/realtime.ts'
import type { Changes, Orm } from './orm.ts'
import type { Query } from './statement.ts'

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

/** Who makes a change: a user's id, or null for the local terminal and jobs without a user. */
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
  /** Statements written by hand, cached by their text, which must not contain values. */
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
export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T

/** How long this process may block for the lock at a time, and how long it tries in all (milliseconds). */
export interface Waiting {
  blockMs: number
  patienceMs: number
}

/** Whoever wants to know what becomes of the writes of this process. */
export interface WritesListener {
  /** True: a write has waited for long, as another process has the lock. False: none waits any more. */
  waiting?(isWaiting: boolean): void
  /** A step of the history was committed, or a job was requested that will make it. */
  step?(step: string, job?: number): void
}
