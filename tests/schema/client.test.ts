import { expect, test } from 'bun:test'
import { createClient } from '../../schema/client.ts'

/** What a call is refused with where the server sends this. */
async function refusedWith(body: string, status: number) {
  const client = createClient(async () => new Response(body, { status }))
  return client.tokens.list().then(
    () => null,
    (error: unknown) => error,
  )
}

test.each([200, 404, 502])('a body that is not JSON is an unknown server error, with status %d', async status => {
  expect(await refusedWith('<html>a proxy</html>', status)).toMatchObject({
    name: 'Refused',
    status,
    message: 'Unknown server error',
    code: 'unknown',
  })
})

test('a connection that breaks within the body stays what it is', async () => {
  const broken = new TypeError('cut off')
  const body = new ReadableStream({ start: controller => controller.error(broken) })
  const client = createClient(async () => new Response(body))
  expect(await client.tokens.list().catch((error: unknown) => error)).toBe(broken)
})
