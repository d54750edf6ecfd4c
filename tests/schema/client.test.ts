import { expect, test } from 'bun:test'
import type { z } from 'zod'
import { addressOf } from '../../schema/addresses.ts'
import { calls } from '../../schema/api/calls.ts'
import { filterQuery } from '../../schema/api/items.ts'
import { createClient } from '../../schema/client.ts'

/** The error of a call when the server sends this response. */
async function refusedWith(body: string, status: number) {
  const client = createClient(async () => new Response(body, { status }))
  return client.tokens.list().then(
    () => null,
    (error: unknown) => error,
  )
}

test.each([200, 404, 502])('with status %d, a body that is not JSON becomes an unknown server error', async status => {
  expect(await refusedWith('<html>a proxy</html>', status)).toMatchObject({
    name: 'Refused',
    status,
    message: 'Unknown server error',
    code: 'unknown',
  })
})

test('rethrows the error of a connection that breaks while the body is read', async () => {
  const broken = new TypeError('cut off')
  const body = new ReadableStream({ start: controller => controller.error(broken) })
  const client = createClient(async () => new Response(body))
  expect(await client.tokens.list().catch((error: unknown) => error)).toBe(broken)
})

test('writes queries in the form that their schemas parse', () => {
  const cases: [z.ZodType, unknown][] = [
    [filterQuery, { q: 'dog', startMonth: 8, radius: 0.5, collection_id: 0 }],
    [filterQuery, { filtergroups: [[{ type: 'Keyword', mode: 1, id: 4 }], [{ type: 'Person', mode: 0, id: 2 }]] }],
    [filterQuery, { searchInTags: ['Keywords', 'People'] }],
    [filterQuery, { searchInTags: [], filtergroups: [] }],
    [calls.map.features.query, { bbox: [-10, -20.5, 10, 20.5] }],
    [calls.faces.due.query, { all: true }],
  ]
  for (const [schema, query] of cases) {
    const address = new URL(addressOf('/v1/x', {}, query as Record<string, unknown>), 'http://a')
    expect(schema.parse(Object.fromEntries(address.searchParams))).toEqual(query)
  }
})
