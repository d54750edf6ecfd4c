import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { fileListing } from '../../../schema/api/file-manager.ts'
import { openPathsIn } from '../../support/descriptors.ts'
import { type FileManagerServer, openFileManagerServer, writeFileAt } from '../../support/file-manager-server.ts'
import { isLong } from '../../support/long.ts'
import type { DiskCollection } from '../../support/moving-library.ts'

let server: FileManagerServer
let album: DiskCollection
beforeAll(async () => {
  server = await openFileManagerServer()
  album = await server.moving.collection()
})
afterAll(() => server.close())

async function names(path: string): Promise<string[]> {
  const { files, status, message } = await server.request({ q: 'index', path })
  if (files === null) throw new Error(`${status} ${message}`)
  return files.map(({ basename }) => basename)
}

const nameOfAlbum = () => server.library.collections.byId(album.id)?.name ?? ''

describe('the top', () => {
  test('lists the folders of the settings and the directories of the collections, by name', async () => {
    const { files, dirname, status } = await server.request({ q: 'index', path: '/' })
    expect(status).toBe(200)
    expect(dirname).toBe('/')
    expect(files?.map(({ path }) => path).sort()).toEqual(['/home', '/store', `/${nameOfAlbum()}`].sort())
    for (const node of files ?? []) expect(node).toMatchObject({ type: 'dir', dir: '/', extension: '', file_size: 0 })
    expect((await server.request({ q: 'index' })).text).toBe((await server.request({ q: 'index', path: '/' })).text)
    expect((await server.request({ q: 'index', path: '' })).dirname).toBe('/')
  })

  test('numbers folders of the same name, and lists each directory once', async () => {
    const directory = join(server.directory, 'twins')
    const twins = ['a', 'b', 'c'].map(letter => join(directory, letter, 'same'))
    for (const path of twins) mkdirSync(path, { recursive: true })
    const link = join(directory, 'other-name')
    symlinkSync(twins[0] ?? '', link)
    const other = await openFileManagerServer({ roots: [...twins, link, join(directory, 'not-there')] })
    const { files } = await other.request({ q: 'index', path: '/' })
    expect(files?.map(({ basename }) => basename)).toEqual(['not-there', 'same', 'same (2)', 'same (3)'])
    writeFileAt(join(twins[2] ?? '', 'x.txt'), 'third')
    expect((await other.request({ q: 'preview', path: '/same (3)/x.txt' })).text).toBe('third')
    const gone = await other.request({ q: 'index', path: '/not-there' })
    expect(gone).toMatchObject({ status: 404, message: expect.stringContaining('not-there is not available') })
    await other.close()
  })

  test('never lists the data directory, however the settings name it', async () => {
    const other = await openFileManagerServer({
      rootsOf({ home, data, linkTo }) {
        symlinkSync(data, join(home, 'linked-data'))
        return [data, join(data, 'cache'), join(home, 'linked-data'), home].map(linkTo)
      },
    })
    const { files } = await other.request({ q: 'index', path: '/' })
    expect(files?.map(({ basename }) => basename)).toEqual(['home'])
    const home = await other.request({ q: 'index', path: '/home' })
    expect(home.files?.map(({ basename }) => basename)).toEqual(['letter.txt', 'linked-data'])
    await other.close()
  })
})

