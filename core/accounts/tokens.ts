/** Tokens besides sessions: of devices that show a screen saver, and of scripts that act for their user. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { DeviceToken } from '../../schema/api/screensavers.ts'
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { equalTexts } from '../kernel/equal-texts.ts'
import { demandGlobalAdmin, demandSignedIn, notFound, type Viewer } from './access.ts'
import { revokeToken } from './revoke-tokens.ts'
import type { RightsTable } from './rights.ts'
import { usernameKey } from './users.ts'
import { viewerOfUser } from './viewers.ts'

interface TokenRow {
  id: number
  user_id: number
  name: string
  type: 'ScreenSaver' | 'api'
  hash: string
  tail: string
  screensaver_id: number | null
  created_at: number
  expires_at: number | null
  used_at: number | null
}

/** A token as whoever looks after tokens sees it: devices and scripts alike. Times are seconds. */
export interface IssuedToken {
  id: number
  username: string
  name: string
  type: 'ScreenSaver' | 'api'
  created: number
  expires: number | null
  used: number | null
}

/** That a token was used is written down at most once in so many seconds. */
const usedEverySeconds = 3600
/** Of one user: more are no person's. */
const mostTokens = 100
/** Of at least 128 bits these give away 24 at most. */
const tailLength = 4
/** Characters that a token of 128 bits made by a machine has at least; 'aaaa…' is long, and no secret. */
const leastDistinct = 8

function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}

/** Long enough whatever its alphabet is: hex has only four bits a character. */
function demandStrong(value: string) {
  const bits = /^[0-9a-fA-F]+$/.test(value) ? value.length * 4 : value.length * 6
  if (bits >= 128 && new Set(value).size >= leastDistinct) return
  throw new Failure('invalid', 'value is a token of at least 128 bits', { field: 'value' })
}

/** A token that was taken could otherwise make itself another, which nobody knows of. */
function demandPerson(viewer: Viewer) {
  if (viewer.kind === 'user' && viewer.sessionId === null) {
    throw new Failure('denied', 'A token can’t issue tokens. Sign in with the password.')
  }
}

function deviceJson(row: TokenRow): DeviceToken {
  return {
    id: row.id,
    name: row.name,
    type: 'ScreenSaver',
    value: row.tail === '' ? '' : `…${row.tail}`,
    screensaverid: row.screensaver_id,
    created: row.created_at,
    used: row.used_at,
  }
}

