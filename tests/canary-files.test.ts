import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { byteRoutes } from '../schema/api/bytes.ts'
import { calls } from '../schema/api/calls.ts'
import type { Endpoint } from '../schema/api/contract.ts'
import { openRealtime, type RealtimeClient } from './support/realtime.ts'
import { type RunningServer, setupKey, startServer, waitUntil } from './support/server-process.ts'
import { temporaryDirectory } from './support/temporary.ts'

/**
 * Like `canary.test.ts`, but with real pictures and a real server. Each of three pictures has a colour of its own. A
 * caller who may not see one of them must not receive its colour in any picture, archive or slideshow, nor its word or
 * id on any channel.
 */
const canaries = {
  private: { word: 'quetzalcoatlus', colour: [250, 0, 250] },
  hidden: { word: 'archaeopteryx', colour: [0, 250, 250] },
  recycled: { word: 'microraptor', colour: [250, 250, 0] },
} as const
type Canary = keyof typeof canaries
const allCanaries = Object.keys(canaries) as Canary[]

let server: RunningServer
let admin = ''
const tokens: Record<string, string> = { anonymous: '' }
const ids = new Map<string, number>()
let shares: string[] = []
/** The `includeHidden` value that unlocking returned for the user `unlocked`. */
let unlockValue = ''

const tokenOf = (who: string) => (who === 'admin' ? admin : (tokens[who] ?? ''))

