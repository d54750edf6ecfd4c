/** Calls made in this process: the handlers of all groups, with the types and the checks of the HTTP client. */
import { z } from 'zod'
import { type Calls, calls } from '../../schema/api/calls.ts'
import type { Client, Endpoint, Handlers } from '../../schema/api/contract.ts'
import { clientOf } from '../../schema/client.ts'
import { invalidFailure } from '../../schema/issue-words.ts'
import type { Viewer } from './access.ts'
import type { Caller } from './caller.ts'

export class JsonText {
  constructor(readonly text: string) {}
}

type Handler<Result> = (caller: Caller, input: never) => Result

/** `textual`: functions by `group.name` that take the handlers' input and return the response as JSON text. */
export function createInProcessCalls(handlers: Handlers<Calls, Caller>, textual: Record<string, Handler<string>>) {
  const table: Record<string, Record<string, Handler<unknown>>> = handlers

  /** Makes a call as a viewer, with decoded input. `asText`: the response may be a `JsonText`. */
  async function perform(
    caller: Caller,
    group: string,
    name: string,
    input: { params: unknown; query: unknown; body: unknown },
    { asText = false }: { asText?: boolean } = {},
  ): Promise<unknown> {
    const text = asText ? textual[`${group}.${name}`] : undefined
    if (text !== undefined) return new JsonText(text(caller, input as never))
    const handler = table[group]?.[name]
    if (handler === undefined) throw new Error(`no call is named ${group}.${name}`)
    return handler(caller, input as never)
  }

  /** A client with the types and the shape checks of the HTTP client. The handlers check rights. */
  function as(viewer: Viewer): Client<Calls> {
    const caller: Caller = { viewer, address: '', agent: 'terminal', ifMatch: null }
    return clientOf<Endpoint>(calls, (call, group, name, input) =>
      perform({ ...caller, ifMatch: input.ifMatch ?? null }, group, name, {
        params: encodeAndDecode(call.params, input.params),
        query: encodeAndDecode(call.query, input.query),
        body: encodeAndDecode(call.body, input.body),
      }),
    )
  }

  return { perform, as }
}

/** Encodes and decodes a value, so that the same input is refused here as over HTTP. */
function encodeAndDecode(schema: z.ZodType, value: unknown): unknown {
  const sent = z.safeEncode(schema, value ?? {})
  const received = sent.success ? z.safeDecode(schema, sent.data) : sent
  if (received.success) return received.data
  throw invalidFailure(received.error)
}