/** `tokenKey`: hex, the library's own; device cookies are made with it. */
export function createTokens({
  db,
  clock,
  rights,
  tokenKey,
}: {
  db: LibraryDatabase
  clock: Clock
  rights: RightsTable
  tokenKey: string
}) {
  const key = Buffer.from(tokenKey, 'hex')

  function userOf(viewer: Viewer): number {
    demandSignedIn(viewer)
    if (viewer.userId === null) throw new Failure('denied', 'Devices belong to an account.')
    return viewer.userId
  }

  /** The caller's own device; 404 for anything else. */
  function ownDevice(tx: Pick<Transaction, 'get'>, userId: number, id: number): TokenRow {
    const row = tx.get<TokenRow>(
      "SELECT * FROM tokens WHERE id = ? AND user_id = ? AND type = 'ScreenSaver'",
      id,
      userId,
    )
    if (row === null) throw notFound()
    return row
  }

  function demandOwnSaver(tx: Transaction, userId: number, saverId: number | null | undefined) {
    if (saverId === null || saverId === undefined) return
    const own = tx.get('SELECT 1 FROM screensavers WHERE id = ? AND user_id = ?', saverId, userId)
    if (own === null) {
      throw new Failure('invalid', `You have no screen saver ${saverId}.`, { field: 'screensaverid' })
    }
  }

  function insert(
    tx: Transaction,
    row: Pick<TokenRow, 'user_id' | 'name' | 'type' | 'hash' | 'tail' | 'screensaver_id' | 'expires_at'>,
  ): number {
    if (tx.get('SELECT 1 FROM tokens WHERE hash = ?', row.hash) !== null) {
      throw new Failure('conflict', 'This token is registered already.', { field: 'value' })
    }
    const count = tx.get<{ n: number }>('SELECT count(*) AS n FROM tokens WHERE user_id = ?', row.user_id)
    if ((count?.n ?? 0) >= mostTokens) {
      throw new Failure('conflict', `An account has at most ${mostTokens} tokens. Remove one first.`)
    }
    return tx.run(
      `INSERT INTO tokens (user_id, name, type, hash, tail, screensaver_id, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      row.user_id,
      row.name,
      row.type,
      row.hash,
      row.tail,
      row.screensaver_id,
      seconds(clock),
      row.expires_at,
    ).lastInsertRowid
  }

  /** A device as a viewer: with no rights of its own. Null when its owner is gone or disabled. */
  function deviceViewer(row: TokenRow): Viewer | null {
    if (viewerOfUser(db, rights, row.user_id) === null) return null
    return {
      kind: 'device',
      userId: null,
      username: null,
      sessionId: null,
      globalAdmin: false,
      unlockValue: null,
      rights: new Map(),
      device: { tokenId: row.id, ownerId: row.user_id, saverId: row.screensaver_id },
    }
  }

  async function noteUse(row: TokenRow): Promise<void> {
    const now = seconds(clock)
    if (row.used_at !== null && now - row.used_at < usedEverySeconds) return
    try {
      await db.transact({ userId: null }, tx => {
        tx.run('UPDATE tokens SET used_at = ? WHERE id = ?', now, row.id)
      })
    } catch {
      // Busy for seconds, or closing: the next request writes it.
    }
  }

  function isOver(row: TokenRow): boolean {
    return row.expires_at !== null && row.expires_at <= seconds(clock)
  }

  function cookieOf(row: Pick<TokenRow, 'id' | 'hash'>): string {
    return `${row.id}.${createHmac('sha256', key).update(`device ${row.id} ${row.hash}`).digest('base64url')}`
  }

  return {
    /** Who a token acts as: its user, with the rights of this moment and no session, or a device. Null for no token. */
    of(value: string): Viewer | null {
      const row = db.get<TokenRow>('SELECT * FROM tokens WHERE hash = ?', hashOf(value))
      if (row === null || isOver(row)) return null
      const viewer = row.type === 'api' ? viewerOfUser(db, rights, row.user_id) : deviceViewer(row)
      if (viewer !== null) void noteUse(row)
      return viewer
    },

    /** What a device's browser keeps for loading pictures. It names the token but can't be used as one. */
    deviceCookie(viewer: Viewer): string | null {
      const row = db.get<TokenRow>('SELECT * FROM tokens WHERE id = ?', viewer.device?.tokenId ?? 0)
      return row === null ? null : cookieOf(row)
    },

    /** The device of such a cookie, as long as its token is good. */
    ofDeviceCookie(cookie: string): Viewer | null {
      const id = /^([1-9]\d{0,14})\./.exec(cookie)?.[1]
      if (id === undefined) return null
      const row = db.get<TokenRow>("SELECT * FROM tokens WHERE id = ? AND type = 'ScreenSaver'", Number(id))
      if (row === null || isOver(row)) return null
      return equalTexts(cookie, cookieOf(row)) ? deviceViewer(row) : null
    },

    list(viewer: Viewer): DeviceToken[] {
      demandSignedIn(viewer)
      return db
        .all<TokenRow>("SELECT * FROM tokens WHERE user_id IS ? AND type = 'ScreenSaver' ORDER BY id", viewer.userId)
        .map(deviceJson)
    },

    /** Registers a device by the token that it made and shows. */
    async create(
      viewer: Viewer,
      asked: {
        value: string
        name: string
        type?: 'ScreenSaver' | undefined
        screensaverid?: number | null | undefined
      },
    ): Promise<DeviceToken> {
      const userId = userOf(viewer)
      demandPerson(viewer)
      demandStrong(asked.value)
      return db.transact(viewer, tx => {
        demandOwnSaver(tx, userId, asked.screensaverid)
        const id = insert(tx, {
          user_id: userId,
          name: asked.name,
          type: 'ScreenSaver',
          hash: hashOf(asked.value),
          tail: asked.value.slice(-tailLength),
          screensaver_id: asked.screensaverid ?? null,
          expires_at: null,
        })
        tx.audit('device.create', { token: id, name: asked.name, user: userId, username: viewer.username })
        return deviceJson(ownDevice(tx, userId, id))
      })
    },

    async save(
      viewer: Viewer,
      id: number,
      changes: { name?: string | undefined; screensaverid?: number | null | undefined },
    ): Promise<DeviceToken> {
      const userId = userOf(viewer)
      return db.transact(viewer, tx => {
        const row = ownDevice(tx, userId, id)
        demandOwnSaver(tx, userId, changes.screensaverid)
        tx.run(
          'UPDATE tokens SET name = ?, screensaver_id = ? WHERE id = ?',
          changes.name ?? row.name,
          changes.screensaverid === undefined ? row.screensaver_id : changes.screensaverid,
          id,
        )
        return deviceJson(ownDevice(tx, userId, id))
      })
    },

    /** Forgets a device: it is shut out at once. */
    async remove(viewer: Viewer, id: number): Promise<void> {
      const userId = userOf(viewer)
      await db.transact(viewer, tx => {
        ownDevice(tx, userId, id)
        revokeToken(tx, id)
      })
    },

    /**
     * A token for scripts, told this once. One's own, or anybody's for global admins and the terminal. `expiresAt` in
     * seconds; null: until it is revoked.
     */
    async issueApi(
      viewer: Viewer,
      { username, name, expiresAt }: { username: string; name: string; expiresAt: number | null },
    ): Promise<{ id: number; token: string }> {
      demandSignedIn(viewer)
      if (viewer.username === null || usernameKey(viewer.username) !== usernameKey(username)) demandGlobalAdmin(viewer)
      demandPerson(viewer)
      if (expiresAt !== null && expiresAt <= seconds(clock)) {
        throw new Failure('invalid', 'The token would be over before it began.', { field: 'expires' })
      }
      const token = `keepsake_${randomBytes(32).toString('base64url')}`
      return db.transact(viewer, tx => {
        const user = tx.get<{ id: number; username: string }>(
          'SELECT id, username FROM users WHERE username_key = ?',
          usernameKey(username),
        )
        if (user === null) throw new Failure('notFound', `There is no user '${username}'.`, { field: 'username' })
        const id = insert(tx, {
          user_id: user.id,
          name,
          type: 'api',
          hash: hashOf(token),
          tail: '',
          screensaver_id: null,
          expires_at: expiresAt,
        })
        tx.audit('token.issue', { token: id, name, user: user.id, username: user.username })
        tx.event(channels.sessions, { action: 'create' })
        return { id, token }
      })
    },

    /** Every token of devices and scripts: one's own, all of them for global admins and the terminal. */
    listIssued(viewer: Viewer): IssuedToken[] {
      demandSignedIn(viewer)
      return db.all<IssuedToken>(
        `SELECT t.id, u.username, t.name, t.type, t.created_at AS created, t.expires_at AS expires, t.used_at AS used
         FROM tokens AS t JOIN users AS u ON u.id = t.user_id WHERE ? OR t.user_id IS ? ORDER BY t.id`,
        viewer.globalAdmin ? 1 : 0,
        viewer.userId,
      )
    },

    /** Ends any token, of a device or a script: one's own, or anybody's for global admins and the terminal. */
    async revoke(viewer: Viewer, id: number): Promise<void> {
      demandSignedIn(viewer)
      await db.transact(viewer, tx => {
        const row = tx.get<{ user_id: number }>('SELECT user_id FROM tokens WHERE id = ?', id)
        if (row === null || (!viewer.globalAdmin && row.user_id !== viewer.userId)) throw notFound()
        revokeToken(tx, id)
      })
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>
