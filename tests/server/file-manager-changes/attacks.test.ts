import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { linkSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holderOfProcess, writeJournal } from '../../../core/journal/journal.ts'
import {
  type FileManagerLibrary,
  type FileResponse,
  itemsParameter,
  openFileManagerLibrary,
} from '../../support/file-manager-library.ts'
import { buildZip } from '../../support/zip-maker.ts'

let opened: FileManagerLibrary | null = null
beforeAll(async () => {
  opened = await openFileManagerLibrary()
  const { files, outside, put } = opened
  put(join(files, 'a.txt'), 'a')
  put(join(files, 'sub/b.txt'), 'b')
  put(join(files, 'sub/deep/c.txt'), 'c')
  put(join(files, 'good.zip'), buildZip([{ name: 'new', data: 'x' }]))
  symlinkSync(outside, join(files, 'way out'))
  symlinkSync(join(outside, 'private.txt'), join(files, 'leaf.txt'))
  symlinkSync('nowhere', join(files, 'dangling'))
  symlinkSync('..', join(files, 'sub/up'))
}, 60_000)
afterAll(async () => {
  await opened?.close()
}, 60_000)

function manager(): FileManagerLibrary {
  if (opened === null) throw new Error('not open')
  return opened
}

const jsonType = { 'content-type': 'application/json' }
type Do = (path: string) => Promise<FileResponse>

/** Every action that changes something, once for each of its parameters that is a path ('it'). */
const actions: [string, Do][] = [
  ['newfolder in it', path => manager().get({ q: 'newfolder', path, name: 'made' })],
  ['newfile in it', path => manager().get({ q: 'newfile', path, name: 'made.txt' })],
  ['save to it', path => manager().post({ q: 'save', path }, JSON.stringify({ content: 'changed' }), jsonType)],
  ['rename it', path => manager().get({ q: 'rename', path: '/Files', item: path, name: 'renamed' })],
  [
    'move it',
    path => manager().get({ q: 'move', path: '/Files', items: itemsParameter(path), item: '/Files/sub/deep' }),
  ],
  [
    'move into it',
    path => manager().get({ q: 'move', path: '/Files', items: itemsParameter('/Files/a.txt'), item: path }),
  ],
  ['delete it', path => manager().get({ q: 'delete', path: '/Files', items: itemsParameter(path) })],
  ['pack it', path => manager().get({ q: 'archive', path: '/Files/sub', items: itemsParameter(path), name: 'packed' })],
  [
    'pack into it',
    path => manager().get({ q: 'archive', path, items: itemsParameter('/Files/a.txt'), name: 'packed' }),
  ],
  ['unpack it', path => manager().get({ q: 'unarchive', path: '/Files/sub', item: path })],
  ['unpack into it', path => manager().get({ q: 'unarchive', path, item: '/Files/good.zip' })],
  ['upload to it', path => manager().upload(path, 'up.txt', 'uploaded')],
]

const attacks: [string, string][] = [
  ["'..'", '/Files/../Files secret'],
  ["'..' within a root", '/Files/sub/../a.txt'],
  ["'..' above everything", '/../../../../etc'],
  ["'..' at the end", '/Files/sub/..'],
  ["'.'", '/Files/./a.txt'],
  ["'..' encoded twice", '/Files/%2e%2e/Files secret'],
  ["'..' encoded three times", '/Files/%252e%252e/Files secret'],
  ['an encoded slash', '/Files/..%2fFiles secret'],
  ['backslashes', '\\Files\\..\\Files secret'],
  ['backslashes in a path', '/Files/sub\\..\\..\\Files secret'],
  ['an absolute path', '/etc/hostname'],
  ['no slash at the front', 'Files/a.txt'],
  ['two slashes', '/Files//a.txt'],
  ['a NUL', '/Files/a.txt\0.jpg'],
  ['a line break', '/Files/a.txt\n'],
  ['a sibling with the same prefix', '/Files secret/private.txt'],
  ['a link as the last name', '/Files/leaf.txt'],
  ['a link in the middle', '/Files/way out/private.txt'],
  ['a link to a folder', '/Files/way out'],
  ['a link upwards', '/Files/sub/up/a.txt'],
  ['a dangling link', '/Files/dangling'],
  ['something beyond a file', '/Files/a.txt/b'],
  ['a name of 256 bytes', `/Files/${'n'.repeat(256)}`],
  ["the name of one of Keepsake's temporary files", '/Files/.keepsake-0123456789abcdef.tmp'],
  ["the data directory's name", '/data/secrets.json'],
  ['all roots', '/'],
  ['half a character', '/Files/\ud800'],
]

