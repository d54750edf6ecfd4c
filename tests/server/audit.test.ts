import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { auditEntry } from '../../schema/api/audit.ts'
import { openFileManagerServer, writeFileAt } from '../support/file-manager-server.ts'
import { callerKinds, openRightsServer } from '../support/rights-server.ts'

const testServer = await openRightsServer()
const { library, send } = testServer
const collection = await testServer.collection('private')
afterAll(() => testServer.close())

const page = z.object({ entries: z.array(auditEntry), next: z.int().nullable() })

async function entries(query = '') {
  const response = await send('admin', 'GET', `/v1/audit${query}`, undefined)
  expect(response.status).toBe(200)
  return page.parse(await response.json()).entries
}

/** Texts of the entries since the test started, newest first, with their users. */
const texts = async () => (await entries()).map(({ who, text }) => `${who}: ${text}`)

beforeEach(async () => {
  await library.auditNotes.write()
  await library.db.transact({ userId: null }, tx => tx.run('DELETE FROM audit_log'))
})

describe('a refusal', () => {
  test('is logged with the user and the call but no parameters, in one entry with its repetitions', async () => {
    for (let n = 0; n < 3; n++) await send('viewer', 'PUT', '/v1/users/12345/disabled?why=secret', { disabled: true })
    await send('viewer', 'GET', '/v1/audit?q=secret', undefined)
    const logged = await entries('?action=refused')
    expect(logged.map(({ text }) => text).sort()).toEqual([
      'Was refused: GET /v1/audit, no permission',
      'Was refused: PUT /v1/users/:id/disabled, no permission, 3 times',
    ])
    expect(logged[0]).toMatchObject({ who: 'viewer', username: 'viewer' })
    expect(JSON.stringify(logged)).not.toMatch(/secret|12345/)
  })

  test('of a file request, or of a request from another site, is logged too', async () => {
    await send('viewer', 'GET', '/v1/files?q=index&path=/private-name', undefined)
    await testServer.app.request('http://keepsake.test/v1/users/login', {
      method: 'POST',
      headers: { host: 'keepsake.test', origin: 'https://elsewhere.test', 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'secret' }),
    })
    expect((await texts()).sort()).toEqual([
      'Visitor: Was refused: POST /v1/users/login, no permission',
      'viewer: Was refused: GET /v1/files, no permission',
    ])
  })

  test('for lack of a session is not logged, unless the token is forged', async () => {
    for (const kind of ['anonymous', 'expired', 'loggedOut'] as const) await send(kind, 'GET', '/v1/job', undefined)
    expect(await texts()).toEqual([])
    await send('forged', 'GET', '/v1/job', undefined)
    await send('share', 'GET', '/v1/job', undefined)
    // A device already requests its screen savers before it is registered; these refusals are not logged.
    await send('forged', 'GET', '/v1/screensaver', undefined)
    expect(await texts()).toEqual(['Visitor: Was refused: GET /v1/job, not signed in, 2 times'])
  })

  test('includes the address of the client', async () => {
    await testServer.app.request(
      'http://keepsake.test/v1/job',
      { headers: { host: 'keepsake.test', authorization: 'Bearer guessed' } },
      { address: '192.0.2.7' },
    )
    expect((await entries())[0]).toMatchObject({ address: '192.0.2.7', username: null })
  })

  test('adds a bounded number of entries, however often it happens', async () => {
    for (let n = 0; n < 300; n++) {
      await testServer.app.request(
        'http://keepsake.test/v1/job',
        { headers: { host: 'keepsake.test', authorization: 'Bearer guessed' } },
        { address: `192.0.${n >> 8}.${n & 255}` },
      )
    }
    const logged = await entries('?limit=500')
    expect(logged.length).toBeLessThanOrEqual(101)
    expect(logged.reduce((sum, { count }) => sum + count, 0)).toBe(300)
  })
})

const login = (username: string) =>
  send('anonymous', 'POST', '/v1/users/login', { username, password: 'wrong-password' })

test('a failed login stores neither an unknown user name nor the password', async () => {
  expect((await login('hunter2-typed')).status).toBe(401)
  expect((await login('viewer')).status).toBe(401)
  await library.auditNotes.write()
  const stored = JSON.stringify(library.db.all('SELECT * FROM audit_log'))
  expect(stored).not.toMatch(/hunter2|wrong-password/)
})

test('a failed login or unlocking, which core logs with more detail, is not logged again as a refusal', async () => {
  expect((await login('viewer')).status).toBe(401)
  expect((await send('viewer', 'POST', '/v1/keystrings/unlock', { pin: '0000' })).status).toBe(403)
  expect(await entries('?action=refused')).toEqual([])
})

