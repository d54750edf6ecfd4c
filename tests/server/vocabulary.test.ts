import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { type Library, openLibrary } from '../../core/library.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { temporaryDirectory } from '../support/temporary.ts'

let library: Library
let close = async () => {}
let app: ReturnType<typeof createApp>
let token = ''

beforeAll(async () => {
  const data = join(temporaryDirectory(), 'data')
  library = openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none' })
  const media = createMediaOnDemand(library)
  app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, media)
  const admin = await library.users.create(terminalViewer, {
    username: 'ines',
    name: 'Inés',
    email: 'ines@example.org',
    password: 'secret',
    unlockPin: '1234',
    globalAdmin: true,
  })
  token = (await library.sessions.open(admin, 'test')).token
  close = async () => {
    await media.close()
    library.close()
  }
})
afterAll(() => close())

async function request(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: unknown; headers: Headers }> {
  const text = body === undefined ? null : JSON.stringify(body)
  const response = await app.request(`http://keepsake.test${path}`, {
    method,
    ...(text === null ? {} : { body: text }),
    headers: {
      host: 'keepsake.test',
      authorization: `Bearer ${token}`,
      ...(text === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    },
  })
  const responseText = await response.text()
  return {
    status: response.status,
    json: responseText === '' ? null : JSON.parse(responseText),
    headers: response.headers,
  }
}

const idOf = (json: unknown): number => Object(json).id

describe('the vocabulary over HTTP', () => {
  test('a person is created, named over time and given a face, and the last name cannot be deleted', async () => {
    const created = await request('POST', '/v1/person', { names: ['Ada', { name: 'Ada L.', start: 0, finish: 10 }] })
    expect(created).toMatchObject({ status: 201, json: { names: [{ name: 'Ada' }, { name: 'Ada L.' }], itemcount: 0 } })
    const id = idOf(created.json)
    const added = await request('POST', `/v1/person/${id}/names`, { name: 'Countess', start: 10, finish: null })
    expect(added).toMatchObject({ status: 201, json: { person: id, active_from: 10, active_to: null } })
    const nameId = idOf(added.json)
    expect(await request('PUT', `/v1/person/${id}/names/${nameId}`, { name: 'Lady' })).toMatchObject({ status: 200 })
    for (const extra of library.people.names(terminalViewer, {}).slice(1)) {
      expect(await request('DELETE', `/v1/person/${id}/names/${extra.id}`)).toMatchObject({ status: 204, json: null })
    }
    const [last] = library.people.names(terminalViewer, {})
    expect(await request('DELETE', `/v1/person/${id}/names/${last?.id}`)).toMatchObject({
      status: 409,
      json: { error: 'The last name of a person cannot be deleted.' },
    })
    const face = await request('POST', `/v1/person/${id}/faces`, { embedding_data: new Array(1024).fill(0.5) })
    expect(face).toMatchObject({ status: 201, json: { person: id, object: null } })
    expect(await request('DELETE', `/v1/person/${id}/faces/${idOf(face.json)}`)).toMatchObject({ status: 204 })
    expect(await request('DELETE', '/v1/person/unused')).toMatchObject({ status: 200, json: { removed: 1 } })
  })

  const id = 4711
  const wrong: [string, string, unknown, string][] = [
    ['POST', '/v1/person', {}, 'names'],
    ['POST', '/v1/person', { names: [] }, 'names'],
    ['POST', '/v1/person', { names: [7] }, 'names.0'],
    ['POST', '/v1/person', { names: ['x'.repeat(201)] }, 'names.0'],
    ['POST', '/v1/person', { names: ['x'], birthdate: '2020-02-31' }, 'birthdate'],
    ['PUT', '/v1/person/1', { birthdate: 5 }, 'birthdate'],
    ['PUT', '/v1/person/zero', { birthdate: null }, 'id'],
    ['POST', `/v1/person/${id}/names`, { name: 'a', start: 5, finish: 5 }, 'finish'],
    ['POST', `/v1/person/${id}/names`, { name: 'a', start: Date.UTC(1699, 11, 31) / 1000 }, 'start'],
    ['POST', `/v1/person/${id}/names`, { name: 'a', finish: Date.UTC(2051, 0, 2) / 1000 }, 'finish'],
    ['PUT', `/v1/person/${id}`, { birthdate: '1699-12-31' }, 'birthdate'],
    ['PUT', `/v1/person/${id}`, { birthdate: `${new Date().getFullYear() + 2}-01-01` }, 'birthdate'],
    ['POST', `/v1/person/${id}/names`, { name: 'a', start: 1.5 }, 'start'],
    ['POST', `/v1/person/${id}/faces`, { embedding_data: [1] }, 'embedding_data'],
    ['POST', `/v1/person/${id}/faces`, { embedding_data: '1,2' }, 'embedding_data'],
    ['POST', `/v1/person/${id}/faces`, { embedding_data: new Array(16).fill('1') }, 'embedding_data.0'],
    ['POST', '/v1/object', { name: '' }, 'name'],
    ['POST', '/v1/object', { name: 'x', isObjectId: 99 }, 'isObjectId'],
    ['POST', `/v1/object/${id}/property`, { name: 'x' }, 'value'],
    ['PUT', '/v1/keystrings/1', { isHidden: 'yes' }, 'isHidden'],
    ['PUT', '/v1/keystrings/1', { content: '   ' }, 'content'],
    ['GET', '/v1/keystrings/bytag/Description', undefined, 'tag'],
    ['POST', '/v1/keystrings/unlock', {}, 'pin'],
    ['POST', '/v1/keystrings/unlock', { pin: 1234 }, 'pin'],
  ]
  for (const [method, path, body, field] of wrong) {
    test(`${method} ${path} ${JSON.stringify(body)?.slice(0, 60)} is refused and names ${field}`, async () => {
      expect(await request(method, path, body)).toMatchObject({ status: 400, json: { field } })
    })
  }

  const missing: [string, string, unknown][] = [
    ['PUT', `/v1/person/${id}`, { birthdate: null }],
    ['POST', `/v1/person/${id}/names`, { name: 'a' }],
    ['PUT', `/v1/person/${id}/names/1`, { name: 'a' }],
    ['DELETE', `/v1/person/${id}/names/1`, undefined],
    ['POST', `/v1/person/${id}/faces`, { embedding_data: new Array(1024).fill(1) }],
    ['DELETE', `/v1/person/${id}/faces/1`, undefined],
    ['POST', `/v1/person/${id}/merge/${id + 1}`, {}],
    ['PUT', `/v1/object/${id}`, { name: 'x' }],
    ['DELETE', `/v1/object/${id}`, undefined],
    ['POST', `/v1/object/${id}/property`, { name: 'a', value: 'b' }],
    ['DELETE', `/v1/object/${id}/property/1`, undefined],
    ['PUT', `/v1/keystrings/${id}`, { content: 'x' }],
    ['POST', `/v1/keystrings/${id}/merge/${id + 1}`, {}],
  ]
  for (const [method, path, body] of missing) {
    test(`${method} ${path} of a missing record is not found`, async () => {
      expect(await request(method, path, body)).toMatchObject({ status: 404, json: { error: 'Not found' } })
    })
  }

  test('syntax of SQL and of the search index is stored as text', async () => {
    const name = `"; DROP TABLE people; -- ' OR 1=1 NEAR( * ^ \u{1F600}`
    const created = await request('POST', '/v1/person', { names: [name] })
    expect(created).toMatchObject({ status: 201, json: { names: [{ name }] } })
    const thing = await request('POST', '/v1/object', { name })
    expect(await request('PUT', `/v1/object/${idOf(thing.json)}`, { name: `${name} 2` })).toMatchObject({ status: 200 })
  })

  test('a merge returns its job', async () => {
    const [a, b] = [
      await request('POST', '/v1/person', { names: ['A'] }),
      await request('POST', '/v1/person', { names: ['B'] }),
    ]
    const merge = `/v1/person/${idOf(a.json)}/merge/${idOf(b.json)}`
    const started = await request('POST', merge, {})
    expect(started.status).toBe(200)
    expect(await request('POST', merge, {})).toMatchObject({ status: 409 })
    const job = await library.jobs.run(Object(started.json).taskid)
    expect(job?.state).toBe('done')
    expect(await request('POST', merge, {})).toMatchObject({ status: 404 })
  })

  test('the PIN unlocks, and five wrong PINs block unlocking with Retry-After', async () => {
    const unlocked = await request('POST', '/v1/keystrings/unlock', { pin: '1234' })
    expect(unlocked).toMatchObject({ status: 200, json: { seconds: 900 } })
    expect(await request('POST', '/v1/keystrings/lock', {})).toMatchObject({ status: 204 })
    for (let n = 0; n < 5; n++) {
      expect(await request('POST', '/v1/keystrings/unlock', { pin: '9999' })).toMatchObject({
        status: 403,
        json: { error: 'Wrong PIN' },
      })
    }
    const locked = await request('POST', '/v1/keystrings/unlock', { pin: '1234' })
    expect(locked.status).toBe(429)
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(890)
  })
})
