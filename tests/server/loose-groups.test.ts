/** A group belongs to its creator until it is attached. While no collection uses it, it gives nobody access. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { createBuilders } from '../support/library.ts'
import { openTestServer } from '../support/test-server.ts'

const testServer = openTestServer()
const { sendJson, library } = testServer
const make = createBuilders(library.db)
let secret = 0
let travel = 0
let admin = { id: 0, token: '' }
/** Administers `travel`, and must never see anything of `secret`. */
let attacker = { id: 0, token: '' }
let other = { id: 0, token: '' }

beforeAll(async () => {
  secret = await testServer.collection('secret')
  travel = await testServer.collection('travel')
  for (let n = 0; n < 6; n++) await make.item({ collection: secret })
  admin = await testServer.user('admin', { globalAdmin: true })
})
afterAll(() => testServer.close())

let count = 0
beforeEach(async () => {
  count++
  attacker = await testServer.user(`attacker${count}`, { collectionId: travel, right: 'admin' })
  other = await testServer.user(`other${count}`, { collectionId: travel, right: 'admin' })
})

const create = async (group: object, token: string) =>
  z.object({ id: z.int() }).parse((await sendJson('POST', '/v1/access', token, { group })).json).id
const status = async (method: string, path: string, token: string, body?: object) =>
  (await sendJson(method, path, token, body)).status
const attach = (collection: number, group: number, token: string, body?: object) =>
  status('PUT', `/v1/collection/access/${collection}/${group}`, token, body)
const detach = (collection: number, group: number, token: string) =>
  status('DELETE', `/v1/collection/access/${collection}/${group}`, token)
const add = (group: number, username: string, token: string) =>
  status('PUT', `/v1/users/access/${group}/${username}`, token)
const members = (group: number, token: string) => sendJson('GET', `/v1/users/access/${group}`, token)
const looseIds = async (token: string) =>
  z
    .array(z.object({ id: z.int() }))
    .parse((await sendJson('GET', '/v1/access/loose', token)).json)
    .map(({ id }) => id)
const secretItems = async (token: string) =>
  z
    .object({ _meta: z.object({ total_records: z.int() }) })
    .parse((await sendJson('GET', `/v1/item/list/${secret}`, token)).json)._meta.total_records

test('an administrator of another collection gains nothing through a group that is not used yet', async () => {
  const { token } = attacker
  const group = await create({ name: 'Family', view: true }, admin.token)
  expect(await secretItems(token)).toBe(0)
  // The attack: attach the group to `travel`, join and detach it, and wait until another collection uses it.
  expect(await attach(travel, group, token)).toBe(404)
  expect(await add(group, `attacker${count}`, token)).toBe(404)
  expect(await detach(travel, group, token)).toBe(404)
  expect((await members(group, token)).status).toBe(404)
  expect(await status('PUT', `/v1/access/${group}`, token, { group: { public: true } })).toBe(404)
  expect((await members(group, admin.token)).json).toEqual([])
  expect(await attach(secret, group, admin.token)).toBe(204)
  expect(await secretItems(token)).toBe(0)
})

test('a collection administrator loses their own group when it is detached from the last collection', async () => {
  const { token } = attacker
  const group = await create({ name: 'Guests', view: true }, token)
  expect(await attach(travel, group, token)).toBe(204)
  expect(await add(group, `attacker${count}`, token)).toBe(200)
  expect(await detach(travel, group, token)).toBe(204)
  for (const who of [token, other.token]) {
    expect((await members(group, who)).status).toBe(404)
    expect(await attach(travel, group, who)).toBe(404)
    expect(await add(group, `other${count}`, who)).toBe(404)
    expect(await status('DELETE', `/v1/users/access/${group}/attacker${count}`, who)).toBe(404)
    expect(await looseIds(who)).not.toContain(group)
  }
  expect(await looseIds(admin.token)).toContain(group)
  expect((await members(group, admin.token)).json).toMatchObject([{ username: `attacker${count}` }])
})

