/** A library with its HTTP application and users who call it, for tests of rights. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { type Library, openLibrary } from '../../core/library.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'
import { temporaryDirectory } from './temporary.ts'

/** A caller's credentials: a token, cookies, or nothing. */
export interface Credentials {
  bearer?: string
  cookie?: string
  prefer?: string
}

export interface TestServer {
  library: Library
  app: ReturnType<typeof createApp>
  clock: FakeClock
  directory: string
  /** Creates a collection in a new directory, with its two groups; returns its id. */
  collection(name: string): Promise<number>
  /** Creates an account and signs it in; with a right on a collection if `collectionId` is given. */
  user(
    username: string,
    more?: { globalAdmin?: boolean; collectionId?: number; right?: 'view' | 'create' | 'update' | 'admin' },
  ): Promise<{ id: number; token: string }>
  /** Makes a call with these credentials, from a page of the server. */
  send(method: string, path: string, who?: Credentials | string | null, body?: unknown): Promise<Response>
  /** Like `send`, but returns status and JSON. */
  sendJson(method: string, path: string, who?: Credentials | string | null, body?: unknown): Promise<JsonResponse>
}

interface JsonResponse {
  status: number
  json: unknown
}

const origin = 'http://keepsake.test'

function headersOf(credentials: Credentials, body: string | null): Record<string, string> {
  return {
    host: 'keepsake.test',
    ...(credentials.bearer === undefined
      ? { origin, 'sec-fetch-site': 'same-origin' }
      : { authorization: `Bearer ${credentials.bearer}` }),
    ...(credentials.cookie === undefined ? {} : { cookie: credentials.cookie }),
    ...(credentials.prefer === undefined ? {} : { prefer: credentials.prefer }),
    ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }
}

/** Opens a library and its server; the caller must `close` it. `environment` sets settings. */
export function openTestServer(environment: Record<string, string> = {}): TestServer & { close(): Promise<void> } {
  const directory = temporaryDirectory()
  const clock = fakeClock()
  const library = openLibrary({
    role: 'worker',
    data: join(directory, 'data'),
    create: true,
    environment,
    stderrLevel: 'none',
    clock,
  })
  const media = createMediaOnDemand(library)
  const app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, media)

  async function send(method: string, path: string, who: Credentials | string | null = null, body?: unknown) {
    const credentials: Credentials = typeof who === 'string' ? { bearer: who } : (who ?? {})
    const text = body === undefined ? null : JSON.stringify(body)
    return app.request(`${origin}${path}`, {
      method,
      ...(text === null ? {} : { body: text }),
      headers: headersOf(credentials, text),
    })
  }

  async function giveRight(userId: number, collectionId: number, right: string) {
    await library.db.transact(terminalViewer, tx => {
      const group = tx.run(`INSERT INTO access_groups (name, "${right}") VALUES (?, 1)`, right).lastInsertRowid
      tx.run('INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, 9)', collectionId, group)
      tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', group, userId)
    })
  }

  return {
    library,
    app,
    clock,
    directory,
    async collection(name) {
      const path = join(directory, name)
      mkdirSync(path)
      return (await library.collections.create(terminalViewer, { name, path })).id
    },
    async user(username, { globalAdmin = false, collectionId, right = 'view' } = {}) {
      const user = await library.users.create(terminalViewer, {
        username,
        name: username,
        email: `${username}@example.org`,
        password: 'secret',
        unlockPin: '4711',
        globalAdmin,
      })
      if (collectionId !== undefined) await giveRight(user.id, collectionId, right)
      return { id: user.id, token: (await library.sessions.open(user, 'test')).token }
    },
    send,
    async sendJson(method, path, who, body) {
      const response = await send(method, path, who, body)
      const text = await response.text()
      return { status: response.status, json: text === '' ? null : JSON.parse(text) }
    },
    async close() {
      await media.close()
      library.close()
    },
  }
}

/** `name=value` of a cookie that a response sets; throws if it sets none of that name. */
export function cookieOf(response: Response, name: string): string {
  const found = response.headers.getSetCookie().find(line => line.startsWith(`${name}=`))
  if (found === undefined) throw new Error(`no cookie ${name} is set`)
  return found.split(';')[0] ?? ''
}