describe('a download', () => {
  /** Creates a collection with `n` items, and returns its id. */
  const collectionOf = async (n: number) => {
    const id = await testServer.collection('private')
    for (let i = 0; i < n; i++) await testServer.item(id, 'live')
    return id
  }

  test('of more than a hundred items is logged with their number and size', async () => {
    const [few, many] = [await collectionOf(100), await collectionOf(101)]
    for (const id of [few, many]) await (await send('viewer', 'GET', `/v1/item/download/${id}`, undefined)).text()
    const [entry, ...more] = await entries('?action=download')
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      who: 'viewer',
      text: `Downloaded: 101 items, 101 KB from ${library.collections.byId(many)?.name}`,
      detail: { what: 'items', collection: many, items: 101, bytes: 101_000 },
    })
  })

  test('of more than a gigabyte is logged, however few items it has', async () => {
    const id = await collectionOf(1)
    await library.db.transact({ userId: null }, tx =>
      tx.run('UPDATE files SET size = 2000000000 WHERE item_id = (SELECT id FROM items WHERE collection_id = ?)', id),
    )
    await (await send('viewer', 'GET', `/v1/item/download/${id}`, undefined)).text()
    expect((await entries('?action=download')).map(({ text }) => text)).toEqual([
      `Downloaded: 1 item, 2 GB from ${library.collections.byId(id)?.name}`,
    ])
  })

  test('of an exported list is always logged, whatever its size', async () => {
    await (await send('admin', 'GET', '/v1/export/people', undefined)).text()
    await (await send('manager', 'GET', `/v1/export/collection/${collection}`, undefined)).text()
    expect((await texts()).sort()).toEqual([
      'admin: Downloaded: all people',
      `manager: Downloaded: a list as CSV from ${library.collections.byId(collection)?.name}`,
    ])
  })

  test('by HEAD is not logged', async () => {
    expect((await send('admin', 'HEAD', '/v1/export/people', undefined)).status).toBe(200)
    expect(await texts()).toEqual([])
  })

  test('of a slideshow is logged with the number of its slides', async () => {
    const { db } = library
    const jobId = await db.transact(
      { userId: null },
      tx =>
        tx.run(
          `INSERT INTO jobs (kind, input, state, counts, created_at) VALUES ('slideshow', '{}', 'done', '{"built":150}', 1)`,
        ).lastInsertRowid,
    )
    await db.transact({ userId: null }, tx =>
      tx.run(
        "INSERT INTO built_files (id, user_id, job_id, name, expires_at) VALUES ('a-build', ?, ?, 'slideshow.zip', 9999999999)",
        testServer.idOf('viewer'),
        jobId,
      ),
    )
    const { builtPath } = await import('../../core/sharing/slideshow/slideshow-job.ts')
    await Bun.write(builtPath(library.cache, 'a-build'), 'zip')
    await (await send('viewer', 'GET', '/v1/slideshow/a-build', undefined)).text()
    expect(await texts()).toEqual(['viewer: Downloaded: a slideshow, 150 items, 3 B'])
  })

  test('of a folder in the file manager is logged when it ends', async () => {
    const fileServer = await openFileManagerServer()
    for (let n = 0; n < 101; n++) writeFileAt(`${fileServer.directory}/home/private-name/${n}.txt`, 'text')
    await fileServer.request({ q: 'download', path: '/home/private-name' })
    await fileServer.library.auditNotes.write()
    const [row, ...more] = fileServer.library.db.all<{ action: string; detail: string }>(
      "SELECT action, detail FROM audit_log WHERE action = 'download'",
    )
    expect(more).toEqual([])
    expect(JSON.parse(row?.detail ?? '{}')).toEqual({ what: 'folder', items: 101, bytes: expect.any(Number) })
    await fileServer.close()
  })
})

describe('the audit log', () => {
  test('is for global admins', async () => {
    for (const kind of callerKinds) {
      const { status } = await send(kind, 'GET', '/v1/audit', undefined)
      const signedIn = library.users.byName(kind === 'apiUpdater' ? 'updater' : kind) !== null && kind !== 'expired'
      expect([kind, status]).toEqual([kind, kind === 'admin' ? 200 : signedIn ? 403 : 401])
    }
  })

  test('refuses invalid filters', async () => {
    for (const query of ['?limit=501', '?limit=0', '?action=nothing', '?before=x', '?from=soon'])
      expect((await send('admin', 'GET', `/v1/audit${query}`, undefined)).status).toBe(400)
    const unknown = await send('admin', 'GET', '/v1/audit?user=nobody', undefined)
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ error: "There is no user 'nobody'.", field: 'user' })
  })
})
