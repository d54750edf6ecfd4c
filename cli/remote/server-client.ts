/** The library of another machine: the contract's calls over HTTP, with failures that name the remedy. */
import type { Calls } from '../../schema/api/calls.ts'
import { type Client, dryRunPath } from '../../schema/api/contract.ts'
import { createClient, type Send } from '../../schema/client.ts'
import { Failure } from '../../schema/errors.ts'
import { connectionFailure, failureOf, failureOfResponse } from './server-failures.ts'
import { createServerPlanner } from './server-plans.ts'

/** Ends a rehearsal after its first dry run, which succeeded but has no result to continue with. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
}

/** Maximum time for a response, its body included; plans take as long as they need. */
const timeoutMs = 60_000

/** The server's address, such as 'http://host:4480'; with a path if a proxy serves the library below a path. */
function addressOf(text: string): string {
  const given = URL.canParse(text) ? new URL(text) : null
  if (given === null || (given.protocol !== 'http:' && given.protocol !== 'https:'))
    throw new Failure('invalid', `--server takes a URL such as https://pictures.example:4480, not '${text}'.`)
  if (given.username !== '' || given.search !== '' || given.hash !== '')
    throw new Failure('invalid', '--server takes only a URL; give the token with --token or KEEPSAKE_TOKEN.')
  return given.href.replace(/\/+$/, '')
}

/** A client of a server with a token's rights. Sends nothing until the first call. */
export function openRemote(server: string, token: string | undefined) {
  const address = addressOf(server)
  if (token === undefined || token.trim() === '')
    throw new Failure('unauthenticated', `${address} needs a token: KEEPSAKE_TOKEN or --token (keepsake token issue).`)
  const authorization = `Bearer ${token.trim()}`

  async function fetchServer(
    url: string,
    init: RequestInit,
    signal = AbortSignal.timeout(timeoutMs),
  ): Promise<Response> {
    const response = await fetch(address + url, {
      ...init,
      // A token must not follow a redirect.
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      throw error instanceof Failure ? error : connectionFailure(error, address)
    })
    if (response.status >= 300 && response.status < 400)
      throw new Failure(
        'unavailable',
        `${address} redirects to ${response.headers.get('location')}. Give that address.`,
      )
    if (!response.ok) throw await failureOfResponse(response, address)
    return response
  }

  /** Requests bytes, which are not calls of the contract. The response's body is streamed. */
  const get = (path: string) => fetchServer(path, { headers: { authorization } })
  let tokenCheck: Promise<unknown> | null = null

  /** Checks the token before the first call, because with a wrong one, public calls succeed as for a visitor. */
  function requireValidToken(): Promise<unknown> {
    tokenCheck ??= get('/v1/tokens')
    return tokenCheck
  }

  const send: Send = async ({ method, url, body, ifMatch }) => {
    await requireValidToken()
    const response = await fetchServer(url, {
      method,
      body,
      headers: {
        authorization,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === null ? {} : { 'if-match': `"${ifMatch}"` }),
      },
    })
    const type = response.headers.get('content-type') ?? ''
    if (response.status !== 204 && !type.includes('json'))
      throw new Failure('unavailable', `${address} returned ${type || 'nothing'}. Is it a Keepsake server?`)
    return response
  }
  const rehearsalClient = createClient(async request => {
    if (request.method === 'GET') return send(request)
    await send({ ...request, url: dryRunPath(request.url) })
    throw new Rehearsed('only rehearsed')
  }, failureOf)
  /** Runs `change` up to its first changing call, which the server makes as a dry run. */
  async function rehearse(change: (client: Client<Calls>) => Promise<unknown>): Promise<void> {
    try {
      await change(rehearsalClient)
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error
    }
  }
  const planner = createServerPlanner(async (path, body, signal) => {
    await requireValidToken()
    const headers = { authorization, 'content-type': 'application/json' }
    return fetchServer(path, { method: 'POST', body, headers }, signal)
  })
  const client = createClient(send, failureOf)
  return { address, client, rehearse, planner, get }
}
