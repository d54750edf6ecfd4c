import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { terminalViewer } from '../core/accounts/access.ts'
import { type Library, openLibrary } from '../core/library.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { calls } from '../schema/api/calls.ts'
import { dryRunPath, type Endpoint } from '../schema/api/contract.ts'
import { exampleOf } from '../schema/api/reference/examples.ts'
import { openApi } from '../schema/api/reference/openapi.ts'
import { createClient, Refused } from '../schema/client.ts'
import { failureTable } from '../schema/errors.ts'
import { createApp } from '../server/app.ts'
import { createMediaOnDemand } from '../server/bytes/media-on-demand.ts'
import { picture } from './support/scanning-library.ts'
import { temporaryDirectory } from './support/temporary.ts'

/** Every kind of caller that rules distinguish. `outsider` has no right, `viewer` to `manager` have one right each. */
const callers = ['anonymous', 'outsider', 'viewer', 'creator', 'updater', 'manager', 'admin'] as const
type CallerKind = (typeof callers)[number]

interface TestServer {
  library: Library
  app: ReturnType<typeof createApp>
  tokens: Record<CallerKind, string | null>
  close(): Promise<void>
  /** Ids of things that exist, in a collection that only members of its groups can see. */
  ids: { item: number; collection: number; job: number }
}

async function open(): Promise<TestServer> {
  const directory = temporaryDirectory()
  const root = join(directory, 'pictures')
  mkdirSync(root)
  writeFileSync(join(root, 'a.jpg'), await picture({ seed: 1 }))
  const library = openLibrary({
    role: 'worker',
    data: join(directory, 'data'),
    create: true,
    environment: {},
    stderrLevel: 'none',
  })
  const media = createMediaOnDemand(library)
  const close = async () => {
    await media.close()
    library.close()
  }
  const { row } = await library.collections.resolve(terminalViewer, root, { create: true })
  const job = await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true })
  await library.jobs.run(job)
  const item = library.db.get<{ id: number }>('SELECT id FROM items')?.id ?? 0

  const tokens: TestServer['tokens'] = {
    anonymous: null,
    outsider: null,
    viewer: null,
    creator: null,
    updater: null,
    manager: null,
    admin: null,
  }
  const flags: Partial<Record<CallerKind, string>> = {
    viewer: 'view',
    creator: 'create',
    updater: 'update',
    manager: 'admin',
  }
  for (const kind of callers) {
    if (kind === 'anonymous') continue
    const user = await library.users.create(terminalViewer, {
      username: kind,
      name: kind,
      email: `${kind}@example.org`,
      password: 'secret',
      unlockPin: '1234',
      globalAdmin: kind === 'admin',
    })
    const flag = flags[kind]
    if (flag !== undefined) {
      await library.db.transact(terminalViewer, tx => {
        const group = tx.run(`INSERT INTO access_groups (name, "${flag}") VALUES (?, 1)`, kind).lastInsertRowid
        tx.run('INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, 9)', row.id, group)
        tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', group, user.id)
      })
    }
    tokens[kind] = (await library.sessions.open(user, 'test')).token
  }
  const app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, media)
  return { library, app, tokens, close, ids: { item, collection: row.id, job } }
}

let opened: TestServer | null = null
beforeAll(async () => {
  opened = await open()
})
afterAll(async () => {
  await opened?.close()
})

function testServer(): TestServer {
  if (opened === null) throw new Error('the server is not open')
  return opened
}

