import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { openTestServer } from '../support/test-server.ts'

const testServer = openTestServer()
const { sendJson, library } = testServer
let family = 0
let travel = 0
let admin = ''
let manager = { id: 0, token: '' }
let other = { id: 0, token: '' }
let viewer = ''

beforeAll(async () => {
  family = await testServer.collection('family')
  travel = await testServer.collection('travel')
  admin = (await testServer.user('admin', { globalAdmin: true })).token
  manager = await testServer.user('manager', { collectionId: family, right: 'admin' })
  other = await testServer.user('other', { collectionId: travel, right: 'admin' })
  viewer = (await testServer.user('viewer', { collectionId: family })).token
})
afterAll(() => testServer.close())

const create = async (group: object, token = manager.token) =>
  z.object({ id: z.int() }).parse((await sendJson('POST', '/v1/access', token, { group })).json).id
const attach = (collection: number, group: number, token: string | null = manager.token) =>
  sendJson('PUT', `/v1/collection/access/${collection}/${group}`, token)
const detach = (collection: number, group: number, token = manager.token) =>
  sendJson('DELETE', `/v1/collection/access/${collection}/${group}`, token)
const update = (id: number, group: object, token = manager.token) =>
  sendJson('PUT', `/v1/access/${id}`, token, { group })
const member = (method: string, group: number, username: string, token = manager.token) =>
  sendJson(method, `/v1/users/access/${group}/${username}`, token)
const groupsOf = (collection: number) =>
  library.db.all<{ id: number; name: string; position: number }>(
    `SELECT g.id, g.name, ca.position FROM collection_access AS ca JOIN access_groups AS g ON g.id = ca.group_id
     WHERE ca.collection_id = ? ORDER BY ca.position`,
    collection,
  )

test('a change of a group or of its members takes effect from the next request on', async () => {
  const guest = await testServer.user('guest')
  const visible = async () => {
    const { json } = await sendJson('GET', '/v1/collection', guest.token)
    return z.array(z.object({ id: z.int(), rights: z.object({ create: z.boolean() }) })).parse(json)
  }
  const id = await create({ name: 'Helpers', create: true })
  expect((await attach(family, id)).status).toBe(204)
  expect(await visible()).toHaveLength(1)
  expect((await member('PUT', id, 'guest')).json).toEqual([{ id: guest.id, username: 'guest', name: 'guest' }])
  expect(await visible()).toContainEqual({ id: family, rights: { create: true } })
  expect((await update(id, { create: false, view: true })).status).toBe(200)
  expect(await visible()).toContainEqual({ id: family, rights: { create: false } })
  expect((await member('DELETE', id, 'GUEST')).json).toEqual([])
  expect(await visible()).toHaveLength(1)
})

test('attaching a group again keeps its position', async () => {
  const id = await create({ name: 'Twice', view: true })
  await attach(family, id)
  const before = groupsOf(family)
  await attach(family, await create({ name: 'Later' }))
  expect((await attach(family, id)).status).toBe(204)
  expect(groupsOf(family).slice(0, before.length)).toEqual(before)
})

test('unknown users, groups and collections are not found', async () => {
  const id = await create({ name: 'Known', view: true })
  await attach(family, id)
  expect(await member('PUT', id, 'nobody')).toMatchObject({ status: 404, json: { field: 'username' } })
  expect((await attach(family, 98_765)).status).toBe(404)
  expect((await attach(98_765, id, admin)).status).toBe(404)
  expect((await detach(travel, id, admin)).status).toBe(404)
  expect((await update(98_765, { name: 'x' }, admin)).status).toBe(404)
  expect((await sendJson('GET', '/v1/users/access/98765', admin)).status).toBe(404)
})

test('the first group of a collection cannot be public, and the second cannot be an admin group', async () => {
  const [first, second] = groupsOf(family)
  if (first === undefined || second === undefined) throw new Error('a collection starts with two groups')
  expect(await update(first.id, { public: true })).toMatchObject({ status: 409, json: { field: 'public' } })
  expect(await update(second.id, { admin: true })).toMatchObject({ status: 409, json: { field: 'admin' } })
  expect((await update(second.id, { public: true })).status).toBe(200)
  expect((await update(second.id, { public: false })).status).toBe(200)
})