/** Deleting these paths deletes the links themselves: see links.test.ts. */
const links = ['/Files/leaf.txt', '/Files/way out', '/Files/dangling']

for (const [action, act] of actions) {
  describe(action, () => {
    const refused = attacks.filter(([, path]) => action !== 'delete it' || !links.includes(path))
    test.each(refused)('%s is refused', async (_, path) => {
      const { directory, faults, tree } = manager()
      const before = tree(join(directory, 'Files'))
      const response = await act(path)
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
      expect(response.json.message).toMatch(/\w{3}/)
      expect(response.json.message).not.toContain('Unknown server error')
      expect(tree(join(directory, 'Files'))).toEqual(before)
      expect(faults()).toEqual([])
    })
  })
}

describe('names of new things', () => {
  const names: [string, string][] = [
    ['nothing', ''],
    ['spaces', '   '],
    ["'.'", '.'],
    ["'..'", '..'],
    ['a slash', 'a/b'],
    ["'..' and a slash", '../../Files secret/x'],
    ['an absolute path', '/etc/x'],
    ['a backslash', 'a\\b'],
    ['a NUL', 'a\0b'],
    ['a line break', 'a\nb'],
    ['an escape', 'a\u001b[31m'],
    ['a right-to-left override', 'a\u202egpj.exe'],
    ['a zero-width character', 'a\ufeffb'],
    ['256 bytes', 'n'.repeat(256)],
    ['256 bytes in Cyrillic letters', 'ж'.repeat(128)],
    ["the name of one of Keepsake's temporary files", '.keepsake-0123456789abcdef.tmp'],
    ['half a character', 'a\ud800'],
  ]
  const makers: [string, Do][] = [
    ['newfolder', name => manager().get({ q: 'newfolder', path: '/Files', name })],
    ['newfile', name => manager().get({ q: 'newfile', path: '/Files', name })],
    ['rename', name => manager().get({ q: 'rename', path: '/Files', item: '/Files/a.txt', name })],
    ['archive', name => manager().get({ q: 'archive', path: '/Files', items: itemsParameter('/Files/a.txt'), name })],
    ['upload', name => manager().upload('/Files', 'plain.txt', 'x', { name })],
  ]
  for (const [maker, act] of makers) {
    test.each(names)(`${maker}: %s`, async (_, name) => {
      const { directory, faults, tree } = manager()
      const before = tree(join(directory, 'Files'))
      const response = await act(name)
      // A URL carries U+FFFD instead of half a character, and U+FFFD may be in a name.
      if (name === 'a\ud800') return expect(response.status).toBeLessThan(500)
      expect(response.status).toBe(400)
      expect(response.json.message).toMatch(/name/i)
      expect(tree(join(directory, 'Files'))).toEqual(before)
      expect(faults()).toEqual([])
    })
  }

  test('a name may have 255 bytes', async () => {
    const { get, upload, faults } = manager()
    const name = `${'ж'.repeat(125)}.txt`
    expect(Buffer.byteLength(name)).toBe(254)
    expect((await upload('/Files', name, 'x')).status).toBe(200)
    expect((await get({ q: 'rename', path: '/Files', item: `/Files/${name}`, name: 'n'.repeat(255) })).status).toBe(200)
    expect(
      (await get({ q: 'delete', path: '/Files', items: itemsParameter(`/Files/${'n'.repeat(255)}`) })).status,
    ).toBe(200)
    expect(faults()).toEqual([])
  })
})