describe('a folder', () => {
  test('reports type, path, name, folder, extension, media type, size and time of each entry', async () => {
    writeFileAt(join(server.store, 'told', 'Grüße aus Rom.JPG'), 'x'.repeat(1234))
    mkdirSync(join(server.store, 'told', 'a folder.d'))
    utimesSync(join(server.store, 'told', 'Grüße aus Rom.JPG'), 1_500_000_000, 1_500_000_000.75)
    utimesSync(join(server.store, 'told', 'a folder.d'), 1_400_000_000, 1_400_000_000)
    const { files, text } = await server.request({ q: 'index', path: '/store/told' })
    expect(fileListing.safeParse(JSON.parse(text)).success).toBe(true)
    expect(files).toEqual([
      {
        type: 'dir',
        path: '/store/told/a folder.d',
        basename: 'a folder.d',
        dir: '/store/told',
        extension: '',
        mime_type: '',
        file_size: 0,
        last_modified: 1_400_000_000,
        storage: 'keepsake',
      },
      {
        type: 'file',
        path: '/store/told/Grüße aus Rom.JPG',
        basename: 'Grüße aus Rom.JPG',
        dir: '/store/told',
        extension: 'JPG',
        mime_type: 'image/jpeg',
        file_size: 1234,
        last_modified: 1_500_000_000,
        storage: 'keepsake',
      },
    ])
  })

  test('lists folders first, then files, by name regardless of case', async () => {
    for (const name of ['b.txt', 'A.txt', 'c/x', 'B/x', 'a/x', 'Z.txt']) writeFileAt(join(server.store, 'sorted', name))
    expect(await names('/store/sorted')).toEqual(['a', 'B', 'c', 'A.txt', 'b.txt', 'Z.txt'])
    expect(await names('/store/sorted/')).toEqual(['a', 'B', 'c', 'A.txt', 'b.txt', 'Z.txt'])
  })

  test('lists links as links', async () => {
    const { files } = await server.request({ q: 'index', path: '/store' })
    const links = files?.filter(({ mime_type }) => mime_type === 'inode/symlink').map(({ basename }) => basename)
    expect(links).toEqual(['absolute-link', 'dangling', 'link-inside', 'link-to-dir', 'link-to-file', 'loop'])
    expect(files?.filter(({ basename }) => basename.includes('link')).every(({ type }) => type === 'file')).toBe(true)
  })

  test('leaves out names that start with a dot', async () => {
    writeFileAt(join(server.store, 'dots', 'shown.txt'))
    writeFileAt(join(server.store, 'dots', '.hidden'))
    writeFileAt(join(server.store, 'dots', '\u200c.hidden'))
    writeFileAt(join(server.store, 'dots', '.ssh', 'authorized_keys'))
    writeFileAt(join(server.store, 'dots', '.keepsake-0123456789abcdef.tmp'))
    writeFileAt(join(server.store, 'dots', '.keepsake-fedcba9876543210.tmp', 'inside.txt'))
    expect(await names('/store/dots')).toEqual(['shown.txt'])
    const search = await server.request({ q: 'search', path: '/store/dots', filter: '*' })
    expect(search.files?.map(({ basename }) => basename)).toEqual(['shown.txt'])
    for (const path of [
      '/store/dots/.hidden',
      '/store/dots/\u200c.hidden',
      '/store/dots/.ssh/authorized_keys',
      '/store/dots/.keepsake-0123456789abcdef.tmp',
      '/store/dots/.keepsake-fedcba9876543210.tmp/inside.txt',
    ]) {
      expect((await server.request({ q: 'preview', path })).status).toBe(404)
    }
  })

  test('that is empty has an empty list', async () => {
    mkdirSync(join(server.store, 'empty'))
    expect((await server.request({ q: 'index', path: '/store/empty' })).files).toEqual([])
  })

  test('of thousands of entries is listed completely, without blocking other requests', async () => {
    const entries = isLong ? 30_000 : 8_000
    const many = join(server.store, 'many')
    mkdirSync(many)
    for (let i = 0; i < entries; i++) writeFileSync(join(many, `IMG_${String(i).padStart(6, '0')}.jpg`), '')
    const response = await server.send({ q: 'index', path: '/store/many' })
    const reader = response.body?.getReader()
    let text = ''
    let pieces = 0
    const decoder = new TextDecoder()
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
      if (done) break
      text += decoder.decode(value, { stream: true })
      if (++pieces === 3) expect((await server.request({ q: 'index', path: '/store/empty' })).status).toBe(200)
    }
    const { files }: { files: { basename: string }[] } = JSON.parse(text)
    expect(files.length).toBe(entries)
    expect(files[5_432]?.basename).toBe('IMG_005432.jpg')
    expect(pieces).toBeGreaterThan(entries / 1000)
    const broken = await server.send({ q: 'index', path: '/store/many' })
    const half = broken.body?.getReader()
    await half?.read()
    await half?.cancel()
    rmSync(many, { recursive: true })
  }, 60_000)

  test('escapes names that are not UTF-8 or not printable, and finds files by their escaped names', async () => {
    const odd = join(server.store, 'odd')
    mkdirSync(odd)
    const at = (...bytes: number[]) => Buffer.concat([Buffer.from(`${odd}/`), Buffer.from(bytes)])
    writeFileSync(at(0x63, 0x61, 0x66, 0xe9, 0x2e, 0x74, 0x78, 0x74), 'latin')
    writeFileSync(at(0x61, 0x0a, 0x62), 'newline')
    writeFileSync(at(0x61, 0x5c, 0x62), 'backslash')
    writeFileSync(at(0x63, 0x61, 0x66, 0x5c, 0x78, 0x45, 0x39, 0x2e, 0x74, 0x78, 0x74), 'looks the same')
    writeFileSync(join(odd, '\u202egpj.exe'), 'bidi')
    writeFileSync(join(odd, 'x'.repeat(255)), 'long')
    const { files } = await server.request({ q: 'index', path: '/store/odd' })
    const found = await Promise.all(
      (files ?? []).map(async ({ basename, path }) => [basename, (await server.request({ q: 'preview', path })).text]),
    )
    expect(Object.fromEntries(found)).toEqual({
      'caf\\xE9.txt': 'latin',
      'a\\x0Ab': 'newline',
      'a\\x5Cb': 'backslash',
      'caf\\x5CxE9.txt': 'looks the same',
      '\\xE2\\x80\\xAEgpj.exe': 'bidi',
      [`${'x'.repeat(255)}`]: 'long',
    })
  })

  test('that is a file or does not exist is reported as such', async () => {
    expect(await server.request({ q: 'index', path: '/store/note.txt' })).toMatchObject({
      status: 400,
      field: 'path',
      message: '/store/note.txt is a file, not a folder.',
    })
    expect(await server.request({ q: 'index', path: '/store/none' })).toMatchObject({
      status: 404,
      message: 'There is no /store/none. Refresh the folder.',
    })
    expect((await server.request({ q: 'index', path: '/store/note.txt/below' })).status).toBe(403)
  })
})

