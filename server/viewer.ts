/** Who makes a request: by Bearer token or by the session cookie, and whether the request may change anything. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Viewer } from '../core/access.ts'
import type { Library } from '../core/library.ts'
import { Failure } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'

export const sessionCookie = 'keepsake_session'
/** What a visitor's browser is known by, for his screen savers alone. */
const visitorCookie = 'keepsake_visitor'
/** Lets a device's browser load the pictures of its screen saver. */
const deviceCookie = 'keepsake_device'
/** As long as browsers keep any (RFC 6265bis, 5.5). Seconds. */
const deviceCookieSeconds = 400 * 86_400

/** How a request proved who it is. The cookie alone only reads. */
export type Proof = 'none' | 'bearer' | 'cookie' | 'cookie-csrf'

export interface Asker {
  viewer: Viewer
  proof: Proof
  /** Of the session, for the page's meta tag; '' for visitors. */
  csrf: string
  /** A token was sent that is not good any more. */
  stale: boolean
}

function same(given: string | undefined, right: string): boolean {
  if (given === undefined) return false
  const a = Buffer.from(given)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Finds out who asks. Never fails: a token that is not good makes a visitor, and the call's own rule refuses him. */
export async function askerOf(context: Context, library: Library): Promise<Asker> {
  const header = context.req.header('authorization')
  const bearer = header?.startsWith('Bearer ') === true ? header.slice(7).trim() : ''
  if (bearer !== '') {
    const session = await library.sessions.of(bearer)
    if (session !== null) return { viewer: session.viewer, proof: 'bearer', csrf: session.csrf, stale: false }
  }
  const cookie = getCookie(context, sessionCookie)
  // A Bearer that is not good must not silently become the cookie's user: the page believes it is somebody.
  if (bearer === '' && cookie !== undefined && cookie !== '') {
    const session = await library.sessions.of(cookie)
    // Tokens of scripts and devices are no sessions: they come as Bearer or not at all.
    if (session !== null && session.viewer.sessionId !== null) {
      const sent = context.req.header('x-csrf-token') ?? context.req.query('_csrf')
      const proof = same(sent, session.csrf) ? 'cookie-csrf' : 'cookie'
      return { viewer: session.viewer, proof, csrf: session.csrf, stale: false }
    }
  }
  return {
    viewer: withVisitor(library.sessions.anonymous(), getCookie(context, visitorCookie)),
    proof: 'none',
    csrf: '',
    stale: bearer !== '' || (cookie !== undefined && cookie !== ''),
  }
}

function withVisitor(viewer: Viewer, value: string | undefined): Viewer {
  if (value === undefined || value.length < 20 || value.length > 100) return viewer
  return { ...viewer, visitor: createHash('sha256').update(value).digest('hex') }
}

/** A visitor who makes a screen saver is known by a cookie from then on; one that is there already goes on. */
export function knownVisitor(context: Context, library: Library, viewer: Viewer): Viewer {
  if (viewer.kind !== 'anonymous') return viewer
  const known = viewer.visitor === undefined ? undefined : getCookie(context, visitorCookie)
  const value = known ?? randomBytes(24).toString('base64url')
  setCookie(context, visitorCookie, value, {
    path: '/v1/screensaver',
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(context, library),
    maxAge: limits.visitorSaverSeconds,
  })
  return withVisitor(viewer, value)
}

/** The device that asks for a picture: by its token, or by the cookie that it was given for that. */
export function deviceOf(context: Context, library: Library, viewer: Viewer): Viewer | null {
  if (viewer.kind === 'device') return viewer
  const cookie = getCookie(context, deviceCookie)
  return cookie === undefined || cookie === '' ? null : library.tokens.ofDeviceCookie(cookie)
}

/** Gives a device what `<img>` and `<video>` load its items with. */
export function setDeviceCookie(context: Context, library: Library, viewer: Viewer): void {
  const value = library.tokens.deviceCookie(viewer)
  if (value === null) return
  setCookie(context, deviceCookie, value, {
    path: '/v1/item',
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(context, library),
    maxAge: deviceCookieSeconds,
  })
}

/** 401 for a Bearer that is nobody's: a device asks until somebody has registered it. */
export function demandGoodBearer(context: Context, asker: Asker): void {
  if (asker.proof !== 'none' || context.req.header('authorization')?.startsWith('Bearer ') !== true) return
  throw new Failure('unauthenticated', 'This token is not registered.')
}

/** The same asker, where the CSRF value came as a field of the body. */
export function withCsrf(asker: Asker, sent: string | undefined): Asker {
  return asker.proof === 'cookie' && same(sent, asker.csrf) ? { ...asker, proof: 'cookie-csrf' } : asker
}

/** The origin this request was sent to, as the browser sees it. */
export function ownOrigin(context: Context, library: Library): string {
  const { base_url: base } = library.settings
  if (base !== '') return new URL(base).origin
  const url = new URL(context.req.url)
  return `${isSecure(context, library) ? 'https:' : url.protocol}//${context.req.header('host') ?? url.host}`
}

/** https here, or at a proxy that is believed. */
export function isSecure(context: Context, library: Library): boolean {
  if (new URL(context.req.url).protocol === 'https:') return true
  return trusted(context, library) && context.req.header('x-forwarded-proto') === 'https'
}

function socketAddress(context: Context): string {
  const env: unknown = context.env
  if (typeof env === 'object' && env !== null && 'address' in env && typeof env.address === 'string') return env.address
  return ''
}

function trusted(context: Context, library: Library): boolean {
  const address = socketAddress(context).replace(/^::ffff:/, '')
  return library.settings.trusted_proxies.includes(address)
}

/** Address of whoever asks; a trusted proxy's word about it is believed. '' where there is no socket (tests). */
export function addressOf(context: Context, library: Library): string {
  const forwarded = context.req.header('x-forwarded-for')
  if (forwarded !== undefined && trusted(context, library)) return forwarded.split(',').at(-1)?.trim() ?? ''
  return socketAddress(context).replace(/^::ffff:/, '')
}

const ownNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Does the request come from somebody at this machine? Only a direct connection counts: a proxy on the same machine
 * speaks for the whole world. And only to a name of the machine itself, or any web page could point a name of its own
 * here and be us (DNS rebinding).
 */
export function isLocal(context: Context, library: Library): boolean {
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some(
    name => context.req.header(name) !== undefined,
  )
  const address = socketAddress(context).replace(/^::ffff:/, '')
  const host = (context.req.header('host') ?? '').replace(/:\d+$/, '')
  return (
    !forwarded && (address === '127.0.0.1' || address === '::1') && ownNames.has(host) && !trusted(context, library)
  )
}

/**
 * Refuses a changing request that another site could have sent. A Bearer token is proof enough, no other site has it; a
 * cookie needs the session's CSRF value; a visitor's call needs to come from our own page.
 */
export function demandOwnPage(context: Context, library: Library, asker: Asker, sameOrigin: boolean): void {
  if (asker.proof === 'bearer' || asker.proof === 'cookie-csrf') return
  if (asker.proof === 'cookie' && !sameOrigin) throw new Failure('denied', 'The request lacks X-CSRF-Token.')
  const site = context.req.header('sec-fetch-site')
  const origin = context.req.header('origin')
  const own = site === undefined ? origin === ownOrigin(context, library) : site === 'same-origin'
  if (!own) throw new Failure('denied', 'The request does not come from a page of this server.')
  const type = context.req.header('content-type')
  const hasBody = (context.req.header('content-length') ?? '0') !== '0'
  if (hasBody && type?.split(';')[0]?.trim() !== 'application/json') {
    throw new Failure('invalid', 'The body must be application/json.')
  }
}

/** The version of a tag that a change goes by: `If-Match: "3"` or plain 3. Anything else is refused, not ignored. */
export function ifMatchOf(context: Context): number | null {
  const header = context.req.header('if-match')?.trim()
  if (header === undefined || header === '' || header === '*') return null
  const version = /^"?(\d{1,9})"?$/.exec(header)?.[1]
  if (version === undefined) throw new Failure('invalid', 'If-Match is the version of a tag.', { field: 'If-Match' })
  return Number(version)
}
