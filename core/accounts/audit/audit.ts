/** Reads the audit log and removes old entries. */
import { and, desc, eq, getTableColumns, gt, gte, inArray, lt, lte, max, min, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import {
  type AuditAction,
  type AuditEntry,
  type AuditQuery,
  auditActions,
  auditKinds,
} from '../../../schema/api/audit.ts'
import { auditActionsLike, auditActorsLike, auditText, auditWho, isOneOf } from '../../../schema/audit-text.ts'
import { limits } from '../../../schema/limits.ts'
import { accessGroups } from '../../../schema/tables/access.ts'
import { auditLog } from '../../../schema/tables/audit.ts'
import { collections } from '../../../schema/tables/collections.ts'
import { users } from '../../../schema/tables/users.ts'
import { type Clock, seconds } from '../../kernel/clock.ts'
import { isAmong } from '../../kernel/database/columns.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { requireGlobalAdmin, type Viewer } from '../access.ts'
import { userById, userNamed } from '../user-rows.ts'

type AuditRow = Omit<typeof auditLog.$inferSelect, 'userId'> & { username: string | null }

/** Bytes of a row in addition to its texts: numbers, header, and its entries in two indexes. */
const rowBytes = 64

/** Number of entries that are counted or deleted at once, so that other work is not blocked. */
const batchSize = 1000

/** Condition: the column contains the text, ignoring case (ASCII). */
function like(column: SQLiteColumn, text: string): SQL {
  return sql`${column} LIKE ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\'`
}

function actionsOf(word: NonNullable<AuditQuery['action']>): readonly AuditAction[] {
  return isOneOf(auditActions, word) ? [word] : auditKinds[word]
}

/** Condition: account, action, actor or address contain the text. */
function containsText({ orm }: LibraryDatabase, text: string): SQL | undefined {
  const ids = orm
    .select({ id: users.id })
    .from(users)
    .where(like(users.username, text))
    .all()
    .map(({ id }) => id)
  const [actions, actors] = [auditActionsLike(text), auditActorsLike(text)]
  // Conditions with an empty list are omitted: with half a million rows they cost as much as the others.
  return or(
    ids.length === 0 ? undefined : isAmong(auditLog.userId, ids),
    actions.length === 0 ? undefined : inArray(auditLog.action, actions),
    actors.length === 0 ? undefined : inArray(auditLog.actor, actors),
    like(auditLog.address, text),
  )
}

function conditionOf(db: LibraryDatabase, query: AuditQuery): SQL | undefined {
  const { user, actor, action, address, from, to, before } = query
  const q = query.q?.trim() ?? ''
  return and(
    user === undefined ? undefined : eq(auditLog.userId, userNamed(db, user, 'user').id),
    actor === undefined ? undefined : eq(auditLog.actor, actor),
    action === undefined ? undefined : inArray(auditLog.action, actionsOf(action)),
    address === undefined ? undefined : eq(auditLog.address, address.trim()),
    from === undefined ? undefined : gte(auditLog.at, from),
    to === undefined ? undefined : lte(auditLog.at, to),
    q === '' ? undefined : containsText(db, q),
    before === undefined ? undefined : lt(auditLog.id, before),
  )
}

function nameOf({ orm }: LibraryDatabase, table: typeof accessGroups | typeof collections, id: unknown): string | null {
  if (typeof id !== 'number') return null
  return orm.select({ name: table.name }).from(table).where(eq(table.id, id)).get()?.name ?? null
}

/** Names for an entry. Stored names have precedence, since the account may be deleted. */
function namesOf(db: LibraryDatabase, row: AuditRow, detail: Record<string, unknown>): AuditEntry['names'] {
  const stored = (key: string) => (typeof detail[key] === 'string' ? detail[key] : null)
  const ofKind = (kind: string) => (row.action.startsWith(`${kind}.`) ? stored('name') : null)
  const user = typeof detail.user === 'number' ? userById(db, detail.user) : undefined
  return {
    user: stored('username') ?? user?.username ?? (row.actor === 'anonymous' ? row.username : null),
    group: ofKind('group') ?? nameOf(db, accessGroups, detail.group),
    collection: ofKind('collection') ?? nameOf(db, collections, detail.collection),
  }
}

function entryOf(db: LibraryDatabase, row: AuditRow): AuditEntry {
  const detail: Record<string, unknown> = JSON.parse(row.detail)
  const facts = { action: row.action, count: row.count, detail, names: namesOf(db, row, detail) }
  return { ...row, ...facts, who: auditWho(row.actor, row.username), text: auditText(facts) }
}

/** The id up to which entries that match `which` must be deleted because newer ones fill `bytes`; null if all fit. */
async function newestBeyond({ orm }: LibraryDatabase, bytes: number, which?: SQL): Promise<number | null> {
  const ends = orm
    .select({ oldest: min(auditLog.id), newest: max(auditLog.id) })
    .from(auditLog)
    .get()
  const { actor, address, action, detail } = auditLog
  const length = sql<number | null>`sum(${rowBytes} + octet_length(${actor}) + octet_length(${address})
    + octet_length(${action}) + octet_length(${detail}))`
  let left = bytes
  for (let upTo = ends?.newest ?? 0; upTo >= (ends?.oldest ?? 1); upTo -= batchSize) {
    const isHere = and(gt(auditLog.id, upTo - batchSize), lte(auditLog.id, upTo), which)
    left -= orm.select({ length }).from(auditLog).where(isHere).get()?.length ?? 0
    if (left < 0) return upTo
    await Bun.sleep(0)
  }
  return null
}

/** Deletes entries that match the condition; returns their number. */
async function remove(db: LibraryDatabase, where: SQL | undefined): Promise<number> {
  const some = db.orm.select({ id: auditLog.id }).from(auditLog).where(where).limit(batchSize)
  let removed = 0
  for (;;) {
    const { changes } = await db.transact({ userId: null }, tx =>
      tx.orm.delete(auditLog).where(inArray(auditLog.id, some)).run(),
    )
    removed += changes
    if (changes < batchSize) return removed
  }
}

export function createAudit({ db, clock }: { db: LibraryDatabase; clock: Clock }) {
  return {
    /**
     * Deletes entries that are too old, and the oldest beyond `bytes`. Entries of visitors fill at most half, so that
     * failed logins cannot displace entries of users. Returns how many were deleted.
     */
    async prune({ bytes = limits.auditBytes }: { bytes?: number } = {}): Promise<number> {
      let removed = await remove(db, lt(auditLog.at, seconds(clock) - limits.auditDays * 86_400))
      for (const [which, maxBytes] of [
        [eq(auditLog.actor, 'anonymous'), bytes / 2],
        [undefined, bytes],
      ] as const) {
        const beyond = await newestBeyond(db, maxBytes, which)
        if (beyond !== null) removed += await remove(db, and(lte(auditLog.id, beyond), which))
      }
      return removed
    },

    /** Entries, newest first; `next` is the next page's `before`. Throws `notFound` for an unknown username. */
    list(viewer: Viewer, query: AuditQuery): { entries: AuditEntry[]; next: number | null } {
      requireGlobalAdmin(viewer)
      const limit = query.limit ?? limits.auditPage
      const { userId, ...columns } = getTableColumns(auditLog)
      const where = conditionOf(db, query)
      return db.reading(() => {
        const rows = db.orm
          .select({ ...columns, username: users.username })
          .from(auditLog)
          .leftJoin(users, eq(users.id, userId))
          .where(where)
          .orderBy(desc(auditLog.id))
          .limit(limit + 1)
          .all()
        const entries = rows.slice(0, limit).map(row => entryOf(db, row))
        return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null }
      })
    },
  }
}

export type Audit = ReturnType<typeof createAudit>
