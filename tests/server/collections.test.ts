import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { picture } from '../support/scanning-library.ts'
import { temporaryOnDisk } from '../support/temporary.ts'
import { openTestServer } from '../support/test-server.ts'

temporaryOnDisk()
const testServer = openTestServer()
const { sendJson, library, directory } = testServer
let family = 0
let travel = 0
let admin = ''
let manager = ''
let viewer = ''
let outsider = ''

beforeAll(async () => {
  family = await testServer.collection('family')
  travel = await testServer.collection('travel')
  admin = (await testServer.user('admin', { globalAdmin: true })).token
  manager = (await testServer.user('manager', { collectionId: family, right: 'admin' })).token
  viewer = (await testServer.user('viewer', { collectionId: family })).token
  outsider = (await testServer.user('outsider')).token
})
afterAll(() => testServer.close())

const put = (id: number, body: object, token: string | null = admin) =>
  sendJson('PUT', `/v1/collection/${id}`, token, body)
const remove = (id: number, token: string | null = admin) => sendJson('DELETE', `/v1/collection/${id}`, token)

test('changed settings of a collection are saved, published and in the history, but its path never changes', async () => {
  const changes = {
    name: 'Our family',
    folderFormat: 'pictures/{Year}/{MonthName}',
    fileFormat: 'fam-',
    managed: true,
    readonly: true,
    writeBack: 'sidecar',
    keepPrivate: true,
    pairing: false,
  }
  const { status, json } = await put(family, { ...changes, path: '/elsewhere' })
  expect(status).toBe(200)
  expect(json).toMatchObject({ ...changes, id: family, path: join(directory, 'family') })
  expect((await put(family, { managed: false })).json).toMatchObject({ ...changes, managed: false })
  const published = library.db.get<{ message: string }>(
    'SELECT message FROM events WHERE channel = ? ORDER BY id DESC LIMIT 1',
    `collection-${family}`,
  )
  expect(JSON.parse(published?.message ?? '')).toEqual({ action: 'update', collection: { id: family } })
  const step = library.history.list(terminalViewer, { collectionId: family }, {}).steps[0]
  expect(step).toMatchObject({ operation: 'collection.update', username: 'admin', undoable: false })
})

test('invalid settings are refused with the message of the specification and the field', async () => {
  mkdirSync(join(directory, 'variants'))
  writeFileSync(join(directory, 'a file'), '')
  for (const [body, status, field, error] of [
    [{ name: '' }, 400, 'name', 'Name is required'],
    [{ name: 'ab' }, 400, 'name', 'Name must be more than 2 characters'],
    [{ name: 'TRAVEL' }, 409, 'name', "There is already a collection 'travel'."],
    [{ managed: true, fileFormat: '' }, 400, 'fileFormat', 'Prefix is required'],
    [{ folderFormat: '{Year' }, 400, 'folderFormat', 'Unclosed token'],
    [{ folderFormat: '{{Year}}' }, 400, 'folderFormat', 'Overlapping open brackets'],
    [{ folderFormat: '{Day}' }, 400, 'folderFormat', 'Invalid token (Day)'],
    [{ folderFormat: 'a b' }, 400, 'folderFormat', 'Invalid characters in path'],
    [{ pathVariant: 'variants' }, 400, 'pathVariant', undefined],
    [{ pathVariant: join(directory, 'travel/below') }, 409, 'pathVariant', undefined],
    [{ pathVariant: join(directory, 'data/cache') }, 409, 'pathVariant', undefined],
    [{ pathVariant: join(directory, 'family/below') }, 409, 'pathVariant', undefined],
    [{ pathVariant: join(directory, 'a file') }, 400, 'pathVariant', undefined],
    [{ writeBack: 'everywhere' }, 400, 'writeBack', undefined],
  ] as const) {
    const response = await put(family, body)
    expect({ body, ...response }).toMatchObject({ status, json: error === undefined ? { field } : { field, error } })
  }
  const taken = await put(family, { name: 'TRAVEL' })
  expect(taken.json).toMatchObject({ pattern: "There is already a collection '{0}'.", values: ['travel'] })
  expect((await put(family, { pathVariant: join(directory, 'variants') })).status).toBe(200)
  expect((await put(family, { pathVariant: '', name: 'Our family' })).status).toBe(200)
  const created = await sendJson('POST', '/v1/collection', admin, {
    name: 'Managed',
    path: join(directory, 'variants'),
    managed: true,
  })
  expect(created).toMatchObject({ status: 400, json: { field: 'fileFormat', error: 'Prefix is required' } })
})

