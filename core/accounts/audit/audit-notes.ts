/**
 * Audit entries that may arrive in large numbers, such as failed logins and refusals. They are collected in memory,
 * equal ones are merged, and all are written in one transaction a second, so that an attack cannot fill the disk or
 * block writers.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { eq, sql } from 'drizzle-orm'
import type { AuditAction, AuditActor } from '../../../schema/api/audit.ts'
import { channels } from '../../../schema/realtime.ts'
import { auditLog } from '../../../schema/tables/audit.ts'
import { type Clock, seconds } from '../../kernel/clock.ts'
import { auditAddress, auditDetail } from '../../kernel/database/audit-row.ts'
import type { Actor, LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import type { Log } from '../../kernel/log.ts'
import { addressKey } from '../client-address.ts'

const writeEveryMs = 1_000
/** Equal entries within this time are merged into one row. Seconds. */
const joinSeconds = 60
/**
 * Maximum number of different entries of one action within `joinSeconds`. Further entries are merged into one row
 * without address and detail.
 */
const maxDifferent = 100

type AuditRow = typeof auditLog.$inferInsert

interface Entry extends Required<Omit<AuditRow, 'id' | 'count'>> {
  key: string
  /** Number of entries that are not written yet. */
  unwritten: number
  id: number | null
}

type Facts = Omit<Entry, 'key' | 'at' | 'unwritten' | 'id'>

/** Entries with the same key are merged. An IPv6 /64 counts as one address; the row shows the first address seen. */
function keyOf({ action, actor, userId, address, detail }: Facts): string {
  return JSON.stringify([action, actor, userId, addressKey(address), detail])
}

function writeEntry(tx: Transaction, { key: _, id, unwritten, ...row }: Entry): number {
  if (id === null)
    return tx.orm
      .insert(auditLog)
      .values({ ...row, count: unwritten })
      .run().lastInsertRowid
  const count = sql`${auditLog.count} + ${unwritten}`
  tx.orm.update(auditLog).set({ count }).where(eq(auditLog.id, id)).run()
  return id
}

function writeEntries(tx: Transaction, due: readonly { snapshot: Entry }[]): number[] {
  tx.event(channels.audit, { action: 'update' })
  return due.map(({ snapshot }) => writeEntry(tx, snapshot))
}

export function createAuditNotes({ db, clock, log }: { db: LibraryDatabase; clock: Clock; log: Log }) {
  const entries = new Map<string, Entry>()
  /** Runs a callback outside of a dry run (`db.rehearse`): entries noted during a dry run must be written. */
  const outsideOfDryRun = AsyncLocalStorage.snapshot()
  let timer: Timer | null = null
  let writing: Promise<void> | null = null
  let isClosed = false

  function add(entry: Facts) {
    const key = keyOf(entry)
    const now = seconds(clock)
    const known = entries.get(key)
    if (known !== undefined && known.at > now - joinSeconds) known.unwritten++
    else {
      // An older unwritten entry is stored under another key.
      if (known !== undefined && known.unwritten > 0) entries.set(`${known.at} ${key}`, known)
      entries.set(key, { ...entry, key, at: now, unwritten: 1, id: null })
    }
  }

  function isTooMany(action: AuditAction): boolean {
    const since = seconds(clock) - joinSeconds
    let different = 0
    for (const entry of entries.values()) if (entry.action === action && entry.at > since) different++
    return different >= maxDifferent
  }

  /**
   * Notes an entry of the audit log; it is written within about a second. `by.userId` is null for an unknown user name.
   * The details must never contain an unknown name: users type passwords into the field for the name.
   */
  function note(action: AuditAction, by: Actor, details: Record<string, unknown> = {}): void {
    if (isClosed) return
    const { userId, kind = userId === null ? 'terminal' : 'user' } = by
    const actor = kind as AuditActor
    const entry = { action, actor, userId, address: auditAddress(by.address ?? ''), detail: auditDetail(details) }
    const isFull = !entries.has(keyOf(entry)) && isTooMany(action)
    add(isFull ? { action, actor, userId: null, address: '', detail: '{}' } : entry)
    timer ??= outsideOfDryRun(() => {
      const started = setTimeout(() => void write(), writeEveryMs)
      started.unref()
      return started
    })
  }

  async function writeNow(): Promise<void> {
    clearTimeout(timer ?? undefined)
    timer = null
    const due = [...entries.values()]
      .filter(({ unwritten }) => unwritten > 0)
      .map(entry => ({ entry, snapshot: { ...entry } }))
    try {
      const ids = due.length === 0 ? [] : await db.transact({ userId: null }, tx => writeEntries(tx, due))
      for (const [n, { entry, snapshot }] of due.entries()) {
        entry.unwritten -= snapshot.unwritten
        entry.id = ids[n] ?? null
      }
    } catch (error) {
      // The entries stay in memory and are written with the next ones.
      log.warn('entries of the audit log could not be written', { error })
    }
    const since = seconds(clock) - joinSeconds
    for (const [key, { at, unwritten }] of entries) if (unwritten === 0 && at <= since) entries.delete(key)
  }

  /** Writes pending entries: every second, and before the log is read. Never fails. */
  function write(): Promise<void> {
    // If no write is running, the transaction starts within this call, because closing the library does not wait.
    const started = writing === null ? outsideOfDryRun(writeNow) : writing.then(() => outsideOfDryRun(writeNow))
    const done: Promise<void> = started.then(() => {
      if (writing === done) writing = null
    })
    writing = done
    return done
  }

  return {
    note,
    write,
    /** Writes pending entries and accepts no more. */
    async close(): Promise<void> {
      if (!isClosed) void write()
      isClosed = true
      await writing
    },
  }
}

export type AuditNotes = ReturnType<typeof createAuditNotes>
