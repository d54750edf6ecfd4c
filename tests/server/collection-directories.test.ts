import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { terminalViewer } from '../../core/accounts/access.ts'
import { createAllowedDirectories } from '../../core/collections/allowed-directories.ts'
import { createFolders } from '../../core/collections/folders.ts'
import { temporaryDirectory, temporaryOnDisk } from '../support/temporary.ts'
import { openTestServer } from '../support/test-server.ts'

temporaryOnDisk()
const testServer = openTestServer()
const { sendJson, library } = testServer
// Stands for the home directory of the user who runs the server.
const home = temporaryDirectory()
const key = join(home, '.ssh/authorized_keys')
let admin = ''

beforeAll(async () => {
  admin = (await testServer.user('admin', { globalAdmin: true })).token
  mkdirSync(join(home, '.ssh'))
  writeFileSync(key, 'mine')
})
afterAll(() => testServer.close())

const files = (q: string, more: Record<string, string>) => sendJson('POST', `/v1/files?q=${q}`, admin, more)

describe('a web administrator who wants to write authorized_keys', () => {
  test('cannot use .ssh as a collection or a variants path', async () => {
    const path = join(home, '.ssh')
    const response = await sendJson('POST', '/v1/collection', admin, { name: 'Keys', path })
    expect(response).toMatchObject({ status: 400, json: { code: 'invalid', field: 'path' } })
    expect(JSON.stringify(response.json)).toContain('keepsake collection add DIR')
    mkdirSync(join(home, 'Pictures'))
    const variants = { name: 'Pictures', path: join(home, 'Pictures'), pathVariant: path }
    expect(await sendJson('POST', '/v1/collection', admin, variants)).toMatchObject({
      status: 400,
      json: { field: 'pathVariant' },
    })
    expect(library.collections.all()).toEqual([])
  })

  test('cannot reach dot directories in a collection that is the home directory', async () => {
    const response = await sendJson('POST', '/v1/collection', admin, { name: 'Home', path: home })
    expect(response.status).toBe(201)
    const attempts = [
      await files('index', { path: '/Home/.ssh' }),
      await files('newfile', { path: '/Home/.ssh', name: 'authorized_keys2' }),
      await files('save', { path: '/Home/.ssh/authorized_keys', content: 'evil' }),
      await files('newfolder', { path: '/Home', name: '.config' }),
      await files('newfile', { path: '/Home', name: '.profile' }),
    ]
    expect(attempts.map(({ status }) => status)).toEqual([404, 404, 404, 400, 400])
    expect(readFileSync(key, 'utf8')).toBe('mine')
    expect(readdirSync(home).sort()).toEqual(['.ssh', 'Pictures'])
  })

  test('cannot choose a system or dot directory as the variants path of an existing collection', async () => {
    const [row] = library.collections.all()
    const update = (pathVariant: string) => sendJson('PUT', `/v1/collection/${row?.id}`, admin, { pathVariant })
    for (const path of ['/etc/variants', join(temporaryDirectory(), '.config')])
      expect(await update(path)).toMatchObject({ status: 400, json: { field: 'pathVariant' } })
  })
})

test('collections created in the terminal may lie anywhere, and keep working with their variants path', async () => {
  const root = join(temporaryDirectory(), '.hidden')
  const variants = join(temporaryDirectory(), '.variants')
  mkdirSync(root)
  writeFileSync(join(root, 'a.txt'), 'a')
  const { id } = await library.collections.create(terminalViewer, { name: 'Hidden', path: root, pathVariant: variants })
  const listed = await files('index', { path: '/Hidden' })
  expect(JSON.stringify(listed.json)).toContain('a.txt')
  expect((await files('newfile', { path: '/Hidden', name: 'b.txt' })).status).toBe(200)
  const changed = await sendJson('PUT', `/v1/collection/${id}`, admin, { name: 'Still hidden', pathVariant: variants })
  expect(changed).toMatchObject({ status: 200, json: { name: 'Still hidden', pathVariant: variants } })
})

test('the folder picker lists only the directories of collection_roots and what is below them', async () => {
  const root = join(temporaryDirectory(), 'photos')
  mkdirSync(join(root, '2019'), { recursive: true })
  mkdirSync(join(root, '../other'))
  const settings = { ...library.settings, collection_roots: [root] }
  const folders = createFolders({ data: library.data, allowed: createAllowedDirectories({ settings }) })
  const list = async (path?: string) => (await folders.list(terminalViewer, path)).folders.map(one => one.path)
  expect(await list()).toEqual([root])
  expect(await list('/')).toEqual([root])
  expect(await list(root)).toEqual([join(root, '2019')])
  // The parent lists only the root, and none of its siblings.
  expect(await list(dirname(root))).toEqual([root])
  await expect(list(join(dirname(root), 'other'))).rejects.toThrow('is not a directory')
})
