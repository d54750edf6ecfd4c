import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, lstatSync, mkdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FileManagerLibrary, itemsParameter, openFileManagerLibrary } from '../../support/file-manager-library.ts'
import { openFileManagerServer } from '../../support/file-manager-server.ts'
import { picture } from '../../support/scanning-library.ts'

let opened: FileManagerLibrary | null = null
beforeAll(async () => {
  opened = await openFileManagerLibrary()
  const { files, photos, put } = opened
  put(join(files, 'folder/inner.txt'), 'inner')
  put(join(files, 'plain.txt'), 'plain')
  put(join(photos.root, 'one.jpg'), await picture({ seed: 1 }))
  put(join(photos.root, 'album/two.jpg'), await picture({ seed: 2 }))
  await opened.scan(photos)
}, 60_000)
afterAll(async () => {
  await opened?.close()
}, 60_000)

function manager(): FileManagerLibrary {
  if (opened === null) throw new Error('not open')
  return opened
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

describe('deleting a link deletes the link, and keeps its target:', () => {
  const kinds: [what: string, target: () => string][] = [
    ['to a file outside', () => join(manager().outside, 'private.txt')],
    ['to a folder outside', () => manager().outside],
    ['to a file outside, upwards', () => '../Files secret/private.txt'],
    ['to a missing file', () => 'nowhere'],
    ['to itself', () => 'way'],
    ['to a file beside it', () => 'plain.txt'],
    ['to a folder beside it', () => 'folder'],
    ['to its own folder', () => '.'],
    ['to the root of the file system', () => '/'],
    ['to an item of a collection', () => join(manager().photos.root, 'one.jpg')],
    ['to the directory of a collection', () => manager().photos.root],
    ['to the data directory', () => join(manager().directory, 'data')],
    ['to the database', () => join(manager().directory, 'data/library.db')],
    ['to another link', () => 'plain link'],
  ]
  test.each(kinds)('%s', async (_, target) => {
    const { files, photos, get, faults, items, missing, tree } = manager()
    if (!isThere(join(files, 'plain link'))) symlinkSync('plain.txt', join(files, 'plain link'))
    const [inFiles, inPhotos, known] = [tree(files), tree(photos.root), [...items()]]
    symlinkSync(target(), join(files, 'way'))
    const response = await get({ q: 'delete', path: '/Files', items: itemsParameter('/Files/way') })
    expect({ status: response.status, message: response.json.message }).toEqual({ status: 200, message: undefined })
    expect(response.json.files?.map(({ basename }) => basename)).not.toContain('way')
    expect(tree(files)).toEqual(inFiles)
    expect(tree(photos.root)).toEqual(inPhotos)
    expect(existsSync(join(manager().directory, 'data/library.db'))).toBe(true)
    expect([...items()]).toEqual(known)
    expect(missing()).toEqual([])
    expect(faults()).toEqual([])
  })

  test('in a collection, and the files beside the link stay items', async () => {
    const { photos, get, items, missing, faults } = manager()
    const known = [...items()]
    symlinkSync('one.jpg', join(photos.root, 'again.jpg'))
    symlinkSync('album', join(photos.root, 'album again'))
    const both = itemsParameter('/Photos/again.jpg', '/Photos/album again')
    expect((await get({ q: 'delete', path: '/Photos', items: both })).status).toBe(200)
    expect(isThere(join(photos.root, 'again.jpg')) || isThere(join(photos.root, 'album again'))).toBe(false)
    expect([...items()]).toEqual(known)
    expect(missing()).toEqual([])
    expect(faults()).toEqual([])
  })

  test('among files and folders that are deleted with it', async () => {
    const { files, outside, get, faults, tree } = manager()
    const before = tree(files)
    mkdirSync(join(files, 'gone'))
    writeFileSync(join(files, 'gone.txt'), 'x')
    symlinkSync(outside, join(files, 'gone link'))
    const all = itemsParameter('/Files/gone', '/Files/gone.txt', '/Files/gone link')
    expect((await get({ q: 'delete', path: '/Files', items: all })).status).toBe(200)
    expect(tree(files)).toEqual(before)
    expect(faults()).toEqual([])
  })
})

describe('a link is kept', () => {
  test('if the path of a folder in the settings leads through it', async () => {
    let link = ''
    const server = await openFileManagerServer({
      rootsOf: ({ home, linkTo }) => {
        link = join(home, 'far')
        mkdirSync(join(home, 'real', 'inner'), { recursive: true })
        symlinkSync('real', link)
        return [linkTo(home), join(link, 'inner')]
      },
    })
    try {
      const { status, message } = await server.request({
        q: 'delete',
        path: '/home',
        items: itemsParameter('/home/far'),
      })
      expect({ status, message }).toEqual({
        status: 409,
        message: '/home/far leads to a folder that the settings name: it cannot be moved or renamed.',
      })
      expect(readlinkSync(link)).toBe('real')
    } finally {
      await server.close()
    }
  })

  const otherActions: [q: string, more: (path: string) => Record<string, string>][] = [
    ['rename', item => ({ item, name: 'other' })],
    ['move', path => ({ items: itemsParameter(path), item: '/Files/folder' })],
    ['archive', path => ({ items: itemsParameter(path), name: 'packed' })],
  ]
  test.each(otherActions)('when a user tries to %s it', async (q, more) => {
    const { files, get, tree } = manager()
    symlinkSync('plain.txt', join(files, `${q} link`))
    const before = tree(files)
    const response = await get({ q, path: '/Files', ...more(`/Files/${q} link`) })
    expect(response.status).toBe(403)
    expect(response.json.message).toMatch(/link/)
    expect(tree(files)).toEqual(before)
  })

  test('in a read-only and in a managed collection', async () => {
    const { readOnly, sorted, get } = manager()
    symlinkSync('nowhere', join(readOnly.root, 'stays'))
    symlinkSync('nowhere', join(sorted.root, 'stays'))
    expect((await get({ q: 'delete', path: '/Locked', items: itemsParameter('/Locked/stays') })).status).toBe(403)
    expect((await get({ q: 'delete', path: '/Sorted', items: itemsParameter('/Sorted/stays') })).status).toBe(409)
    expect(isThere(join(readOnly.root, 'stays')) && isThere(join(sorted.root, 'stays'))).toBe(true)
  })

  test('if a user tries to delete a file behind it', async () => {
    const { files, outside, get, faults } = manager()
    symlinkSync(outside, join(files, 'behind'))
    const response = await get({ q: 'delete', path: '/Files', items: itemsParameter('/Files/behind/private.txt') })
    expect(response.status).toBe(403)
    expect(faults()).toEqual([])
  })

  test('if its deletion fails or is interrupted', async () => {
    const { files, library, get, tree } = manager()
    symlinkSync('plain.txt', join(files, 'back'))
    const before = tree(files)
    const items = itemsParameter('/Files/back', '/Files/plain.txt', '/Files/nothing')
    expect((await get({ q: 'delete', path: '/Files', items })).status).toBe(404)
    expect(tree(files)).toEqual(before)
    await library.journal.recover({ restarted: true })
    expect(tree(files)).toEqual(before)
    // This is the state that an interrupted process leaves: the link has a temporary name.
    const [aside, unit] = ['.keepsake-0123456789abcdef.tmp', crypto.randomUUID()]
    const { size } = lstatSync(join(files, 'back'))
    renameSync(join(files, 'back'), join(files, aside))
    await library.db.transact({ userId: null }, tx => {
      const [source, destination] = ['back', aside].map(name => Buffer.from(`${files}//${name}`))
      tx.run(
        `INSERT INTO journal (job_id, unit, operation, source, destination, size, state, at)
         VALUES (0, ?, 'move', ?, ?, ?, 'planned', 0)`,
        unit,
        source ?? null,
        destination ?? null,
        size,
      )
    })
    await library.journal.recover()
    expect(tree(files)).toEqual(before)
  })
})
