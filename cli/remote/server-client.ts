/** The library of another machine: the contract's calls over HTTP, with failures that name the remedy. */
import type { Calls } from '../../schema/api/calls.ts'
import { type Client, dryRunPath } from '../../schema/api/contract.ts'
import { createClient, type Send } from '../../schema/client.ts'
import { Failure } from '../../schema/errors.ts'
import { refusal, refusedHere, unreachable } from './server-failures.ts'
import { createServerPlanner } from './server-plans.ts'

/** The server would make the change, but there is no response to continue with. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
}

/** Maximum time until a server begins to respond. */
const patienceMs = 60_000

/** 'http://host:4480', with a path if a proxy serves the library below one. */
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
    signal = AbortSignal.timeout(patienceMs),
  ): Promise<Response> {
    const response = await fetch(address + url, {
      ...init,
      // A token must not follow a redirect.
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      throw error instanceof Failure ? error : unreachable(error, address)
    })
    if (response.status >= 300 && response.status < 400)
      throw new Failure(
        'unavailable',
        `${address} redirects to ${response.headers.get('location')}. Give that address.`,
      )
    if (!response.ok) throw await refusal(response, address)
    return response
  }

  /** The bytes of a GET outside the contract, streamed. */
  const get = (path: string) => fetchServer(path, { headers: { authorization } })
  let known: Promise<unknown> | null = null

  /** Public calls also succeed with a wrong token, as for a visitor, so the identity is checked first. */
  function requireKnown(): Promise<unknown> {
    known ??= get('/v1/tokens')
    return known
  }

  const send: Send = async ({ method, url, body, ifMatch }) => {
    await requireKnown()
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
  const rehearsed = createClient(async request => {
    if (request.method === 'GET') return send(request)
    await send({ ...request, url: dryRunPath(request.url) })
    throw new Rehearsed('only rehearsed')
  }, refusedHere)
  /** Makes calls up to the first change; for that, the server does a dry run. */
  async function rehearse(change: (client: Client<Calls>) => Promise<unknown>): Promise<void> {
    try {
      await change(rehearsed)
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error
    }
  }
  const planner = createServerPlanner(async (path, body, signal) => {
    await requireKnown()
    const headers = { authorization, 'content-type': 'application/json' }
    return fetchServer(path, { method: 'POST', body, headers }, signal)
  })
  const client = createClient(send, refusedHere)
  return { client, rehearse, planner, get }
}
