/** The definition of a call, declared once for the routes, both clients, OpenAPI and the test of rights. */
import { z } from 'zod'
import { calendars } from '../calendar.ts'
import '../issue-words.ts'

/** Who may make a call at all, checked before any lookup. */
type AllowedCallers = 'all' | 'signedIn' | 'anyUpdate' | 'anyAdmin' | 'globalAdmin'

/** A right on a collection. `globalAdmin` includes all of them. */
export type Right = 'view' | 'create' | 'update' | 'admin'

export type RuleSubject =
  | 'item'
  | 'collection'
  | 'job'
  | 'group'
  | 'share'
  | 'build'
  | 'screensaver'
  | 'token'
  | 'plugin'
  | 'step'
  | 'album'
  | 'link'

/**
 * The rule of a call. `on` names what the first path parameter refers to and the required right ('owner': it
 * belongs to the caller). The route checks `who`; the handler of the call checks `on`: 404 for what the caller
 * cannot see, 403 without the right, as `tests/rights.test.ts` proves. `refused` lists the statuses of refusals.
 */
export interface AccessRule {
  who: AllowedCallers
  on?: { thing: RuleSubject; right: Right | 'globalAdmin' | 'owner' }
  refused: readonly (400 | 401 | 403 | 404 | 409 | 413 | 429)[]
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One call. Paths are Hono's (`/v1/item/:id`). Schemas decode what the server receives and describe what it sends. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  method: Method
  path: string
  summary: string
  rule: AccessRule
  params: Params
  query: Query
  body: Body
  output: Output
  /** 204 has no body. */
  status: 200 | 201 | 204
  /** Whether a same-origin Origin or Sec-Fetch-Site replaces the CSRF value, because visitors have no session. */
  sameOrigin: boolean
  /** Whether a GET changes something, as specified; HEAD must not. 'proved': the cookie alone is not sufficient. */
  effect: 'none' | 'any' | 'proved'
  /** Whether it supports a dry run at `dryRunPath`, because all its changes are changes of the database. */
  dryRun: boolean
}

/** Address of the dry run, which returns 204 or the refusal. */
export function dryRunPath(path: string): string {
  return path.replace('/v1/', '/v1/dry-run/')
}

const noValues = z.object({})
type NoValues = typeof noValues

/** Declares a call: 'GET /v1/item/:id'. Defaults: no input, status 200, no output. */
export function endpoint<
  Params extends z.ZodType = NoValues,
  Query extends z.ZodType = NoValues,
  Body extends z.ZodType = NoValues,
  Output extends z.ZodType = NoValues,
>(
  address: `${Method} /${string}`,
  declared: Pick<Endpoint, 'summary' | 'rule'> & Partial<Endpoint<Params, Query, Body, Output>>,
): Endpoint<Params, Query, Body, Output> {
  const [method, path] = address.split(' ') as [Method, string]
  return {
    method,
    path,
    params: noValues as unknown as Params,
    query: noValues as unknown as Query,
    body: noValues as unknown as Body,
    output: noValues as unknown as Output,
    status: 200,
    sameOrigin: false,
    effect: 'none',
    dryRun: false,
    ...declared,
  }
}

type CallTable = Record<string, Record<string, Endpoint>>

/** Input of a call's implementation, decoded. */
export interface InputOf<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
}
export type OutputOf<E extends Endpoint> = z.output<E['output']>

/** A part of the input; may be omitted if all its fields are optional. */
type Part<Name extends string, T> = Record<string, never> extends T ? { [K in Name]?: T } : { [K in Name]: T }

type CallInput<E extends Endpoint> = Part<'params', z.output<E['params']>> &
  Part<'query', z.output<E['query']>> &
  Part<'body', z.output<E['body']>> & {
    /** Tag version that the change is based on: 409 if the tag has a newer one. Without it, the last write wins. */
    ifMatch?: number
  }

type Arguments<E extends Endpoint> =
  Record<string, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

/** Client with the same interface in the browser (over HTTP), in the CLI's `--server` mode and in-process. */
export type Client<Table extends CallTable> = {
  [Group in keyof Table]: {
    [Name in keyof Table[Group]]: (...input: Arguments<Table[Group][Name]>) => Promise<OutputOf<Table[Group][Name]>>
  }
}

export type Handlers<Table extends CallTable, Viewer> = {
  [Group in keyof Table]: {
    [Name in keyof Table[Group]]: (
      viewer: Viewer,
      input: InputOf<Table[Group][Name]>,
    ) => OutputOf<Table[Group][Name]> | Promise<OutputOf<Table[Group][Name]>>
  }
}

// ── Wire codecs ────────────────────────────────────────────────────────────────────────────────────────────

export function tooLong(what: string, maxLength: number): string {
  return `${what} must be at most ${maxLength.toLocaleString('en')} characters`
}

/** Arguments of zod's `max` for a text. The message is formatted only when needed, which makes each start faster. */
export function atMost(what: string, maxLength: number): [number, { error: () => string }] {
  return [maxLength, { error: () => tooLong(what, maxLength) }]
}

export function shortText(what: string, maxLength: number) {
  return z.string().max(...atMost(what, maxLength))
}

export function requiredText(what: string, maxLength: number) {
  return z
    .string()
    .trim()
    .min(1, `${what} is required`)
    .max(...atMost(what, maxLength))
}

/** A number in a path or query. `pattern` and `message` are for its text, `schema` is for its value. */
export function numberText<T extends z.ZodType<number, number>>(pattern: RegExp, message: string, schema: T) {
  const decode = (text: string) => Number(text) as z.input<T>
  return z.codec(z.string().regex(pattern, message), schema, { decode, encode: number => String(number) })
}

/** A whole number in a path or query, within what JavaScript represents exactly. */
export const wholeNumber = numberText(/^-?\d{1,15}$/, 'must be a whole number', z.int())

/** An id: a whole number above zero. */
export const idNumber = numberText(/^[1-9]\d{0,14}$/, 'must be an id', z.int().positive())

export const pageNumber = numberText(/^[1-9]\d{0,14}$/, 'must be a whole number from 1', z.int().positive())

export const byId = z.object({ id: idNumber })

/** A collection in a path: 0 is 'All'. */
export const collectionNumber = numberText(/^\d{1,15}$/, 'must be a collection id', z.int().nonnegative())

export const decimalNumber = numberText(/^-?\d{1,12}(\.\d{1,12})?$/, 'must be a number', z.number())

export const rights = { view: z.boolean(), create: z.boolean(), update: z.boolean(), admin: z.boolean() }

/** 'true' or 'false' in a query. */
export const trueOrFalse = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: text => text === 'true',
  encode: value => (value ? 'true' : 'false'),
})

/** Hidden items are included if `includeHidden` is the value that `unlock` returned. */
export const unlocked = z.object({ includeHidden: z.string().max(200).optional() })

/** The calendar of years, months and days in a call; `gregorian` unless given. Times and stored dates stay Gregorian. */
export const calendarName = z.enum(calendars, { error: `calendar is ${calendars.join(' or ')}` })
