/** Makes routes from the contract: checks the rule, decodes the input, lets core run the call, encodes the response. */
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { requireGlobalAdmin, requireSignedIn, requireSomewhere, type Viewer } from '../core/accounts/access.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { JsonText } from '../core/accounts/in-process-client.ts'
import type { Library } from '../core/library.ts'
import { calls } from '../schema/api/calls.ts'
import { dryRunPath, type Endpoint } from '../schema/api/contract.ts'
import { Failure } from '../schema/errors.ts'
import { invalidFailure } from '../schema/issue-words.ts'
import { bodyText, parseJson } from './requests/body.ts'
import { identifyRequester, type Requester, requireOwnPage } from './requests/viewer.ts'

/** Maximum size of JSON bodies; files have their own routes. */
const longestBody = 2 * 1024 * 1024

/** The JSON body of a request; an empty object if there is none. */
export async function jsonOf(context: Context): Promise<unknown> {
  const length = Number(context.req.header('content-length') ?? '0')
  if (length > longestBody) throw new Failure('tooLarge', 'The request is too large.')
  const text = await bodyText(context.req.raw.body, longestBody)
  return text.trim() === '' ? {} : parseJson(text)
}

/** Decodes one part of a request; errors name the field. */
export function decodeInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = z.safeDecode(schema, value as never)
  if (parsed.success) return parsed.data
  throw invalidFailure(parsed.error)
}

/** Checks the part of a rule that only depends on the caller. */
function requireCaller(viewer: Viewer, call: Endpoint): void {
  const { who } = call.rule
  if (who === 'all') return
  requireSignedIn(viewer)
  if (who === 'globalAdmin') requireGlobalAdmin(viewer)
  if (who === 'signedIn') return
  requireSomewhere(viewer, who === 'anyUpdate' ? 'update' : 'admin')
}

/** What routes need besides the contract: the caller of a call, and what to do after the call. */
export interface CallRules {
  callerFor(context: Context, name: string, requester: Requester): Caller
  after(context: Context, name: string, result: unknown, requester: Requester): void
}

function mountCall(app: Hono, library: Library, rules: CallRules, [group, name, call]: [string, string, Endpoint]) {
  const changes = call.method !== 'GET'
  async function parseRequest(context: Context) {
    const requester = await identifyRequester(context, library)
    requireCaller(requester.viewer, call)
    if (call.effect !== 'none' && context.req.method === 'HEAD') return context.body(null, 405, { Allow: 'GET' })
    if (changes || call.effect === 'proved') requireOwnPage(context, library, requester, call.sameOrigin)
    const input = {
      params: decodeInput(call.params, context.req.param()),
      query: decodeInput(call.query, context.req.query()),
      body: changes ? decodeInput(call.body, await jsonOf(context)) : {},
    }
    const caller = () => rules.callerFor(context, `${group}.${name}`, requester)
    return { requester, perform: async () => library.perform(caller(), group, name, input, { asText: true }) }
  }
  app.on(call.method, call.path, async context => {
    const parsed = await parseRequest(context)
    if (parsed instanceof Response) return parsed
    const { requester } = parsed
    const result = await parsed.perform()
    rules.after(context, `${group}.${name}`, result, requester)
    context.header('Cache-Control', 'no-store')
    if (call.status === 204) return context.body(null, 204)
    // Core returns the contract's types, which are encoded but not checked again at every request.
    const bytes = Buffer.from(result instanceof JsonText ? result.text : JSON.stringify(result))
    context.header('Content-Type', 'application/json')
    // Set the length, or HEAD would report an empty body.
    context.header('Content-Length', String(bytes.length))
    return context.body(bytes, call.status)
  })
  if (call.dryRun)
    app.on(call.method, dryRunPath(call.path), async context => {
      const parsed = await parseRequest(context)
      if (parsed instanceof Response) return parsed
      await library.db.rehearse(parsed.perform)
      return context.body(null, 204)
    })
}

export function mountCalls(app: Hono, library: Library, rules: CallRules): void {
  for (const [group, table] of Object.entries(calls)) {
    for (const [name, call] of Object.entries<Endpoint>(table)) mountCall(app, library, rules, [group, name, call])
  }
}