test('a new collection has the requested settings', async () => {
  mkdirSync(join(directory, 'managed'))
  const requested = {
    name: 'Managed',
    path: join(directory, 'managed'),
    managed: true,
    fileFormat: 'm',
    folderFormat: '{Year}',
    readonly: false,
    writeBack: 'file',
    keepPrivate: true,
    pairing: false,
  }
  expect(await sendJson('POST', '/v1/collection', admin, requested)).toMatchObject({ status: 201, json: requested })
})

test('only global admins change and remove collections; other users cannot find out which ones exist', async () => {
  for (const [token, existing, unknown] of [
    [null, 401, 401],
    [outsider, 403, 403],
    [viewer, 403, 403],
    [manager, 403, 403],
  ] as const) {
    expect((await put(family, { name: 'Mine now' }, token)).status).toBe(existing)
    expect((await put(98_765, { name: 'Mine now' }, token)).status).toBe(unknown)
    expect((await remove(family, token)).status).toBe(existing)
    expect((await sendJson('GET', '/v1/paths', token)).status).toBe(existing)
  }
  expect((await put(98_765, { name: 'Nothing' })).status).toBe(404)
  expect((await remove(98_765)).status).toBe(404)
})

/** Returns the rows of a collection that are left in the tables that refer to it. */
const leftOf = (id: number) =>
  ['items', 'dirs', 'collection_access', 'problems', 'tombstones', 'metadata_due'].flatMap(table =>
    library.db.all(`SELECT 1 FROM ${table} WHERE collection_id = ?`, id),
  )

async function createScannedCollection(name: string): Promise<number> {
  const id = await testServer.collection(name)
  mkdirSync(join(directory, name, 'below'))
  for (const [n, path] of ['one.jpg', 'two.jpg', 'below/three.jpg'].entries()) {
    writeFileSync(join(directory, name, path), await picture({ seed: n + id * 10 }))
  }
  const job = await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: id }, { inProcess: true })
  await library.jobs.run(job)
  expect(library.db.all('SELECT 1 FROM items WHERE collection_id = ?', id)).toHaveLength(3)
  return id
}

test('a removed collection leaves its files, and nothing else', async () => {
  const id = await createScannedCollection('short')
  const groups = library.db.all('SELECT 1 FROM access_groups').length
  // A group that another collection also uses stays.
  await library.db.transact(terminalViewer, tx => {
    const shared = tx.run("INSERT INTO access_groups (name, view) VALUES ('Everywhere', 1)").lastInsertRowid
    for (const [one, position] of [
      [id, 7],
      [travel, 7],
    ] as const) {
      tx.run(
        'INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, ?)',
        one,
        shared,
        position,
      )
    }
  })
  expect((await remove(id)).status).toBe(204)
  expect(leftOf(id)).toEqual([])
  expect(library.db.all('SELECT 1 FROM access_groups')).toHaveLength(groups - 2 + 1)
  expect(library.db.all('SELECT * FROM pragma_foreign_key_check')).toEqual([])
  expect(readdirSync(join(directory, 'short'), { recursive: true })).toHaveLength(4)
  expect((await remove(id)).status).toBe(404)
  expect(library.collections.list(terminalViewer, {}).map(({ name }) => name)).not.toContain('short')
})

test('a collection with a waiting job is not removed', async () => {
  const id = await createScannedCollection('busy')
  const job = await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: id })
  expect(await remove(id)).toMatchObject({ status: 409, json: { code: 'busy' } })
  await library.jobs.cancel(terminalViewer, job)
  expect((await remove(id)).status).toBe(204)
})

