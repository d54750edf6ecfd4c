/** Who is at the other end of a connection that stays open, as of this moment and not as of when it was opened. */
import { anonymousWith, type Viewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'

/** How a connection has said who it is. A token that is no session's is asked about again now and then. */
export type Identity =
  | { kind: 'visitor' }
  | { kind: 'session'; sessionId: string }
  | { kind: 'token'; userId: number; token: string }

interface SessionRow {
  id: string
  user_id: number
  username: string
  global_admin: number
  unlock_value: string | null
}

export function createLiveViewers({
  db,
  clock,
  rights,
  sessions,
}: {
  db: LibraryDatabase
  clock: Clock
  rights: RightsTable
  sessions: Pick<Sessions, 'of'>
}) {
  /** Viewers of sessions that are still good, by id: one statement for any number of them. */
  function ofSessions(ids: readonly string[]): Map<string, Viewer> {
    const now = seconds(clock)
    const rows = db.all<SessionRow>(
      `SELECT s.id, s.user_id, u.username, u.global_admin,
              CASE WHEN s.unlocked_until > ? THEN s.unlock_value END AS unlock_value
       FROM json_each(?) AS j CROSS JOIN sessions AS s ON s.id = j.value JOIN users AS u ON u.id = s.user_id
       WHERE u.disabled = 0 AND s.expires_at > ? AND (s.grace_until IS NULL OR s.grace_until > ?)`,
      now,
      JSON.stringify(ids),
      now,
      now,
    )
    return new Map(
      rows.map(row => [
        row.id,
        {
          kind: 'user',
          userId: row.user_id,
          username: row.username,
          sessionId: row.id,
          globalAdmin: row.global_admin === 1,
          unlockValue: row.unlock_value,
          rights: rights.of(row.user_id),
        },
      ]),
    )
  }

  return {
    /** Whose token this is; null when it is not good. */
    async identify(token: string): Promise<Identity | null> {
      const viewer = (await sessions.of(token))?.viewer
      if (viewer === undefined) return null
      if (viewer.sessionId !== null) return { kind: 'session', sessionId: viewer.sessionId }
      return viewer.userId === null ? null : { kind: 'token', userId: viewer.userId, token }
    },

    /** Is a token that is no session's still good? */
    isGood: async (identity: Identity): Promise<boolean> =>
      identity.kind !== 'token' || (await sessions.of(identity.token)) !== null,

    /** The viewers of these identities, in their order; null for those whose session or user is not good any more. */
    of(identities: readonly Identity[]): (Viewer | null)[] {
      const ids = identities.flatMap(identity => (identity.kind === 'session' ? [identity.sessionId] : []))
      const known: Map<string, Viewer> = ids.length === 0 ? new Map() : ofSessions(ids)
      const visitor = anonymousWith(rights.of(null))
      return identities.map(identity => {
        if (identity.kind === 'visitor') return visitor
        if (identity.kind === 'session') return known.get(identity.sessionId) ?? null
        return viewerOfUser(db, rights, identity.userId)
      })
    },
  }
}
