/** Reads the audit log and removes old entries. */
import {
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  type AuditQuery,
  auditActions,
  auditKinds,
} from '../../../schema/api/audit.ts'
import {
  type AuditNames,
  auditAbout,
  auditActionsLike,
  auditActorsLike,
  auditText,
  auditWho,
} from '../../../schema/audit-text.ts'
import { Failure } from '../../../schema/errors.ts'
import { limits } from '../../../schema/limits.ts'
import { type Clock, seconds } from '../../kernel/clock.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { type Fragment, idsIn, joined, raw, sql } from '../../kernel/database/sql-fragment.ts'
import { demandGlobalAdmin, type Viewer } from '../access.ts'
import { usernameKey } from '../users.ts'

interface AuditRow {
  id: number
  at: number
  actor: AuditActor
  username: string | null
  address: string
  action: AuditAction
  detail: string
  count: number
}

/** Bytes of a row besides its texts: numbers, header, and its entries in two indexes. */
const rowBytes = 64

/** Entries that are counted or deleted at once, so that other work is not blocked. */
const slice = 1000

function isIn<T extends string>(values: readonly T[], value: string): value is T {
  return values.some(one => one === value)
}

function oneOf(column: string, values: readonly string[]): Fragment {
  return sql`${raw(column)} IN (${joined(
    values.map(value => sql`${value}`),
    ', ',
  )})`
}

/** Contains the text, whatever its case (ASCII). */
function like(column: string, text: string): Fragment {
  return sql`${raw(column)} LIKE ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\'`
}

function actionsOf(word: NonNullable<AuditQuery['action']>): readonly AuditAction[] {
  return isIn(auditActions, word) ? [word] : auditKinds[word]
}

