import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { byteRoutes } from '../../schema/api/bytes.ts'
import { calls } from '../../schema/api/calls.ts'
import { type FileManagerServer, openFileManagerServer } from '../support/file-manager-server.ts'

let server: FileManagerServer
beforeAll(async () => {
  server = await openFileManagerServer()
})
afterAll(() => server.close())

const routes = [...Object.values(calls).flatMap(table => Object.values(table)), ...Object.values(byteRoutes)]
const withParameters = routes.filter(({ path }) => path.includes(':'))

test('there are routes with parameters', () => {
  expect(withParameters.length).toBeGreaterThan(30)
})

describe('invalid escapes cause no server error:', () => {
  for (const { method, path } of withParameters)
    test(`${method} ${path}`, async () => {
      for (const part of ['%ZZ', '%', '%f', '%ff', '%c0%ae', '%ed%a0%80']) {
        const address = path.replace(/:\w+(\{[^}]*\})?/g, part)
        for (const as of ['bearer', 'anonymous'] as const) {
          const headers = new Headers({ 'content-type': 'application/json' })
          if (as === 'bearer') headers.set('authorization', `Bearer ${server.token}`)
          const body = method === 'GET' ? {} : { body: '{}' }
          const { status } = await server.app.request(address, { method, headers, ...body })
          expect({ address, as, isError: status >= 500 }).toEqual({ address, as, isError: false })
        }
      }
    })
})

test('a page is sent for any address, because only its script parses the address', async () => {
  for (const page of ['/screen-saver/token/', '/t/', '/item/', '/share/', '/plugin/', '/world-map/', '/nowhere/'])
    for (const part of ['%ZZ', '%', '%ff']) {
      const { status, headers } = await server.app.request(page + part)
      const expected = page === '/share/' ? 404 : 200
      expect([page, part, status, headers.get('content-type')]).toEqual([
        page,
        part,
        expected,
        'text/html; charset=utf-8',
      ])
    }
})
