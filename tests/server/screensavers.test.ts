import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { item } from '../../schema/api/items.ts'
import { deviceToken, screensaver } from '../../schema/api/screensavers.ts'
import { picture, takenAt } from '../support/scanning-library.ts'
import { type Credentials, cookieOf, openTestServer } from '../support/test-server.ts'

/** A collection with the ids of its items, newest first. */
interface Collection {
  id: number
  items: number[]
}

const testServer = openTestServer()
const { sendJson, send, library } = testServer
const family: Collection = { id: 0, items: [] }
const open: Collection = { id: 0, items: [] }
let owner = { id: 0, token: '' }
let other = { id: 0, token: '' }
let admin = ''

async function createScannedCollection(name: string, dates: readonly string[]): Promise<Collection> {
  const id = await testServer.collection(name)
  for (const [n, date] of dates.entries()) {
    const bytes = await picture({ seed: id * 50 + n, exif: takenAt(`${date} 12:00:0${n % 10}`) })
    writeFileSync(join(testServer.directory, name, `${name}-${n}.jpg`), bytes)
  }
  const job = await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: id }, { inProcess: true })
  await library.jobs.run(job)
  const rows = library.db.all<{ id: number }>('SELECT id FROM items WHERE collection_id = ? ORDER BY taken DESC', id)
  return { id, items: rows.map(row => row.id) }
}

beforeAll(async () => {
  const days = Array.from({ length: 25 }, (_, n) => `2015-03-${String(n + 1).padStart(2, '0')}`)
  Object.assign(family, await createScannedCollection('family', [...days, '2019-11-21']))
  Object.assign(open, await createScannedCollection('open', ['2016-01-01', '2016-01-02', '2016-01-03']))
  await library.db.transact(terminalViewer, tx => {
    tx.run(
      `UPDATE access_groups SET public = 1 WHERE id =
         (SELECT group_id FROM collection_access WHERE collection_id = ? AND position = 1)`,
      open.id,
    )
  })
  owner = await testServer.user('owner', { collectionId: family.id })
  other = await testServer.user('other', { collectionId: family.id })
  admin = (await testServer.user('admin', { globalAdmin: true })).token
})
afterAll(() => testServer.close())

type Who = Credentials | string | null

const create = (who: Who, query = '') => sendJson('POST', `/v1/screensaver/create?name=web${query}`, who)
const created = async (who: Who, query = '') => screensaver.parse((await create(who, query)).json)
const listed = async (who: Who) => screensaver.array().parse((await sendJson('GET', '/v1/screensaver', who)).json)
const next = async (id: number, who: Who) =>
  item.array().parse((await sendJson('GET', `/v1/screensaver/next/${id}`, who)).json)
const nextIds = async (id: number, who: Who) => (await next(id, who)).map(one => one.id)
const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b)