async function call(who: string, method: string, path: string, body?: unknown): Promise<Response> {
  const token = tokenOf(who)
  return fetch(server.address + path, {
    method,
    headers: {
      origin: server.address,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function json(who: string, method: string, path: string, body?: unknown) {
  const response = await call(who, method, path, body)
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? {} : JSON.parse(await response.text())
}

/** Makes a call of the file manager. */
function callFileManager(who: string, query: Record<string, string>): Promise<Response> {
  return call(who, 'POST', `/v1/files?${new URLSearchParams(query)}`)
}

async function createAccount(username: string, setup?: string): Promise<string> {
  const body = { username, name: username, email: 'a@b', password: 'secret', unlockPin: '1234' }
  await json('anonymous', 'POST', '/v1/users/register', { ...body, setup })
  return (await json('anonymous', 'POST', '/v1/users/login', body)).token
}

async function waitForJob(job: number) {
  await waitUntil(async () => {
    const { state } = await json('admin', 'GET', `/v1/job/${job}`)
    return state === 'queued' || state === 'running' ? null : state
  })
}

const solid = ([r, g, b]: readonly [number, number, number], word = 'nothing') =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: { r, g, b } } })
    .withExif({ IFD0: { ImageDescription: `within ${word}` } })
    .jpeg()
    .toBuffer()

/** Creates an account in a group of its own, and gives this group a right on the collection. */
async function createMember(username: string, right: 'create' | 'update', collection: number): Promise<void> {
  tokens[username] = await createAccount(username)
  const { id } = await json('admin', 'POST', '/v1/access', { group: { name: username, [right]: true } })
  await json('admin', 'PUT', `/v1/collection/access/${collection}/${id}`)
  await json('admin', 'PUT', `/v1/users/access/${id}/${username}`)
}

beforeAll(async () => {
  const directory = temporaryDirectory()
  const [open, closed] = [join(directory, 'open'), join(directory, 'closed')]
  for (const path of [open, closed]) mkdirSync(path)
  writeFileSync(join(open, 'shown.jpg'), await solid([120, 120, 120]))
  for (const [name, { word, colour }] of Object.entries(canaries)) {
    writeFileSync(join(name === 'private' ? closed : open, `${word}.jpg`), await solid(colour, word))
  }
  server = await startServer(join(directory, 'data'), [open, closed])
  admin = await createAccount('admin', setupKey(server))
  tokens.viewer = await createAccount('viewer')
  tokens.outsider = await createAccount('outsider')
  await waitUntil(async () => ((await json('admin', 'GET', '/v1/item/list/0'))._meta.total_records === 4 ? true : null))
  for (const item of (await json('admin', 'GET', '/v1/item/list/0')).items)
    ids.set(item.name.replace('.jpg', ''), item.id)

  const collections: { id: number; name: string; access: { id: number }[] }[] = await json(
    'admin',
    'GET',
    '/v1/collection',
  )
  const opened = collections.find(({ name }) => name === 'open')
  await json('admin', 'PUT', `/v1/access/${opened?.access[1]?.id}`, { group: { public: true } })
  await createMember('creator', 'create', opened?.id ?? 0)
  await createMember('updater', 'update', opened?.id ?? 0)
  tokens.unlocked = await createAccount('unlocked')
  unlockValue = (await json('unlocked', 'POST', '/v1/keystrings/unlock', { pin: '1234' })).includeHidden
  for (const { word } of Object.values(canaries)) {
    await json('admin', 'POST', `/v1/item/${ids.get(word)}/tag/Keywords`, { data: [`keyword ${word}`] })
    shares.push((await json('admin', 'POST', `/v1/item/${ids.get(word)}/share`, { expires: 24 })).name)
  }
  // From here on the links to the hidden and the recycled item do not work; the one to the private item still does.
  const words: { id: number; content: string }[] = await json('admin', 'GET', '/v1/keystrings')
  const keystring = words.find(({ content }) => content.endsWith(canaries.hidden.word))
  await json('admin', 'PUT', `/v1/keystrings/${keystring?.id}`, { isHidden: true, isAssociatedItemsHidden: true })
  await json('admin', 'DELETE', `/v1/item/${ids.get(canaries.recycled.word)}`)
  shares = shares.filter(name => name !== shares[0])
}, 120_000)
afterAll(() => server.stop())

/** The canaries whose colour is in a picture. */
async function coloursIn(bytes: Uint8Array): Promise<Canary[]> {
  const { data } = await sharp(bytes)
    .resize(8, 8)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return allCanaries.filter(canary => {
    const { colour } = canaries[canary]
    for (let at = 0; at < data.length; at += 3) {
      if (colour.every((value, n) => Math.abs((data[at + n] ?? 0) - value) < 24)) return true
    }
    return false
  })
}

/** The canaries whose colour or word is in a file. */
async function secretsIn(bytes: Uint8Array, unseen: readonly Canary[]): Promise<Canary[]> {
  const text = Buffer.from(bytes).toString('latin1').toLowerCase()
  const colours = await coloursIn(bytes)
  return unseen.filter(canary => text.includes(canaries[canary].word) || colours.includes(canary))
}

/** The canaries in the pictures, names and bytes of an archive. */
async function leaksOfZip(bytes: Uint8Array, unseen: readonly Canary[]): Promise<string[]> {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'a.zip'), bytes)
  const { exitCode } = Bun.spawnSync(['unzip', '-q', 'a.zip', '-d', 'out'], { cwd: directory })
  expect(exitCode).toBe(0)
  const leaks: string[] = []
  for (const entry of readdirSync(join(directory, 'out'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const content = readFileSync(join(entry.parentPath, entry.name))
    const text = `${entry.name} ${content.toString('latin1')}`.toLowerCase()
    leaks.push(
      ...unseen.filter(canary => text.includes(canaries[canary].word)).map(canary => `${entry.name}: ${canary}`),
    )
    if (/\.(jpe?g|png|webp)$/.test(entry.name))
      leaks.push(...(await secretsIn(content, unseen)).map(canary => `${entry.name}: ${canary}`))
  }
  return leaks
}

/** The canaries that each caller may not see. Only the admin, who has not unlocked, sees the closed collection. */
const callers: { who: string; unseen: readonly Canary[] }[] = [
  { who: 'anonymous', unseen: allCanaries },
  { who: 'viewer', unseen: allCanaries },
  { who: 'outsider', unseen: allCanaries },
  { who: 'creator', unseen: allCanaries },
  { who: 'updater', unseen: ['private', 'hidden'] },
  { who: 'unlocked', unseen: ['private', 'recycled'] },
  { who: 'admin', unseen: ['hidden'] },
]
const hasUnzip = Bun.which('unzip') !== null

describe('items that a caller may not see', () => {
  for (const { who, unseen } of callers) {
    test(`are in no picture that ${who} receives`, async () => {
      const leaks: string[] = []
      let pictureCount = 0
      for (const [name, id] of ids) {
        for (const size of ['tiny', 'small', 'medium', 'large', 'variant', 'original']) {
          const response = await call(who, 'GET', `/v1/item/${id}/image?pThumbnail=${size}`)
          const bytes = new Uint8Array(await response.arrayBuffer())
          if (!response.ok) continue
          pictureCount++
          leaks.push(...(await secretsIn(bytes, unseen)).map(canary => `${size} of ${name}: ${canary}`))
        }
        expect((await call(who, 'GET', `/v1/item/${id}/stream`)).status).toBe(404)
      }
      for (const share of shares)
        expect((await call(who, 'GET', `/v1/share/${share}/image?pThumbnail=medium`)).status).toBe(404)
      expect(leaks).toEqual([])
      expect(pictureCount).toBe(6 * (1 + allCanaries.length - unseen.length))
    }, 60_000)
  }

  test.skipIf(!hasUnzip)(
    'are in no archive and no slideshow',
    async () => {
      for (const { who, unseen } of callers.filter(one => one.who !== 'anonymous')) {
        const more = who === 'unlocked' ? `includeHidden=${unlockValue}&` : ''
        const every = [...ids.values()].join(',')
        for (const query of ['', `items=${every}`, `q=${canaries.hidden.word}%20OR%20shown`]) {
          const response = await call(who, 'GET', `/v1/item/download/0?${more}${query}`)
          expect(response.status).toBe(200)
          expect(await leaksOfZip(new Uint8Array(await response.arrayBuffer()), unseen)).toEqual([])
        }
        const socket = await openRealtime(server.address)
        await socket.request('authenticate', { token: tokenOf(who) })
        await socket.request('subscribe', { channels: ['BuildSlideshow'] })
        const built = await json(who, 'POST', '/v1/slideshow/create?names=true&keywords=true', {
          items: [...ids.values()],
        })
        expect(built.items).toBe(who === 'unlocked' || who === 'admin' ? 2 : 1)
        const { message } = await socket.nextMessage(({ message: { action } }) => action === 'complete')
        const zip = await call(who, 'GET', `/v1/slideshow/${message.fileid}`)
        expect(await leaksOfZip(new Uint8Array(await zip.arrayBuffer()), unseen)).toEqual([])
        // A slideshow with hidden items is served to unlocked sessions only, not to every session of its owner.
        if (who === 'unlocked') {
          const { token } = await json('anonymous', 'POST', '/v1/users/login', { username: who, password: 'secret' })
          tokens.locked = token
          expect((await call('locked', 'GET', `/v1/slideshow/${message.fileid}`)).status).toBe(404)
        }
        socket.close()
      }
    },
    120_000,
  )
})

test('no channel sends a caller events about items that they may not see', async () => {
  const sockets = new Map<string, RealtimeClient>()
  for (const { who } of callers) {
    const socket = await openRealtime(server.address)
    const token = tokenOf(who)
    await socket.request('authenticate', token === '' ? {} : { token })
    const channels = ['collection', 'task', 'person', 'object'].flatMap(kind =>
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map(n => `${kind}-${n}`),
    )
    await socket.request('subscribe', {
      channels: [
        ...channels,
        'keystring-0',
        'plugins',
        'files',
        'users',
        'face-groups',
        'BuildSlideshow',
        'RPC#1',
        'RPC#2',
        'RPC#3',
        'RPC#4',
      ],
    })
    sockets.set(who, socket)
  }
  const { id: person } = await json('admin', 'POST', '/v1/person', { names: ['person canary'] })
  // A second, unlocked session of the admin. Its changes to hidden items must not be sent to the first session.
  tokens.open = (await json('anonymous', 'POST', '/v1/users/login', { username: 'admin', password: 'secret' })).token
  await json('open', 'POST', '/v1/keystrings/unlock', { pin: '1234' })
  const secret = ids.get(canaries.hidden.word)
  await json('open', 'PUT', `/v1/item/${secret}/tag/Description`, { data: `about ${canaries.hidden.word}` })
  await json('open', 'PUT', `/v1/item/${secret}/tools/rotate?direction=left`)
  const path = `/open/${canaries.hidden.word}`
  for (const [from, to] of [
    ['.jpg', ' 2.jpg'],
    [' 2.jpg', '.jpg'],
  ]) {
    const name = `${canaries.hidden.word}${to}`
    expect((await callFileManager('open', { q: 'rename', path: '/open', item: `${path}${from}`, name })).status).toBe(
      200,
    )
  }
  for (const { word } of Object.values(canaries)) {
    const id = ids.get(word)
    // An administrator who has not unlocked cannot see or change hidden items.
    await call('admin', 'PUT', `/v1/item/${id}/tag/Description`, { data: `about ${word}` })
    await call('admin', 'PUT', `/v1/item/${id}/tag/People`, { data: [{ person, x: 10, y: 10, width: 80, height: 80 }] })
    await call('admin', 'PUT', `/v1/item/${id}/tools/rotate?direction=left`)
    await call('admin', 'PUT', `/v1/item/${id}/tag/Category`, { data: [`category ${word}`] })
  }
  for (const collection of [1, 2])
    await waitForJob((await json('admin', 'PUT', `/v1/collection/scan/${collection}?full=true`)).taskid)
  // This public event is published last: when it arrives, all others have arrived.
  const shownId = ids.get('shown')
  await json('admin', 'POST', `/v1/item/${shownId}/tag/Keywords`, { data: ['the end'] })
  for (const { who, unseen } of callers) {
    const socket = sockets.get(who)
    if (socket === undefined) throw new Error(`${who} has no socket`)
    const secretIds = unseen.map(canary => ids.get(canaries[canary].word))
    await socket.nextMessage(({ message: { item } }) => JSON.stringify(item ?? null).includes(`"id":${shownId},`))
    const leaks = socket.unread.filter(({ message }) => {
      const text = JSON.stringify(message)
      const hasWord = unseen.some(canary => text.includes(canaries[canary].word))
      const { id } = { id: null, ...(typeof message.item === 'object' ? message.item : {}) }
      return hasWord || (typeof id === 'number' && secretIds.includes(id))
    })
    expect({ who, leaks }).toEqual({ who, leaks: [] })
    socket.close()
  }
}, 120_000)

describe('a global admin who has not unlocked', () => {
  const { word } = canaries.hidden
  let hash = ''
  beforeAll(async () => {
    tokens.open = (await json('anonymous', 'POST', '/v1/users/login', { username: 'admin', password: 'secret' })).token
    const { includeHidden } = await json('open', 'POST', '/v1/keystrings/unlock', { pin: '1234' })
    const csv = await (await call('open', 'GET', `/v1/export/collection/1?includeHidden=${includeHidden}`)).text()
    const other = await (await call('open', 'GET', `/v1/export/collection/2?includeHidden=${includeHidden}`)).text()
    const line = `${csv}\n${other}`.split(/\r?\n/).find(one => one.includes(word)) ?? ''
    hash = line.slice(line.lastIndexOf(',') + 1)
    expect(hash).toMatch(/^[0-9a-f]{16}-/)
  })

  /** What a response reveals of the hidden item, apart from repeating `requested`. */
  async function leaksOf(response: Response, requested: string): Promise<string[]> {
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = Buffer.from(bytes).toString('latin1').replaceAll(requested, '')
    const type = response.headers.get('content-type') ?? ''
    const leaks = [word, hash].filter(one => text.toLowerCase().includes(one))
    if (/^image\/(?!svg)/.test(type)) leaks.push(...(await secretsIn(bytes, ['hidden'])))
    if (type === 'application/zip') leaks.push(...(await leaksOfZip(bytes, ['hidden'])))
    return leaks.map(leak => `${requested}: ${leak}`)
  }

  test.skipIf(!hasUnzip)(
    'does not find a hidden item in the file manager by listing, searching, guessing or archiving',
    async () => {
      const leaks: string[] = []
      const listed: string[] = []
      const checkLeaks = async (query: Record<string, string>) => {
        const response = await callFileManager('admin', query)
        leaks.push(...(await leaksOf(await callFileManager('admin', query), query.path ?? '')))
        return response
      }
      const walk = async (path: string): Promise<void> => {
        const { files }: { files: { path: string; type: string }[] } = JSON.parse(
          await (await checkLeaks({ q: 'index', path })).text(),
        )
        for (const file of files) {
          listed.push(file.path)
          for (const q of ['preview', 'download']) await checkLeaks({ q, path: file.path })
          if (file.type === 'dir') await walk(file.path)
          else
            for (const size of ['tiny', 'small', 'medium', 'large'])
              await checkLeaks({ q: 'preview', path: file.path, size })
        }
      }
      await walk('/')
      expect(listed).toEqual([
        '/closed',
        `/closed/${canaries.private.word}.jpg`,
        '/open',
        `/open/${canaries.recycled.word}.jpg`,
        '/open/shown.jpg',
      ])
      for (const filter of [word, '*', '.jpg']) await checkLeaks({ q: 'search', path: '/', filter })
      for (const name of [`${word}.jpg`, `${word}.jpg.xmp`, `${word}.xmp`]) {
        for (const more of [
          { q: 'preview', size: 'large' },
          ...['preview', 'download', 'index'].map(q => ({ q, size: 'tiny' })),
        ])
          expect((await checkLeaks({ ...more, path: `/open/${name}` })).status).toBe(404)
        for (const q of ['search', 'save'])
          expect((await checkLeaks({ q, filter: 'a', content: 'x', path: `/open/${name}` })).status).toBe(404)
      }
      expect((await checkLeaks({ q: 'download', path: '/open' })).status).toBe(409)
      expect(
        (await checkLeaks({ q: 'archive', path: '/closed', items: '[{"path":"/open"}]', name: 'all' })).status,
      ).not.toBe(200)
      expect(leaks).toEqual([])
      // An unlocked session gets the word, so the checks above would have found it.
      expect(await (await callFileManager('open', { q: 'index', path: '/open' })).text()).toContain(word)
    },
    120_000,
  )

  test('does not find a hidden item in any reading call or export', async () => {
    const vocabulary = new Set(['keystrings.listAll'])
    const readable = [
      ...Object.entries(calls).flatMap(([group, table]) =>
        Object.entries<Endpoint>(table).map(([name, { method, path }]) => ({ name: `${group}.${name}`, method, path })),
      ),
      ...Object.entries(byteRoutes).map(([name, { method, path }]) => ({ name: `bytes.${name}`, method, path })),
    ].filter(({ method, name }) => method === 'GET' && !/^users\.(logout|renew)$/.test(name) && !vocabulary.has(name))
    const leaks: string[] = []
    for (const { path } of readable) {
      const numbers = path.includes(':') ? [0, ...ids.values(), 1, 2, 3, 4, 5, 6] : [0]
      for (const number of new Set(numbers)) {
        const filled = path.replace(/:(\w+)/g, (_, part: string) => (part === 'tag' ? 'Keywords' : String(number)))
        for (const query of ['', `?item=${ids.get(word)}`, '?state=all', '?kind=exact', `?items=${ids.get(word)}`])
          leaks.push(...(await leaksOf(await call('admin', 'GET', `${filled}${query}`), `${filled}${query}`)))
      }
    }
    expect(leaks).toEqual([])
    expect(readable.length).toBeGreaterThan(40)
  }, 240_000)
})
