/** What unmodified VueFinder 1.x and 2.7 send and expect: one storage, its name before paths, and no CSRF value. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changingActions } from '../../../schema/api/file-manager.ts'
import {
  createForm,
  describeDirectory,
  type FileManagerServer,
  initialNames,
  setUpFileManagerServer,
  writeFileAt,
} from '../../support/file-manager-server.ts'
import { buildZip } from '../../support/zip-maker.ts'

let server: FileManagerServer
let folder = ''
setUpFileManagerServer({}, (opened, path) => {
  server = opened
  folder = path
})

const names = () => readdirSync(folder).sort()
const json = async (query: Record<string, string>) => JSON.parse((await server.request(query)).text)

/** The name of the storage, and what clients send in its place before they know it. */
const prefixes = ['keepsake', 'undefined', 'null']

describe('a listing', () => {
  const queries: Record<string, string>[] = [
    { q: 'index', path: '/' },
    { q: 'index', path: '/store/folder' },
    { q: 'search', path: '/store', filter: 'a.txt' },
    { q: 'newfolder', path: '/store/folder', name: 'made' },
  ]
  for (const query of queries)
    test(`of ${query.q} ${query.path} names the storage, and so does each of its nodes`, async () => {
      const { adapter, storages, dirname, files } = await json(query)
      expect([adapter, storages, dirname]).toEqual(['keepsake', ['keepsake'], query.path ?? ''])
      expect(files.length).toBeGreaterThan(0)
      for (const node of files) expect(node.storage).toBe(adapter)
    })

  test('of an empty folder names the storage, too', async () => {
    expect(await json({ q: 'index', path: '/store/folder/sub' })).toEqual({
      adapter: 'keepsake',
      storages: ['keepsake'],
      dirname: '/store/folder/sub',
      files: [],
    })
  })
})

describe('a path with the name of the storage', () => {
  for (const prefix of prefixes) {
    test(`${prefix}:// is the top, also with a slash after it`, async () => {
      const top = (await server.request({ q: 'index', path: '/' })).text
      expect((await server.request({ q: 'index', adapter: prefix, path: `${prefix}://` })).text).toBe(top)
      expect((await server.request({ q: 'index', adapter: prefix, path: `${prefix}:///` })).text).toBe(top)
    })

    test(`${prefix}:// with a path is the same as the path alone`, async () => {
      for (const path of [`${prefix}://store/folder`, `${prefix}:///store/folder`]) {
        const { status, dirname } = await server.request({ q: 'index', path })
        expect([status, dirname]).toEqual([200, '/store/folder'])
      }
      expect((await server.request({ q: 'preview', path: `${prefix}://store/folder/a.txt` })).text).toBe('as it was')
    })

    test(`${prefix}:// is accepted in every parameter with a path`, async () => {
      const path = `${prefix}:///store/folder`
      const expectOk = async (query: Record<string, string>) => {
        const { status, message } = await server.request(query)
        expect([status, message]).toEqual([200, ''])
      }
      await expectOk({ q: 'rename', path, item: `${path}/a.txt`, name: 'c.txt' })
      // The same file, named in both ways.
      const twice = JSON.stringify([{ path: `${path}/c.txt` }, { path: '/store/folder/c.txt' }])
      await expectOk({ q: 'archive', path, items: twice, name: 'packed' })
      await expectOk({ q: 'move', path, items: twice, item: `${path}/sub` })
      expect(names()).toEqual(['b.txt', 'packed.zip', 'sub'])
      await expectOk({ q: 'unarchive', path, item: `${path}/packed.zip` })
      await expectOk({ q: 'delete', path, items: JSON.stringify([{ path: `${path}/c.txt`, type: 'file' }]) })
      await expectOk({ q: 'newfolder', path, name: 'made' })
      await expectOk({ q: 'save', path: `${path}/b.txt`, content: 'saved' })
      expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('saved')
      const init = { method: 'POST', body: createForm({}) }
      expect((await server.request({ q: 'upload', path }, 'bearer', init)).status).toBe(200)
      expect(names()).toEqual(['b.txt', 'made', 'packed.zip', 'sent.txt', 'sub'])
    })
  }

  test('is refused for other storages, and its path is checked like any other', async () => {
    for (const path of ['file:///etc/passwd', 'other://store', 'keepsake:/store', 'keepsake:////store', 'keepsake'])
      expect((await server.request({ q: 'index', path })).status).toBe(400)
    for (const path of ['keepsake://../outside', 'keepsake:///store/../../outside', 'keepsake://keepsake://store'])
      expect((await server.request({ q: 'index', path })).status).toBe(400)
    expect((await server.request({ q: 'index', path: 'keepsake://etc' })).status).toBe(404)
  })
})

