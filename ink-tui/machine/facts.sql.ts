/** How many accounts have a session that has not ended. */
import { number, select } from '../../core/kernel/database/statement.ts'

/** Binds the time now, in seconds. */
export const signedIn = select(
  { n: number('count(DISTINCT user_id)') },
  'FROM sessions WHERE expires_at > ? AND grace_until IS NULL',
)