async function send(kind: CallerKind, method: string, url: string, body: string | null): Promise<Response> {
  const { app, tokens } = testServer()
  const token = tokens[kind]
  return app.request(`http://keepsake.test${url}`, {
    method,
    ...(body === null ? {} : { body }),
    headers: {
      host: 'keepsake.test',
      ...(body === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      ...(token === null
        ? { origin: 'http://keepsake.test', 'sec-fetch-site': 'same-origin' }
        : { authorization: `Bearer ${token}` }),
    },
  })
}

const allCalls = Object.entries(calls).flatMap(([group, table]) =>
  Object.entries<Endpoint>(table).map(([name, call]) => ({ name: `${group}.${name}`, call })),
)

/** What the server serves besides calls and bytes: the description of the API, and the page. */
const otherRoutes = ['GET /v1/openapi.json', 'GET /v1/docs', 'ALL /v1/*', 'ALL *', 'ALL /*']

test('every $ref of the API description resolves, and calls have their own examples', () => {
  const text = JSON.stringify(openApi())
  const { components }: { components: { schemas: Record<string, unknown> } } = JSON.parse(text)
  const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
  expect(names.filter(ref => !(ref.replace('#/components/schemas/', '') in components.schemas))).toEqual([])
  const {
    paths,
  }: {
    paths: Record<
      string,
      Record<
        string,
        {
          parameters: { name: string; example?: string }[]
          requestBody: { content: { 'application/json': { example: unknown } } }
        }
      >
    >
  } = JSON.parse(text)
  const call = paths['/v1/item/{id}/tag/{tagName}']?.put
  expect(call?.parameters.find(({ name }) => name === 'tagName')?.example).toBe('Keywords')
  expect(call?.parameters.map(({ name }) => name)).toContain('If-Match')
  expect(call?.requestBody.content['application/json'].example).toEqual({ data: ['Sevilla', 'Cathedral'] })
  const { body } = calls.links.create
  expect(body.parse(exampleOf(body))).not.toHaveProperty('album')
})

test('every route of the server is declared with a rule', async () => {
  const { app, close } = await open()
  const declared = new Set([
    ...Object.values(calls).flatMap(table =>
      Object.values<Endpoint>(table).flatMap(({ method, path, dryRun }) => [
        `${method} ${path}`,
        ...(dryRun ? [`${method} ${dryRunPath(path)}`] : []),
      ]),
    ),
    ...Object.values(byteRoutes).map(({ method, path }) => `${method} ${path}`),
    ...otherRoutes,
  ])
  const undeclared = app.routes
    .map(({ method, path }) => `${method === 'HEAD' ? 'GET' : method} ${path}`)
    .filter(route => !declared.has(route))
  expect([...new Set(undeclared)]).toEqual([])
  await close()
})

describe('rights', () => {
  test('a thing that the caller cannot see gets the same response as a thing that does not exist', async () => {
    const { ids } = testServer()
    for (const path of ['/v1/item/ID', '/v1/item/ID/image', '/v1/item/ID/stream', '/v1/job/ID']) {
      const id = path.includes('job') ? ids.job : ids.item
      const invisible = await send('outsider', 'GET', path.replace('ID', String(id)), null)
      const unknown = await send('outsider', 'GET', path.replace('ID', '987654321'), null)
      expect(invisible.status).toBe(404)
      expect(await invisible.text()).toBe(await unknown.text())
      expect([...invisible.headers]).toEqual([...unknown.headers])
    }
  })

  test('lists of an invisible or unknown collection are empty, not refused', async () => {
    const { ids } = testServer()
    for (const id of [ids.collection, 987_654]) {
      const list = await send('outsider', 'GET', `/v1/item/list/${id}`, null)
      expect(list.status).toBe(200)
      expect(await list.json()).toMatchObject({ _meta: { total_records: 0 }, items: [] })
    }
  })

  test('a cookie alone allows reading only; with the CSRF value of its session, it allows changes', async () => {
    const { app, tokens, library, ids } = testServer()
    const cookie = `keepsake_session=${tokens.admin}`
    const session = await library.sessions.of(tokens.admin ?? '')
    const put = (headers: Record<string, string>) =>
      app.request(`http://keepsake.test/v1/job/${ids.job}/cancel`, {
        method: 'PUT',
        headers: { host: 'keepsake.test', cookie, ...headers },
      })
    expect((await app.request(`http://keepsake.test/v1/item/${ids.item}/image`, { headers: { cookie } })).status).toBe(
      200,
    )
    expect((await put({})).status).toBe(403)
    expect((await put({ origin: 'https://elsewhere.test' })).status).toBe(403)
    expect((await put({ 'x-csrf-token': 'guess' })).status).toBe(403)
    expect((await put({ 'x-csrf-token': session?.csrf ?? '' })).status).toBe(200)
  })

  test('a login from another site is refused, even with the right password', async () => {
    const { app } = testServer()
    const login = (headers: Record<string, string>) =>
      app.request('http://keepsake.test/v1/users/login', {
        method: 'POST',
        headers: { host: 'keepsake.test', 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ username: 'admin', password: 'secret' }),
      })
    expect((await login({ origin: 'https://elsewhere.test' })).status).toBe(403)
    expect((await login({ 'sec-fetch-site': 'cross-site', origin: 'http://keepsake.test' })).status).toBe(403)
    expect((await login({})).status).toBe(403)
    const ownSite = await login({ origin: 'http://keepsake.test' })
    expect(ownSite.status).toBe(200)
    expect(ownSite.headers.get('set-cookie')).toMatch(/keepsake_session=.*HttpOnly; SameSite=Strict/)
  })

  test('an invalid Bearer token is refused even with a valid cookie', async () => {
    const { app, tokens } = testServer()
    const headers = { authorization: 'Bearer old', cookie: `keepsake_session=${tokens.admin}` }
    expect((await app.request('http://keepsake.test/v1/job', { headers })).status).toBe(401)
  })
})

const openApiShape = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ summary: z.string() }))),
})

