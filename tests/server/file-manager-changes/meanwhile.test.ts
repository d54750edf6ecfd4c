import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { holderOfProcess, writeJournal } from '../../../core/journal/journal.ts'
import {
  type FileManagerLibrary,
  type FileResponse,
  itemsParameter,
  openFileManagerLibrary,
} from '../../support/file-manager-library.ts'
import { picture } from '../../support/scanning-library.ts'
import { otherDisk } from '../../support/temporary.ts'
import { buildZip } from '../../support/zip-maker.ts'

const away = otherDisk === null ? null : join(otherDisk, `keepsake-test-${crypto.randomUUID()}`)

let opened: FileManagerLibrary | null = null
let seed = 500
beforeAll(async () => {
  opened = await openFileManagerLibrary({ limit: '20MB' })
  if (away === null) return
  mkdirSync(away)
  await opened.library.collections.create(terminalViewer, { name: 'Away', path: away })
}, 60_000)
afterAll(async () => {
  await opened?.close()
  if (away !== null) rmSync(away, { recursive: true, force: true })
}, 60_000)

function manager(): FileManagerLibrary {
  if (opened === null) throw new Error('not open')
  return opened
}

/** Empties the directories except for one file, so that no disk looks disconnected. */
beforeEach(() => {
  const { photos, others, files, put } = manager()
  for (const root of [photos.root, others.root, files, ...(away === null ? [] : [away])]) {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
    put(join(root, 'kept.txt'))
  }
  mkdirSync(join(photos.root, 'd'))
  mkdirSync(join(files, 'd'))
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve))
}

/** Waits for a temporary file in a directory; returns its name. */
async function temporaryIn(directory: string): Promise<string> {
  const ours = () => readdirSync(directory).find(name => name.startsWith('.keepsake-'))
  await until(() => ours() !== undefined)
  return ours() ?? ''
}

/** Sends half of an upload; the returned function sends the rest. */
async function halfUploaded(folder: string, directory: string, bytes: Uint8Array, name = 'new.jpg') {
  const { promise, resolve } = Promise.withResolvers<void>()
  const encoder = new TextEncoder()
  async function* pieces() {
    yield encoder.encode(`--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`)
    yield bytes.subarray(0, bytes.length / 2)
    await promise
    yield bytes.subarray(bytes.length / 2)
    yield encoder.encode('\r\n--b--\r\n')
  }
  const source = pieces()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await source.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })
  const response = manager().post({ q: 'upload', path: folder }, body, {
    'content-type': 'multipart/form-data; boundary=b',
  })
  await temporaryIn(directory)
  return async (): Promise<FileResponse> => {
    resolve()
    return response
  }
}

function expectNothingLeft(...roots: string[]) {
  expect(manager().faults()).toEqual([])
  for (const root of roots)
    expect(readdirSync(root, { recursive: true }).filter(name => String(name).includes('.keepsake-'))).toEqual([])
}

const places = () => [...manager().items().values()]

