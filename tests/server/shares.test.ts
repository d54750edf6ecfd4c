import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../core/accounts/access.ts'
import { share } from '../../schema/api/shares.ts'
import { picture, takenAt } from '../support/scanning-library.ts'
import { openTestServer } from '../support/test-server.ts'

const testServer = openTestServer()
const { sendJson, send, library } = testServer
let family = 0
let item = 0
let hidden = 0
let admin = { id: 0, token: '' }
let viewer = { id: 0, token: '' }
let outsider = ''
let name = ''

beforeAll(async () => {
  family = await testServer.collection('family')
  const exif = { ...takenAt('2019-06-01 10:00:00'), BodySerialNumber: 'SN-4711' }
  writeFileSync(join(testServer.directory, 'family/secret-name.jpg'), await picture({ seed: 1, exif, width: 900 }))
  writeFileSync(join(testServer.directory, 'family/veiled.jpg'), await picture({ seed: 2 }))
  const job = await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: family }, { inProcess: true })
  await library.jobs.run(job)
  const idOf = (file: string) => library.db.get<{ id: number }>('SELECT id FROM items WHERE name = ?', file)?.id ?? 0
  item = idOf('secret-name.jpg')
  hidden = idOf('veiled.jpg')
  await library.db.transact(terminalViewer, tx => tx.run('UPDATE items SET hidden_by = 1 WHERE id = ?', hidden).changes)
  admin = await testServer.user('admin', { globalAdmin: true })
  viewer = await testServer.user('viewer', { collectionId: family })
  outsider = (await testServer.user('outsider')).token
})
afterAll(() => testServer.close())
beforeEach(async () => {
  name = (await sharedBy(viewer.token)).name
})

const post = (id: number, token: string | null, expires: unknown = 24) =>
  sendJson('POST', `/v1/item/${id}/share`, token, { expires })
const sharedBy = async (token: string, expires = 24) => share.parse((await post(item, token, expires)).json)
const change = (text: string, ...values: (string | number | null)[]) =>
  library.db.transact(terminalViewer, tx => tx.run(text, ...values).changes)

test('a share has a long name, and expires after the requested hours', async () => {
  const created = await sharedBy(viewer.token, 168)
  const now = Math.floor(testServer.clock.now() / 1000)
  expect(created).toEqual({
    name: expect.stringMatching(/^[\w-]{22}$/),
    item,
    username: 'viewer',
    created: now,
    expires: now + 168 * 3600,
  })
  for (const expires of [0, 25, '24', -24, 1e9]) {
    expect(await post(item, viewer.token, expires)).toMatchObject({ status: 400, json: { field: 'expires' } })
  }
})

test('only items that the user sees and that are not hidden can be shared', async () => {
  expect((await post(item, null)).status).toBe(401)
  expect((await post(item, outsider)).status).toBe(404)
  expect((await post(hidden, viewer.token)).status).toBe(404)
  expect((await sendJson('POST', '/v1/keystrings/unlock', admin.token, { pin: '4711' })).status).toBe(200)
  // The item is visible while unlocked.
  expect((await send('GET', `/v1/item/${hidden}/image?pThumbnail=tiny`, admin.token)).status).toBe(200)
  expect((await post(hidden, admin.token)).status).toBe(404)
  expect((await post(98_765, admin.token)).status).toBe(404)
})

test('anybody can read type, size and date of a shared item, and who shares it, and nothing else', async () => {
  await change("UPDATE users SET name = 'Kenji Tanaka' WHERE id = ?", viewer.id)
  const response = await send('GET', `/v1/share/${name}`)
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  expect(JSON.parse(text)).toEqual({
    name,
    type: 'image',
    width: 900,
    height: 48,
    taken_at: '2019-06-01 10:00:00',
    duration: null,
    live: false,
    reloads: expect.any(String),
    expires: Math.floor(testServer.clock.now() / 1000) + 24 * 3600,
    from: 'Kenji Tanaka',
  })
  for (const secret of ['secret-name', 'viewer', 'example.org']) expect(text).not.toContain(secret)
})

test('shared pictures have no metadata in any size, and are not cached', async () => {
  const file = sharp(join(testServer.directory, 'family/secret-name.jpg'))
  expect((await file.metadata()).exif?.toString('latin1')).toContain('SN-4711')
  for (const query of ['', '?pThumbnail=original', '?pThumbnail=variant', '?pThumbnail=tiny', '?pThumbnail=large']) {
    const response = await send('GET', `/v1/share/${name}/image${query}`)
    expect({ query, status: response.status }).toEqual({ query, status: 200 })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expect(JSON.stringify([...response.headers])).not.toContain('secret-name')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.toString('latin1')).not.toContain('SN-4711')
    const { exif, xmp, iptc } = await sharp(bytes).metadata()
    expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined])
  }
  const full = await sharp(await (await send('GET', `/v1/share/${name}/image`)).arrayBuffer()).metadata()
  expect([full.format, full.width]).toEqual(['jpeg', 900])
})

