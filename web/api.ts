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
import { createClient, Refused, refusalOfResponse } from '../schema/client.ts'

/** Address of the server; '' means the page's own origin. Set once, from the runtime configuration. */
export const base = signal('')

/** The token of the session, '' for visitors. `app/session.ts` sets it. */
export const token = signal('')

/** The user who signed in last (0: nobody yet), and the users of this page's sessions by token. */
let owner = 0
const owners = new Map<string, number>()

/** Registers the user of a new session. */
export function noteOwner(session: string, person: number): void {
  owner = person
  owners.set(session, person)
}

/** Waits until the login dialog is done. Throws when another user signed in: the call is not made in their name. */
async function awaitAnswer(): Promise<void> {
  const before = owner
  await responded?.promise
  if (owner !== before) throw new Error('Somebody else has signed in: it was not done.')
}

/** Pending calls wait for this promise while the user is asked to sign in again. */
let responded: PromiseWithResolvers<void> | null = null

/** Pauses calls, except those that sign in. */
export function holdCalls(): void {
  responded ??= Promise.withResolvers<void>()
}

/** Resumes the waiting calls with the present token. */
export function releaseCalls(): void {
  responded?.resolve()
  responded = null
}

/**
 * For requests without `api`: the session for the next call, after any pending login, and a handler for when the server
 * no longer knows that session. The handler returns whether the same user signed in again, so the call can be repeated.
 */
export const sessionOfCalls = {
  async current(): Promise<string> {
    await awaitAnswer()
    return token.value
  },
  now: (): string => token.peek(),
  async ended(sent: string): Promise<boolean> {
    if (sent !== '' && sent === token.value) whenUnauthenticated()
    await responded?.promise
    const isNew = token.value !== '' && token.value !== sent
    return isNew && owners.get(token.value) === owners.get(sent)
  },
}

const signsIn = (url: string) => /^\/v1\/users\/(login|register|logout|renew)\b/.test(url)

/** A call that takes longer counts as an outage. Milliseconds. */
const patience = 30_000

let whenUnauthenticated: () => void = () => {}

/** Sets the handler for a session that the server no longer knows. */
export function onUnauthenticated(act: () => void): void {
  whenUnauthenticated = act
}

export const api = createClient(async ({ method, url, body, ifMatch }) => {
  if (responded !== null && !signsIn(url)) await awaitAnswer()
  const sent = token.value
  const headers = new Headers()
  if (sent !== '') headers.set('Authorization', `Bearer ${sent}`)
  if (body !== null) headers.set('Content-Type', 'application/json')
  if (ifMatch !== null) headers.set('If-Match', `"${ifMatch}"`)
  const response = await fetch(base.value + url, {
    method,
    headers,
    body,
    credentials: 'include',
    signal: AbortSignal.timeout(patience),
  })
  // A wrong password does not end the session, a visitor has no session, and a response to an older token says nothing
  // about the present one.
  if (response.status === 401 && url !== '/v1/users/login' && sent !== '' && sent === token.value) {
    whenUnauthenticated()
  }
  return response
})

/** Calls made as a device: with the device's own token, whoever is signed in here. */
export function deviceClient(value: string) {
  return createClient(({ method, url, body }) =>
    fetch(base.value + url, {
      method,
      headers: { Authorization: `Bearer ${value}` },
      body,
      credentials: 'include',
      signal: AbortSignal.timeout(patience),
    }),
  )
}

/** The name in a share's link, instead of an id. */
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

/** The response while a film is converted: 503 with the job. */
const preparing = z.object({ code: z.literal('unavailable'), current: z.object({ job: z.int() }).optional() })

/** Maximum wait for the "not ready" response before the film is known to need conversion. */
const briefly = { Prefer: 'wait=1' }

/** The response while the server converts a film for browsers. */
export interface Preparing {
  /** The job's id, if the server sent it. Only administrators of the collection may read the job. */
  job: number | null
  /** Seconds until the next request. */
  again: number
}

/**
 * Requests the first byte of a film to find out whether it is being converted. Null if not, even with another problem.
 * `patient` lets the server hold the response until the film is ready, some fifteen seconds at most.
 */
export async function askStream(item: Pictured, patient: boolean, stop: AbortSignal): Promise<Preparing | null> {
  const response = await fetch(streamOf(item), {
    headers: { Range: 'bytes=0-0', ...(patient ? {} : briefly) },
    credentials: 'include',
    cache: 'no-store',
    signal: AbortSignal.any([stop, AbortSignal.timeout(patience)]),
  })
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
    const response = await fetch(address, {
      credentials: 'include',
      cache: 'no-store',
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(patience)]),
    })
    if (response.ok) return null
    const { error, code } = await refusalOfResponse(response)
    return new Refused(response.status, error, undefined, code)
  } finally {
    stop.abort()
  }
}
