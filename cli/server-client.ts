/** The library of another machine: the contract's calls over HTTP, with failures that say what to do. */
import type { Calls } from '../schema/api/calls.ts'
import { type Client, dryRunPath } from '../schema/api/contract.ts'
import { createClient, type Send } from '../schema/client.ts'
import { Failure, type FailureCode, failureTable, reasonOf } from '../schema/errors.ts'

/** A server that is reached, or that should be. */
export interface Remote {
  client: Client<Calls>
  /** Makes calls up to the first that changes something: the server is asked whether it would. */
  rehearse(change: (client: Client<Calls>) => Promise<unknown>): Promise<void>
  /** Bytes of a GET that is no call of the contract, as they come. */
  fetch(path: string): Promise<Response>
}

/** The server would do it; it has no answer that one could go on with. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
}

const refusedHere = (status: number, message: string, field: string | undefined, code: string) =>
  new Failure(isCode(code) ? code : (byStatus[status] ?? 'conflict'), message, field === undefined ? {} : { field })

/** As long as a server may take until it begins to answer. */
const patienceMs = 60_000

function isCode(text: unknown): text is FailureCode {
  return typeof text === 'string' && Object.hasOwn(failureTable, text)
}

const byStatus: Record<number, FailureCode> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'denied',
  404: 'notFound',
  409: 'conflict',
  413: 'tooLarge',
  429: 'tooMany',
  503: 'unavailable',
  507: 'noSpace',
}

async function refusal(response: Response, address: string): Promise<Failure> {
  const said: unknown = await response.json().catch(() => null)
  const of = (name: string): unknown =>
    typeof said === 'object' && said !== null ? Reflect.get(said, name) : undefined
  const text = of('error')
  const code = of('code')
  if (typeof text !== 'string')
    return new Failure('unavailable', `${address} answers with status ${response.status}. Is it a Keepsake server?`)
  if (response.status === 401)
    return new Failure(
      'unauthenticated',
      `${address} does not accept this token: it is wrong, revoked or over. On its machine: keepsake token issue --user NAME`,
    )
  const field = of('field')
  const current = of('current')
  const kind = isCode(code) ? code : (byStatus[response.status] ?? 'conflict')
  const message = response.status >= 500 ? `${address}: ${text}` : text
  return new Failure(kind, message, { current, ...(typeof field === 'string' ? { field } : {}) })
}

/** Why there was no answer at all: the name, the port, the certificate. */
function unreachable(error: unknown, address: string): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = reasonOf(error)
  if (/CERT|SELF_SIGNED|TLS|SSL|ISSUER|ALTNAME/i.test(`${code} ${reason}`))
    return new Failure(
      'unavailable',
      `The certificate of ${address} is not trusted (${code === '' ? reason : code}). Name its authority with NODE_EXTRA_CA_CERTS=FILE.`,
      { cause: error },
    )
  if (error instanceof Error && error.name === 'TimeoutError')
    return new Failure('unavailable', `${address} does not answer.`, { cause: error })
  return new Failure('unavailable', `${address} cannot be reached (${code === '' ? reason : code}).`, { cause: error })
}

/** 'http://host:4480', with a path where a proxy puts the library below one. */
function addressOf(text: string): string {
  const given = URL.canParse(text) ? new URL(text) : null
  if (given === null || (given.protocol !== 'http:' && given.protocol !== 'https:'))
    throw new Failure('invalid', `--server takes an address like https://pictures.example:4480, not '${text}'.`)
  if (given.username !== '' || given.search !== '' || given.hash !== '')
    throw new Failure('invalid', '--server takes an address alone; the token is --token or KEEPSAKE_TOKEN.')
  return given.href.replace(/\/+$/, '')
}

/** Speaks with a server as the user of a token. Nothing is sent until the first call. */
export function openRemote(server: string, token: string | undefined): Remote {
  const address = addressOf(server)
  if (token === undefined || token.trim() === '')
    throw new Failure('unauthenticated', `${address} needs a token: KEEPSAKE_TOKEN or --token (keepsake token issue).`)
  const authorization = `Bearer ${token.trim()}`

  async function ask(url: string, init: RequestInit): Promise<Response> {
    const response = await fetch(address + url, {
      ...init,
      // A token must not follow to another place.
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    }).catch((error: unknown) => {
      throw unreachable(error, address)
    })
    if (response.status >= 300 && response.status < 400)
      throw new Failure('unavailable', `${address} leads on to ${response.headers.get('location')}. Give that address.`)
    if (!response.ok) throw await refusal(response, address)
    return response
  }

  let known: Promise<unknown> | null = null

  /** What visitors may ask is answered to a wrong token, too, as to a visitor: so the first thing asked is who we are. */
  function demandKnown(): Promise<unknown> {
    known ??= ask('/v1/tokens', { headers: { authorization } })
    return known
  }

  const send: Send = async ({ method, url, body, ifMatch }) => {
    await demandKnown()
    const response = await ask(url, {
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
      throw new Failure('unavailable', `${address} answers with ${type || 'nothing'}. Is it a Keepsake server?`)
    return response
  }
  const rehearsed = createClient(async request => {
    if (request.method === 'GET') return send(request)
    await send({ ...request, url: dryRunPath(request.url) })
    throw new Rehearsed('only rehearsed')
  }, refusedHere)
  async function rehearse(change: (client: Client<Calls>) => Promise<unknown>): Promise<void> {
    try {
      await change(rehearsed)
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error
    }
  }
  return { client: createClient(send, refusedHere), rehearse, fetch: path => ask(path, { headers: { authorization } }) }
}
