/** The audit log: who did what, from where, as far as it matters for security. */
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
    /** The account that acted or that was tried; null for visitors, the terminal and names that nobody has. */
    userId: integer('user_id'),
    /** '' where there is no network between. */
    address: text().notNull(),
    /** One of `auditActions` in schema/api/audit.ts. */
    action: text().$type<AuditAction>().notNull(),
    /** JSON: ids, and names that are never hidden. */
    detail: text().notNull(),
    /** Equal entries within a minute are one row. */
    count: integer().notNull().default(1),
  },
  t => [index('audit_log_at').on(t.at), index('audit_log_user').on(t.userId, t.id)],
)
