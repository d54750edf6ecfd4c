import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { plugin, pluginFileAddress, pluginOptions } from '../../schema/api/plugins.ts'
import { channels } from '../../schema/realtime.ts'
import { type LibraryWithServer, openLibraryWithServer } from '../support/library-with-server.ts'
import { waitUntil } from '../support/server-process.ts'

const sample = join(import.meta.dir, '../../plugins/sample-statistics')

let opened: LibraryWithServer | null = null
let admin = { id: 0, token: '' }
function testServer(): LibraryWithServer {
  if (opened === null) throw new Error('the server is not open')
  return opened
}

beforeAll(async () => {
  opened = await openLibraryWithServer({ plugins: { statistics: sample } })
  const rough = join(opened.data, 'plugins/rough')
  mkdirSync(rough)
  writeFileSync(
    join(rough, 'plugin.json'),
    JSON.stringify({
      name: 'Rough',
      version: '1',
      elements: [{ name: 'page', files: ['page.html', 'data.bin', 'linked.js'] }],
      server: 'server.js',
    }),
  )
  writeFileSync(join(rough, 'page.html'), '<script>alert(1)</script>')
  writeFileSync(join(rough, 'data.bin'), 'x')
  writeFileSync(join(rough, 'linked.js'), 'x')
  writeFileSync(
    join(rough, 'server.js'),
    `export const crash = () => { setTimeout(() => { throw new Error('lost') }, 1); Promise.reject(new Error('lost too')); return 'done' }
     export const fine = () => 'fine'`,
  )
  admin = await opened.user('chief', true)
})
afterAll(async () => {
  await opened?.close()
})

async function request(method: string, path: string, body?: unknown, token: string | null = admin.token) {
  return fetch((await testServer().address()) + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
  })
}

async function find(module: string) {
  const list = z.array(plugin).parse(await (await request('GET', '/v1/plugin/list')).json())
  const found = list.find(one => one.module === module)
  if (found === undefined) throw new Error(`${module} is not there`)
  return found
}

async function toggle(module: string, active: boolean) {
  const { id } = await find(module)
  return plugin.parse(await (await request('POST', `/v1/plugin/${id}/toggle`, { active })).json())
}

describe('files', () => {
  test('of an active plugin are sent with their type, and cached if their address has the version', async () => {
    const on = await toggle('statistics', true)
    const response = await request('GET', pluginFileAddress(on, 'screen', 'screen.js'), undefined, null)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=86400, immutable',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(await response.text()).toBe(await Bun.file(join(sample, 'screen.js')).text())
    const plain = await request('GET', `/v1/plugin/${on.id}/file/screen/screen.css`, undefined, null)
    expect(plain.headers.get('cache-control')).toBe('public, no-cache')
    const known = await fetch(plain.url, { headers: { 'if-none-match': plain.headers.get('etag') ?? '' } })
    expect(known.status).toBe(304)
  })

  test('that the manifest does not name for an element are not found, nor any of an inactive plugin', async () => {
    const { id } = await toggle('statistics', true)
    const at = `/v1/plugin/${id}/file`
    for (const path of [
      `${at}/screen/server.js`,
      `${at}/screen/plugin.json`,
      `${at}/other/screen.js`,
      `${at}/screen/..%2fserver.js`,
      `${at}/screen/..%2f..%2f..%2fsecrets.json`,
      `${at}/screen/.`,
      `${at}/__proto__/screen.js`,
      `/v1/plugin/999/file/screen/screen.js`,
    ]) {
      expect([path, (await request('GET', path)).status]).toEqual([path, 404])
    }
    const off = await toggle('statistics', false)
    expect((await request('GET', pluginFileAddress(off, 'screen', 'screen.js'))).status).toBe(404)
  })

  test('that no browser should run are downloads, and links are not followed', async () => {
    const on = await toggle('rough', true)
    for (const file of ['page.html', 'data.bin']) {
      const { headers } = await request('GET', pluginFileAddress(on, 'page', file))
      expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        'application/octet-stream',
        'attachment',
      ])
    }
    const path = join(testServer().data, 'plugins/rough/linked.js')
    await Bun.file(path).delete()
    symlinkSync(join(testServer().data, 'secrets.json'), path)
    expect((await request('GET', pluginFileAddress(on, 'page', 'linked.js'))).status).toBe(404)
    await Bun.file(path).delete()
    writeFileSync(path, 'x')
  })
})