describe('a folder that a user uploads into', () => {
  test('is renamed: the picture is stored in it, and is an item at once', async () => {
    const { photos, get } = manager()
    const bytes = await picture({ seed: ++seed })
    const rest = await halfUploaded('/Photos/d', join(photos.root, 'd'), bytes)
    expect((await get({ q: 'rename', path: '/Photos', item: '/Photos/d', name: 'e' })).status).toBe(200)
    expect((await rest()).status).toBe(200)
    expect(readFileSync(join(photos.root, 'e/new.jpg')).equals(bytes)).toBe(true)
    expect(places()).toContain('Photos: e/new.jpg')
    expectNothingLeft(photos.root)
  })

  test('is moved by another program into another collection with its parent: the item is there', async () => {
    const { photos, others } = manager()
    mkdirSync(join(photos.root, 'up/in'), { recursive: true })
    const rest = await halfUploaded('/Photos/up/in', join(photos.root, 'up/in'), await picture({ seed: ++seed }))
    renameSync(join(photos.root, 'up'), join(others.root, 'now here'))
    expect((await rest()).status).toBe(200)
    expect(places()).toContain('Others: now here/in/new.jpg')
    expectNothingLeft(photos.root, others.root)
  })

  test('is moved out of the library on the same disk: the file is stored, and is no item', async () => {
    const { photos, files, get } = manager()
    const before = places()
    const rest = await halfUploaded('/Photos/d', join(photos.root, 'd'), await picture({ seed: ++seed }))
    mkdirSync(join(files, 'to'))
    expect((await get({ q: 'move', path: '/', items: itemsParameter('/Photos/d'), item: '/Files/to' })).status).toBe(
      200,
    )
    expect((await rest()).status).toBe(200)
    expect(readdirSync(join(files, 'to/d'))).toEqual(['new.jpg'])
    expect(places()).toEqual(before)
    expectNothingLeft(photos.root, files)
  })

  const whereTo = [['another collection', '/Others'], ...(away === null ? [] : [['another disk', '/Away']])]
  test.each(whereTo)('is moved to %s: the upload fails and leaves nothing', async (_, to) => {
    const { photos, others, get, put, tree } = manager()
    put(join(photos.root, 'd/inner/note.txt'), 'note')
    const rest = await halfUploaded('/Photos/d', join(photos.root, 'd'), await picture({ seed: ++seed }))
    const moved = await get({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/d'), item: to ?? '' })
    expect([moved.status, moved.json.message]).toEqual([200, undefined])
    const response = await rest()
    expect(response.status).toBe(404)
    expect(response.json.message).toBe('/Photos/d/new.jpg no longer exists. Refresh the folder.')
    expect(Object.keys(tree(photos.root))).toEqual(['kept.txt'])
    const target = to === '/Others' ? others.root : (away ?? '')
    expect(Object.keys(tree(target)).sort()).toEqual(['d', 'd/inner', 'd/inner/note.txt', 'kept.txt'])
    expectNothingLeft(photos.root, target)
  })

  test('is moved to another collection: a temporary file of an unfinished move is left for recovery', async () => {
    const { photos, library, get, put } = manager()
    const name = '.keepsake-0123456789abcdef.tmp'
    put(join(photos.root, 'd', name), 'somebody’s')
    const unit = crypto.randomUUID()
    const entry = { unit, operation: 'move' as const, itemId: null, temporary: null, hash: null, size: 12 }
    const at = (path: string) => ({ root: photos.root, path: Buffer.from(path) })
    await library.db.transact(terminalViewer, tx =>
      writeJournal(tx, holderOfProcess(), [{ ...entry, source: at('d/x.txt'), destination: at(`d/${name}`) }], 0),
    )
    expect(
      (await get({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/d'), item: '/Others' })).status,
    ).toBe(200)
    expect(readdirSync(join(photos.root, 'd'))).toEqual([name])
    await library.db.transact(terminalViewer, tx => tx.run('DELETE FROM journal WHERE unit = ?', unit))
  })

  test('is renamed: the journal entries of its files have the new path', async () => {
    const { files, library, get } = manager()
    const unit = crypto.randomUUID()
    const at = { root: files, path: Buffer.from('d/.keepsake-0123456789abcdef.tmp') }
    const entry = { unit, operation: 'write' as const, itemId: null, hash: null, size: 0 }
    await library.db.transact(terminalViewer, tx =>
      writeJournal(tx, holderOfProcess(), [{ ...entry, source: at, destination: null, temporary: at }], 0),
    )
    expect((await get({ q: 'rename', path: '/Files', item: '/Files/d', name: 'e' })).status).toBe(200)
    const row = library.db.get<{ temporary: Uint8Array }>('SELECT temporary FROM journal WHERE unit = ?', unit)
    expect(Buffer.from(row?.temporary ?? []).toString()).toBe(`${files}//e/.keepsake-0123456789abcdef.tmp`)
    await library.db.transact(terminalViewer, tx => tx.run('DELETE FROM journal WHERE unit = ?', unit))
  })
})

describe('a folder that an archive is unpacked into', () => {
  async function unpacking(folder: string, directory: string) {
    const members = Array.from({ length: 400 }, (_, n) => ({ name: `t/${n}.txt`, data: `${n}` }))
    const shot = Buffer.from(await picture({ seed: ++seed }))
    manager().put(join(directory, 'a.zip'), buildZip([...members, { name: 't/shot.jpg', data: shot }]))
    const response = manager().get({ q: 'unarchive', path: folder, item: `${folder}/a.zip` })
    await temporaryIn(directory)
    return response
  }

  test('is renamed: everything is unpacked into it, and its pictures are items', async () => {
    const { photos, get } = manager()
    const response = unpacking('/Photos/d', join(photos.root, 'd'))
    await temporaryIn(join(photos.root, 'd'))
    expect((await get({ q: 'rename', path: '/Photos', item: '/Photos/d', name: 'f' })).status).toBe(200)
    expect((await response).status).toBe(200)
    expect(readdirSync(join(photos.root, 'f/t')).length).toBe(401)
    expect(places()).toContain('Photos: f/t/shot.jpg')
    expectNothingLeft(photos.root)
  })

  test('is deleted: nothing of the archive stays', async () => {
    const { files, get, tree } = manager()
    const response = unpacking('/Files/d', join(files, 'd'))
    await temporaryIn(join(files, 'd'))
    expect((await get({ q: 'delete', path: '/Files', items: itemsParameter('/Files/d') })).status).toBe(200)
    expect((await response).status).toBe(404)
    expect(Object.keys(tree(files))).toEqual(['kept.txt'])
    expectNothingLeft(files)
  })

  test('is deleted while its pictures are read: none of them becomes an item', async () => {
    const { photos, get, put } = manager()
    const shots = await Promise.all(Array.from({ length: 12 }, () => picture({ seed: ++seed })))
    const members = shots.map((data, n) => ({ name: `t/${n}.jpg`, data: Buffer.from(data) }))
    put(join(photos.root, 'd/a.zip'), buildZip(members))
    const response = get({ q: 'unarchive', path: '/Photos/d', item: '/Photos/d/a.zip' })
    await until(() => existsSync(join(photos.root, 'd/t')))
    expect((await get({ q: 'delete', path: '/Photos', items: itemsParameter('/Photos/d') })).status).toBe(200)
    expect([200, 404]).toContain((await response).status)
    expect(places().filter(place => place.startsWith('Photos: d/'))).toEqual([])
    expectNothingLeft(photos.root)
  })

  test.skipIf(away === null)('is moved to another disk: no unpacked file is moved or stays', async () => {
    const { files, get, tree } = manager()
    const response = unpacking('/Files/d', join(files, 'd'))
    await temporaryIn(join(files, 'd'))
    const moved = await get({ q: 'move', path: '/Files', items: itemsParameter('/Files/d'), item: '/Away' })
    expect([moved.status, moved.json.message]).toEqual([200, undefined])
    expect((await response).status).toBe(404)
    expect(Object.keys(tree(files))).toEqual(['kept.txt'])
    expect(Object.keys(tree(away ?? '')).sort()).toEqual(['d', 'd/a.zip', 'kept.txt'])
    expectNothingLeft(files, away ?? '')
  })
})

describe('a folder that is packed', () => {
  const count = 300
  async function packing() {
    const { files, get, put } = manager()
    for (let n = 0; n < count; n++)
      put(join(files, `src${['/in', '/last', ''][n % 3]}/${n}.bin`), Buffer.alloc(5000, n))
    const response = get({ q: 'archive', path: '/Files', items: itemsParameter('/Files/src'), name: 'all' })
    const name = await temporaryIn(files)
    // Once the archive has content, the folder has been listed.
    await until(() => (statSync(join(files, name), { throwIfNoEntry: false })?.size ?? 1) > 0)
    return { response }
  }
  const packedCount = () => {
    const listing = Bun.spawnSync(['unzip', '-Z1', join(manager().files, 'all.zip')])
    return listing.stdout.toString().trim().split('\n').length
  }

  test.skipIf(Bun.which('unzip') === null)('is renamed meanwhile: the archive is complete', async () => {
    const { files, get } = manager()
    const { response } = await packing()
    expect((await get({ q: 'rename', path: '/Files', item: '/Files/src', name: 'src2' })).status).toBe(200)
    expect((await response).status).toBe(200)
    expect(packedCount()).toBe(count)
    expectNothingLeft(files)
  })

  test('loses a file or a folder meanwhile: no archive is created, and the message names it', async () => {
    const { files } = manager()
    const losses: [string, RegExp][] = [
      ['src/last', /^\/Files\/src\/last no longer exists/],
      ['src/98.bin', /^\/Files\/src\/98\.bin no longer exists/],
    ]
    for (const [path, message] of losses) {
      const { response } = await packing()
      renameSync(join(files, path), join(files, 'gone'))
      const result = await response
      expect(result.json.message).toMatch(message)
      expect(result.status).toBe(404)
      expect(readdirSync(files).sort()).toEqual(['d', 'gone', 'kept.txt', 'src'])
      expectNothingLeft(files)
      rmSync(join(files, 'gone'), { recursive: true })
    }
  })

  test('has a file that is truncated while it is read: no archive is created, and the message names it', async () => {
    const { files, get, put } = manager()
    put(join(files, 'src/film.mp4'))
    truncateSync(join(files, 'src/film.mp4'), 300_000_000)
    const response = get({ q: 'archive', path: '/Files', items: itemsParameter('/Files/src'), name: 'all' })
    const name = await temporaryIn(files)
    await until(() => (statSync(join(files, name), { throwIfNoEntry: false })?.size ?? Infinity) > 1_000_000)
    truncateSync(join(files, 'src/film.mp4'), 10)
    const result = await response
    expect(result.json.message).toBe('/Files/src/film.mp4 was changed by another user meanwhile. Open it again.')
    expect(result.status).toBe(409)
    expect(readdirSync(files).sort()).toEqual(['d', 'kept.txt', 'src'])
    expectNothingLeft(files)
  })

  test('is deleted meanwhile: the archive is complete, or not created', async () => {
    const { files, get } = manager()
    const { response } = await packing()
    expect((await get({ q: 'delete', path: '/Files', items: itemsParameter('/Files/src') })).status).toBe(200)
    const result = await response
    if (result.status === 200) expect(packedCount()).toBe(count)
    else expect(result.json.message).toMatch(/^\/Files\/src\S* no longer exists/)
    expect(existsSync(join(files, 'all.zip'))).toBe(result.status === 200)
    expectNothingLeft(files)
  })
})

test.skipIf(away === null)(
  'simultaneous changes of one folder are performed one after the other or refused, and never split it',
  async () => {
    const { library, files, get, put, tree } = manager()
    for (let n = 0; n < 200; n++) put(join(files, `g/t/${n}.txt`), `${n}`)
    const moving = get({ q: 'move', path: '/Files', items: itemsParameter('/Files/g'), item: '/Away' })
    await until(() => existsSync(join(away ?? '', 'g')))
    const [moved, ...rest] = await Promise.all([
      moving,
      get({ q: 'rename', path: '/Away', item: '/Away/g', name: 'h' }),
      get({ q: 'delete', path: '/Files', items: itemsParameter('/Files/g') }),
    ])
    expect(moved?.status).toBe(200)
    const [renaming, deleting] = rest
    expect([200, 409]).toContain(renaming?.status ?? 0)
    expect([404, 409]).toContain(deleting?.status ?? 0)
    const all = Object.keys(tree(away ?? '')).filter(path => path.endsWith('.txt') && path !== 'kept.txt')
    expect(all.length).toBe(200)
    expect(new Set(all.map(path => path.split('/')[0])).size).toBe(1)
    expect(Object.keys(tree(files)).sort()).toEqual(['d', 'kept.txt'])
    expect(library.db.all('SELECT id FROM journal')).toEqual([])
  },
)
