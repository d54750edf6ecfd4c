/** The one connection to the server: the typed client over fetch, with the session's token. */
import { signal } from '@preact/signals-react'
import { type ImageSize, imageAddress, streamAddress } from '../schema/api/bytes.ts'
import { createClient } from '../schema/client.ts'

/** Where the server is; '' is where this page came from. Set once, from the runtime configuration. */
export const base = signal('')

/** The token of the session, '' for visitors. `state/session.ts` sets it. */
export const token = signal('')

/** A call that takes longer counts as an outage. Milliseconds. */
const patience = 30_000

let whenUnauthenticated: () => void = () => {}

/** Names what happens when the server no longer knows the session. */
export function onUnauthenticated(act: () => void): void {
  whenUnauthenticated = act
}

export const api = createClient(async ({ method, url, body }) => {
  const sent = token.value
  const headers = new Headers()
  if (sent !== '') headers.set('Authorization', `Bearer ${sent}`)
  if (body !== null) headers.set('Content-Type', 'application/json')
  const response = await fetch(base.value + url, {
    method,
    headers,
    body,
    credentials: 'include',
    signal: AbortSignal.timeout(patience),
  })
  // A wrong password is no lost session, and an answer to an older token says nothing about the present one.
  if (response.status === 401 && url !== '/v1/users/login' && sent === token.value) whenUnauthenticated()
  return response
})

interface Pictured {
  id: number
  reloads: string
}

/** Address of an item's picture on this server. */
export function pictureOf(item: Pictured, size: ImageSize): string {
  return imageAddress(item, size, null, base.value)
}

/** Address of an item's moving picture on this server. */
export function streamOf(item: Pictured): string {
  return streamAddress(item, base.value)
}