export function createAudit({ db, clock }: { db: LibraryDatabase; clock: Clock }) {
  function userId(username: string): number {
    const row = db.get<{ id: number }>('SELECT id FROM users WHERE username_key = ?', usernameKey(username))
    if (row === null) throw new Failure('notFound', `There is no user '${username}'.`, { field: 'user' })
    return row.id
  }

  /** Entries of accounts, actions, actors or addresses that contain the text. */
  function found(text: string): Fragment {
    const users = sql`SELECT id, username FROM users WHERE ${like('username', text)}`
    const ids = db.all<{ id: number }>(users.text, ...users.values).map(({ id }) => id)
    const [actions, actors] = [auditActionsLike(text), auditActorsLike(text)]
    // Lists that are empty are left out: at half a million rows they cost as much as others.
    const conditions = [
      ...(ids.length === 0 ? [] : [sql`a.user_id IN ${idsIn(ids)}`]),
      ...(actions.length === 0 ? [] : [oneOf('a.action', actions)]),
      ...(actors.length === 0 ? [] : [oneOf('a.actor', actors)]),
      like('a.address', text),
    ]
    return sql`(${joined(conditions, ' OR ')})`
  }

  function conditionsOf(query: AuditQuery): Fragment[] {
    const { user, actor, action, address, from, to, before } = query
    const q = query.q?.trim() ?? ''
    return [
      ...(user === undefined ? [] : [sql`a.user_id = ${userId(user)}`]),
      ...(actor === undefined ? [] : [sql`a.actor = ${actor}`]),
      ...(action === undefined ? [] : [oneOf('a.action', actionsOf(action))]),
      ...(address === undefined ? [] : [sql`a.address = ${address.trim()}`]),
      ...(from === undefined ? [] : [sql`a.at >= ${from}`]),
      ...(to === undefined ? [] : [sql`a.at <= ${to}`]),
      ...(q === '' ? [] : [found(q)]),
      ...(before === undefined ? [] : [sql`a.id < ${before}`]),
    ]
  }

  function nameOf(table: 'users' | 'access_groups' | 'collections', id: unknown): string | null {
    if (typeof id !== 'number') return null
    const column = table === 'users' ? 'username' : 'name'
    return db.get<{ name: string }>(`SELECT ${column} AS name FROM ${table} WHERE id = ?`, id)?.name ?? null
  }

  /** Stored names come first, since the account may be deleted. */
  function namesOf(row: AuditRow, detail: Record<string, unknown>): AuditNames {
    const stored = (key: string) => (typeof detail[key] === 'string' ? detail[key] : null)
    const ofKind = (kind: string) => (row.action.startsWith(`${kind}.`) ? stored('name') : null)
    return {
      user: stored('username') ?? nameOf('users', detail.user) ?? (row.actor === 'anonymous' ? row.username : null),
      group: ofKind('group') ?? nameOf('access_groups', detail.group),
      collection: ofKind('collection') ?? nameOf('collections', detail.collection),
    }
  }

  function entryOf(row: AuditRow): AuditEntry {
    const detail: Record<string, unknown> = JSON.parse(row.detail)
    const { id, at, username, address, action, count } = row
    const facts = { action, count, detail, names: namesOf(row, detail) }
    const who = auditWho(row.actor, username)
    return { id, at, who, username, address, action, count, text: auditText(facts), about: auditAbout(facts), detail }
  }

  /** The newest of these entries that must go because newer ones fill `bytes`; null when all fit. */
  async function newestBeyond(bytes: number, which: Fragment): Promise<number | null> {
    const ends = db.get<{ oldest: number | null; newest: number | null }>(
      'SELECT (SELECT min(id) FROM audit_log) AS oldest, (SELECT max(id) FROM audit_log) AS newest',
    )
    let left = bytes
    for (let upTo = ends?.newest ?? 0; upTo >= (ends?.oldest ?? 1); upTo -= slice) {
      const { text, values } = sql`SELECT sum(${raw(String(rowBytes))} + octet_length(actor) + octet_length(address)
          + octet_length(action) + octet_length(detail)) AS bytes
        FROM audit_log WHERE id > ${upTo - slice} AND id <= ${upTo} AND ${which}`
      left -= db.get<{ bytes: number | null }>(text, ...values)?.bytes ?? 0
      if (left < 0) return upTo
      await Bun.sleep(0)
    }
    return null
  }

  /** Deletes what the condition finds; returns how many. */
  async function remove(where: Fragment): Promise<number> {
    const { text, values } =
      sql`DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE ${where} LIMIT ${slice})`
    let removed = 0
    for (;;) {
      const { changes } = await db.transact({ userId: null }, tx => tx.run(text, ...values))
      removed += changes
      if (changes < slice) return removed
    }
  }

  return {
    /**
     * Deletes entries that are too old, and the oldest beyond `bytes`. Entries of visitors fill at most half, so that failed
     * logins cannot push out what users did. Returns how many were deleted.
     */
    async prune({ bytes = limits.auditBytes }: { bytes?: number } = {}): Promise<number> {
      let removed = await remove(sql`at < ${seconds(clock) - limits.auditDays * 86_400}`)
      for (const [which, most] of [
        [sql`actor = 'anonymous'`, bytes / 2],
        [sql`1`, bytes],
      ] as const) {
        const beyond = await newestBeyond(most, which)
        if (beyond !== null) removed += await remove(sql`id <= ${beyond} AND ${which}`)
      }
      return removed
    },

    /**
     * Lists entries, newest first; `next` is `before` of the next page, null at the end. For global admins. Throws `notFound`
     * for an unknown username.
     */
    list(viewer: Viewer, query: AuditQuery): { entries: AuditEntry[]; next: number | null } {
      demandGlobalAdmin(viewer)
      const limit = query.limit ?? limits.auditPage
      const conditions = conditionsOf(query)
      const where = conditions.length === 0 ? raw('1') : joined(conditions, ' AND ')
      const { text, values } = sql`SELECT a.id, a.at, a.actor, u.username, a.address, a.action, a.detail, a.count
        FROM audit_log AS a LEFT JOIN users AS u ON u.id = a.user_id
        WHERE ${where} ORDER BY a.id DESC LIMIT ${limit + 1}`
      return db.reading(() => {
        const rows = db.all<AuditRow>(text, ...values)
        const entries = rows.slice(0, limit).map(entryOf)
        return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null }
      })
    },
  }
}

export type Audit = ReturnType<typeof createAudit>