/** The responses of all addresses of a share. */
async function responsesOf(of: string) {
  const all = []
  for (const path of ['', '/image', '/image?pThumbnail=small', '/stream', 'page']) {
    const response = await send('GET', path === 'page' ? `/share/${of}` : `/v1/share/${of}${path}`)
    all.push({ path, status: response.status, body: await response.text(), headers: [...response.headers] })
  }
  return all
}

test('a share that has ended for any reason returns the same as an unknown name', async () => {
  const unknown = await responsesOf('x'.repeat(22))
  expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect(await responsesOf('short')).toEqual(unknown)
  expect(await responsesOf('y'.repeat(500))).toEqual(unknown)
  const good = () => send('GET', `/v1/share/${name}`).then(({ status }) => status)
  const causes: [what: string, end: () => Promise<unknown>, back: () => Promise<unknown>][] = [
    [
      'the sharer is disabled',
      () => change('UPDATE users SET disabled = 1 WHERE id = ?', viewer.id),
      () => change('UPDATE users SET disabled = 0 WHERE id = ?', viewer.id),
    ],
    [
      'the sharer lost the right to view',
      () => change('UPDATE access_groups SET "view" = 0 WHERE name = ?', 'view'),
      () => change('UPDATE access_groups SET "view" = 1 WHERE name = ?', 'view'),
    ],
    [
      'the item is hidden',
      () => change('UPDATE items SET hidden_by = 1 WHERE id = ?', item),
      () => change('UPDATE items SET hidden_by = 0 WHERE id = ?', item),
    ],
    [
      'the item is recycled',
      () => change('UPDATE items SET deleted = 1 WHERE id = ?', item),
      () => change('UPDATE items SET deleted = NULL WHERE id = ?', item),
    ],
    [
      'the item is missing',
      () => change('UPDATE items SET missing = 1 WHERE id = ?', item),
      () => change('UPDATE items SET missing = NULL WHERE id = ?', item),
    ],
  ]
  for (const [what, end, back] of causes) {
    expect({ what, status: await good() }).toEqual({ what, status: 200 })
    await end()
    expect({ what, answers: await responsesOf(name) }).toEqual({ what, answers: unknown })
    await back()
  }
  testServer.clock.advance(24 * 3600 - 1)
  expect(await good()).toBe(200)
  testServer.clock.advance(1)
  expect(await responsesOf(name)).toEqual(unknown)
})

test('a share of an item whose picture can’t be shown does not return the reason', async () => {
  await change("UPDATE items SET problem = 'secret reason' WHERE id = ?", item)
  const response = await send('GET', `/v1/share/${name}/image`)
  expect(response.status).toBe(404)
  expect(await response.text()).not.toContain('secret')
  await change('UPDATE items SET problem = NULL WHERE id = ?', item)
})

test('users list and end their own shares; global admins list and end everybody’s', async () => {
  await change('DELETE FROM shares')
  const mine = (await sharedBy(viewer.token)).name
  const theirs = (await sharedBy(admin.token)).name
  const namesOf = async (token: string) =>
    share
      .array()
      .parse((await sendJson('GET', '/v1/users/shares', token)).json)
      .map(one => one.name)
      .sort()
  expect(await namesOf(viewer.token)).toEqual([mine])
  expect(await namesOf(admin.token)).toEqual([mine, theirs].sort())
  expect(await namesOf(outsider)).toEqual([])
  expect((await sendJson('GET', '/v1/users/shares')).status).toBe(401)
  const end = (of: string, token: string | null, id = item) => sendJson('DELETE', `/v1/item/${id}/share/${of}`, token)
  expect((await end(mine, null)).status).toBe(401)
  expect((await end(theirs, viewer.token)).status).toBe(404)
  expect((await end(mine, outsider)).status).toBe(404)
  expect((await end(mine, viewer.token, hidden)).status).toBe(404)
  expect((await end(mine, viewer.token)).status).toBe(204)
  expect((await send('GET', `/v1/share/${mine}`)).status).toBe(404)
  expect((await end(theirs, admin.token)).status).toBe(204)
  expect((await end(theirs, admin.token)).status).toBe(404)
})

test('a share ends when its user is deleted', async () => {
  const { id, token } = await testServer.user('leaving', { collectionId: family })
  const left = (await sharedBy(token)).name
  await change('DELETE FROM users WHERE id = ?', id)
  expect((await send('GET', `/v1/share/${left}`)).status).toBe(404)
})

test('an invalid parameter is reported the same for known and unknown shares', async () => {
  for (const of of [name, 'z'.repeat(22)]) {
    const { status, json } = await sendJson('GET', `/v1/share/${of}/image?pThumbnail=huge`)
    expect({ status, json }).toMatchObject({ status: 400, json: { field: 'pThumbnail' } })
  }
})