describe('the sample', () => {
  test('has an option tree whose secret can be set but never read', async () => {
    const { id } = await toggle('statistics', true)
    const set = await request('PUT', `/v1/plugin/${id}/options`, {
      options: { title: 'In numbers', cameras: { key: 'hush-hush' } },
    })
    const text = await set.text()
    expect(set.status).toBe(200)
    expect(text).not.toContain('hush-hush')
    const { values, secrets, types } = pluginOptions.parse(JSON.parse(text))
    expect(values).toMatchObject({ title: 'In numbers', years: { order: 'newest first' } })
    expect([secrets, types['cameras.key']?.secret]).toEqual([['cameras.key'], true])
    const wrong = await request('PUT', `/v1/plugin/${id}/options`, { options: { years: { order: 'sideways' } } })
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { field: 'options.years.order' }])
    for (const [token, status] of [
      [null, 401],
      [(await testServer().user('nobody')).token, 403],
    ] as const) {
      expect((await request('GET', `/v1/plugin/${id}/options`, undefined, token)).status).toBe(status)
      expect((await request('POST', `/v1/plugin/${id}/toggle`, {}, token)).status).toBe(status)
    }
  })

  test('counts years of the items that each user can see', async () => {
    const { collection, giveRight, connect } = testServer()
    await toggle('statistics', true)
    const [open] = [await collection(), await collection()]
    await giveRight(open.id, null)
    const call = { method: 'plugin', params: { module: 'statistics', method: 'years' } }
    const years = z.object({ result: z.object({ years: z.array(z.object({ year: z.int(), count: z.int() })) }) })
    const countFor = async (token: string | null) =>
      years
        .parse(await (await connect(token)).request('rpc', call))
        .result.years.reduce((sum, { count }) => sum + count, 0)
    expect(await countFor(null)).toBe(3)
    expect(await countFor(admin.token)).toBe(6)
  })

  test('counts cameras in a job, and sends the result, signed with the secret, to all windows of a user', async () => {
    const { connect, user } = testServer()
    const { id } = await toggle('statistics', true)
    await request('PUT', `/v1/plugin/${id}/options`, { options: { cameras: { key: 'hush-hush' } } })
    const [caller, other] = [await connect(admin.token), await connect(admin.token)]
    const rpc = channels.rpc(String(admin.id))
    await other.request('subscribe', { channels: [rpc] })
    const call = { method: 'plugin', params: { module: 'statistics', method: 'cameras', data: {} } }
    const { job } = z.object({ job: z.int() }).parse(await caller.request('rpc', call))
    const done = await caller.nextMessage(
      ({ channel, message }) => channel === channels.task(job) && message.action === 'complete',
    )
    expect(done.message.job).toMatchObject({ id: job, state: 'done', kind: 'plugin' })
    for (const client of [caller, other]) {
      const { message } = await client.nextMessage(({ channel }) => channel === rpc)
      const { result } = z
        .object({ result: z.object({ pictures: z.int(), cameras: z.array(z.unknown()), signature: z.string() }) })
        .parse(message.plugin)
      expect(message.job).toEqual({ id: job })
      expect(result.pictures).toBeGreaterThan(0)
      const signed = createHmac('sha256', 'hush-hush').update(JSON.stringify(result.cameras)).digest('hex')
      expect(result.signature).toBe(signed)
    }
    const stranger = await connect((await user('stranger')).token)
    expect((await stranger.request('subscribe', { channels: [rpc, channels.task(job)] })).channels).toEqual([])
    await expect((await connect(null)).request('rpc', call)).rejects.toMatchObject({ code: 'unauthenticated' })
  }, 30_000)
})

test('the list has the values of options, without secrets, only for global admins', async () => {
  const { id } = await toggle('statistics', true)
  await request('PUT', `/v1/plugin/${id}/options`, { options: { cameras: { key: 'hush-hush' } } })
  const { values } = pluginOptions.parse(await (await request('GET', `/v1/plugin/${id}/options`)).json())
  const listed = await find('statistics')
  expect(Object.keys(listed.options)).not.toEqual([])
  expect(listed.options).toEqual(values)
  expect(JSON.stringify(listed)).not.toContain('hush-hush')
  for (const token of [null, (await testServer().user('reader')).token]) {
    const others = z.array(plugin).parse(await (await request('GET', '/v1/plugin/list', undefined, token)).json())
    expect(others.find(one => one.id === id)?.options).toEqual({})
  }
})

describe('over the websocket', () => {
  test('everybody is notified when a plugin is switched off, and its methods are gone', async () => {
    const { connect } = testServer()
    const { id } = await toggle('rough', true)
    const [client, visitor] = [await connect(admin.token), await connect(null)]
    await visitor.request('subscribe', { channels: [channels.plugins] })
    const call = { method: 'plugin', params: { module: 'rough', method: 'fine' } }
    expect(await client.request('rpc', call)).toEqual({ result: 'fine' })
    await toggle('rough', false)
    const off = await visitor.nextMessage(
      ({ channel, message }) => channel === channels.plugins && message.action === 'update',
    )
    expect(off.message.plugin).toEqual({ id, active: false })
    await expect(client.request('rpc', call)).rejects.toMatchObject({ code: 'notFound' })
  })

  test('unhandled errors of a plugin do not end the server', async () => {
    await toggle('rough', true)
    const client = await testServer().connect(admin.token)
    const call = (method: string) => client.request('rpc', { method: 'plugin', params: { module: 'rough', method } })
    expect(await call('crash')).toEqual({ result: 'done' })
    expect(await call('fine')).toEqual({ result: 'fine' })
    const log = Bun.file(join(testServer().data, 'logs/server.log'))
    const logged = await waitUntil(async () => {
      const text = await log.text()
      return text.includes('"lost too"') && text.includes('"lost"') ? text : null
    })
    expect(logged).toContain('a plugin did not catch an error')
  })
})