test('a large collection disappears at once, and from the database when the job is done', async () => {
  const id = await createScannedCollection('large')
  await library.db.transact(terminalViewer, tx => {
    const row = tx.get<{ dir_id: number }>('SELECT dir_id FROM items WHERE collection_id = ?', id)
    for (let n = 0; n < 700; n++) {
      tx.run(
        `INSERT INTO items (collection_id, dir_id, name, type, taken, taken_source, added)
         VALUES (?, ?, 'x', 'image', ?, 'exif', 0)`,
        id,
        row?.dir_id ?? 0,
        n,
      )
    }
  })
  expect((await remove(id)).status).toBe(204)
  const listed = z.array(z.object({ id: z.int() })).parse((await sendJson('GET', '/v1/collection', admin)).json)
  expect(listed.map(one => one.id)).not.toContain(id)
  expect((await remove(id)).status).toBe(409)
  const [job] = library.jobs.waiting()
  expect(job).toMatchObject({ kind: 'forget', collectionId: id })
  await library.jobs.run(job?.id ?? 0)
  expect(leftOf(id)).toEqual([])
  expect(library.items.timeline(terminalViewer, { collectionId: 0 }, {}).total_records).toBe(0)
})

const folders = z.object({
  path: z.string(),
  parent: z.string().nullable(),
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
})

async function listFolder(path: string) {
  const { status, json } = await sendJson('GET', `/v1/paths?path=${encodeURIComponent(path)}`, admin)
  return { status, json, listed: status === 200 ? folders.parse(json) : null }
}

test('the folder picker lists readable folders, starting at the root, and never the data directory', async () => {
  const root = join(directory, 'picker')
  mkdirSync(join(root, 'b'), { recursive: true })
  mkdirSync(join(root, 'ä ö'))
  writeFileSync(join(root, 'file.txt'), '')
  symlinkSync(join(root, 'b'), join(root, 'link'))
  symlinkSync(join(directory, 'data'), join(root, 'data link'))
  symlinkSync(join(root, 'nowhere'), join(root, 'broken'))
  mkdirSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(0xe9)]))
  const { listed } = await listFolder(`${root}/`)
  expect(listed).toEqual({
    path: root,
    parent: directory,
    folders: ['ä ö', 'b', 'link'].map(name => ({ name, path: join(root, name) })),
  })
  expect((await listFolder(directory)).listed?.folders.map(({ name }) => name)).not.toContain('data')
  for (const path of [join(directory, 'data'), join(directory, 'data/cache'), join(root, 'data link')]) {
    expect((await listFolder(path)).status).toBe(404)
  }
  const top = await sendJson('GET', '/v1/paths', admin)
  expect(folders.parse(top.json)).toMatchObject({ path: '/', parent: null })
  expect(JSON.stringify(top.json)).toContain('"/tmp"')
})

test('the folder picker does not list folders that cannot become a collection', async () => {
  const root = join(directory, 'with dots')
  for (const name of ['shown', '.ssh', '.config/systemd']) mkdirSync(join(root, name), { recursive: true })
  symlinkSync(join(root, '.ssh'), join(root, 'link to keys'))
  symlinkSync('/etc', join(root, 'link to system'))
  expect((await listFolder(root)).listed?.folders.map(({ name }) => name)).toEqual(['shown'])
  const top = folders.parse((await sendJson('GET', '/v1/paths', admin)).json).folders.map(({ path }) => path)
  expect(top.filter(path => ['/etc', '/usr', '/proc', '/dev', '/bin'].includes(path))).toEqual([])
  for (const path of [join(root, '.ssh'), join(root, 'link to keys'), '/etc', '/usr/local', '/proc/self']) {
    expect((await listFolder(path)).status).toBe(404)
  }
})

test('the folder picker reports why a folder cannot be listed', async () => {
  expect(await listFolder(join(directory, 'not there'))).toMatchObject({ status: 404, json: { field: 'path' } })
  expect(await listFolder(join(directory, 'a file'))).toMatchObject({ status: 404, json: { field: 'path' } })
  for (const path of ['relative', '/a/../b', '/a//b', '/nul\0']) {
    expect(await listFolder(path)).toMatchObject({ status: 400, json: { error: 'Path is invalid', field: 'path' } })
  }
  expect(existsSync(directory)).toBe(true)
})