describe('a collection', () => {
  test('is listed as its own folder, and also within a folder of the settings', async () => {
    writeFileAt(join(album.root, 'y.txt'), 'y')
    expect(await names(`/${nameOfAlbum()}`)).toContain('y.txt')
    const within = join(server.store, 'collected')
    writeFileAt(join(within, 'z.txt'), 'z')
    await server.library.collections.create(terminalViewer, { name: 'Collected', path: within })
    expect(await names('/Collected')).toEqual(['z.txt'])
    expect(await names('/store/collected')).toEqual(['z.txt'])
  })

  test('whose directory is in the settings is one folder, with the name of the collection', async () => {
    const other = await openFileManagerServer()
    await other.library.collections.create(terminalViewer, { name: 'Stored/things', path: other.store })
    const { files } = await other.request({ q: 'index', path: '/' })
    expect(files?.map(({ basename }) => basename)).toEqual(['home', 'Stored_things'])
    expect((await other.request({ q: 'preview', path: '/Stored_things/note.txt' })).text).toBe('a note')
    await other.close()
  })

  test('whose disk is gone is reported as not available', async () => {
    const away = `${album.root}-away`
    renameSync(album.root, away)
    const { files } = await server.request({ q: 'index', path: '/' })
    expect(files?.map(({ basename }) => basename)).toContain(nameOfAlbum())
    expect(await server.request({ q: 'index', path: `/${nameOfAlbum()}` })).toMatchObject({
      status: 404,
      message: expect.stringContaining('is not available'),
    })
    renameSync(away, album.root)
  })
})

