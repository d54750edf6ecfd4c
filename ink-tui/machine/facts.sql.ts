/** The number of accounts with an active session. */
import { number, select } from '../../core/kernel/database/statement.ts'

/** Bound to the current time in seconds. */
export const signedInCount = select(
  { n: number('count(DISTINCT user_id)') },
  'FROM sessions WHERE expires_at > ? AND grace_until IS NULL',
)
