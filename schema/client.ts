/** The typed client over HTTP: for the web, for `--server URL` and for tests. */
import { z } from 'zod'
import type { Calls } from './api/calls.ts'
import { calls } from './api/calls.ts'
import type { Client, Endpoint } from './api/contract.ts'
import { refusalOf } from './issue-words.ts'

/** Sends one request. Throws what the environment throws when there is no connection. */
export type Send = (request: {
  method: string
  url: string
  body: string | null
  /** For the header `If-Match`; null: without. */
  ifMatch: number | null
}) => Promise<Response>

/** An answer that is no success: the status and what the server said. */
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

const errorBody = z.object({ error: z.string(), code: z.string().optional(), field: z.string().optional() })

type Refusal = (status: number, message: string, field: string | undefined, code: string) => Error

const asRefused: Refusal = (status, message, field, code) => new Refused(status, message, field, code)

/** A part of the input as it is sent; what the server would refuse for its shape is refused here, as there. */
function encoded(schema: z.ZodType, value: unknown, refusal: Refusal): unknown {
  const sent = z.safeEncode(schema, value ?? {})
  if (sent.success) return sent.data
  const { message, field } = refusalOf(sent.error)
  throw refusal(400, message, field === '' ? undefined : field, 'invalid')
}

function fill(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function record(value: unknown): Record<string, string> {
  const texts: Record<string, string> = {}
  if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) if (part !== undefined) texts[key] = String(part)
  }
  return texts
}

/** Address of a call with its parameters, as the wire has it. */
function addressOf(call: Endpoint, input: { params?: unknown; query?: unknown }, refusal: Refusal = asRefused): string {
  const params = record(encoded(call.params, input.params, refusal))
  const query = new URLSearchParams(record(encoded(call.query, input.query, refusal))).toString()
  return fill(call.path, params) + (query === '' ? '' : `?${query}`)
}

interface LooseInput {
  params?: unknown
  query?: unknown
  body?: unknown
  ifMatch?: number
}

const unknownError = 'Unknown server error'

/** The JSON of a success; a body that is none, as a proxy may send, is refused. */
async function jsonOf(response: Response, refusal: Refusal): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    throw error instanceof SyntaxError ? refusal(response.status, unknownError, undefined, 'unknown') : error
  }
}

async function perform(send: Send, call: Endpoint, input: LooseInput, refusal: Refusal): Promise<unknown> {
  const hasBody = call.method === 'POST' || call.method === 'PUT'
  const response = await send({
    method: call.method,
    url: addressOf(call, input, refusal),
    body: hasBody ? JSON.stringify(encoded(call.body, input.body, refusal)) : null,
    ifMatch: input.ifMatch ?? null,
  })
  if (response.ok) return response.status === 204 ? {} : jsonOf(response, refusal)
  const said = errorBody.safeParse(await response.json().catch(() => null))
  const body = said.success ? said.data : { error: unknownError, code: undefined, field: undefined }
  throw refusal(response.status, body.error, body.field, body.code ?? 'unknown')
}

/** Builds an object of the table's shape whose every call does `act`. The one place where the shape is asserted. */
export function clientOf(
  act: (call: Endpoint, group: string, name: string, input: LooseInput) => Promise<unknown>,
): Client<Calls> {
  const groups = Object.entries(calls).map(([group, table]) => [
    group,
    Object.fromEntries(
      Object.entries(table).map(([name, call]) => [name, (input: LooseInput = {}) => act(call, group, name, input)]),
    ),
  ])
  return Object.fromEntries(groups) as Client<Calls>
}

/** A client that speaks HTTP. Answers are trusted: they come from the same table. */
export function createClient(send: Send, refusal: Refusal = asRefused): Client<Calls> {
  return clientOf((call, _group, _name, input) => perform(send, call, input, refusal))
}
