import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { terminalViewer } from '../../core/accounts/access.ts'
import type { Library } from '../../core/library.ts'
import { openLibrary } from '../../core/library.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand, type MediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import {
  type DiskCollection,
  findFaults,
  listFiles,
  type MovingLibrary,
  openMovingLibrary,
} from '../support/moving-library.ts'
import { picture, takenAt } from '../support/scanning-library.ts'
import { registerAndSignIn, startServer } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

let moving: MovingLibrary
let library: Library
let media: MediaOnDemand
let app: Hono
let plain: DiskCollection
let managed: DiskCollection
let locked: DiskCollection
let admin: string
let outsider: string

beforeAll(async () => {
  const directory = temporaryDirectory()
  const data = join(directory, 'data')
  mkdirSync(data)
  library = openLibrary({
    role: 'worker',
    data,
    create: true,
    environment: {},
    flags: { 'files.maxFileSize': '1MB' },
    stderrLevel: 'none',
  })
  moving = openMovingLibrary({ library, data, directory })
  plain = await moving.collection()
  managed = await moving.collection({ managed: true })
  locked = await moving.collection({ readonly: true })
  media = createMediaOnDemand(library)
  app = createApp(library, { files: new Map(), index: '', policy: '' }, media)
  const account = async (username: string, globalAdmin: boolean) => {
    const details = {
      username,
      name: username,
      email: `${username}@example.org`,
      password: 'secret',
      unlockPin: '1234',
    }
    await library.users.create(terminalViewer, { ...details, globalAdmin })
    const response = await app.request('/v1/users/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ username, password: 'secret' }),
    })
    const { token }: { token: string } = JSON.parse(await response.text())
    return token
  }
  admin = await account('boss', true)
  outsider = await account('other', false)
})

afterAll(async () => {
  await media.close()
  library.close()
})

function post(
  collection: number,
  name: string,
  body: RequestInit['body'],
  more: { token?: string | null; query?: string; headers?: Record<string, string> } = {},
) {
  const { token = admin } = more
  return app.request(`/v1/item/upload/${collection}?name=${encodeURIComponent(name)}${more.query ?? ''}`, {
    method: 'POST',
    headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...more.headers },
    body,
  })
}

const errorOf = async (response: Response | Promise<Response>) => {
  const got = await response
  const { error, field }: { error: string; field?: string } = JSON.parse(await got.text())
  return { status: got.status, error, ...(field === undefined ? {} : { field }) }
}

function expectClean() {
  expect(library.db.all('SELECT * FROM journal')).toEqual([])
  expect(findFaults(library, [plain, managed, locked], [])).toEqual([])
}

