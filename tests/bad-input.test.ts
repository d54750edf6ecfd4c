import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { byteRoutes } from '../schema/api/bytes.ts'
import { calls } from '../schema/api/calls.ts'
import type { Endpoint } from '../schema/api/contract.ts'
import { exampleOf } from '../schema/api/reference/examples.ts'
import { fieldsOf } from '../schema/api/reference/openapi.ts'
import { openRightsServer, type RightsServer } from './support/rights-server.ts'

let opened: RightsServer | null = null
let item = 0
let collection = 0
beforeAll(async () => {
  opened = await openRightsServer()
  collection = await opened.collection('private')
  item = await opened.item(collection, 'live')
}, 60_000)
afterAll(async () => {
  await opened?.close()
})
function testServer(): RightsServer {
  if (opened === null) throw new Error('the server is not open')
  return opened
}

interface Target {
  name: string
  method: string
  path: string
  params: z.ZodType
  query: z.ZodType
  body: z.ZodType | null
}

/** Calls that end sessions, or create, disable or reset accounts; other tests cover them. */
const skipped = new Set(['users.logout', 'users.disable', 'users.reset', 'users.endSessions', 'users.register'])

const targets: Target[] = [
  ...Object.entries(calls).flatMap(([group, table]) =>
    Object.entries<Endpoint>(table).map(([name, call]) => ({
      name: `${group}.${name}`,
      method: call.method,
      path: call.path,
      params: call.params,
      query: call.query,
      body: call.method === 'GET' || call.method === 'DELETE' ? null : call.body,
    })),
  ),
  ...Object.entries(byteRoutes).map(([name, route]) => ({
    name: `bytes.${name}`,
    method: route.method,
    path: route.path,
    params: route.params,
    query: route.query,
    body: null,
  })),
].filter(({ name }) => !skipped.has(name))

const long = 'x'.repeat(1024 * 1024)
const metacharacters = [
  "' OR 1=1 --",
  '"; DROP TABLE items; --',
  'NEAR(a b',
  '"unclosed',
  '*',
  '^a',
  'a AND',
  '(((',
  '%',
  '\\',
  '{}[]',
  '🙂'.repeat(50),
]
const badPaths = [
  'abc',
  '0',
  '-1',
  '1.5',
  '1e3',
  '99999999999999999999',
  '%27',
  '%00',
  '..%2f..',
  '%F0%9F%99%82',
  'null',
]
const badValues: unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  'text',
  '',
  ' ',
  [],
  [[]],
  {},
  { a: { b: 1 } },
  '\u0000',
  ...metacharacters,
]

function filledPath({ path, params }: Target, replaced: Record<string, string> = {}): string {
  const example = exampleOf(params)
  const values: Record<string, unknown> = { ...(typeof example === 'object' && example !== null ? example : {}) }
  return path.replace(/:(\w+)/g, (_, name: string) => {
    if (replaced[name] !== undefined) return replaced[name]
    if (name === 'id' && path.startsWith('/v1/item/')) return String(item)
    if (name === 'collectionId' || (name === 'id' && path.startsWith('/v1/collection'))) return String(collection)
    return encodeURIComponent(String(values[name] ?? '1'))
  })
}

const refusal = z.object({ error: z.string().min(3), code: z.string(), field: z.string().optional() })

/** What is wrong with the response to bad input, or null. */
async function fault(what: string, response: Response): Promise<string | null> {
  const { status } = response
  if (status >= 500 && status !== 503) return `${what}: ${status} ${(await response.text()).slice(0, 200)}`
  if (status < 400) {
    await response.body?.cancel()
    return null
  }
  const text = await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return `${what}: ${status} is not JSON: ${text.slice(0, 100)}`
  }
  const parsed = refusal.safeParse(json)
  if (!parsed.success) return `${what}: ${status} has no error message: ${text.slice(0, 100)}`
  if (/SQLITE|sqlite|fts5|syntax error|undefined is not|Cannot read|at [/A-Za-z]+\.ts/.test(parsed.data.error))
    return `${what}: ${status} reveals internals: ${parsed.data.error}`
  return null
}