describe('a search', () => {
  beforeAll(() => {
    for (const name of ['Summer.jpg', 'deep/SUMMER fest/x.txt', 'deep/midsummer.txt', 'deep/other.jpg', 'ÉTÉ.png'])
      writeFileAt(join(server.store, 'found', name))
    symlinkSync(server.outside, join(server.store, 'found', 'summer-link'))
  })

  async function paths(filter: string, path = '/store/found'): Promise<string[]> {
    const { files, status, message } = await server.request({ q: 'search', path, filter })
    if (files === null) throw new Error(`${status} ${message}`)
    return files.map(node => node.path.replace('/store/found/', '')).sort()
  }

  test('finds part of a name in the folder and below, regardless of case', async () => {
    expect(await paths('summer')).toEqual(['Summer.jpg', 'deep/SUMMER fest', 'deep/midsummer.txt', 'summer-link'])
    expect(await paths('SUMMER', '/store/found/deep')).toEqual(['deep/SUMMER fest', 'deep/midsummer.txt'])
    expect(await paths('été')).toEqual(['ÉTÉ.png'])
    expect(await paths('e\u0301te\u0301')).toEqual(['ÉTÉ.png'])
    expect(await paths('nothing like it')).toEqual([])
  })

  test('matches * and ? against the whole name, and every other character literally', async () => {
    expect(await paths('*.jpg')).toEqual(['Summer.jpg', 'deep/other.jpg'])
    expect(await paths('?ummer.jpg')).toEqual(['Summer.jpg'])
    expect(await paths('*summer*')).toContain('deep/midsummer.txt')
    expect(await paths('sum*r')).toEqual([])
    expect(await paths('.*')).toEqual([])
    expect(await paths('[a-z]')).toEqual([])
    expect(await paths(`${'*a'.repeat(100)}*`)).toEqual([])
  })

  test('never leaves the roots, and never reports the data directory', async () => {
    expect(await paths('secret')).toEqual([])
    expect(await paths('secret', '/')).toEqual([])
    expect(await paths('library.db', '/')).toEqual([])
    expect(await paths('cache', '/home')).toEqual([])
    expect(await paths('data', '/')).toEqual([])
    expect(await paths('letter', '/')).toEqual(['/home/letter.txt'])
  })

  test('without a filter is refused', async () => {
    expect(await server.request({ q: 'search', path: '/store' })).toMatchObject({ status: 400, field: 'filter' })
    expect(await server.request({ q: 'search', path: '/store', filter: ' ' })).toMatchObject({
      status: 400,
      field: 'filter',
    })
    expect((await server.request({ q: 'search', path: '/store', filter: 'x'.repeat(256) })).status).toBe(400)
    expect((await server.request({ q: 'search', path: '/store/note.txt', filter: 'x' })).status).toBe(400)
  })

  test('reports at most 5,000 files, and says that there are more', async () => {
    const many = join(server.store, 'thousands')
    for (const folder of ['a', 'b', 'c']) {
      mkdirSync(join(many, folder), { recursive: true })
      for (let i = 0; i < 2000; i++) writeFileSync(join(many, folder, `needle ${i}`), '')
    }
    const { text } = await server.request({ q: 'search', path: '/store/thousands', filter: 'needle' })
    const { files, truncated } = fileListing.parse(JSON.parse(text))
    expect(files.length).toBe(5000)
    expect(truncated).toBe(true)
    const few = await server.request({ q: 'search', path: '/store/thousands/a', filter: 'needle' })
    expect(fileListing.parse(JSON.parse(few.text))).toMatchObject({ files: { length: 2000 } })
    expect(few.text).not.toContain('truncated')
    rmSync(many, { recursive: true })
  }, 30_000)

  test('that is aborted ends, whether something was found or not, and closes its files', async () => {
    const tree = join(server.store, 'tree')
    for (let i = 0; i < 400; i++) writeFileAt(join(tree, `folder ${i % 20}`, `deeper ${i}`, 'leaf'))
    const abort = new AbortController()
    const searching = server.request({ q: 'search', path: '/', filter: 'nothing is called so' }, 'bearer', {
      signal: abort.signal,
    })
    await Promise.resolve()
    abort.abort()
    expect(await searching).toMatchObject({ status: 503, code: 'interrupted' })
    const response = await server.send({ q: 'search', path: '/store', filter: 'leaf' })
    const reader = response.body?.getReader()
    await reader?.read()
    expect(openPathsIn(tree)).not.toEqual([])
    await reader?.cancel()
    expect(openPathsIn(tree)).toEqual([])
    const listing = await server.send({ q: 'index', path: '/store/tree' })
    await listing.body?.cancel()
    expect(openPathsIn(tree)).toEqual([])
    rmSync(tree, { recursive: true })
  })
})