describe('an upload', () => {
  test('returns its item, and keeps its bytes, date and modification time', async () => {
    const bytes = await picture({ seed: 1, exif: takenAt('2019-08-01 14:22:33') })
    const response = await post(plain.id, 'Grüße aus Rom.JPG', bytes, { query: '&modified=1564669353000' })
    expect(response.status).toBe(201)
    const item: { id: number; name: string } = JSON.parse(await response.text())
    expect(item).toMatchObject({ name: 'Grüße aus Rom.JPG', collection_id: plain.id, taken_at: '2019-08-01 14:22:33' })
    const path = join(plain.root, 'Grüße aus Rom.JPG')
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(statSync(path).mtimeMs).toBe(1_564_669_353_000)
    const thumbnail = await app.request(`/v1/item/${item.id}/image?pThumbnail=small`, {
      headers: { authorization: `Bearer ${admin}` },
    })
    expect(thumbnail.status).toBe(200)
    expect((await moving.scan(plain)).figures).toMatchObject({ new: 0, changed: 0, moved: 0, missing: 0 })
    expectClean()
  })

  test('needs visible characters in its name and its folder', async () => {
    const error = 'A name needs at least one visible character.'
    const bytes = await picture({ seed: 78 })
    expect(await errorOf(post(plain.id, '\u200b\u2060', bytes))).toEqual({ status: 400, error, field: 'name' })
    const query = `&folder=${encodeURIComponent('2019/\u3164')}`
    expect(await errorOf(post(plain.id, 'x.jpg', bytes, { query }))).toEqual({ status: 400, error, field: 'folder' })
    expectClean()
  })

  test('is undone into the recycle bin, which keeps its file', async () => {
    const response = await post(plain.id, 'undone.jpg', await picture({ seed: 77 }))
    const { id }: { id: number } = JSON.parse(await response.text())
    const [step] = library.history.list(terminalViewer, { collectionId: 0 }, { item: id }).steps
    expect(step).toMatchObject({ operation: 'item.upload', undoable: true })
    const plan = library.history.planUndo(terminalViewer, step?.step ?? '')
    await library.jobs.run(await library.jobs.enqueue(terminalViewer, 'undo', plan, { inProcess: true }))
    expect(library.db.get('SELECT deleted IS NOT NULL AS deleted FROM items WHERE id = ?', id)).toEqual({ deleted: 1 })
    expect(listFiles(plain.root)).toContain('undone.jpg')
    expectClean()
  })

  test('goes into the given folder, or into the folder that a managed collection chooses', async () => {
    const one = await picture({ seed: 2, exif: takenAt('2019-08-01 14:22:33') })
    await post(plain.id, 'x.jpg', one, { query: `&folder=${encodeURIComponent('2019/Summer')}` })
    expect(listFiles(plain.root)).toContain('2019/Summer/x.jpg')
    await post(managed.id, 'x.jpg', one)
    await post(managed.id, 'y.jpg', await picture({ seed: 3, exif: takenAt('2019-08-01 14:22:33') }))
    await post(managed.id, 'z.jpg', await picture({ seed: 4 }))
    expect(listFiles(managed.root)).toEqual([
      '2019/08/IMG_20190801_142233.jpg',
      '2019/08/IMG_20190801_142233_2.jpg',
      'z.jpg',
    ])
    expect((await moving.scan(managed)).figures).toMatchObject({ new: 0, changed: 0, moved: 0, missing: 0 })
    expectClean()
  })

  test('never replaces a file, and gets an extension that fits its type', async () => {
    const first = await post(plain.id, 'same.jpg', await picture({ seed: 5 }))
    const second = await post(plain.id, 'same.jpg', await picture({ seed: 6 }))
    const third = await post(plain.id, 'note.txt', await picture({ seed: 7 }))
    const names = await Promise.all(
      [first, second, third].map(async response => JSON.parse(await response.text()).name),
    )
    expect(names).toEqual(['same.jpg', 'same_2.jpg', 'note.txt.jpg'])
  })

  test('of content that the collection already has is refused, naming the item unless it is recycled', async () => {
    const bytes = await picture({ seed: 8 })
    await post(plain.id, 'original.jpg', bytes)
    const again = await errorOf(post(plain.id, 'copy.jpg', bytes))
    expect(again).toMatchObject({ status: 409, error: expect.stringContaining('original.jpg') })
    await library.db.transact({ userId: null }, tx =>
      tx.run("UPDATE items SET deleted = 5 WHERE name = 'original.jpg'"),
    )
    const recycled = await errorOf(post(plain.id, 'copy.jpg', bytes))
    expect(recycled.status).toBe(409)
    expect(recycled.error).not.toContain('original')
    expect(listFiles(plain.root)).not.toContain('copy.jpg')
    expectClean()
  })

  test('of the content of a hidden item is accepted, but refused while unlocked', async () => {
    const bytes = await picture({ seed: 81 })
    const first: { id: number } = JSON.parse(await (await post(plain.id, 'archaeopteryx.jpg', bytes)).text())
    const tag = { id: first.id, tagName: 'Keywords' as const }
    await library.tags.save(terminalViewer, tag, ['Away'], { ifMatch: null })
    const word = library.db.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'Away'")?.id ?? 0
    await library.keystrings.update(terminalViewer, word, { isHidden: true, isAssociatedItemsHidden: true })
    const session = "WHERE user_id = (SELECT id FROM users WHERE username = 'boss')"
    const setUnlockValue = (value: string | null) =>
      library.db.transact({ userId: null }, tx =>
        tx.run(`UPDATE sessions SET unlock_value = ?, unlocked_until = 99999999999 ${session}`, value),
      )
    await setUnlockValue('value')
    expect(await errorOf(post(plain.id, 'copy of it.jpg', bytes))).toMatchObject({
      status: 409,
      error: expect.stringContaining('archaeopteryx.jpg'),
    })
    await setUnlockValue(null)
    const second = await post(plain.id, 'copy of it.jpg', bytes)
    expect(second.status).toBe(201)
    const text = await second.text()
    expect(text).not.toContain('archaeopteryx')
    expect(JSON.parse(text)).toMatchObject({ name: 'copy of it.jpg' })
    expect(JSON.parse(text).id).not.toBe(first.id)
    // The next scan does not confuse the two.
    expect((await moving.scan(plain)).figures).toMatchObject({ new: 0, changed: 0, moved: 0, missing: 0 })
    // A third upload is refused, because its user sees the second item.
    expect(await errorOf(post(plain.id, 'third.jpg', bytes))).toMatchObject({
      status: 409,
      error: expect.stringContaining('copy of it.jpg'),
    })
    const list = await app.request(`/v1/item/duplicates/${plain.id}`, { headers: { authorization: `Bearer ${admin}` } })
    expect(await list.text()).not.toContain('copy of it')
    expectClean()
  })

  test('is refused with the name of the invalid field', async () => {
    const good = await picture({ seed: 9 })
    expect(await errorOf(post(plain.id, 'x.jpg', 'no picture'))).toMatchObject({ status: 400, field: 'name' })
    expect(await errorOf(post(plain.id, 'x.jpg', ''))).toMatchObject({ status: 400 })
    expect(await errorOf(post(plain.id, '../x.jpg', good))).toMatchObject({ status: 400, field: 'name' })
    expect(await errorOf(post(plain.id, 'a/x.jpg', good))).toMatchObject({ status: 400, field: 'name' })
    expect(await errorOf(post(plain.id, '..', good))).toMatchObject({ status: 400, field: 'name' })
    expect(await errorOf(post(plain.id, 'x\u0000.jpg', good))).toMatchObject({ status: 400 })
    expect(await errorOf(post(plain.id, '', good))).toMatchObject({ status: 400, field: 'name' })
    expect(await errorOf(post(plain.id, `${'x'.repeat(250)}.jpg`, good))).toMatchObject({ status: 400, field: 'name' })
    for (const folder of ['../up', '/etc', 'a//b', '.hidden', 'a/@eaDir'])
      expect(
        await errorOf(post(plain.id, 'x.jpg', good, { query: `&folder=${encodeURIComponent(folder)}` })),
      ).toMatchObject({ status: 400, field: 'folder' })
    expect(await errorOf(post(plain.id, 'x.jpg', good, { query: '&modified=yesterday' }))).toMatchObject({
      status: 400,
      field: 'modified',
    })
    expect(await errorOf(post(plain.id, 'x.jpg', good, { query: '&name=y.jpg' }))).toMatchObject({
      status: 400,
      field: 'name',
    })
    expectClean()
  })

  test('is refused without the rights for it, and with a cookie alone', async () => {
    const good = await picture({ seed: 10 })
    expect((await post(plain.id, 'x.jpg', good, { token: null })).status).toBe(401)
    expect((await post(plain.id, 'x.jpg', good, { token: outsider })).status).toBe(404)
    expect((await post(999, 'x.jpg', good)).status).toBe(404)
    expect(await errorOf(post(locked.id, 'x.jpg', good))).toMatchObject({ status: 403 })
    const cookie = { cookie: `keepsake_session=${admin}` }
    expect((await post(plain.id, 'x.jpg', good, { token: null, headers: cookie })).status).toBe(403)
    expectClean()
  })

  test('that is too large is refused, with and without a declared length', async () => {
    const large = new Uint8Array(1024 * 1024 + 1)
    const declared = await post(plain.id, 'x.jpg', large, { headers: { 'content-length': String(large.length) } })
    expect(declared.status).toBe(413)
    const pieces = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(300_000))
      },
    })
    expect((await post(plain.id, 'x.jpg', pieces)).status).toBe(413)
    expectClean()
  })

  test('that is cut off leaves no file', async () => {
    const files = listFiles(plain.root)
    const broken = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue((await picture({ seed: 11 })).subarray(0, 500))
        controller.error(new Error('the connection is lost'))
      },
    })
    expect((await post(plain.id, 'x.jpg', broken)).status).toBeGreaterThanOrEqual(500)
    expect(listFiles(plain.root)).toEqual(files)
    expectClean()
  })
})