describe('the contract', () => {
  test('every call has its own address, a rule, and a summary', () => {
    const addresses = allCalls.map(({ call }) => `${call.method} ${call.path}`)
    expect(new Set(addresses).size).toBe(addresses.length)
    for (const { call } of allCalls) {
      expect(call.summary.length).toBeGreaterThan(5)
      expect(Object.values(failureTable).map(row => row.status as number)).toEqual(
        expect.arrayContaining([...call.rule.refused]),
      )
      if (call.rule.who !== 'all') expect(call.rule.refused).toContain(401)
    }
  })

  test('OpenAPI describes every call and every byte route', async () => {
    const { app } = testServer()
    const served = openApiShape.parse(await (await app.request('http://keepsake.test/v1/openapi.json')).json())
    expect<unknown>(served).toEqual(JSON.parse(JSON.stringify(openApi())))
    for (const { call } of allCalls) {
      const path = call.path.replace(/:(\w+)/g, '{$1}')
      expect(served.paths[path]?.[call.method.toLowerCase()]?.summary).toBe(call.summary)
    }
    for (const route of Object.values(byteRoutes))
      expect(served.paths[route.path.replace(/:(\w+)/g, '{$1}')]).toBeDefined()
  })

  test('the HTTP client and the in-process client return the same', async () => {
    const { library, ids } = testServer()
    const http = createClient(({ method, url, body }) => send('admin', method, url, body))
    const inProcess = library.as(terminalViewer)
    for (const client of [http, inProcess]) {
      const page = await client.items.list({ params: { collectionId: 0 }, query: { limit: 10 } })
      expect(page._meta).toEqual({ total_records: 1, limit: 10, page: 1, count: 1 })
      expect((await client.items.get({ params: { id: ids.item } })).name).toBe('a.jpg')
      expect((await client.items.timeline({ params: { collectionId: 0 }, query: {} })).total_records).toBe(1)
    }
    const refused = await http.items.get({ params: { id: 999 } }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refused)
    expect(refused).toMatchObject({ status: 404, code: 'notFound' })
  })

  for (const [what, path, field] of [
    ['an invalid id', '/v1/item/abc', 'id'],
    ['a limit that is too high', '/v1/item/list/0?limit=99999', 'limit'],
    ['an invalid month', '/v1/item/list/0?startMonth=13', 'startMonth'],
    ['an unknown calendar', '/v1/item/timeline/0?calendar=lunar', 'calendar'],
    ['filter groups that are not JSON', '/v1/item/list/0?filtergroups=%5B', 'filtergroups'],
    ['a tag set that cannot be searched', '/v1/item/list/0?searchInTags=Title', 'searchInTags'],
    ['an invalid sort', '/v1/item/list/0?sort=colour', 'sort'],
    ['a parameter twice', '/v1/item/list/0?limit=1&limit=2', 'limit'],
    ['an invalid cursor', '/v1/item/list/0?cursor=nonsense', 'cursor'],
    ['a query with an unclosed bracket', '/v1/item/list/0?q=%28a', 'q'],
  ] as const) {
    test(`${what} is refused with the name of the field`, async () => {
      const response = await send('admin', 'GET', path, null)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'invalid', field })
    })
  }

  test('an unknown address gets a 404 in JSON', async () => {
    const response = await send('admin', 'GET', '/v1/nothing', null)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'notFound' })
  })
})

describe('registration', () => {
  async function withEmptyLibrary(
    work: (
      register: (from: { username?: string; address?: string; host?: string; setup?: string }) => Promise<Response>,
      key: string,
    ) => Promise<void>,
  ) {
    const library = openLibrary({
      role: 'worker',
      data: join(temporaryDirectory(), 'data'),
      create: true,
      environment: {},
      stderrLevel: 'none',
    })
    const media = createMediaOnDemand(library)
    const app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, media)
    await work(
      async ({ username = 'ines', address = '192.0.2.7', host = 'keepsake.test', setup }) =>
        app.request(
          `http://${host}/v1/users/register`,
          {
            method: 'POST',
            headers: { host, origin: `http://${host}`, 'content-type': 'application/json' },
            body: JSON.stringify({ username, name: 'N', email: 'a@b', password: 'secret', unlockPin: '1234', setup }),
          },
          { address },
        ),
      library.secrets.setup,
    )
    await media.close()
    library.close()
  }

  test('the first account needs the key of the set-up link; afterwards registration is open', () =>
    withEmptyLibrary(async (register, key) => {
      expect((await register({})).status).toBe(403)
      expect((await register({ setup: 'wrong' })).status).toBe(403)
      const first = await register({ setup: key })
      expect(first.status).toBe(201)
      expect(await first.json()).toMatchObject({ user: { globaladmin: true } })
      const second = await register({ username: 'other', address: '192.0.2.8' })
      expect(await second.json()).toMatchObject({ user: { globaladmin: false } })
      const taken = await register({ username: 'OTHER', address: '192.0.2.8' })
      expect(taken.status).toBe(409)
      expect(await taken.json()).toMatchObject({ error: 'That username is not available.', field: 'username' })
    }))

  // A plain proxy on the same machine connects from 127.0.0.1, may pass on any host, and sends no forwarding header.
  for (const host of ['localhost:4480', '127.0.0.1:4480', '[::1]:4480', 'photos.example']) {
    test(`the first account needs the key even from this machine, at ${host}`, () =>
      withEmptyLibrary(async (register, key) => {
        for (const address of ['127.0.0.1', '::1']) {
          const refused = await register({ address, host })
          expect(refused.status).toBe(403)
          const { error }: { error: string } = JSON.parse(await refused.text())
          expect(error).toContain('Open the link that keepsake printed when it started')
          expect(error).toContain('keepsake user create NAME --admin')
        }
        expect((await register({ address: '127.0.0.1', host, setup: key })).status).toBe(201)
      }))
  }
})
