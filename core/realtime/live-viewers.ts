/** The current user and rights of an open connection, rather than those when it was opened. */
import { anonymousWith, type Viewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { validSessions } from './realtime.sql.ts'

/** How a connection authenticated. A token that is not of a session is checked again periodically. */
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
  /** Viewers of valid sessions, by id: one statement for any number of them. */
  function ofSessions(ids: readonly string[]): Map<string, Viewer> {
    const rows = db.all(validSessions, JSON.stringify(ids), seconds(clock))
    return new Map(
      rows.map(({ id, globalAdmin, ...row }) => [
        id,
        { kind: 'user', ...row, sessionId: id, globalAdmin: globalAdmin === 1, rights: rights.of(row.userId) },
      ]),
    )
  }

  return {
    /** Identifies the user of this token; null if it is not valid. */
    async identify(token: string): Promise<Identity | null> {
      const viewer = (await sessions.of(token))?.viewer
      if (viewer === undefined) return null
      if (viewer.sessionId !== null) return { kind: 'session', sessionId: viewer.sessionId }
      return viewer.userId === null ? null : { kind: 'token', userId: viewer.userId, token }
    },

    /** Whether a token that is not of a session is still valid. */
    isValid: async (identity: Identity): Promise<boolean> =>
      identity.kind !== 'token' || (await sessions.of(identity.token)) !== null,

    /** The viewers of these identities, in their order; null for those whose session or user is no longer valid. */
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