test('a film of 80 MB is uploaded over the network, and an aborted upload leaves no file', async () => {
  const directory = temporaryDirectory()
  const root = join(directory, 'films')
  mkdirSync(root)
  const server = await startServer(join(directory, 'data'), [root])
  try {
    const token = await registerAndSignIn(server)
    const headers = { authorization: `Bearer ${token}` }
    const list: { id: number; name: string }[] = JSON.parse(
      await (await fetch(`${server.address}/v1/collection`, { headers })).text(),
    )
    const id = list.find(({ name }) => name === 'films')?.id
    const film = new Uint8Array(80 * 1024 * 1024)
    film.set(Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'))
    crypto.getRandomValues(film.subarray(1000, 60_000))
    const at = (name: string) => `${server.address}/v1/item/upload/${id}?name=${name}`
    const response = await fetch(at('film.mp4'), { method: 'POST', headers, body: film })
    expect(response.status).toBe(201)
    expect(statSync(join(root, 'film.mp4')).size).toBe(film.length)

    const abort = new AbortController()
    let sent = 0
    const half = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(film.subarray(sent, sent + 1024 * 1024))
        sent += 1024 * 1024
        if (sent > 20 * 1024 * 1024) abort.abort()
      },
    })
    await fetch(at('half.mp4'), { method: 'POST', headers, body: half, signal: abort.signal }).catch(() => {})
    const until = performance.now() + 20_000
    while (listFiles(root).length > 1 && performance.now() < until) await Bun.sleep(20)
    expect(listFiles(root)).toEqual(['film.mp4'])
  } finally {
    await server.stop()
  }
}, 60_000)
