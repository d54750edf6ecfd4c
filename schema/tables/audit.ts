/** The audit log: security-relevant actions, who did them, and from where. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AuditAction, AuditActor } from '../api/audit.ts'

export const auditLog = sqliteTable(
  'audit_log',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Seconds since the epoch. */
    at: integer().notNull(),
    /** Who acted: 'user', 'terminal', 'anonymous' or 'device', as `Viewer.kind` says. */
    actor: text().$type<AuditActor>().notNull(),
    /** The account that acted, or whose login was tried; null for visitors, the terminal and unknown usernames. */
    userId: integer('user_id'),
    /** The client's network address; '' for local calls. */
    address: text().notNull(),
    /** One of `auditActions` in schema/api/audit.ts. */
    action: text().$type<AuditAction>().notNull(),
    /** JSON: ids only, except for users, access groups and tokens, whose names may be stored: they are never hidden. */
    detail: text().notNull(),
    /** Number of equal entries within a minute, which share one row. */
    count: integer().notNull().default(1),
  },
  t => [index('audit_log_at').on(t.at), index('audit_log_user').on(t.userId, t.id)],
)
