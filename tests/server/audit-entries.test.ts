/** Changes of accounts, groups, tokens and collections are in the audit log, with the user who made them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { temporaryOnDisk } from '../support/temporary.ts'
import { openTestServer } from '../support/test-server.ts'

temporaryOnDisk()
const testServer = openTestServer()
const { sendJson, library } = testServer
let family = 0
let admin = { id: 0, token: '' }
let ines = { id: 0, token: '' }

beforeAll(async () => {
  family = await testServer.collection('family')
  admin = await testServer.user('admin', { globalAdmin: true })
  ines = await testServer.user('ines')
})
afterAll(() => testServer.close())

interface Entry {
  actor: string
  user_id: number | null
  action: string
  detail: string
}

/** Returns action and detail of each entry that `act` adds; all must be by user `by`, or by the terminal if null. */
async function entriesOf(act: () => Promise<unknown>, by: number | null = admin.id) {
  const last = library.db.get<{ id: number | null }>('SELECT max(id) AS id FROM audit_log')?.id ?? 0
  await act()
  const rows = library.db.all<Entry>('SELECT * FROM audit_log WHERE id > ? ORDER BY id', last)
  for (const { actor, user_id } of rows) {
    expect({ actor, user_id }).toEqual({ actor: by === null ? 'terminal' : 'user', user_id: by })
  }
  return rows.map(({ action, detail }) => [action, JSON.parse(detail)])
}

const idOf = (response: { json: unknown }) => z.object({ id: z.int() }).parse(response.json).id

test('the audit log has every change of a group and of its members', async () => {
  let group = 0
  const put = (path: string, body?: object) => () => sendJson('PUT', path, admin.token, body)
  const remove = (path: string) => () => sendJson('DELETE', path, admin.token)
  const about = () => ({ group, name: 'Cousins' })
  expect(
    await entriesOf(async () => {
      group = idOf(await sendJson('POST', '/v1/access', admin.token, { group: { name: 'Family' } }))
    }),
  ).toEqual([['group.create', { group, name: 'Family' }]])
  expect(await entriesOf(put(`/v1/access/${group}`, { group: { name: 'Cousins', view: true } }))).toEqual([
    ['group.update', { ...about(), view: true }],
  ])
  const attach = put(`/v1/collection/access/${family}/${group}`)
  expect(await entriesOf(attach)).toEqual([['group.attach', { ...about(), collection: family }]])
  expect(await entriesOf(attach)).toEqual([])
  const who = { ...about(), user: ines.id, username: 'ines' }
  const add = put(`/v1/users/access/${group}/INES`)
  expect(await entriesOf(add)).toEqual([['group.add', who]])
  expect(await entriesOf(add)).toEqual([])
  const drop = remove(`/v1/users/access/${group}/ines`)
  expect(await entriesOf(drop)).toEqual([['group.remove', who]])
  expect(await entriesOf(drop)).toEqual([])
  expect(await entriesOf(remove(`/v1/collection/access/${family}/${group}`))).toEqual([
    ['group.detach', { ...about(), collection: family }],
  ])
  expect(await entriesOf(() => sendJson('PUT', `/v1/access/${group}`, ines.token, { group: { admin: true } }))).toEqual(
    [],
  )
})

test('the audit log has every change of an account', async () => {
  const about = { user: ines.id, username: 'ines' }
  const put = (path: string, body: object) => () => sendJson('PUT', path, admin.token, body)
  const user = (change: object) => put('/v1/users', { user: { id: ines.id, ...change } })
  expect(await entriesOf(user({ name: 'Inés' }))).toEqual([['user.update', { ...about, fields: ['name'] }]])
  expect(await entriesOf(user({ name: 'Inés' }))).toEqual([])
  expect(await entriesOf(user({ globaladmin: true }))).toEqual([['user.role', { ...about, globaladmin: true }]])
  expect(await entriesOf(user({ globaladmin: false }))).toEqual([['user.role', { ...about, globaladmin: false }]])
  const disable = (disabled: boolean) => put(`/v1/users/${ines.id}/disabled`, { disabled })
  expect(await entriesOf(disable(true))).toEqual([['user.disable', about]])
  expect(await entriesOf(disable(true))).toEqual([])
  expect(await entriesOf(disable(false))).toEqual([['user.enable', about]])
  const reset = (body: object) => put(`/v1/users/${ines.id}/password`, body)
  expect(await entriesOf(reset({ password: 'hush hush' }))).toEqual([
    ['user.reset', { ...about, fields: ['password'] }],
  ])
  expect(await entriesOf(reset({ unlockPin: '99' }))).toEqual([['user.reset', { ...about, fields: ['pin'] }]])
  expect(await entriesOf(() => sendJson('DELETE', `/v1/users/${ines.id}/sessions`, admin.token))).toEqual([
    ['user.sessions', about],
  ])
  expect(await entriesOf(() => library.users.setPassword(terminalViewer, 'ines', 'hush again'), null)).toEqual([
    ['user.reset', { ...about, fields: ['password'] }],
  ])
  let tom = 0
  const created = await entriesOf(async () => {
    tom = (await testServer.user('tom')).id
  }, null)
  expect(created).toEqual([['user.create', { user: tom, username: 'tom', globaladmin: false }]])
})