describe('a screen saver', () => {
  test('is created with the filters of the specification, and with defaults', async () => {
    const query =
      `&seconds=7&random=false&collection_id=${family.id}&timestampStart=100&timestampEnd=2000000000&startMonth=3&calendar=persian` +
      `&latitude=1.5&longitude=2&radius=500&searchInTags=Keywords&onthisdayTz=Europe/Madrid&q=year:2015` +
      `&includeHidden=whatever&filtergroups=${encodeURIComponent('[[{"type":"Keyword","mode":0,"id":0,"text":"sea"}]]')}`
    const saver = await created(owner.token, query)
    expect(saver).toEqual({
      id: saver.id,
      name: 'web',
      owner: 'owner',
      random: false,
      seconds: 7,
      filters: {
        collectionId: family.id,
        startMonth: 3,
        calendar: 'persian',
        dateStart: 100,
        dateEnd: 2_000_000_000,
        onthisdayTz: 'Europe/Madrid',
        filtergroups: '[[{"type":"Keyword","mode":0,"id":0,"text":"sea"}]]',
        searchInTags: 'Keywords',
        latitude: 1.5,
        longitude: 2,
        radius: 500,
        q: 'year:2015',
      },
    })
    expect(await next(saver.id, owner.token)).toEqual([])
    expect(await created(owner.token)).toMatchObject({ random: true, seconds: 5, filters: {} })
  })

  test('is refused with the name of the invalid field', async () => {
    for (const [query, field] of [
      ['&seconds=1', 'seconds'],
      ['&seconds=61', 'seconds'],
      ['&onthisdayTz=Nowhere/Land', 'onthisdayTz'],
      ['&q=%28a', 'q'],
      ['&latitude=1', 'longitude'],
      ['&filtergroups=%5B', 'filtergroups'],
    ] as const) {
      expect({ query, ...(await create(owner.token, query)) }).toMatchObject({ query, status: 400, json: { field } })
    }
    expect(await sendJson('POST', '/v1/screensaver/create', owner.token)).toMatchObject({ json: { field: 'name' } })
  })

  test('shows every item once before any is repeated, at random or newest first', async () => {
    const expected = sorted([...family.items, ...open.items])
    const random = await created(owner.token)
    for (let round = 0; round < 2; round++) {
      const first = await nextIds(random.id, owner.token)
      expect(first).toHaveLength(20)
      expect(sorted([...first, ...(await nextIds(random.id, owner.token))])).toEqual(expected)
    }
    const newest = await created(owner.token, `&random=false&collection_id=${family.id}`)
    const all = [...(await nextIds(newest.id, owner.token)), ...(await nextIds(newest.id, owner.token))]
    expect(all).toEqual(family.items)
    expect(await nextIds(newest.id, owner.token)).toEqual(family.items.slice(0, 20))
  })

  test('returns different items to simultaneous requests', async () => {
    const { id } = await created(owner.token)
    const batches = await Promise.all([nextIds(id, owner.token), nextIds(id, owner.token)])
    expect(sorted(batches.flat())).toEqual(sorted([...family.items, ...open.items]))
  })

  test('changes its filters only with setfilters, and then starts a new round', async () => {
    const { id } = await created(owner.token, '&random=false')
    await nextIds(id, owner.token)
    const save = (query: string) => sendJson('PUT', `/v1/screensaver/save/${id}?${query}`, owner.token)
    const saved = await save(`seconds=30&random=false&collection_id=${open.id}`)
    expect(saved.json).toMatchObject({ seconds: 30, random: false, filters: {} })
    expect(await nextIds(id, owner.token)).toHaveLength(9)
    expect((await save(`setfilters=true&random=false&collection_id=${open.id}`)).json).toMatchObject({
      seconds: 30,
      filters: { collectionId: open.id },
    })
    expect(await nextIds(id, owner.token)).toEqual(open.items)
    expect(await save('setfilters=true&q=%28a')).toMatchObject({ status: 400, json: { field: 'q' } })
  })

  test('shows what its owner may currently see, and never hidden or recycled items', async () => {
    const { id } = await created(owner.token, `&collection_id=${family.id}`)
    const [hidden = 0, recycled = 0] = family.items
    const set = (text: string) => library.db.transact(terminalViewer, tx => tx.run(text).changes)
    await set(`UPDATE items SET hidden_by = 1 WHERE id = ${hidden}`)
    await set(`UPDATE items SET deleted = 1 WHERE id = ${recycled}`)
    await sendJson('POST', '/v1/keystrings/unlock', owner.token, { pin: '4711' })
    const shown = [...(await nextIds(id, owner.token)), ...(await nextIds(id, owner.token))]
    expect(sorted(shown)).toEqual(sorted(family.items.slice(2)))
    await set('UPDATE items SET hidden_by = 0, deleted = NULL')
    await sendJson('POST', '/v1/keystrings/lock', owner.token)
    await set(`UPDATE access_groups SET "view" = 0 WHERE name = 'view'`)
    expect(await nextIds(id, owner.token)).toEqual([])
    await set(`UPDATE access_groups SET "view" = 1 WHERE name = 'view'`)
    expect(await nextIds(id, owner.token)).toHaveLength(20)
  })

  test('of this day shows pictures of this day in other years', async () => {
    // The test clock is set to 21 November.
    const { id } = await created(owner.token, '&onthisdayTz=Europe/Madrid')
    expect(await nextIds(id, owner.token)).toEqual([family.items[0] ?? 0])
  })

  test('is available only to its owner', async () => {
    const { id } = await created(owner.token)
    for (const who of [other.token, admin, null]) {
      expect((await listed(who)).map(one => one.id)).not.toContain(id)
      for (const [method, path] of [
        ['GET', `next/${id}`],
        ['PUT', `save/${id}?seconds=9`],
        ['DELETE', `${id}`],
      ] as const) {
        expect((await sendJson(method, `/v1/screensaver/${path}`, who)).status).toBe(404)
      }
    }
    expect((await sendJson('DELETE', `/v1/screensaver/${id}`, owner.token)).status).toBe(204)
    expect((await sendJson('DELETE', `/v1/screensaver/${id}`, owner.token)).status).toBe(404)
  })
})