describe('a group that was never attached', () => {
  test('is visible to its creator and global admins only; others get the response for a missing group', async () => {
    const group = await create({ name: 'Mine' }, attacker.token)
    const missing = { members: await members(98_765, other.token), attached: await attach(travel, 98_765, other.token) }
    expect(await members(group, other.token)).toEqual(missing.members)
    expect(await attach(travel, group, other.token)).toBe(missing.attached)
    expect(await looseIds(other.token)).toEqual([])
    expect(await looseIds(attacker.token)).toEqual([group])
    for (const { token } of [attacker, admin]) {
      expect(await looseIds(token)).toContain(group)
      expect(await add(group, `other${count}`, token)).toBe(200)
      expect(await status('PUT', `/v1/access/${group}`, token, { group: { view: true } })).toBe(200)
      expect((await members(group, token)).status).toBe(200)
    }
    expect(await attach(travel, group, attacker.token)).toBe(204)
  })

  test('belongs to its creator only until it is attached, even by another user', async () => {
    const group = await create({ name: 'Taken', view: true }, attacker.token)
    expect(await attach(secret, group, admin.token)).toBe(204)
    expect(await add(group, `attacker${count}`, attacker.token)).toBe(404)
    expect(await detach(secret, group, admin.token)).toBe(204)
    expect(await add(group, `attacker${count}`, attacker.token)).toBe(404)
    expect(await attach(travel, group, attacker.token)).toBe(404)
  })

  test('is not available to an owner who is disabled or administers nothing any more', async () => {
    const group = await create({ name: 'Kept' }, attacker.token)
    const change = (text: string) => library.db.transact(terminalViewer, tx => tx.run(text, attacker.id).changes)
    await change('DELETE FROM access_members WHERE user_id = ?')
    expect((await members(group, attacker.token)).status).toBe(404)
    expect(await add(group, `attacker${count}`, attacker.token)).toBe(404)
    expect(await status('GET', '/v1/access/loose', attacker.token)).toBe(403)
    await change('UPDATE users SET disabled = 1 WHERE id = ?')
    expect((await members(group, attacker.token)).status).toBe(401)
  })

  test('belongs to global admins if it was created in the terminal', async () => {
    const { id } = await library.groups.create(terminalViewer, { name: 'Terminal' })
    expect(await looseIds(attacker.token)).not.toContain(id)
    expect(await attach(travel, id, attacker.token)).toBe(404)
    expect(await attach(travel, id, admin.token)).toBe(204)
  })
})

test('removing a collection removes the groups that only it used; others stay, and still have no owner', async () => {
  const gone = await testServer.collection('gone')
  const kept = await create({ name: 'Shared', view: true }, admin.token)
  const only = await create({ name: 'Only', view: true }, admin.token)
  for (const id of [gone, travel]) expect(await attach(id, kept, admin.token)).toBe(204)
  expect(await attach(gone, only, admin.token)).toBe(204)
  await library.collectionChanges.remove(terminalViewer, gone)
  expect(await looseIds(admin.token)).not.toContain(only)
  expect(await detach(travel, kept, admin.token)).toBe(204)
  const owners = library.db.all('SELECT owner_id FROM access_groups WHERE id IN (?, ?)', kept, only)
  expect(owners).toEqual([{ owner_id: null }])
})

test('attaching a group is refused if it has changed since it was shown', async () => {
  const group = await create({ name: 'Race', view: true }, attacker.token)
  const shown = { members: [], allows: ['view'] }
  expect(await add(group, `attacker${count}`, attacker.token)).toBe(200)
  const refused = await sendJson('PUT', `/v1/collection/access/${secret}/${group}`, admin.token, { shown })
  expect(refused).toMatchObject({ status: 409, json: { error: expect.stringContaining("'Race' has changed") } })
  expect(await secretItems(attacker.token)).toBe(0)
  const joined = { members: [`attacker${count}`], allows: ['view'] }
  await sendJson('PUT', `/v1/access/${group}`, attacker.token, { group: { update: true } })
  expect(await attach(secret, group, admin.token, { shown: joined })).toBe(409)
  expect(await attach(secret, group, admin.token, { shown: { ...joined, allows: ['update', 'view'] } })).toBe(204)
})
