/** The one connection to the server: the typed client over fetch, with the session's token. */

import { signal } from '@preact/signals-react'
import { z } from 'zod'
import {
  type ImageSize,
  imageAddress,
  sharedImageAddress,
  sharedStreamAddress,
  streamAddress,
} from '../schema/addresses.ts'
import { createClient, createRefused, type Refused, refusalOfResponse, type Send } from '../schema/client.ts'
import { serverMessage } from './texts/language/server-message.ts'

/** Address of the server; '' means the page's own origin. Set once, from the runtime configuration. */
export const base = signal('')

/** The token of the session, '' for visitors. `app/session.ts` sets it. */
export const token = signal('')

/** Id of the user who signed in last; 0 before the first login. */
let owner = 0
/** The user's id for each session token of this page. */
const owners = new Map<string, number>()

/** Registers the user of a new session. */
export function noteOwner(session: string, userId: number): void {
  owner = userId
  owners.set(session, userId)
}

/** Waits for a pending login. Throws if another user has signed in, so that the call is not made in their name. */
async function awaitLogin(): Promise<void> {
  const before = owner
  await pendingLogin?.promise
  if (owner !== before) throw new Error('Somebody else has signed in, so the call was not made.')
}

/** Pending calls wait for this promise while the user is asked to sign in again. */
let pendingLogin: PromiseWithResolvers<void> | null = null

/** Pauses calls, except those that begin, renew or end sessions. */
export function holdCalls(): void {
  pendingLogin ??= Promise.withResolvers<void>()
}

/** Resumes the waiting calls with the present token. */
export function releaseCalls(): void {
  pendingLogin?.resolve()
  pendingLogin = null
}

/** The session's token, for requests that are made without `api`. */
export const sessionOfCalls = {
  /** The token for the next request; waits for a pending login. */
  async current(): Promise<string> {
    await awaitLogin()
    return token.value
  },
  now: (): string => token.peek(),
  /**
   * Asks the user to sign in, unless they already have: the server no longer knows the token of a request. Returns true if
   * the same user has signed in again, so that the request can be repeated.
   */
  async signInAgain(sentToken: string): Promise<boolean> {
    if (sentToken !== '' && sentToken === token.value) whenUnauthenticated()
    await pendingLogin?.promise
    const isNew = token.value !== '' && token.value !== sentToken
    return isNew && owners.get(token.value) === owners.get(sentToken)
  },
}

const isSessionCall = (url: string) => /^\/v1\/users\/(login|register|logout|renew)\b/.test(url)

/** A call without a response after this many milliseconds counts as an outage. */
const patience = 30_000

/** Called for each request that does not reach the server; `realtime.ts` sets it. */
export const outage = { report: (): void => {} }

/** Whether a proxy sent the response because the server is down: the server's own errors are JSON. */
function isOfProxy({ status, headers }: Response): boolean {
  return status >= 500 && headers.get('Content-Type')?.includes('json') !== true
}

/** Sends a request. Reports an outage if there is no response, or only that of a proxy. Cancelling is no outage. */
async function send(address: string, init: RequestInit, cancelled?: AbortSignal): Promise<Response> {
  const late = AbortSignal.timeout(patience)
  try {
    const signal = cancelled === undefined ? late : AbortSignal.any([cancelled, late])
    const response = await fetch(address, { credentials: 'include', signal, ...init })
    if (isOfProxy(response)) outage.report()
    return response
  } catch (error) {
    if (cancelled?.aborted !== true) outage.report()
    throw error
  }
}

let whenUnauthenticated: () => void = () => {}

/** Sets the handler for a session that the server no longer knows. */
export function onUnauthenticated(act: () => void): void {
  whenUnauthenticated = act
}

async function call(request: Parameters<Send>[0]): Promise<Response> {
  const { method, url, body, ifMatch } = request
  if (pendingLogin !== null && !isSessionCall(url)) await awaitLogin()
  const sent = token.value
  const headers = new Headers()
  if (sent !== '') headers.set('Authorization', `Bearer ${sent}`)
  if (body !== null) headers.set('Content-Type', 'application/json')
  if (ifMatch !== null) headers.set('If-Match', `"${ifMatch}"`)
  const response = await send(base.value + url, { method, headers, body })
  // A wrong password does not end the session, a visitor has no session, and a response to an older token says nothing
  // about the present one.
  if (response.status === 401 && url !== '/v1/users/login' && sent !== '' && sent === token.value) {
    whenUnauthenticated()
  }
  // The session ended during a read, so the response may be that for a visitor: read it again after the login.
  else if (pendingLogin !== null && sent !== '' && method === 'GET' && !isSessionCall(url)) return call(request)
  return response
}

const refused: typeof createRefused = (status, message, field, code) =>
  createRefused(status, serverMessage(message), field, code)

export const api = createClient(call, refused)

/** A client that always sends this token, of a device or of another session, whoever is signed in here. */
export function deviceClient(ownToken: string) {
  return createClient(
    ({ method, url, body }) =>
      send(base.value + url, { method, headers: { Authorization: `Bearer ${ownToken}` }, body }),
    refused,
  )
}

/** Identifies a shared item by the name in its link. */
export interface Shared {
  share: string
}

interface Pictured extends Partial<Shared> {
  id: number
  reloads: string
}

export function pictureOf(item: Pictured, size: ImageSize): string {
  if (item.share !== undefined) return sharedImageAddress(item.share, item.reloads, size, base.value)
  return imageAddress(item, size, null, base.value)
}

/** Address of an item's original file. */
export function originalOf(item: Pictured): string {
  return pictureOf(item, 'original')
}

export function streamOf(item: Pictured): string {
  if (item.share !== undefined) return sharedStreamAddress(item.share, item.reloads, base.value)
  return streamAddress(item, base.value)
}

/** The body of the 503 response while a film is being converted. */
const preparing = z.object({ code: z.literal('unavailable'), current: z.object({ job: z.int() }).optional() })

/** Asks the server to respond after a second if the film is not ready by then. */
const briefly = { Prefer: 'wait=1' }

/** What the server says of a film while converting it for browsers. */
export interface Preparing {
  /** The job's id, if the server sent it. Only administrators of the collection may read the job. */
  job: number | null
  /** Seconds until the page should ask again. */
  again: number
}

/**
 * Requests the first byte of a film to find out whether it is being converted. Returns null if not, even if the server
 * refuses the film. `patient` lets the server hold the response until the film is ready, fifteen seconds at most.
 */
export async function askStream(item: Pictured, patient: boolean, stop: AbortSignal): Promise<Preparing | null> {
  const headers = { Range: 'bytes=0-0', ...(patient ? {} : briefly) }
  const response = await send(streamOf(item), { headers, cache: 'no-store' }, stop)
  if (response.status !== 503) {
    await response.body?.cancel()
    return null
  }
  const said = preparing.safeParse(await response.json().catch(() => null))
  if (!said.success) return null
  const seconds = Number(response.headers.get('Retry-After') ?? '')
  return { job: said.data.current?.job ?? null, again: seconds > 0 ? Math.min(seconds, 60) : 5 }
}

/** Returns why the server would refuse an address, or null if it would not. Does not read the content. */
export async function refusalAt(address: string): Promise<Refused | null> {
  const stop = new AbortController()
  try {
    const response = await send(address, { cache: 'no-store' }, stop.signal)
    if (response.ok) return null
    const { error, code } = await refusalOfResponse(response)
    return refused(response.status, error, undefined, code)
  } finally {
    stop.abort()
  }
}