describe('a visitor', () => {
  async function visitor(): Promise<{ cookie: string; id: number }> {
    const response = await send('POST', '/v1/screensaver/create?name=web')
    expect(response.status).toBe(201)
    expect(response.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/)
    return { cookie: cookieOf(response, 'keepsake_visitor'), id: screensaver.parse(await response.json()).id }
  }

  test('has at most three screen savers, which belong to the browser for a day', async () => {
    const { cookie, id } = await visitor()
    const elsewhere = await visitor()
    expect(await nextIds(id, { cookie })).toHaveLength(3)
    expect(sorted(await nextIds(id, { cookie }))).toEqual(sorted(open.items))
    for (const who of [null, { cookie: elsewhere.cookie }, owner.token]) {
      expect((await sendJson('GET', `/v1/screensaver/next/${id}`, who)).status).toBe(404)
    }
    for (const name of ['two', 'three']) {
      const response = await sendJson('POST', `/v1/screensaver/create?name=${name}`, { cookie })
      expect(response).toMatchObject({ status: 201, json: { owner: '', name } })
    }
    expect((await create({ cookie })).status).toBe(409)
    expect(await listed({ cookie })).toHaveLength(3)
    expect((await sendJson('DELETE', `/v1/screensaver/${id}`, { cookie })).status).toBe(204)
    expect((await create({ cookie })).status).toBe(201)
    // The cookie cannot be derived from the row.
    const [, value = ''] = cookie.split('=')
    expect(JSON.stringify(library.db.all('SELECT * FROM screensavers'))).not.toContain(value)
    testServer.clock.advance(86_400)
    expect(await listed({ cookie })).toEqual([])
    expect((await create({ cookie })).status).toBe(201)
    testServer.clock.advance(-86_400)
  })

  test('cannot create a screen saver from another site', async () => {
    const before = library.db.all('SELECT 1 FROM screensavers').length
    const foreign = await testServer.app.request('http://keepsake.test/v1/screensaver/create?name=x', {
      method: 'POST',
      headers: { host: 'keepsake.test', origin: 'https://elsewhere.test' },
    })
    expect(foreign.status).toBe(403)
    expect(library.db.all('SELECT 1 FROM screensavers')).toHaveLength(before)
  })
})

