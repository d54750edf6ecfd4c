import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openLibrary } from '../../../core/library.ts'
import type { Plugin } from '../../../schema/api/plugins.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

function setup() {
  const data = join(temporaryDirectory(), 'data')
  mkdirSync(join(data, 'plugins'), { recursive: true })
  const library = openLibrary({ role: 'terminal', data, create: true, environment: {}, stderrLevel: 'none' })
  closing.push(() => library.close())
  const folder = (name: string) => join(data, 'plugins', name)
  const { plugins } = library

  function writePlugin(name: string, manifest: object | string, files: Record<string, string> = {}) {
    mkdirSync(folder(name), { recursive: true })
    const text = typeof manifest === 'string' ? manifest : JSON.stringify({ name, version: '1', ...manifest })
    writeFileSync(join(folder(name), 'plugin.json'), text)
    for (const [file, content] of Object.entries(files)) writeFileSync(join(folder(name), file), content)
  }

  async function find(name: string): Promise<Plugin> {
    const found = (await plugins.list(terminalViewer)).find(({ module }) => module === name)
    if (found === undefined) throw new Error(`'${name}' is not listed`)
    return found
  }

  return {
    library,
    plugins,
    writePlugin,
    find,
    folder,
    visitor: library.sessions.anonymous(),
    /** Adds a plugin with this server module, and switches it on. */
    async on(name: string, module: string, manifest: object = {}) {
      writePlugin(name, { server: 'server.js', ...manifest }, { 'server.js': module })
      return plugins.toggle(terminalViewer, (await find(name)).id, true)
    },
    call: (module: string, method: string, data?: unknown, viewer = terminalViewer) =>
      plugins.call(viewer, { module, method, data }),
  }
}

describe('folders', () => {
  test('with a manifest are plugins, which are off until switched on', async () => {
    const { writePlugin, plugins, visitor, find } = setup()
    writePlugin('good', { description: 'Does good.', elements: [{ name: 'screen', files: ['a.js'] }] }, { 'a.js': '1' })
    expect(await find('good')).toMatchObject({ name: 'good', active: false, problem: null, server: false })
    expect(await plugins.list(visitor)).toEqual([])
    const { id } = await find('good')
    expect(await plugins.toggle(terminalViewer, id, undefined)).toMatchObject({ active: true })
    expect((await plugins.list(visitor)).map(({ id }) => id)).toEqual([id])
    expect(await plugins.toggle(terminalViewer, id, undefined)).toMatchObject({ active: false })
  })

  test('that are invalid are listed with their problem and cannot be switched on', async () => {
    const { writePlugin, plugins, find, folder } = setup()
    writePlugin('broken', '{')
    writePlugin('gap', { elements: [{ name: 'a', files: ['gone.js'] }] })
    mkdirSync(folder('empty'))
    for (const [name, words] of [
      ['broken', 'not JSON'],
      ['gap', "'gone.js' is not there"],
      ['empty', 'plugin.json'],
    ] as const) {
      const { id, problem } = await find(name)
      expect(problem).toContain(words)
      await expect(plugins.toggle(terminalViewer, id, true)).rejects.toMatchObject({ code: 'conflict' })
      expect((await find(name)).active).toBe(false)
    }
  })

  test('that are links, or have a hidden or invalid name, are not plugins; nor are files', async () => {
    const { writePlugin, plugins, folder } = setup()
    const outside = join(temporaryDirectory(), 'elsewhere')
    mkdirSync(outside)
    writeFileSync(join(outside, 'plugin.json'), '{"name":"x","version":"1"}')
    symlinkSync(outside, folder('linked'))
    writePlugin('.hidden', {})
    writePlugin('with space', {})
    writeFileSync(folder('file'), '')
    writePlugin('file-link', {})
    rmSync(join(folder('file-link'), 'plugin.json'))
    symlinkSync(join(outside, 'plugin.json'), join(folder('file-link'), 'plugin.json'))
    const found = await plugins.list(terminalViewer)
    expect(found.map(({ module, problem }) => [module, problem === null])).toEqual([['file-link', false]])
  })

  test('that disappear are forgotten, unless they are on or have options', async () => {
    const { writePlugin, plugins, find, folder } = setup()
    for (const name of ['gone', 'kept', 'running']) writePlugin(name, { options: { a: { type: 'string' } } })
    await plugins.setOptions(terminalViewer, (await find('kept')).id, { a: 'x' })
    await plugins.toggle(terminalViewer, (await find('running')).id, true)
    const { id } = await find('kept')
    for (const name of ['gone', 'kept', 'running']) rmSync(folder(name), { recursive: true })
    expect((await plugins.list(terminalViewer)).map(({ module, problem }) => [module, problem])).toEqual([
      ['running', 'Its folder is not there.'],
    ])
    writePlugin('kept', { options: { a: { type: 'string' } } })
    expect((await find('kept')).id).toBe(id)
    expect(plugins.options(terminalViewer, id).values).toEqual({ a: 'x' })
  })
})

