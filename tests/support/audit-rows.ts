/** Writes entries of the audit log; a test gives only the fields that matter to it. */
import type { LibraryDatabase } from '../../core/kernel/database/database.ts'
import type { AuditAction, AuditActor } from '../../schema/api/audit.ts'

export interface AuditOptions {
  action: AuditAction
  /** Seconds since the epoch. */
  at?: number
  actor?: AuditActor
  user?: number
  address?: string
  detail?: Record<string, unknown>
  count?: number
}

export function addAuditRows(db: LibraryDatabase, rows: readonly AuditOptions[]): Promise<void> {
  return db.transact({ userId: null }, tx => {
    for (const { action, at = 0, actor = 'user', user = null, address = '', detail = {}, count = 1 } of rows)
      tx.run(
        'INSERT INTO audit_log (at, actor, user_id, address, action, detail, count) VALUES (?, ?, ?, ?, ?, ?, ?)',
        at,
        actor,
        user,
        address,
        action,
        JSON.stringify(detail),
        count,
      )
  })
}