describe('a device', () => {
  const value = () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')
  const register = (token: string | null, body: object) =>
    sendJson('POST', '/v1/tokens', token, { name: 'Television', ...body })

  async function television(query = `&collection_id=${family.id}`) {
    const saver = await created(owner.token, query)
    const token = value()
    const device = deviceToken.parse((await register(owner.token, { value: token, screensaverid: saver.id })).json)
    return { saver, token, device }
  }

  test('is registered with the token that it shows, which is stored hashed and never returned', async () => {
    const { saver, token, device } = await television()
    const masked = `…${token.slice(-4)}`
    expect(device).toMatchObject({ name: 'Television', type: 'ScreenSaver', value: masked, screensaverid: saver.id })
    expect(JSON.stringify(library.db.all('SELECT * FROM tokens'))).not.toContain(token)
    expect(await register(owner.token, { value: token })).toMatchObject({ status: 409, json: { field: 'value' } })
    expect(await register(other.token, { value: token })).toMatchObject({ status: 409 })
    expect((await register(null, { value: value() })).status).toBe(401)
    for (const weak of ['short', 'abcdef0123456789abcdef', 'a'.repeat(40), 'with spaces in it and long enough', 7]) {
      expect(await register(owner.token, { value: weak })).toMatchObject({ status: 400, json: { field: 'value' } })
    }
    const foreign = await created(other.token)
    expect(await register(owner.token, { value: value(), screensaverid: foreign.id })).toMatchObject({
      status: 400,
      json: { field: 'screensaverid' },
    })
  })

  test('gets 401 until it is registered, then its screen saver, the next items and their pictures', async () => {
    const unknown = value()
    expect((await sendJson('GET', '/v1/screensaver', unknown)).status).toBe(401)
    const saver = await created(owner.token, `&collection_id=${family.id}&random=false`)
    await register(owner.token, { value: unknown, screensaverid: saver.id })
    const response = await send('GET', '/v1/screensaver', unknown)
    expect(screensaver.array().parse(await response.json())).toEqual([saver])
    expect(response.headers.get('set-cookie')).toMatch(/keepsake_device=.*Path=\/v1\/item; HttpOnly; SameSite=Strict/)

    const shown = await next(saver.id, unknown)
    expect(shown.map(one => one.id)).toEqual(family.items.slice(0, 20))
    expect(shown[0]?.path).toBe(shown[0]?.name ?? '')
    const cookie = cookieOf(response, 'keepsake_device')
    expect(cookie).not.toContain(unknown)
    const [first = 0] = family.items
    for (const who of [unknown, { cookie }]) {
      const image = await send('GET', `/v1/item/${first}/image?pThumbnail=tiny`, who)
      expect(image.status).toBe(200)
      expect(image.headers.get('cache-control')).toBe('no-store')
      // A still picture has no stream, and the refusal says so.
      expect(await (await send('GET', `/v1/item/${first}/stream`, who)).text()).toContain('has no motion')
      // The token does not show public items outside the screen saver; a browser with the cookie does.
      expect((await send('GET', `/v1/item/${open.items[0]}/image?pThumbnail=tiny`, who)).status).toBe(
        typeof who === 'string' ? 404 : 200,
      )
    }
    expect((await send('GET', `/v1/item/${first}/image?pThumbnail=tiny`, { cookie: `${cookie}x` })).status).toBe(404)
  })

  test('has no other rights, neither with its token nor with its cookie', async () => {
    const { saver, token } = await television()
    const mine = await created(owner.token)
    const cookie = cookieOf(await send('GET', '/v1/screensaver', token), 'keepsake_device')
    const [first = 0] = family.items
    const calls: [method: string, path: string, status: number, body?: object][] = [
      ['GET', `/v1/item/${first}`, 404],
      ['GET', '/v1/job', 401],
      ['GET', '/v1/tokens', 401],
      ['POST', '/v1/tokens', 401, { name: 'x', value: value() }],
      ['GET', '/v1/users', 401],
      ['GET', '/v1/users/shares', 401],
      ['GET', '/v1/users/renew', 401],
      ['GET', '/v1/users/logout', 401],
      ['POST', '/v1/keystrings/unlock', 401, { pin: '4711' }],
      ['POST', `/v1/item/${first}/share`, 401, { expires: 24 }],
      ['DELETE', `/v1/item/${first}`, 401],
      ['GET', '/v1/item/download/0', 401],
      ['POST', '/v1/screensaver/create?name=x', 401],
      ['PUT', `/v1/screensaver/save/${saver.id}?seconds=9`, 404],
      ['DELETE', `/v1/screensaver/${saver.id}`, 404],
      ['GET', `/v1/screensaver/next/${mine.id}`, 404],
      ['GET', `/v1/paths`, 401],
    ]
    for (const [method, path, status, body] of calls) {
      expect({ path, status: (await send(method, path, token, body)).status }).toEqual({ path, status })
    }
    const list = await sendJson('GET', '/v1/item/list/0', token)
    expect(list.json).toMatchObject({ _meta: { total_records: 0 }, items: [] })
    expect(z.array(z.unknown()).parse((await sendJson('GET', '/v1/collection', token)).json)).toHaveLength(1)
    // The cookie is only valid for pictures: for other calls the browser is that of a visitor.
    expect(await listed({ cookie })).toEqual([])
    expect((await sendJson('GET', `/v1/screensaver/next/${saver.id}`, { cookie })).status).toBe(404)
    expect((await sendJson('GET', `/v1/item/${first}`, { cookie })).status).toBe(404)
    expect((await sendJson('GET', '/v1/job', { cookie })).status).toBe(401)
    expect((await sendJson('GET', '/v1/tokens', { cookie: `keepsake_session=${token}` })).status).toBe(401)
    expect(
      (await sendJson('GET', `/v1/screensaver/next/${saver.id}`, { cookie: `keepsake_session=${token}` })).status,
    ).toBe(404)
  })

  test('has its owner’s current rights, and never shows hidden items, even while its owner is unlocked', async () => {
    const { saver, token } = await television()
    const cookie = cookieOf(await send('GET', '/v1/screensaver', token), 'keepsake_device')
    const [first = 0, second = 0] = family.items
    await sendJson('POST', '/v1/keystrings/unlock', owner.token, { pin: '4711' })
    const image = (id: number, who: Who) =>
      send('GET', `/v1/item/${id}/image?pThumbnail=tiny`, who).then(({ status }) => status)
    const set = (text: string) => library.db.transact(terminalViewer, tx => tx.run(text).changes)
    await nextIds(saver.id, token)
    await nextIds(saver.id, token)
    await set(`UPDATE items SET hidden_by = 1 WHERE id = ${first}`)
    for (const who of [token, { cookie }]) {
      expect(await image(first, who)).toBe(404)
      expect(await image(second, who)).toBe(200)
    }
    await set('UPDATE items SET hidden_by = 0')
    await set(`UPDATE users SET disabled = 1 WHERE id = ${owner.id}`)
    expect((await sendJson('GET', '/v1/screensaver', token)).status).toBe(401)
    expect(await image(second, { cookie })).toBe(404)
    await set(`UPDATE users SET disabled = 0 WHERE id = ${owner.id}`)
    expect(await image(second, { cookie })).toBe(200)
  })

  test('can be renamed, given another screen saver, and removed with immediate effect', async () => {
    const { token, device } = await television()
    const another = await created(owner.token, `&collection_id=${open.id}`)
    const save = (body: object, who = owner.token) =>
      sendJson('PUT', `/v1/tokens/save/${device.id}`, who, { token: body })
    expect((await save({ name: 'Kitchen', screensaverid: another.id })).json).toMatchObject({
      name: 'Kitchen',
      screensaverid: another.id,
    })
    expect(await listed(token)).toEqual([another])
    expect((await save({ name: 'Kitchen' }, other.token)).status).toBe(404)
    expect((await save({ screensaverid: 98_765 })).status).toBe(400)
    expect((await save({ screensaverid: null })).json).toMatchObject({ screensaverid: null, name: 'Kitchen' })
    expect(await listed(token)).toEqual([])
    expect((await sendJson('DELETE', `/v1/tokens/${device.id}`, other.token)).status).toBe(404)
    expect((await sendJson('DELETE', `/v1/tokens/${device.id}`, owner.token)).status).toBe(204)
    expect((await sendJson('GET', '/v1/screensaver', token)).status).toBe(401)
  })
})

