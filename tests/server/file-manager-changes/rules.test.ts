import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import {
  type FileManagerLibrary,
  type FileResponse,
  itemsParameter,
  openFileManagerLibrary,
} from '../../support/file-manager-library.ts'
import { picture } from '../../support/scanning-library.ts'
import { buildZip } from '../../support/zip-maker.ts'

let opened: FileManagerLibrary | null = null
beforeAll(async () => {
  opened = await openFileManagerLibrary({ limit: '100KB' })
  const { readOnly, sorted, photos, put, scan } = opened
  for (const { root } of [readOnly, sorted]) {
    put(join(root, 'a.jpg'), await picture({ seed: 5 }))
    put(join(root, 'sub/b.txt'), 'b')
    put(join(root, 'z.zip'), buildZip([{ name: 'new', data: 'x' }]))
  }
  put(join(photos.root, 'p.jpg'), await picture({ seed: 6 }))
  for (const one of [readOnly, sorted, photos]) await scan(one)
}, 60_000)
afterAll(async () => {
  await opened?.close()
}, 60_000)

function manager(): FileManagerLibrary {
  if (opened === null) throw new Error('not open')
  return opened
}

let folderCount = 0
function folder(): { path: string; directory: string } {
  const name = `rules ${++folderCount}`
  mkdirSync(join(manager().files, name))
  return { path: `/Files/${name}`, directory: join(manager().files, name) }
}

const jsonType = { 'content-type': 'application/json' }

/** The action is refused with this status and message, and nothing in the roots has changed. */
async function expectRefused(act: () => Promise<FileResponse>, status: number, message: RegExp) {
  const { directory, faults, tree } = manager()
  const roots = ['Files', 'Photos', 'Others', 'Locked', 'Sorted'].map(name => join(directory, name))
  const before = roots.map(tree)
  const response = await act()
  expect(response.json.message).toMatch(message)
  expect(response.status).toBe(status)
  expect(roots.map(tree)).toEqual(before)
  expect(faults()).toEqual([])
}