describe('methods', () => {
  test('receive their data, the options with secrets, and API calls with the rights of the caller', async () => {
    const { on, call, plugins, visitor } = setup()
    const { id } = await on(
      'able',
      `export const echo = (data, host) => ({ data, options: host.options(), user: host.user })
       export const jobs = (_, host) => host.library.jobs.list({ query: {} })
       export const refuse = (_, host) => host.fail('Not today.', 'conflict')`,
      {
        options: { key: { type: 'string', secret: true } },
        methods: { jobs: { who: 'all' }, refuse: { who: 'globalAdmin' } },
      },
    )
    await plugins.setOptions(terminalViewer, id, { key: 'hush' })
    expect(await call('able', 'echo', { a: [1] })).toEqual({
      result: { data: { a: [1] }, options: { key: 'hush' }, user: null },
    })
    expect(await call('able', 'jobs')).toEqual({ result: [] })
    await expect(call('able', 'jobs', null, visitor)).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(call('able', 'echo', null, visitor)).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(call('able', 'refuse')).rejects.toMatchObject({ code: 'conflict', message: 'Not today.' })
  })

  test('that do not exist, or whose plugin is off, are not found', async () => {
    const { on, call, plugins, writePlugin, find } = setup()
    const { id } = await on(
      'able',
      'export const yes = () => 1; export const no = 3; export function activate() {}; export default yes',
    )
    for (const method of ['no', 'nothing', 'activate', 'default', 'toString', 'constructor', '__proto__']) {
      await expect(call('able', method)).rejects.toMatchObject({ code: 'notFound' })
    }
    writePlugin('plain', {})
    await plugins.toggle(terminalViewer, (await find('plain')).id, true)
    for (const module of ['plain', 'other', '../able', '']) {
      await expect(call(module, 'yes')).rejects.toMatchObject({ code: 'notFound' })
    }
    await plugins.toggle(terminalViewer, id, false)
    await expect(call('able', 'yes')).rejects.toMatchObject({ code: 'notFound' })
  })

  test('that fail have an error message without details', async () => {
    const { on, call } = setup()
    await on(
      'poor',
      `export const throws = () => { throw new Error('the password is xyzzy') }
       export const late = async () => { await 1; throw 'xyzzy' }
       export const big = () => 'x'.repeat(2_000_000)
       export const odd = () => { const a = {}; a.a = a; return a }
       export const none = () => {}`,
    )
    for (const method of ['throws', 'late', 'big', 'odd']) {
      await expect(call('poor', method)).rejects.toMatchObject({
        code: 'unavailable',
        message: 'The plugin poor failed; the log says why.',
      })
    }
    expect(await call('poor', 'none')).toEqual({ result: null })
  })

  test('of a changed module are loaded again', async () => {
    const { on, call, folder, find } = setup()
    await on('young', 'export const age = () => 1')
    expect(await call('young', 'age')).toEqual({ result: 1 })
    writeFileSync(join(folder('young'), 'server.js'), 'export const age = () => "two"')
    await find('young')
    expect(await call('young', 'age')).toEqual({ result: 'two' })
  })

  test('that take long are jobs, which return their result and can be cancelled', async () => {
    const { on, call, library } = setup()
    const { id: userId } = await library.users.create(terminalViewer, {
      username: 'ada',
      name: 'Ada',
      email: 'a@example.org',
      password: 'secret',
      unlockPin: '1',
      globalAdmin: false,
    })
    const session = await library.sessions.login('ada', 'secret', { address: '', agent: '' })
    const viewer = (await library.sessions.of(session.token))?.viewer ?? terminalViewer
    await on(
      'long',
      `export const count = async (data, host) => {
         for (let n = 1; n <= data.to; n++) { host.signal.throwIfAborted(); host.progress({ done: n, total: data.to }) }
         return { counted: data.to, user: host.user.username }
       }
       export const wait = (_, host) => new Promise((_, reject) => host.signal.addEventListener('abort', () => reject(host.signal.reason)))
       export const fails = () => { throw new Error('xyzzy') }
       export const starts = (_, host) => host.start('count', { to: 2 })`,
      { methods: { count: { long: true }, wait: { long: true }, fails: { long: true } } },
    )
    const counting = await call('long', 'count', { to: 5 }, viewer)
    const job = 'job' in counting ? counting.job : 0
    await expect(call('long', 'count', { to: 5 }, viewer)).rejects.toMatchObject({ code: 'busy' })
    expect(await library.jobs.run(job)).toMatchObject({ state: 'done', userId, done: 5, total: 5 })
    const event = library.db.get<{ message: string }>('SELECT message FROM events WHERE channel = ?', `RPC#${userId}`)
    expect(JSON.parse(event?.message ?? '')).toEqual({
      action: 'complete',
      job: { id: job },
      plugin: { module: 'long', method: 'count', result: { counted: 5, user: 'ada' } },
    })

    const waits = await call('long', 'wait', null, viewer)
    const running = library.jobs.run('job' in waits ? waits.job : 0)
    await library.jobs.cancel(viewer, 'job' in waits ? waits.job : 0)
    expect((await running)?.state).toBe('cancelled')

    const fails = await call('long', 'fails', null, viewer)
    await expect(library.jobs.run('job' in fails ? fails.job : 0)).rejects.toThrow('failed')
    const started = await call('long', 'starts', null, viewer)
    expect(started).toEqual({ result: expect.any(Number) })
  })
})
