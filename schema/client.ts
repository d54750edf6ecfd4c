/** The typed client over HTTP: for the web, for `--server URL` and for tests. */
import { addressOf } from './addresses.ts'
import type { Calls } from './api/calls.ts'
import type { Client } from './api/contract.ts'
import { callTable } from './call-table.ts' with { type: 'macro' }

/** Sends one request. Without a connection, it throws the environment's own error. */
export type Send = (request: {
  method: string
  url: string
  body: string | null
  /** Value of the header `If-Match`; null omits it. */
  ifMatch: number | null
}) => Promise<Response>

/** A response with an error status and the server's message. */
export class Refused extends Error {
  override readonly name = 'Refused'
  constructor(
    readonly status: number,
    message: string,
    readonly field: string | undefined,
    readonly code: string,
  ) {
    super(message)
  }
}

type CreateError = (status: number, message: string, field: string | undefined, code: string) => Error

export const createRefused = (status: number, message: string, field: string | undefined, code: string) =>
  new Refused(status, message, field, code)

interface LooseInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  ifMatch?: number
}

const unknownError = 'Unknown server error'

/** The JSON of a successful response; refuses other bodies, which a proxy may send. */
async function jsonOf(response: Response, createError: CreateError): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    throw error instanceof SyntaxError ? createError(response.status, unknownError, undefined, 'unknown') : error
  }
}

/** The server's message of a refusal; any other body, such as a proxy's, becomes an unknown error. */
export async function refusalOfResponse(
  response: Response,
): Promise<{ error: string; code: string; field: string | undefined }> {
  const body: unknown = await response.json().catch(() => null)
  const { error, code, field }: Record<string, unknown> = typeof body === 'object' ? { ...body } : {}
  if (typeof error !== 'string') return { error: unknownError, code: 'unknown', field: undefined }
  return {
    error,
    code: typeof code === 'string' ? code : 'unknown',
    field: typeof field === 'string' ? field : undefined,
  }
}

async function perform(send: Send, call: string, input: LooseInput, createError: CreateError): Promise<unknown> {
  const [method = '', path = ''] = call.split(' ')
  const response = await send({
    method,
    url: addressOf(path, input.params ?? {}, input.query),
    body: method === 'POST' || method === 'PUT' ? JSON.stringify(input.body ?? {}) : null,
    ifMatch: input.ifMatch ?? null,
  })
  if (response.ok) return response.status === 204 ? {} : jsonOf(response, createError)
  const { error, field, code } = await refusalOfResponse(response)
  throw createError(response.status, error, field, code)
}

/** Makes a client with the calls of the table, each of which runs `runCall`. The only place that asserts the shape. */
export function clientOf<Call>(
  table: Record<string, Record<string, Call>>,
  runCall: (call: Call, group: string, name: string, input: LooseInput) => Promise<unknown>,
): Client<Calls> {
  const groups = Object.entries(table).map(([group, named]) => [
    group,
    Object.fromEntries(
      Object.entries(named).map(([name, call]) => [
        name,
        (input: LooseInput = {}) => runCall(call, group, name, input),
      ]),
    ),
  ])
  return Object.fromEntries(groups) as Client<Calls>
}

/** An HTTP client. Client and server share the table: responses are trusted, and the server checks requests. */
export function createClient(send: Send, createError: CreateError = createRefused): Client<Calls> {
  return clientOf(callTable(), (call, _group, _name, input) => perform(send, call, input, createError))
}