describe('a read-only collection', () => {
  const changes: [string, () => Promise<FileResponse>][] = [
    ['newfolder', () => manager().get({ q: 'newfolder', path: '/Locked', name: 'x' })],
    ['newfile', () => manager().get({ q: 'newfile', path: '/Locked/sub', name: 'x' })],
    ['save', () => manager().post({ q: 'save', path: '/Locked/sub/b.txt' }, '{"content":"x"}', jsonType)],
    ['rename of a file', () => manager().get({ q: 'rename', path: '/Locked', item: '/Locked/a.jpg', name: 'x.jpg' })],
    ['rename of a folder', () => manager().get({ q: 'rename', path: '/Locked', item: '/Locked/sub', name: 'x' })],
    [
      'move out',
      () => manager().get({ q: 'move', path: '/Locked', items: itemsParameter('/Locked/a.jpg'), item: '/Files' }),
    ],
    [
      'move in',
      () => manager().get({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/p.jpg'), item: '/Locked' }),
    ],
    ['delete', () => manager().get({ q: 'delete', path: '/Locked', items: itemsParameter('/Locked/a.jpg') })],
    [
      'archive',
      () => manager().get({ q: 'archive', path: '/Locked', items: itemsParameter('/Locked/a.jpg'), name: 'x' }),
    ],
    ['unarchive', () => manager().get({ q: 'unarchive', path: '/Locked', item: '/Locked/z.zip' })],
    ['upload', () => manager().upload('/Locked', 'x.txt', 'x')],
    ['crop', () => manager().upload('/Locked/a.jpg', 'a.jpg', 'x')],
  ]
  test.each(changes)('refuses %s', async (_, act) => {
    await expectRefused(act, 403, /'Locked' is read-only/)
  })

  test('may be packed into another folder', async () => {
    const { path } = folder()
    const response = await manager().get({ q: 'archive', path, items: itemsParameter('/Locked/sub'), name: 'x' })
    expect(response.status).toBe(200)
  })
})

describe('a managed collection', () => {
  const changes: [string, () => Promise<FileResponse>][] = [
    ['rename of a file', () => manager().get({ q: 'rename', path: '/Sorted', item: '/Sorted/a.jpg', name: 'x.jpg' })],
    ['rename of a folder', () => manager().get({ q: 'rename', path: '/Sorted', item: '/Sorted/sub', name: 'x' })],
    [
      'move out',
      () => manager().get({ q: 'move', path: '/Sorted', items: itemsParameter('/Sorted/a.jpg'), item: '/Files' }),
    ],
    [
      'move within',
      () => manager().get({ q: 'move', path: '/Sorted', items: itemsParameter('/Sorted/a.jpg'), item: '/Sorted/sub' }),
    ],
    [
      'move in',
      () => manager().get({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/p.jpg'), item: '/Sorted' }),
    ],
    ['delete', () => manager().get({ q: 'delete', path: '/Sorted', items: itemsParameter('/Sorted/a.jpg') })],
  ]
  test.each(changes)('refuses %s', async (_, act) => {
    await expectRefused(act, 409, /'Sorted' is managed/)
  })

  test('accepts uploads, new folders and archives', async () => {
    const { get, upload, faults } = manager()
    expect((await upload('/Sorted/sub', 'note.txt', 'x')).status).toBe(200)
    expect((await get({ q: 'newfolder', path: '/Sorted/sub', name: 'inner' })).status).toBe(200)
    expect((await get({ q: 'unarchive', path: '/Sorted/sub', item: '/Sorted/z.zip' })).status).toBe(200)
    expect(faults()).toEqual([])
  })
})

describe('folders that cannot be moved or deleted', () => {
  test.each([
    ['rename', () => manager().get({ q: 'rename', path: '/', item: '/Files', name: 'x' })],
    ['rename', () => manager().get({ q: 'rename', path: '/Files', item: '/Photos', name: 'x' })],
    ['delete', () => manager().get({ q: 'delete', path: '/Files', items: itemsParameter('/Photos') })],
    ['move', () => manager().get({ q: 'move', path: '/Files', items: itemsParameter('/Photos'), item: '/Files' })],
  ])('a root: %s', async (_, act) => {
    await expectRefused(act, 409, /root|holds the directory/).catch(async error => {
      // '/' is no folder on a disk, so a change in it is refused with 403 first.
      const response = await act()
      if (response.status !== 403) throw error
    })
  })

  test('the directory of a collection, and a folder that contains one', async () => {
    const { files, library, put } = manager()
    const { terminalViewer } = await import('../../../core/accounts/access.ts')
    put(join(files, 'above/inner/x.txt'), 'x')
    await library.collections.create(terminalViewer, { name: 'Inner', path: join(files, 'above/inner') })
    for (const item of ['/Files/above', '/Files/above/inner'])
      for (const act of [
        () => manager().get({ q: 'rename', path: '/Files', item, name: 'y' }),
        () => manager().get({ q: 'delete', path: '/Files', items: itemsParameter(item) }),
        () => manager().get({ q: 'move', path: '/Files', items: itemsParameter(item), item: '/Others' }),
      ])
        await expectRefused(act, 409, /Inner/)
  })
})

describe('names that are taken', () => {
  test.each(['newfolder', 'newfile', 'archive', 'rename', 'move', 'upload'])('%s replaces nothing', async action => {
    const { get, put, upload } = manager()
    const { path, directory } = folder()
    put(join(directory, 'taken.zip'), 'mine')
    put(join(directory, 'other'), 'x')
    put(join(directory, 'sub/taken.zip'), 'yours')
    const acts: Record<string, () => Promise<FileResponse>> = {
      newfolder: () => get({ q: 'newfolder', path, name: 'taken.zip' }),
      newfile: () => get({ q: 'newfile', path, name: 'taken.zip' }),
      archive: () => get({ q: 'archive', path, items: itemsParameter(`${path}/other`), name: 'taken' }),
      rename: () => get({ q: 'rename', path, item: `${path}/other`, name: 'taken.zip' }),
      move: () => get({ q: 'move', path, items: itemsParameter(`${path}/taken.zip`), item: `${path}/sub` }),
      upload: () => upload(path, 'taken.zip', 'theirs'),
    }
    await expectRefused(acts[action] ?? acts.newfile ?? (() => Promise.reject()), 409, /taken\.zip/)
  })

  test('an upload with overwrite replaces a file, but never a folder', async () => {
    const { put, upload, faults } = manager()
    const { path, directory } = folder()
    put(join(directory, 'a.txt'), 'old')
    mkdirSync(join(directory, 'b.txt'))
    expect((await upload(path, 'a.txt', 'new', { overwrite: '1' })).status).toBe(200)
    expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('new')
    await expectRefused(() => upload(path, 'b.txt', 'new', { overwrite: '1' }), 409, /b\.txt/)
    expect(faults()).toEqual([])
  })

  test('a link with the name of an upload is neither followed nor replaced', async () => {
    const { upload, outside } = manager()
    const { path, directory } = folder()
    symlinkSync(join(outside, 'private.txt'), join(directory, 'leaf.txt'))
    await expectRefused(() => upload(path, 'leaf.txt', 'new', { overwrite: '1' }), 409, /leaf\.txt/)
    await expectRefused(() => upload(path, 'leaf.txt', 'new'), 409, /leaf\.txt/)
    await expectRefused(() => upload(`${path}/leaf.txt`, 'leaf.txt', 'new'), 403, /link/)
  })

  test('one of several simultaneous requests for the same new folder succeeds', async () => {
    const { get } = manager()
    const { path } = folder()
    const all = await Promise.all([1, 2, 3].map(() => get({ q: 'newfolder', path, name: 'same' })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('one of two simultaneous uploads with the same name is stored whole', async () => {
    const { upload, faults } = manager()
    const { path, directory } = folder()
    const all = await Promise.all(['one'.repeat(9000), 'two'.repeat(9000)].map(data => upload(path, 'same.txt', data)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(statSync(join(directory, 'same.txt')).size).toBe(27_000)
    expect(faults()).toEqual([])
  })
})

describe('sizes', () => {
  test('a file of exactly the limit is accepted, and one byte more is refused', async () => {
    const { upload, faults } = manager()
    const { path, directory } = folder()
    expect((await upload(path, 'fits', Buffer.alloc(100 * 1024))).status).toBe(200)
    await expectRefused(() => upload(path, 'too large', Buffer.alloc(100 * 1024 + 1)), 413, /at most/)
    expect(existsSync(join(directory, 'too large'))).toBe(false)
    expect(faults()).toEqual([])
  })

  test('an upload that is one byte too large does not replace the existing file', async () => {
    const { upload, put } = manager()
    const { path, directory } = folder()
    put(join(directory, 'a.bin'), 'old')
    await expectRefused(() => upload(`${path}/a.bin`, 'a.bin', Buffer.alloc(100 * 1024 + 1)), 413, /at most/)
    expect(readFileSync(join(directory, 'a.bin'), 'utf8')).toBe('old')
  })

  test('an empty upload may create a file, but not replace one', async () => {
    const { upload, put } = manager()
    const { path, directory } = folder()
    expect((await upload(path, 'empty', '')).status).toBe(200)
    put(join(directory, 'full.jpg'), 'full')
    await expectRefused(() => upload(`${path}/full.jpg`, 'full.jpg', ''), 400, /empty/)
  })

  test('a form that is cut off leaves no file', async () => {
    const { post } = manager()
    const { path } = folder()
    const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="cut.txt"\r\n\r\nonly the beg'
    await expectRefused(
      () => post({ q: 'upload', path }, body, { 'content-type': 'multipart/form-data; boundary=b' }),
      400,
      /./,
    )
  })

  test('an upload with a wrong length is refused', async () => {
    const { library } = manager()
    const { path } = folder()
    const { terminalViewer } = await import('../../../core/accounts/access.ts')
    const place = await library.fileManager.places.find(terminalViewer, path)
    if (place === null) throw new Error('no place')
    async function* bytes() {
      yield Buffer.from('four')
    }
    for (const length of [3, 5]) {
      const failed = await library.fileManager.actions
        .upload(terminalViewer, place, { name: 'x', length }, bytes())
        .catch((error: unknown) => String(error))
      expect(failed).toContain(`4 of ${length} bytes`)
    }
    expect(manager().faults()).toEqual([])
  })

  test('an aborted upload leaves no file', async () => {
    const { library, tree } = manager()
    const { path, directory } = folder()
    const { terminalViewer } = await import('../../../core/accounts/access.ts')
    const place = await library.fileManager.places.find(terminalViewer, path)
    if (place === null) throw new Error('no place')
    const gone = new AbortController()
    async function* bytes() {
      yield Buffer.from('first')
      gone.abort()
      yield Buffer.from('second')
    }
    const failed = await library.fileManager.actions
      .upload(terminalViewer, place, { name: 'x' }, bytes(), gone.signal)
      .then(() => 'done')
      .catch(() => 'broken off')
    expect(failed).toBe('broken off')
    expect(tree(directory)).toEqual({})
    expect(manager().faults()).toEqual([])
  })
})

describe('impossible changes are refused:', () => {
  test('a move of a folder into itself, below itself, to its own place, or together with its content', async () => {
    const { get, put } = manager()
    const { path, directory } = folder()
    put(join(directory, 'a/b/c.txt'), 'c')
    const move = (items: string, item: string) => () => get({ q: 'move', path, items, item })
    await expectRefused(move(itemsParameter(`${path}/a`), `${path}/a`), 409, /into itself/)
    await expectRefused(move(itemsParameter(`${path}/a`), `${path}/a/b`), 409, /into itself/)
    await expectRefused(move(itemsParameter(`${path}/a`), path), 409, /already/)
    await expectRefused(move(itemsParameter(`${path}/a`, `${path}/a/b`), '/Others'), 400, /lies in/)
    await expectRefused(move(itemsParameter(`${path}/a/b/c.txt`), `${path}/a/b/c.txt`), 400, /not a folder/)
    await expectRefused(move(itemsParameter(`${path}/none`), '/Others'), 404, /none/)
    await expectRefused(move('[]', '/Others'), 400, /selected/)
  })

  test('a move of two files of the same name into one folder', async () => {
    const { get, put } = manager()
    const { path, directory } = folder()
    put(join(directory, 'a/same.txt'), '1')
    put(join(directory, 'b/same.txt'), '2')
    const items = itemsParameter(`${path}/a/same.txt`, `${path}/b/same.txt`)
    await expectRefused(() => get({ q: 'move', path, items, item: '/Others' }), 409, /same\.txt/)
  })

  test('a deletion or a move of several files if one of them is missing', async () => {
    const { get, put } = manager()
    const { path, directory } = folder()
    put(join(directory, 'a.txt'), '1')
    const items = itemsParameter(`${path}/a.txt`, `${path}/none.txt`)
    await expectRefused(() => get({ q: 'delete', path, items }), 404, /none\.txt/)
    await expectRefused(() => get({ q: 'move', path, items, item: '/Others' }), 404, /none\.txt/)
  })

  test('a deletion in a directory without write permission', async () => {
    const { get, put } = manager()
    const { path, directory } = folder()
    put(join(directory, 'held/a.txt'), '1')
    chmodSync(join(directory, 'held'), 0o555)
    const remove = () => get({ q: 'delete', path, items: itemsParameter(`${path}/held/a.txt`) })
    // Permissions do not apply to the superuser.
    if (process.getuid?.() === 0) expect((await remove()).status).toBe(200)
    else await expectRefused(remove, 403, /permissions/)
    chmodSync(join(directory, 'held'), 0o755)
  })
})

describe('texts', () => {
  test('a saved text is stored, and the response is the text', async () => {
    const { post, put } = manager()
    const { path, directory } = folder()
    put(join(directory, 'a.txt'), 'old')
    const response = await post({ q: 'save', path: `${path}/a.txt` }, JSON.stringify({ content: 'neu ✓\n' }), jsonType)
    expect(response.status).toBe(200)
    expect(response.text).toBe('neu ✓\n')
    expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('neu ✓\n')
  })

  test('a saved file keeps its permissions', async () => {
    const { post, put } = manager()
    const { path, directory } = folder()
    put(join(directory, 'a.sh'), 'old')
    chmodSync(join(directory, 'a.sh'), 0o750)
    await post({ q: 'save', path: `${path}/a.sh` }, JSON.stringify({ content: '' }), jsonType)
    expect(statSync(join(directory, 'a.sh')).mode & 0o777).toBe(0o750)
    expect(statSync(join(directory, 'a.sh')).size).toBe(0)
  })

  test('a missing file or a folder cannot be saved', async () => {
    const { post } = manager()
    const { path } = folder()
    const save = (at: string) => () => post({ q: 'save', path: at }, '{"content":"x"}', jsonType)
    await expectRefused(save(`${path}/none.txt`), 404, /none\.txt/)
    await expectRefused(save(path), 400, /folder/)
  })
})

describe('archives', () => {
  test('contain files, folders and empty folders, and unpack to the same tree', async () => {
    const { get, put, tree } = manager()
    const { path, directory } = folder()
    put(join(directory, 'in/a.txt'), 'a')
    put(join(directory, 'in/deep/é ж 中.txt'), 'b')
    put(join(directory, 'in/zero'), '')
    mkdirSync(join(directory, 'in/empty'))
    mkdirSync(join(directory, 'out'))
    const response = await get({ q: 'archive', path, items: itemsParameter(`${path}/in`), name: 'all' })
    expect(response.json.files?.map(({ basename }) => basename).sort()).toEqual(['all.zip', 'in', 'out'])
    expect((await get({ q: 'unarchive', path: `${path}/out`, item: `${path}/all.zip` })).status).toBe(200)
    expect(tree(join(directory, 'out/in'))).toEqual(tree(join(directory, 'in')))
    expect(statSync(join(directory, 'out/in/a.txt')).mtimeMs / 1000).toBeCloseTo(
      statSync(join(directory, 'in/a.txt')).mtimeMs / 1000,
      -1,
    )
  })

  test("a name that ends with '.zip' gets no second extension", async () => {
    const { get, put } = manager()
    const { path, directory } = folder()
    put(join(directory, 'a'), 'a')
    await get({ q: 'archive', path, items: itemsParameter(`${path}/a`), name: 'One.ZIP' })
    expect(existsSync(join(directory, 'One.ZIP'))).toBe(true)
  })

  test('an archive in the packed folder does not contain itself', async () => {
    const { get, put, tree } = manager()
    const { path, directory } = folder()
    put(join(directory, 'in/a'), 'a')
    expect(
      (await get({ q: 'archive', path: `${path}/in`, items: itemsParameter(`${path}/in`), name: 'me' })).status,
    ).toBe(200)
    await get({ q: 'newfolder', path, name: 'out' })
    expect((await get({ q: 'unarchive', path: `${path}/out`, item: `${path}/in/me.zip` })).status).toBe(200)
    expect(Object.keys(tree(join(directory, 'out')))).toEqual(['in', 'in/a'])
  })

  test('packing without a selection is refused', async () => {
    const { get } = manager()
    const { path } = folder()
    await expectRefused(() => get({ q: 'archive', path, items: '[]', name: 'x' }), 400, /selected/)
  })
})
