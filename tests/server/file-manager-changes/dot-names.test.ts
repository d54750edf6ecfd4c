import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedFileManagerLibrary } from '../../support/file-manager-library.ts'
import { buildZip } from '../../support/zip-maker.ts'

const manager = sharedFileManagerLibrary()

const chosen = (...paths: string[]) => JSON.stringify(paths.map(path => ({ path })))
let folderCount = 0

/** A fresh folder with a file, a key in `.ssh`, a `.bashrc`, and a folder `to`. */
function createFolder() {
  const { files, put } = manager()
  const name = `folder ${++folderCount}`
  const directory = join(files, name)
  const key = join(directory, '.ssh/authorized_keys')
  put(join(directory, 'photo.txt'), 'photo')
  put(key, 'mine')
  put(join(directory, '.bashrc'), 'mine')
  put(join(directory, 'to/kept.txt'), 'kept')
  return { path: `/Files/${name}`, directory, key }
}

describe('names that start with a dot', () => {
  test('are neither read nor changed by any action', async () => {
    const { path, directory } = createFolder()
    const { get, post, upload, tree, faults } = manager()
    const before = tree(directory)
    const hidden = `${path}/.ssh/authorized_keys`
    const attempts = [
      ...[hidden, `${path}/.bashrc`].flatMap(item => [
        get({ q: 'preview', path: item }),
        get({ q: 'download', path: item }),
        get({ q: 'delete', path, items: chosen(item) }),
        get({ q: 'rename', path, item, name: 'taken.txt' }),
        get({ q: 'move', path, items: chosen(item), item: `${path}/to` }),
        get({ q: 'archive', path, items: chosen(item), name: 'pack.zip' }),
        get({ q: 'unarchive', path, item }),
        post({ q: 'save', path: item }, 'evil'),
        upload(item, 'authorized_keys', 'evil'),
      ]),
      get({ q: 'index', path: `${path}/.ssh` }),
      get({ q: 'search', path: `${path}/.ssh`, filter: 'a' }),
      get({ q: 'newfolder', path: `${path}/.ssh`, name: 'new' }),
      get({ q: 'newfile', path: `${path}/.ssh`, name: 'new' }),
      get({ q: 'move', path, items: chosen(`${path}/photo.txt`), item: `${path}/.ssh` }),
      upload(`${path}/.ssh`, 'authorized_keys2', 'evil'),
      get({ q: 'newfolder', path, name: '.config' }),
      get({ q: 'newfile', path, name: '.profile' }),
      get({ q: 'rename', path, item: `${path}/photo.txt`, name: '.profile' }),
      get({ q: 'rename', path, item: `${path}/to`, name: '.config' }),
      get({ q: 'archive', path, items: chosen(`${path}/photo.txt`), name: '.profile' }),
      upload(path, '.profile', 'evil'),
      upload(path, '.bashrc', 'evil', { overwrite: '1' }),
    ]
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter(status => status !== 400 && status !== 404)).toEqual([])
    expect(tree(directory)).toEqual(before)
    expect(faults()).toEqual([])
  })

  test('are refused for new files with the reason', async () => {
    const { path } = createFolder()
    const { status, json } = await manager().upload(path, '.profile', 'evil')
    expect([status, json.message]).toEqual([400, 'A name must not begin with a dot. Choose another name.'])
  })

  test('are left out of archives and downloads of a folder', async () => {
    const { path, directory } = createFolder()
    const { get, tree } = manager()
    expect((await get({ q: 'archive', path: '/Files', items: chosen(path), name: `pack ${folderCount}` })).status).toBe(
      200,
    )
    const zip = readFileSync(`${join(directory, '..')}/pack ${folderCount}.zip`).toString('latin1')
    expect([zip.includes('photo.txt'), zip.includes('authorized_keys'), zip.includes('.bashrc')]).toEqual([
      true,
      false,
      false,
    ])
    const { status, text } = await get({ q: 'download', path })
    expect([status, text.includes('photo.txt'), text.includes('authorized_keys')]).toEqual([200, true, false])
    expect(Object.keys(tree(directory))).toContain('.ssh/authorized_keys')
  })

  test('are left out when an archive is unpacked, since every archive from a Mac has them', async () => {
    const { path, directory } = createFolder()
    const { get, put, tree } = manager()
    const bytes = buildZip([
      { name: 'Summer/a.jpg', data: 'a' },
      { name: '__MACOSX/Summer/._a.jpg', data: 'x' },
      { name: 'Summer/.DS_Store', data: 'x' },
      { name: '.ssh/authorized_keys', data: 'evil' },
      { name: '.bashrc', data: 'evil' },
      { name: 'Summer/\u200c.ssh/config', data: 'evil' },
    ])
    put(join(directory, 'mac.zip'), bytes)
    const before = tree(directory)
    expect((await get({ q: 'unarchive', path, item: `${path}/mac.zip` })).status).toBe(200)
    const after = tree(directory)
    const fresh = Object.keys(after).filter(name => !(name in before))
    expect(fresh).toEqual(['Summer', 'Summer/a.jpg'])
    expect(after['.ssh/authorized_keys']).toBe(before['.ssh/authorized_keys'] ?? '')
  })

  test('cause a message if an archive has no other names', async () => {
    const { path, directory } = createFolder()
    const { get, put, tree } = manager()
    put(join(directory, 'dots.zip'), buildZip([{ name: '.ssh/authorized_keys2', data: 'evil' }]))
    const before = tree(directory)
    const { status, json } = await get({ q: 'unarchive', path, item: `${path}/dots.zip` })
    expect(status).toBe(400)
    expect(json.message).toContain('only names that begin with a dot')
    expect(tree(directory)).toEqual(before)
  })

  test('go with their folder when it is renamed, moved or deleted', async () => {
    const { path, directory } = createFolder()
    const { get, files } = manager()
    const target = join(files, `target ${folderCount}`)
    manager().put(join(target, 'x.txt'), 'x')
    expect((await get({ q: 'rename', path: '/Files', item: path, name: `other ${folderCount}` })).status).toBe(200)
    expect(existsSync(directory)).toBe(false)
    const renamed = `/Files/other ${folderCount}`
    const into = `/Files/target ${folderCount}`
    expect((await get({ q: 'move', path: '/Files', items: chosen(renamed), item: into })).status).toBe(200)
    expect(readFileSync(join(target, `other ${folderCount}`, '.ssh/authorized_keys'), 'utf8')).toBe('mine')
    expect((await get({ q: 'delete', path: '/Files', items: chosen(into) })).status).toBe(200)
    expect(existsSync(target)).toBe(false)
  })
})
