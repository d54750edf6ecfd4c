/** Devices that show a screen saver. A device creates its token, and a user registers it; the device has no rights. */
import { createHmac } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import type { DeviceToken } from '../../../schema/api/screensavers.ts'
import { Failure, sentence } from '../../../schema/errors.ts'
import { screensavers, tokens } from '../../../schema/tables/screensavers.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import { equalTexts } from '../../kernel/equal-texts.ts'
import { anonymousWith, notFound, requireSignedIn, type Viewer } from '../access.ts'
import { viewerOfUser } from '../viewers.ts'
import { revokeToken } from './revoke-tokens.ts'
import { insertToken, isOver, requireNoToken, type TokenRow, type TokenStore, tokenHashOf } from './token-rows.ts'

/** Number of characters shown: they reveal at most 24 of at least 128 bits. */
const tailLength = 4
/** Minimum number of different characters in a random token of 128 bits; 'aaaa…' is long, but not secret. */
const minDistinct = 8

/** Throws unless a token has at least 128 bits: hex has only four bits per character, other text up to six. */
function requireStrong(value: string) {
  const bits = /^[0-9a-fA-F]+$/.test(value) ? value.length * 4 : value.length * 6
  if (bits >= 128 && new Set(value).size >= minDistinct) return
  throw new Failure('invalid', 'value must be a token of at least 128 bits', { field: 'value' })
}

function deviceJson({ id, name, tail, screensaverId, createdAt, usedAt }: TokenRow): DeviceToken {
  const value = tail === '' ? '' : `…${tail}`
  return { id, name, type: 'ScreenSaver', value, screensaverid: screensaverId, created: createdAt, used: usedAt }
}

function userIdOf(viewer: Viewer): number {
  requireSignedIn(viewer)
  if (viewer.userId === null) throw new Failure('denied', 'Devices belong to an account.')
  return viewer.userId
}

function deviceById({ orm }: Pick<LibraryDatabase, 'orm'>, id: number): TokenRow | undefined {
  return orm
    .select()
    .from(tokens)
    .where(and(eq(tokens.id, id), eq(tokens.type, 'ScreenSaver')))
    .get()
}

/** The caller's own device; 404 for anything else. */
function ownDevice(tx: Transaction, userId: number, id: number): TokenRow {
  const token = deviceById(tx, id)
  if (token === undefined || token.userId !== userId) throw notFound()
  return token
}

function requireOwnSaver(tx: Transaction, userId: number, saverId: number | null | undefined) {
  if (saverId === null || saverId === undefined) return
  const saver = tx.orm.select().from(screensavers).where(eq(screensavers.id, saverId)).get()
  if (saver?.userId !== userId) {
    throw new Failure('invalid', sentence`You have no screen saver ${saverId}.`, { field: 'screensaverid' })
  }
}

/** A device as a viewer, without rights. Null if its owner is deleted or disabled. */
export function deviceViewer({ db, rights }: TokenStore, token: TokenRow): Viewer | null {
  if (viewerOfUser(db, rights, token.userId) === null) return null
  return {
    ...anonymousWith(new Map()),
    kind: 'device',
    device: { tokenId: token.id, ownerId: token.userId, saverId: token.screensaverId },
  }
}

function cookieOf({ key }: TokenStore, { id, hash }: TokenRow): string {
  return `${id}.${createHmac('sha256', key).update(`device ${id} ${hash}`).digest('base64url')}`
}

function viewerOfCookie(store: TokenStore, cookie: string): Viewer | null {
  const id = /^([1-9]\d{0,14})\./.exec(cookie)?.[1]
  const token = id === undefined ? undefined : deviceById(store.db, Number(id))
  if (token === undefined || isOver(store, token)) return null
  return equalTexts(cookie, cookieOf(store, token)) ? deviceViewer(store, token) : null
}

interface Registration {
  value: string
  name: string
  screensaverid?: number | null | undefined
}

export function createDevices(store: TokenStore) {
  const { db } = store
  return {
    ofDeviceCookie: (cookie: string) => viewerOfCookie(store, cookie),

    /** The cookie with which a device's browser loads pictures. It identifies the token, but cannot be used as one. */
    deviceCookie(viewer: Viewer): string | null {
      const token = deviceById(db, viewer.device?.tokenId ?? 0)
      return token === undefined ? null : cookieOf(store, token)
    },

    list(viewer: Viewer): DeviceToken[] {
      requireSignedIn(viewer)
      if (viewer.userId === null) return []
      const ofViewer = and(eq(tokens.userId, viewer.userId), eq(tokens.type, 'ScreenSaver'))
      return db.orm.select().from(tokens).where(ofViewer).orderBy(asc(tokens.id)).all().map(deviceJson)
    },

    async create(viewer: Viewer, { value, name, screensaverid = null }: Registration): Promise<DeviceToken> {
      const userId = userIdOf(viewer)
      requireNoToken(viewer)
      requireStrong(value)
      return db.transact(viewer, tx => {
        requireOwnSaver(tx, userId, screensaverid)
        const token = insertToken(store, tx, {
          userId,
          name,
          type: 'ScreenSaver',
          hash: tokenHashOf(value),
          tail: value.slice(-tailLength),
          screensaverId: screensaverid,
        })
        tx.audit('device.create', { token: token.id, name, user: userId, username: viewer.username })
        return deviceJson(token)
      })
    },

    async save(
      viewer: Viewer,
      id: number,
      { name, screensaverid }: Partial<Pick<Registration, 'name' | 'screensaverid'>>,
    ): Promise<DeviceToken> {
      const userId = userIdOf(viewer)
      return db.transact(viewer, tx => {
        const token = ownDevice(tx, userId, id)
        requireOwnSaver(tx, userId, screensaverid)
        const screensaverId = screensaverid === undefined ? token.screensaverId : screensaverid
        const changes = { name: name ?? token.name, screensaverId }
        tx.orm.update(tokens).set(changes).where(eq(tokens.id, id)).run()
        return deviceJson({ ...token, ...changes })
      })
    },

    /** Removes a device, which loses its access. */
    async remove(viewer: Viewer, id: number): Promise<void> {
      const userId = userIdOf(viewer)
      await db.transact(viewer, tx => {
        ownDevice(tx, userId, id)
        revokeToken(tx, id)
      })
    },
  }
}
