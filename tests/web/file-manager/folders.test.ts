import { describe, expect, test } from 'bun:test'
import { FileRefused } from '../../../web/file-manager/driver.ts'
import { createFolderDriver, nearestFolder } from '../../../web/file-manager/folder-driver.ts'
import { createUploadFolders } from '../../../web/file-manager/upload/upload-folders.ts'
import { foldersTo, pathInList } from '../../../web/file-manager/upload/upload-list.ts'
import { type DroppedEntry, pickedFiles, treeOf } from '../../../web/kit/dropped-tree.ts'

describe('choosing a folder', () => {
  const there: Record<string, string[]> = { '/': ['srv'], '/srv': ['Photos', 'music'], '/srv/Photos': [] }
  const source = {
    list: async (path: string) => {
      const names = there[path]
      if (names === undefined) throw new FileRefused(`There is no directory ${path}.`)
      return names.map(name => ({ name, path: `${path === '/' ? '' : path}/${name}` }))
    },
  }
  const driver = createFolderDriver(source)

  test('lists folders in the format of the widget', async () => {
    expect(await driver.index('/srv')).toEqual({
      dirname: '/srv',
      files: ['Photos', 'music'].map(name => ({
        type: 'dir',
        path: `/srv/${name}`,
        basename: name,
        dir: '/srv',
        extension: '',
        mime_type: '',
        file_size: 0,
        last_modified: 0,
      })),
    })
    await expect(driver.index('/nothing')).rejects.toThrow('There is no directory /nothing.')
  })

  test('finds folders by part of their name in the open folder', async () => {
    expect((await driver.search('/srv', 'PHO')).files.map(({ path }) => path)).toEqual(['/srv/Photos'])
    expect((await driver.search('/srv', 'film')).files).toEqual([])
  })

  test('refuses every change', async () => {
    expect(driver.onlyFolders).toBe(true)
    const tried = [
      () => driver.newFolder('/srv', 'x'),
      () => driver.newFile('/srv', 'x'),
      () => driver.rename('/srv', '/srv/music', 'x'),
      () => driver.remove('/srv', []),
      () => driver.archive('/srv', [], 'x'),
      () => driver.unarchive('/srv', '/srv/x.zip'),
      () => driver.move('/srv', [], '/'),
      () => driver.read('/srv/x'),
      () => driver.save('/srv/x', '', ''),
      () => driver.replace('/srv/x', 'x', new Blob(), ''),
    ]
    for (const act of tried) await expect(act()).rejects.toBeInstanceOf(FileRefused)
  })

  test.each([
    ['/srv/Photos', '/srv/Photos'],
    ['/srv/Photos/2019/August', '/srv/Photos'],
    ['/nothing/at/all', '/'],
    ['/', '/'],
  ])('for %s starts at %s', async (typed, start) => expect(await nearestFolder(source, typed)).toBe(start))
})

function file(name: string): DroppedEntry & { file: (done: (file: File) => void) => void } {
  return { isDirectory: false, name, file: done => done(new File(['x'], name)) }
}

/** A dropped folder that returns its entries in small batches, as browsers do. */
function folder(name: string, ...inner: DroppedEntry[]): DroppedEntry & { createReader: () => object } {
  return {
    isDirectory: true,
    name,
    createReader() {
      const rest = [...inner]
      return { readEntries: (done: (entries: DroppedEntry[]) => void) => done(rest.splice(0, 2)) }
    },
  }
}

describe('dropped files', () => {
  const lost = {
    isDirectory: false,
    name: 'lost.jpg',
    file: (_: unknown, fail: (error: Error) => void) => fail(Error()),
  }

  test('keep their folders, including empty ones', async () => {
    const dropped = await treeOf([
      file('alone.jpg'),
      folder('Summer', file('1.jpg'), folder('beach', file('2.jpg'), folder('empty')), file('3.jpg'), file('4.jpg')),
    ])
    expect(dropped.files.map(({ file: { name }, folder: at }) => `${at}: ${name}`)).toEqual([
      ': alone.jpg',
      'Summer: 1.jpg',
      'Summer/beach: 2.jpg',
      'Summer: 3.jpg',
      'Summer: 4.jpg',
    ])
    expect(dropped).toMatchObject({ emptyFolders: ['Summer/beach/empty'], truncated: false, unread: [] })
  })

  test('do not include entries like .DS_Store and .git in folders: the server refuses them', async () => {
    const dropped = await treeOf([folder('Summer', file('.DS_Store')), folder('Winter', file('1.jpg'), folder('.git'))])
    expect(dropped.files.map(({ file: { name }, folder: at }) => `${at}: ${name}`)).toEqual(['Winter: 1.jpg'])
    expect(dropped.emptyFolders).toEqual(['Summer'])
  })

  test('are accepted up to a limit, and unreadable ones are listed', async () => {
    const many = Array.from({ length: 30 }, (_, n) => file(`${n}.jpg`))
    const some = await treeOf([folder('many', ...many), file('after.jpg')], 10)
    expect([some.files.length, some.truncated, some.emptyFolders]).toEqual([9, true, []])
    expect(await treeOf([folder('a', lost), file('b.jpg')])).toMatchObject({
      files: [{ folder: '' }],
      emptyFolders: [],
      unread: ['a/lost.jpg'],
      truncated: false,
    })
  })
})

test('files from a picker keep the path of their folder, or have none if they were picked alone', () => {
  const picked = (path: string) => Object.assign(new File(['x'], 'a.jpg'), { webkitRelativePath: path })
  const [alone, within] = [picked(''), picked('Summer/beach/a.jpg')]
  expect(pickedFiles([alone, within])).toMatchObject({
    files: [
      { file: alone, folder: '' },
      { file: within, folder: 'Summer/beach' },
    ],
    emptyFolders: [],
  })
})

describe('folders of an upload', () => {
  test('are listed from the outermost on', () => {
    expect(foldersTo('Summer/beach/empty')).toEqual(['Summer', 'Summer/beach', 'Summer/beach/empty'])
    expect(foldersTo('')).toEqual([])
    expect(pathInList({ folder: 'Summer', name: '1.jpg' })).toBe('Summer/1.jpg')
    expect(pathInList({ folder: '', name: '1.jpg' })).toBe('1.jpg')
  })

  function createFolders(there: string[], files: string[] = []) {
    const requested: string[] = []
    const folders = new Set(there)
    const driver = {
      newFolder: async (path: string, name: string) => {
        const whole = `${path}/${name}`
        requested.push(whole)
        if (folders.has(whole) || files.includes(whole))
          throw new FileRefused(`There is already something named ${whole}.`)
        folders.add(whole)
        return null
      },
      index: async (path: string) => {
        if (!folders.has(path)) throw new FileRefused(`${path} is a file, not a folder.`)
        return { dirname: path, files: [] }
      },
    }
    return { requested, folders, make: createUploadFolders(driver, '/root') }
  }

  test('are created once each, however many files they have', async () => {
    const { requested, make } = createFolders([])
    await Promise.all(['a/b', 'a', 'a/b', 'a/c'].map(make))
    expect(requested).toEqual(['/root/a', '/root/a/b', '/root/a/c'])
  })

  test('may exist already; a file with the same name is an error until it is gone', async () => {
    const files = ['/root/file']
    const { folders, make } = createFolders(['/root/a'], files)
    await make('a/b')
    expect(folders.has('/root/a/b')).toBe(true)
    await expect(make('file/b')).rejects.toThrow('There is already something named /root/file.')
    files.pop()
    await make('file/b')
    expect(folders.has('/root/file/b')).toBe(true)
  })
})