test('the last admin group of a collection can be replaced, but not removed', async () => {
  const id = await testServer.collection('alone')
  const [only] = groupsOf(id)
  expect((await detach(id, only?.id ?? 0, admin)).status).toBe(409)
  expect((await update(only?.id ?? 0, { admin: false }, admin)).status).toBe(409)
  const next = await create({ name: 'New admins', admin: true }, admin)
  expect((await attach(id, next, admin)).status).toBe(204)
  expect((await detach(id, only?.id ?? 0, admin)).status).toBe(204)
  // The new group is now the first one.
  expect(groupsOf(id)[0]).toMatchObject({ id: next, position: 0 })
  expect((await update(next, { public: true }, admin)).status).toBe(409)
  expect((await detach(id, next, admin)).status).toBe(409)
})

test('an administrator of only some of the collections that use a group may not change it', async () => {
  const id = await create({ name: 'Both', view: true }, admin)
  await attach(family, id, admin)
  await attach(travel, id, admin)
  for (const token of [manager.token, other.token]) {
    expect((await update(id, { update: true }, token)).status).toBe(403)
    expect((await member('PUT', id, 'viewer', token)).status).toBe(403)
    expect((await sendJson('GET', `/v1/users/access/${id}`, token)).status).toBe(403)
  }
  expect((await detach(travel, id, manager.token)).status).toBe(404)
  expect((await detach(travel, id, other.token)).status).toBe(204)
  expect((await update(id, { update: true }, other.token)).status).toBe(404)
  expect((await update(id, { update: true }, manager.token)).status).toBe(200)
})

test('an administrator cannot attach a group that another collection uses', async () => {
  const id = await create({ name: 'Fresh', admin: true }, other.token)
  expect((await attach(travel, id, other.token)).status).toBe(204)
  expect((await member('PUT', id, 'other', other.token)).status).toBe(200)
  expect((await attach(family, id)).status).toBe(404)
  expect(groupsOf(family).map(group => group.id)).not.toContain(id)
  expect((await update(id, { name: 'Named' }, admin)).status).toBe(200)
})

test('each call is refused without the rights for it', async () => {
  const id = await create({ name: 'Ours', view: true })
  await attach(family, id)
  const groupBody = { group: { name: 'Name' } }
  const calls = [
    ['PUT', `/v1/access/${id}`, groupBody],
    ['GET', `/v1/users/access/${id}`, undefined],
    ['PUT', `/v1/users/access/${id}/viewer`, undefined],
    ['DELETE', `/v1/users/access/${id}/viewer`, undefined],
  ] as const
  for (const [method, path, body] of calls) {
    expect((await sendJson(method, path, null, body)).status).toBe(401)
    expect((await sendJson(method, path, viewer, body)).status).toBe(404)
    expect((await sendJson(method, path, other.token, body)).status).toBe(404)
    expect((await sendJson(method, path, manager.token, body)).status).toBe(200)
    expect((await sendJson(method, path, admin, body)).status).toBe(200)
  }
  expect(await sendJson('GET', `/v1/users/access/${id}`, other.token)).toEqual(
    await sendJson('GET', '/v1/users/access/98765', other.token),
  )
  for (const [method, path] of [
    ['PUT', `/v1/collection/access/${family}/${id}`],
    ['DELETE', `/v1/collection/access/${family}/${id}`],
  ] as const) {
    expect((await sendJson(method, path)).status).toBe(401)
    expect((await sendJson(method, path, viewer)).status).toBe(403)
    expect((await sendJson(method, path, other.token)).status).toBe(404)
    expect((await sendJson(method, path, manager.token)).status).toBe(204)
  }
  expect((await sendJson('POST', '/v1/access', null, groupBody)).status).toBe(401)
  expect((await sendJson('POST', '/v1/access', viewer, groupBody)).status).toBe(403)
  expect(await sendJson('POST', '/v1/access', admin, { group: { name: ' ' } })).toMatchObject({ status: 400 })
})
