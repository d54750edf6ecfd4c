/** Identifies who makes a request, by Bearer token or session cookie, and refuses changes that other sites request. */

import { createHash, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { isSignedIn, type Viewer } from '../../core/accounts/access.ts'
import { equalTexts } from '../../core/kernel/equal-texts.ts'
import type { Library } from '../../core/library.ts'
import { Failure } from '../../schema/errors.ts'
import { readCookie, writeCookie } from './cookies.ts'
import { addressOf, isOwnOrigin } from './transport.ts'
import { visitorTurn } from './visitor-turns.ts'

/** How a request authenticated. The cookie alone only allows reading. */
type Proof = 'none' | 'bearer' | 'cookie' | 'cookie-csrf'

export interface Requester {
  viewer: Viewer
  proof: Proof
  /** CSRF value of the session, for the page's meta tag; '' for visitors. */
  csrf: string
}

/** The identified viewers of requests in progress. */
const viewers = new WeakMap<Request, Viewer>()

/** Identifies the requester: a visitor if the token is invalid. All but signed-in users wait for a `visitorTurn`. */
export async function identifyRequester(context: Context, library: Library): Promise<Requester> {
  const requester = await authenticate(context, library)
  if (!isSignedIn(requester.viewer)) await visitorTurn()
  const viewer = { ...requester.viewer, address: addressOf(context, library) }
  viewers.set(context.req.raw, viewer)
  return { ...requester, viewer }
}

/** The viewer of the request, if `identifyRequester` has already identified the requester. */
export function identifiedViewer(context: Context): Viewer | undefined {
  return viewers.get(context.req.raw)
}

/** The Bearer token of the request; '' if it has none. */
export function bearerOf(context: Context): string {
  const header = context.req.header('authorization')
  return header?.startsWith('Bearer ') === true ? header.slice(7).trim() : ''
}

async function authenticate(context: Context, library: Library): Promise<Requester> {
  const bearer = bearerOf(context)
  if (bearer !== '') {
    const session = await library.sessions.of(bearer)
    if (session !== null) return { viewer: session.viewer, proof: 'bearer', csrf: session.csrf }
  }
  const cookie = readCookie(context, library, 'session')
  // The cookie does not replace an invalid Bearer token, because it may belong to another user than the token.
  if (bearer === '' && cookie !== undefined && cookie !== '') {
    const session = await library.sessions.of(cookie)
    // Tokens of scripts and devices are not sessions, and are accepted only as Bearer tokens.
    if (session !== null && session.viewer.sessionId !== null) {
      const sent = context.req.header('x-csrf-token') ?? context.req.query('_csrf')
      const proof = equalTexts(sent, session.csrf) ? 'cookie-csrf' : 'cookie'
      return { viewer: session.viewer, proof, csrf: session.csrf }
    }
  }
  return {
    viewer: withVisitor(library.sessions.anonymous(), readCookie(context, library, 'visitor')),
    proof: 'none',
    csrf: '',
  }
}

function withVisitor(viewer: Viewer, value: string | undefined): Viewer {
  if (value === undefined || value.length < 20 || value.length > 100) return viewer
  return { ...viewer, visitor: createHash('sha256').update(value).digest('hex') }
}

/** Returns the viewer. A visitor gets a cookie that identifies them, or keeps the one that they have. */
export function withVisitorCookie(context: Context, library: Library, viewer: Viewer): Viewer {
  if (viewer.kind !== 'anonymous') return viewer
  const known = viewer.visitor === undefined ? undefined : readCookie(context, library, 'visitor')
  const value = known ?? randomBytes(24).toString('base64url')
  writeCookie(context, library, 'visitor', value)
  return withVisitor(viewer, value)
}

/** The device that requests a picture: by its token, or by its cookie. */
export function deviceOf(context: Context, library: Library, viewer: Viewer): Viewer | null {
  if (viewer.kind === 'device') return viewer
  const cookie = readCookie(context, library, 'device')
  return cookie === undefined || cookie === '' ? null : library.tokens.ofDeviceCookie(cookie)
}

/** Gives a device the cookie with which its `<img>` and `<video>` elements load items. */
export function setDeviceCookie(context: Context, library: Library, viewer: Viewer): void {
  const value = library.tokens.deviceCookie(viewer)
  if (value !== null) writeCookie(context, library, 'device', value)
}

/** 401 for an unknown Bearer token, because a device polls until it is registered. */
export function requireGoodBearer(context: Context, requester: Requester): void {
  if (requester.proof !== 'none' || context.req.header('authorization')?.startsWith('Bearer ') !== true) return
  throw new Failure('unauthenticated', 'This token is not registered.')
}

/** Returns the requester, whose cookie is proved if `sent`, a field of the body, is the session's CSRF value. */
export function withCsrf(requester: Requester, sent: string | undefined): Requester {
  return requester.proof === 'cookie' && equalTexts(sent, requester.csrf)
    ? { ...requester, proof: 'cookie-csrf' }
    : requester
}

/**
 * Returns the requester, whose cookie is proved if the browser's headers say that a script of our own pages sends the
 * request. Clients of the file manager's protocol cannot add the CSRF value to all requests. No page can set these
 * headers, and navigation, embedding and forms have another `sec-fetch-dest`.
 */
export function withOwnScript(context: Context, requester: Requester): Requester {
  const isOwnScript =
    context.req.header('sec-fetch-site') === 'same-origin' && context.req.header('sec-fetch-dest') === 'empty'
  return requester.proof === 'cookie' && isOwnScript ? { ...requester, proof: 'cookie-csrf' } : requester
}

/**
 * Refuses a changing request that another site could have sent. A Bearer token is enough, as no other site has it. A
 * cookie needs the session's CSRF value; with `sameOrigin`, the request may instead come from our own page. A visitor's
 * request must come from our own page.
 */
export function requireOwnPage(context: Context, library: Library, requester: Requester, sameOrigin: boolean): void {
  if (requester.proof === 'bearer' || requester.proof === 'cookie-csrf') return
  if (requester.proof === 'cookie' && !sameOrigin) throw new Failure('denied', 'The request lacks X-CSRF-Token.')
  const site = context.req.header('sec-fetch-site')
  const origin = context.req.header('origin')
  const isOwn = site === undefined ? isOwnOrigin(context, library, origin) : site === 'same-origin'
  if (!isOwn) throw new Failure('denied', 'The request did not come from a page of this server.')
  const type = context.req.header('content-type')
  const hasBody = (context.req.header('content-length') ?? '0') !== '0'
  if (hasBody && type?.split(';')[0]?.trim() !== 'application/json') {
    throw new Failure('invalid', 'The body must be application/json.')
  }
}

/** The tag version that a change is based on: `If-Match: "3"` or plain 3; null for none or `*`. Refuses other values. */
export function ifMatchOf(context: Context): number | null {
  const header = context.req.header('if-match')?.trim()
  if (header === undefined || header === '' || header === '*') return null
  const version = /^"?(\d{1,9})"?$/.exec(header)?.[1]
  if (version === undefined)
    throw new Failure('invalid', 'If-Match must be the version of a tag.', { field: 'If-Match' })
  return Number(version)
}