async function request(target: Target, url: string, body?: unknown): Promise<Response> {
  return testServer().send('admin', target.method, url, body)
}

function faultsIn(faults: readonly (string | null)[]): string[] {
  return faults.filter(one => one !== null)
}

describe('bad input never causes a server error, and every refusal has a message', () => {
  for (const target of targets) {
    test(`${target.method} ${target.path} (${target.name})`, async () => {
      const faults: (string | null)[] = []
      const body = target.body === null ? undefined : exampleOf(target.body)
      const names = [...target.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
      for (const name of names) {
        for (const bad of badPaths) {
          const response = await request(target, filledPath(target, { [name]: bad }), body)
          faults.push(await fault(`${name}=${bad} in the address`, response))
        }
      }
      const url = filledPath(target)
      for (const { name } of fieldsOf(target.query)) {
        for (const bad of ['', 'NaN', '-1', '1e99', ...metacharacters, 'x'.repeat(10_000)]) {
          const response = await request(target, `${url}?${name}=${encodeURIComponent(bad)}`, body)
          faults.push(await fault(`${name}=${bad.slice(0, 30)}`, response))
        }
        const twice = await request(target, `${url}?${name}=1&${name}=2`, body)
        if (twice.status !== 400) faults.push(`${name} twice: ${twice.status}`)
        faults.push(await fault(`${name} twice`, twice))
      }
      if (target.body !== null) faults.push(...(await faultsOfBadBodies(target, url, body)))
      expect(faultsIn(faults)).toEqual([])
    }, 120_000)
  }
})

async function faultsOfBadBodies(target: Target, url: string, example: unknown): Promise<(string | null)[]> {
  const faults: (string | null)[] = []
  for (const text of ['{', 'null', '[]', '"text"', '1', '{"a":', '\u0000', '['.repeat(20_000)]) {
    const response = await testServer().sendText('admin', target.method, url, text)
    faults.push(await fault(`the body ${text.slice(0, 20)}`, response))
  }
  const whole: Record<string, unknown> = { ...(typeof example === 'object' && example !== null ? example : {}) }
  for (const name of Object.keys(whole)) {
    for (const bad of [...badValues, long, Array.from({ length: 2000 }, () => 'x')]) {
      const response = await request(target, url, { ...whole, [name]: bad })
      faults.push(await fault(`${name} = ${JSON.stringify(bad)?.slice(0, 30)}`, response))
    }
    const { [name]: _, ...rest } = whole
    faults.push(await fault(`without ${name}`, await request(target, url, rest)))
    // The same for the fields of nested objects.
    const inner = whole[name]
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue
    for (const key of Object.keys(inner)) {
      for (const bad of badValues) {
        const response = await request(target, url, { ...whole, [name]: { ...inner, [key]: bad } })
        faults.push(await fault(`${name}.${key} = ${JSON.stringify(bad)?.slice(0, 30)}`, response))
      }
    }
  }
  const polluted = await testServer().sendText(
    'admin',
    target.method,
    url,
    '{"__proto__":{"globaladmin":true},"constructor":1}',
  )
  faults.push(await fault('__proto__', polluted))
  return faults
}

describe('an invalid request', () => {
  test('is refused with the name of the field, for every body field of the wrong type', async () => {
    const withoutField: string[] = []
    for (const target of targets) {
      if (target.body === null) continue
      const example = exampleOf(target.body)
      const whole: Record<string, unknown> = { ...(typeof example === 'object' && example !== null ? example : {}) }
      for (const name of Object.keys(whole)) {
        const bad = { ...whole, [name]: { not: ['this'] } }
        if (z.safeDecode(target.body, bad as never).success) continue
        const response = await request(target, filledPath(target), bad)
        const parsed = refusal.safeParse(await response.json().catch(() => null))
        if (response.status !== 400 || !parsed.success || parsed.data.field?.startsWith(name) !== true)
          withoutField.push(`${target.name} ${name}: ${response.status} ${JSON.stringify(parsed.data)}`)
      }
    }
    expect(withoutField).toEqual([])
  }, 120_000)
})
