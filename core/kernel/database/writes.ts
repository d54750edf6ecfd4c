/** Write transactions: one at a time, retried while another process writes, with their events. */
import type { Database } from 'bun:sqlite'
import { AsyncLocalStorage } from 'node:async_hooks'
import { Failure } from '../../../schema/errors.ts'
import { channels } from '../../../schema/realtime.ts'
import type { Clock } from '../clock.ts'
import { auditAddress, auditDetail } from './audit-row.ts'
import { isBusy, toDatabaseError } from './database-error.ts'
import type { Statements } from './statements.ts'
import type { Actor, LockWait, Synchronous, Transaction, WritesListener } from './transaction.ts'

/** Writes that wait longer are reported. Milliseconds. */
const longWaitMs = 500

/** Ends a rehearsal: the call was not refused, and its first transaction is rolled back. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
}

/** Set while a call is rehearsed; per asynchronous context, so that concurrent calls are not affected. */
const rehearsing = new AsyncLocalStorage<true>()

interface Writing {
  db: Database
  path: string
  statements: Statements
  waiting: LockWait
  clock: Clock
  onWrites: WritesListener | undefined
}

const addEvent = 'INSERT INTO events (at, channel, message) VALUES (?, ?, ?)'
const addHistory = `INSERT INTO history (at, user_id, step, operation, collection_id, item_id, before, after)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
const addAudit = 'INSERT INTO audit_log (at, actor, user_id, address, action, detail) VALUES (?, ?, ?, ?, ?, ?)'

function transactionOf({ statements, clock }: Writing, actor: Actor) {
  const { all, get, run, orm } = statements
  const step = actor.step ?? crypto.randomUUID()
  const wrote = { events: false, history: false }
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  const tx: Transaction = {
    all,
    get,
    run,
    orm,
    step,
    event(channel, message) {
      wrote.events = true
      run(addEvent, clock.now(), channel, JSON.stringify(message))
    },
    history({ operation, collectionId = null, itemId = null, before, after, apart = false }) {
      wrote.history = true
      const of = apart ? crypto.randomUUID() : step
      run(addHistory, clock.now(), actor.userId, of, operation, collectionId, itemId, json(before), json(after))
    },
    audit(action, detail, { userId, kind, address = '' } = actor) {
      const who = kind ?? (userId === null ? 'terminal' : 'user')
      const at = Math.floor(clock.now() / 1000)
      run(addAudit, at, who, userId, auditAddress(address), action, auditDetail(detail))
      tx.event(channels.audit, { action: 'update' })
    },
  }
  return { tx, wrote }
}

function attempt<T>(
  writing: Writing,
  listeners: ReadonlySet<() => void>,
  actor: Actor,
  work: (tx: Transaction) => Synchronous<T>,
): T {
  const { db, onWrites } = writing
  db.run('BEGIN IMMEDIATE')
  const { tx, wrote } = transactionOf(writing, actor)
  try {
    const result = work(tx)
    if (result instanceof Promise) throw new TypeError('a transaction must not be asynchronous')
    if (rehearsing.getStore() === true) throw new Rehearsed('only rehearsed')
    db.run('COMMIT')
    if (wrote.events) for (const listener of listeners) listener()
    if (wrote.history) onWrites?.step?.(tx.step)
    return result
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK')
    throw error
  }
}

export function createWrites(writing: Writing) {
  const { path, waiting, onWrites } = writing
  const listeners = new Set<() => void>()
  /** Number of writes that have waited for long, and still wait. */
  let longWaits = 0

  return {
    async transact<T>(actor: Actor, work: (tx: Transaction) => Synchronous<T>): Promise<T> {
      const from = performance.now()
      let isLong = false
      try {
        for (;;) {
          try {
            return attempt(writing, listeners, actor, work)
          } catch (error) {
            if (!isBusy(error)) throw toDatabaseError(error, path)
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
    async rehearse(call: () => Promise<unknown> | unknown): Promise<void> {
      try {
        await rehearsing.run(true, async () => call())
      } catch (error) {
        if (!(error instanceof Rehearsed)) throw error
      }
    },
    onEvents(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