test('the audit log has the names of the fields that users change in their profiles, never the values', async () => {
  const { id, token } = await testServer.user('eva')
  const about = { user: id, username: 'eva' }
  const put = (more: object) => () =>
    sendJson('PUT', '/v1/users/update', token, { name: 'eva', email: 'eva@example.org', password: 'secret', ...more })
  expect(await entriesOf(put({}), id)).toEqual([])
  const { token: script } = await library.tokens.issueApi(terminalViewer, {
    username: 'eva',
    name: 'backup',
    expiresAt: null,
  })
  const all = { name: 'Eva', email: 'e@b', unlockPin: '77', newPassword: 'hush hush', signOutTokens: true }
  expect(await entriesOf(put(all), id)).toEqual([
    ['user.update', { ...about, fields: ['name', 'email', 'pin'] }],
    ['user.password', about],
    ['token.revoke', { token: expect.any(Number), name: 'backup', ...about }],
  ])
  const everything = JSON.stringify(library.db.all('SELECT * FROM audit_log'))
  for (const secret of ['hush', '"77"', 'e@b', script, script.slice(-8)]) expect(everything).not.toContain(secret)
})

test('the audit log has every device and token that is created or removed, also when all sessions are ended', async () => {
  const { id, token } = await testServer.user('kim')
  const about = { user: id, username: 'kim' }
  const register = (value: string) => sendJson('POST', '/v1/tokens', token, { name: 'Television', value })
  let device = 0
  expect(
    await entriesOf(async () => {
      device = idOf(await register('0123456789abcdef0123456789abcdef'))
    }, id),
  ).toEqual([['device.create', { token: device, name: 'Television', ...about }]])
  expect(await entriesOf(() => sendJson('DELETE', `/v1/tokens/${device}`, token), id)).toEqual([
    ['device.remove', { token: device, name: 'Television', ...about }],
  ])
  const issue = () => library.tokens.issueApi(terminalViewer, { username: 'kim', name: 'backup', expiresAt: null })
  let script = 0
  expect(
    await entriesOf(async () => {
      script = (await issue()).id
    }, null),
  ).toEqual([['token.issue', { token: script, name: 'backup', ...about }]])
  expect(await entriesOf(() => sendJson('DELETE', `/v1/tokens/issued/${script}`, admin.token))).toEqual([
    ['token.revoke', { token: script, name: 'backup', ...about }],
  ])
  await issue()
  await register('fedcba9876543210fedcba9876543210')
  const ended = await entriesOf(() => sendJson('DELETE', `/v1/users/${id}/sessions`, admin.token))
  expect(ended.map(([action]) => action)).toEqual(['user.sessions', 'token.revoke', 'device.remove'])
})

test('the audit log has every change of a collection', async () => {
  const path = join(testServer.directory, 'prints')
  mkdirSync(path)
  let id = 0
  expect(
    await entriesOf(async () => {
      id = idOf(await sendJson('POST', '/v1/collection', admin.token, { name: 'Prints', path }))
    }),
  ).toEqual([['collection.create', { collection: id, name: 'Prints' }]])
  const change = () => sendJson('PUT', `/v1/collection/${id}`, admin.token, { name: 'Old prints', readonly: true })
  expect(await entriesOf(change)).toEqual([
    ['collection.update', { collection: id, name: 'Old prints', fields: ['name', 'readonly'] }],
  ])
  expect(await entriesOf(() => sendJson('DELETE', `/v1/collection/${id}`, admin.token))).toEqual([
    ['collection.delete', { collection: id, name: 'Old prints' }],
  ])
})
