/** Who is at the other end of a connection that stays open, as of this moment and not as of when it was opened. */
import { anonymousWith, type Viewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { goodSessions } from './realtime.sql.ts'

/** How a connection has said who it is. A token that is no session's is asked about again now and then. */
export type Identity =
  | { kind: 'visitor' }
  | { kind: 'session'; sessionId: string }
  | { kind: 'token'; userId: number; token: string }

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
    const rows = db.all(goodSessions, JSON.stringify(ids), seconds(clock))
    return new Map(
      rows.map(({ id, globalAdmin, ...row }) => [
        id,
        { kind: 'user', ...row, sessionId: id, globalAdmin: globalAdmin === 1, rights: rights.of(row.userId) },
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