describe('folders that are replaced or missing, or have links in them', () => {
  test('an upload does not follow a folder that is replaced by a link', async () => {
    const { directory, files, outside, faults, library, tree } = manager()
    mkdirSync(join(files, 'swapped'))
    const places = library.fileManager.places
    const { terminalViewer } = await import('../../../core/accounts/access.ts')
    const place = await places.find(terminalViewer, '/Files/swapped')
    if (place === null) throw new Error('no place')
    async function* slow() {
      yield Buffer.from('first')
      renameSync(join(files, 'swapped'), join(files, 'moved away'))
      symlinkSync(outside, join(files, 'swapped'))
      yield Buffer.from('second')
    }
    await library.fileManager.actions
      .upload(terminalViewer, place, { name: 'up.txt' }, slow())
      .catch((error: unknown) => error)
    expect(Object.keys(tree(outside)).sort()).toEqual(['deep', 'deep/also.txt', 'private.txt'])
    expect(Object.keys(tree(join(directory, 'Files'))).filter(path => path.includes('.keepsake-'))).toEqual([])
    expect(faults()).toEqual([])
  })

  test('unpacking does not follow a folder that is replaced by a link', async () => {
    const { files, outside, faults, library, put, tree } = manager()
    put(join(files, 'unpacking/x.zip'), buildZip(Array.from({ length: 300 }, (_, n) => ({ name: `f${n}`, data: 'x' }))))
    const { terminalViewer } = await import('../../../core/accounts/access.ts')
    const [folder, archive] = await library.fileManager.places.findAll(terminalViewer, [
      '/Files/unpacking',
      '/Files/unpacking/x.zip',
    ])
    if (folder === undefined || archive === undefined) throw new Error('no place')
    const working = library.fileManager.actions.unarchive(terminalViewer, folder, archive).catch(() => 'refused')
    const hasStarted = () => readdirSync(join(files, 'unpacking')).some(name => name.startsWith('.keepsake-'))
    while (!hasStarted()) await new Promise(resolve => setImmediate(resolve))
    renameSync(join(files, 'unpacking'), join(files, 'unpacking before'))
    symlinkSync(outside, join(files, 'unpacking'))
    await working
    expect(Object.keys(tree(outside)).sort()).toEqual(['deep', 'deep/also.txt', 'private.txt'])
    // Keepsake kept the requested folder open, so it cleaned up there, although the folder was renamed.
    const left = readdirSync(join(files, 'unpacking before')).filter(name => name.startsWith('.keepsake-'))
    expect(left).toEqual([])
    renameSync(join(files, 'unpacking'), join(files, 'unpacking link'))
    renameSync(join(files, 'unpacking before'), join(files, 'unpacking'))
    expect(library.journal.left()).toBe(0)
    expect(faults()).toEqual([])
  })

  test('recovery waits for a missing folder with a partial file, and removes the file later', async () => {
    const { files, library, put } = manager()
    put(join(files, 'comes back/.keepsake-0123456789abcdef.tmp'), 'half')
    renameSync(join(files, 'comes back'), join(files, 'is away'))
    const at = { root: files, path: Buffer.from('comes back/.keepsake-0123456789abcdef.tmp') }
    const entry = { unit: 'away', operation: 'write' as const, itemId: null, hash: null, size: 0 }
    await library.db.transact({ userId: null }, tx => {
      writeJournal(tx, holderOfProcess(), [{ ...entry, source: at, destination: null, temporary: at }], 0)
    })
    await library.journal.abandon('away')
    expect(library.journal.left()).toBe(1)
    expect(await library.journal.recover({ patient: true })).toEqual({ finished: 0, undone: 0, left: 1 })
    renameSync(join(files, 'is away'), join(files, 'comes back'))
    expect(await library.journal.recover({ patient: true })).toEqual({ finished: 0, undone: 1, left: 0 })
    expect(readdirSync(join(files, 'comes back'))).toEqual([])
    expect(library.journal.left()).toBe(0)
  })

  test('deleting a folder keeps the targets of links in it', async () => {
    const { files, outside, get, faults, tree } = manager()
    mkdirSync(join(files, 'with links'))
    symlinkSync(outside, join(files, 'with links/out'))
    symlinkSync(join(outside, 'private.txt'), join(files, 'with links/leaf'))
    writeFileSync(join(files, 'with links/own.txt'), 'x')
    linkSync(join(outside, 'private.txt'), join(files, 'with links/second name'))
    expect((await get({ q: 'delete', path: '/Files', items: itemsParameter('/Files/with links') })).status).toBe(200)
    expect(Object.keys(tree(files))).not.toContain('with links')
    expect(faults()).toEqual([])
  })

  test('packing a folder leaves out the targets of links in it', async () => {
    const { files, outside, get, faults, tree, put } = manager()
    put(join(files, 'packing/own.txt'), 'mine')
    symlinkSync(outside, join(files, 'packing/out'))
    const response = await get({ q: 'archive', path: '/Files', items: itemsParameter('/Files/packing'), name: 'links' })
    expect(response.status).toBe(200)
    expect((await get({ q: 'newfolder', path: '/Files', name: 'unpacked' })).status).toBe(200)
    expect((await get({ q: 'unarchive', path: '/Files/unpacked', item: '/Files/links.zip' })).status).toBe(200)
    expect(Object.keys(tree(join(files, 'unpacked')))).toEqual(['packing', 'packing/own.txt'])
    expect(faults()).toEqual([])
  })
})
