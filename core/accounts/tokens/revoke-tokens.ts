/** Revoking tokens of devices and scripts: one, or all of a user. */
import { eq } from 'drizzle-orm'
import { channels } from '../../../schema/realtime.ts'
import { tokens } from '../../../schema/tables/screensavers.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import { tokensToRevoke, tokenToRevoke } from './tokens.sql.ts'

function revoke(tx: Transaction, rows: readonly RowOfQuery<typeof tokenToRevoke>[]) {
  for (const { id, name, type, userId: user, username } of rows) {
    tx.orm.delete(tokens).where(eq(tokens.id, id)).run()
    tx.audit(type === 'api' ? 'token.revoke' : 'device.remove', { token: id, name, user, username })
  }
  // Makes open connections check their token again; those whose token is gone close.
  if (rows.length > 0) tx.event(channels.sessions, { action: 'delete' })
}

export function revokeToken(tx: Transaction, id: number): void {
  revoke(tx, tx.all(tokenToRevoke, id))
}

/** Signs out all devices and scripts of a user; returns how many tokens there were. */
export function revokeTokensOf(tx: Transaction, userId: number): number {
  const rows = tx.all(tokensToRevoke, userId)
  revoke(tx, rows)
  return rows.length
}
