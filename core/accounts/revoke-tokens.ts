/** Ending tokens of devices and scripts: one of them, or all that a user has. */
import { channels } from '../../schema/realtime.ts'
import type { Transaction } from '../kernel/database/database.ts'

interface RevokedRow {
  id: number
  name: string
  type: 'ScreenSaver' | 'api'
  user_id: number
  username: string
}

function revoke(tx: Transaction, rows: readonly RevokedRow[]) {
  for (const { id, name, type, user_id: user, username } of rows) {
    tx.run('DELETE FROM tokens WHERE id = ?', id)
    tx.audit(type === 'api' ? 'token.revoke' : 'device.remove', { token: id, name, user, username })
  }
  // Open connections check their token again, and close.
  if (rows.length > 0) tx.event(channels.sessions, { action: 'delete' })
}

const select = 'SELECT t.id, t.name, t.type, t.user_id, u.username FROM tokens AS t JOIN users AS u ON u.id = t.user_id'

/** Ends one token; nothing where there is none of this id. */
export function revokeToken(tx: Transaction, id: number): void {
  revoke(tx, tx.all<RevokedRow>(`${select} WHERE t.id = ?`, id))
}

/** Signs out all devices and scripts of a user; returns how many tokens they had. */
export function revokeTokensOf(tx: Transaction, userId: number): number {
  const rows = tx.all<RevokedRow>(`${select} WHERE t.user_id = ? ORDER BY t.id`, userId)
  revoke(tx, rows)
  return rows.length
}