describe('a token for scripts', () => {
  const issue = (more: { username?: string; expiresAt?: number | null } = {}) =>
    library.tokens.issueApi(terminalViewer, { username: 'owner', name: 'script', expiresAt: null, ...more })

  test('has its user’s current rights, but no session', async () => {
    const { token } = await issue()
    expect((await sendJson('GET', '/v1/item/list/0', token)).json).toMatchObject({ _meta: { total_records: 29 } })
    expect((await create(token)).json).toMatchObject({ owner: 'owner' })
    expect((await sendJson('POST', '/v1/keystrings/unlock', token, { pin: '4711' })).status).toBe(403)
    expect((await sendJson('GET', '/v1/users/renew', token)).status).toBe(401)
    expect((await sendJson('GET', '/v1/users/logout', token)).status).toBe(401)
    expect((await sendJson('GET', '/v1/paths', token)).status).toBe(403)
    // The token is not valid as a cookie.
    expect((await sendJson('GET', '/v1/tokens', { cookie: `keepsake_session=${token}` })).status).toBe(401)
    const names = z.array(z.object({ name: z.string() })).parse((await sendJson('GET', '/v1/tokens', token)).json)
    expect(names.map(({ name }) => name)).not.toContain('script')
    await library.db.transact(
      terminalViewer,
      tx => tx.run('UPDATE users SET disabled = 1 WHERE id = ?', owner.id).changes,
    )
    expect((await sendJson('GET', '/v1/tokens', token)).status).toBe(401)
    await library.db.transact(terminalViewer, tx => tx.run('UPDATE users SET disabled = 0').changes)
    expect((await sendJson('GET', '/v1/tokens', token)).status).toBe(200)
  })

  test('is invalid when it expires or is revoked', async () => {
    const now = Math.floor(testServer.clock.now() / 1000)
    const { token } = await issue({ expiresAt: now + 60 })
    expect((await sendJson('GET', '/v1/tokens', token)).status).toBe(200)
    testServer.clock.advance(60)
    expect((await sendJson('GET', '/v1/tokens', token)).status).toBe(401)
    await expect(issue({ expiresAt: now })).rejects.toMatchObject({ code: 'invalid' })
    const lasting = await issue()
    await library.tokens.revoke(terminalViewer, lasting.id)
    expect((await sendJson('GET', '/v1/tokens', lasting.token)).status).toBe(401)
  })

  test('is issued, listed and revoked by its user or in the terminal, not by others or another token', async () => {
    const viewerOf = async (token: string) => {
      const session = await library.sessions.of(token)
      if (session === null) throw new Error('the token is not good')
      return session.viewer
    }
    const mine = await viewerOf(owner.token)
    const issued = await library.tokens.issueApi(mine, { username: 'OWNER', name: 'mine', expiresAt: null })
    await expect(
      library.tokens.issueApi(mine, { username: 'admin', name: 'x', expiresAt: null }),
    ).rejects.toMatchObject({ code: 'denied' })
    await expect(
      library.tokens.issueApi(await viewerOf(issued.token), { username: 'owner', name: 'x', expiresAt: null }),
    ).rejects.toMatchObject({ code: 'denied' })
    await expect(issue({ username: 'nobody' })).rejects.toMatchObject({ code: 'notFound' })
    const theirs = await viewerOf(other.token)
    expect(library.tokens.listIssued(theirs)).toEqual([])
    expect(library.tokens.listIssued(mine).map(({ id }) => id)).toContain(issued.id)
    expect(library.tokens.listIssued(terminalViewer).map(({ id }) => id)).toContain(issued.id)
    await expect(library.tokens.revoke(theirs, issued.id)).rejects.toMatchObject({ code: 'notFound' })
    await library.tokens.revoke(mine, issued.id)
  })
})