describe('the tree of VueFinder 2.7', () => {
  test('gets the folders of a folder, and no files', async () => {
    const { folders, files, dirname, adapter } = await json({ q: 'subfolders', path: 'keepsake://store/folder' })
    expect([dirname, adapter, files]).toEqual(['/store/folder', 'keepsake', undefined])
    expect(folders).toHaveLength(1)
    expect(folders[0]).toMatchObject({ type: 'dir', path: '/store/folder/sub', basename: 'sub', storage: 'keepsake' })
  })

  test('starts with the roots, and ends at folders without subfolders', async () => {
    const paths = async (path: string) =>
      (await json({ q: 'subfolders', path })).folders.map((folder: { path: string }) => folder.path)
    expect(await paths('keepsake://')).toEqual(['/home', '/store'])
    expect(await paths('/store/folder/sub')).toEqual([])
    writeFileAt(join(folder, 'sub', 'a file.txt'))
    expect(await paths('/store/folder/sub')).toEqual([])
  })

  test('gets all folders of a very large folder', async () => {
    for (let n = 0; n < 1_200; n++) writeFileAt(join(folder, `${n}`, 'inside.txt'))
    expect((await json({ q: 'subfolders', path: '/store/folder' })).folders).toHaveLength(1_201)
  })
})

/** Headers that browsers send with a request of the page's own script; no page can set these. */
const ownScript = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }

/** Every changing action as VueFinder 1.x sends it: all but the last two by GET, none with a CSRF value. */
const sentByVueFinder: Record<(typeof changingActions)[number], Record<string, string>> = {
  newfolder: { name: 'made' },
  newfile: { name: 'made.txt' },
  rename: { item: '/store/folder/a.txt', name: 'renamed.txt' },
  move: { items: '[{"path":"/store/folder/a.txt","type":"file"}]', item: '/store/folder/sub' },
  delete: { items: '[{"path":"/store/folder/a.txt","type":"file"}]' },
  archive: { items: '[{"path":"/store/folder/a.txt","type":"file"}]', name: 'packed' },
  unarchive: { item: '/store/folder/in.zip' },
  save: { path: '/store/folder/a.txt', content: 'saved' },
  upload: {},
}

function sendAction(q: (typeof changingActions)[number], headers: Record<string, string>, more = {}) {
  const fields = { q, adapter: 'keepsake', path: '/store/folder', ...sentByVueFinder[q], ...more }
  if (q !== 'save' && q !== 'upload') return server.request(fields, 'cookie', { headers })
  // `save` has its parameters in a form, an upload in its address.
  const body = q === 'save' ? createForm(fields, false) : createForm({ name: 'sent.txt' })
  return server.request(q === 'save' ? '' : fields, 'cookie', { method: 'POST', body, headers })
}

describe('a cookie alone, from a script of the page itself, is enough for', () => {
  for (const q of changingActions)
    test(q, async () => {
      if (q === 'unarchive') writeFileAt(join(folder, 'in.zip'), buildZip([{ name: 'out.txt', data: 'unpacked' }]))
      const before = describeDirectory(folder)
      const others: Record<string, string>[] = [
        { 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-dest': 'empty' },
        ...['cross-site', 'same-site', 'none', ''].map(site => ({ ...ownScript, 'sec-fetch-site': site })),
        ...['document', 'iframe', 'image', 'script', 'style', 'object', ''].map(dest => ({
          ...ownScript,
          'sec-fetch-dest': dest,
        })),
      ]
      for (const headers of others) {
        const { status, message } = await sendAction(q, headers)
        expect([headers, status, message]).toEqual([headers, 403, 'The request lacks X-CSRF-Token.'])
      }
      expect(describeDirectory(folder)).toBe(before)
      const { status, message } = await sendAction(q, ownScript)
      expect([status, message]).toEqual([200, ''])
      expect(describeDirectory(folder)).not.toBe(before)
    })

  test('no request with an invalid cookie', async () => {
    const headers = { ...ownScript, cookie: 'keepsake_session=none' }
    const { status } = await server.request({ q: 'newfolder', path: '/store/folder', name: 'made' }, 'anonymous', {
      headers,
    })
    expect([status, names()]).toEqual([401, initialNames])
  })
})
