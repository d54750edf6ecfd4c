/** What becomes of items when the file manager changes files and folders of a collection. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { emptyCollections, itemsParameter, sharedFileManagerLibrary } from '../../support/file-manager-library.ts'
import { picture, takenAt } from '../../support/scanning-library.ts'
import { otherDisk } from '../../support/temporary.ts'
import { buildZip } from '../../support/zip-maker.ts'

const noChanges = { new: 0, changed: 0, moved: 0, missing: 0, failed: 0 }
const sidecar = (
  label: string,
) => `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Label="${label}"/></rdf:RDF></x:xmpmeta>`

let seed = 100
const manager = sharedFileManagerLibrary({ limit: '20MB' })

/** Each test starts with a picture with a sidecar and a RAW, and one without. */
beforeEach(async () => {
  const { photos, others, put, scan } = manager()
  await emptyCollections(manager())
  put(join(photos.root, 'a/one.jpg'), await picture({ seed: ++seed }))
  put(join(photos.root, 'a/one.jpg.xmp'), sidecar('one'))
  put(join(photos.root, 'a/one.cr2'), await picture({ seed: ++seed }))
  put(join(photos.root, 'a/two.jpg'), await picture({ seed: ++seed }))
  put(join(photos.root, 'a/notes.txt'), 'notes')
  await scan(photos)
  await scan(others)
}, 60_000)

function idAt(place: string): number {
  for (const [id, at] of manager().items()) if (at === place) return id
  throw new Error(`there is no item at ${place}: ${JSON.stringify([...manager().items()])}`)
}

/** Sets an item's description. It stands for everything that refers to the id: tags, faces and shares. */
async function setDescription(id: number, description: string) {
  const { db } = manager().library
  await db.transact({ userId: null }, tx =>
    tx.run(
      `UPDATE items SET tags = json_set(tags, '$.Description', json(?)) WHERE id = ?`,
      JSON.stringify({ v: 1, u: 1, d: description }),
      id,
    ),
  )
}

function description(id: number): string | undefined {
  const row = manager().library.db.get<{ d: string }>(
    `SELECT tags ->> '$.Description.d' AS d FROM items WHERE id = ?`,
    id,
  )
  return row?.d
}

/** Checks that the library is in the state that a scan would leave: scans change nothing. */
async function expectScanned() {
  const { scan, photos, others, faults } = manager()
  expect(faults()).toEqual([])
  for (const one of [photos, others]) {
    const { found: _, ...changes } = await scan(one)
    expect(changes).toEqual(noChanges)
  }
}

/** Removes a collection that only one test uses. */
async function removeCollection(path: string) {
  await manager().library.db.transact({ userId: null }, tx => {
    for (const { id } of tx.all<{ id: number }>('SELECT id FROM collections WHERE path = ?', path)) {
      tx.run('DELETE FROM items WHERE collection_id = ?', id)
      tx.run('DELETE FROM collections WHERE id = ?', id)
    }
  })
}

function eventCount(collectionId: number): number {
  return manager().library.db.all('SELECT 1 FROM events WHERE channel = ?', `collection-${collectionId}`).length
}

async function ok(query: Record<string, string>) {
  const response = await manager().get(query)
  expect(response.json.message ?? '').toBe('')
  expect(response.status).toBe(200)
  return response
}

describe('rename', () => {
  test('a picture keeps its item, and its other files are renamed with it', async () => {
    const { photos, tree } = manager()
    const id = idAt('Photos: a/one.jpg')
    await setDescription(id, 'kept')
    await ok({ q: 'rename', path: '/Photos/a', item: '/Photos/a/one.jpg', name: 'uno.jpeg' })
    expect(manager().items().get(id)).toBe('Photos: a/uno.jpeg')
    expect(description(id)).toBe('kept')
    expect(Object.keys(tree(join(photos.root, 'a')))).toEqual([
      'notes.txt',
      'two.jpg',
      'uno.cr2',
      'uno.jpeg',
      'uno.jpeg.xmp',
    ])
    expect(eventCount(photos.id)).toBeGreaterThan(0)
    await expectScanned()
  })

  test('a folder keeps the items in it and below it', async () => {
    const { photos, put, scan } = manager()
    put(join(photos.root, 'a/deep/three.jpg'), await picture({ seed: ++seed }))
    await scan(photos)
    const ids = [idAt('Photos: a/one.jpg'), idAt('Photos: a/deep/three.jpg')]
    await setDescription(ids[0] ?? 0, 'kept')
    await ok({ q: 'rename', path: '/Photos', item: '/Photos/a', name: 'b' })
    expect(ids.map(id => manager().items().get(id))).toEqual(['Photos: b/one.jpg', 'Photos: b/deep/three.jpg'])
    expect(description(ids[0] ?? 0)).toBe('kept')
    await expectScanned()
  })

  test('a folder keeps its items when it gets the name of a deleted folder', async () => {
    const { photos, put, scan, missing } = manager()
    put(join(photos.root, 'b/gone.jpg'), await picture({ seed: ++seed }))
    await scan(photos)
    const gone = idAt('Photos: b/gone.jpg')
    await ok({ q: 'delete', path: '/Photos', items: itemsParameter('/Photos/b') })
    expect(missing()).toEqual([gone])
    const id = idAt('Photos: a/one.jpg')
    await ok({ q: 'rename', path: '/Photos', item: '/Photos/a', name: 'b' })
    expect(manager().items().get(id)).toBe('Photos: b/one.jpg')
    await expectScanned()
  })

  test('a folder to a name that scans ignore: its items are missing until it is renamed again', async () => {
    const ids = [idAt('Photos: a/one.jpg'), idAt('Photos: a/two.jpg')].sort()
    await ok({ q: 'rename', path: '/Photos', item: '/Photos/a', name: '@eaDir' })
    expect(manager().missing().sort()).toEqual(ids)
    await ok({ q: 'rename', path: '/Photos', item: '/Photos/@eaDir', name: 'again' })
    expect([...manager().items().keys()].sort()).toEqual(ids)
    await expectScanned()
  })

  test('a picture to a name without a picture extension: its item is missing until it is renamed again', async () => {
    const id = idAt('Photos: a/two.jpg')
    await ok({ q: 'rename', path: '/Photos/a', item: '/Photos/a/two.jpg', name: 'two.txt' })
    expect(manager().missing()).toEqual([id])
    await ok({ q: 'rename', path: '/Photos/a', item: '/Photos/a/two.txt', name: 'two again.jpg' })
    expect(manager().items().get(id)).toBe('Photos: a/two again.jpg')
    await expectScanned()
  })

  test('the RAW of a pair alone becomes its own item, and the picture keeps its item', async () => {
    const id = idAt('Photos: a/one.jpg')
    await ok({ q: 'rename', path: '/Photos/a', item: '/Photos/a/one.cr2', name: 'other.cr2' })
    expect(manager().items().get(id)).toBe('Photos: a/one.jpg')
    expect([...manager().items().values()]).toContain('Photos: a/other.cr2')
    await expectScanned()
  })

  test('a file that was changed since the last scan keeps its item', async () => {
    const { photos } = manager()
    const id = idAt('Photos: a/two.jpg')
    writeFileSync(join(photos.root, 'a/two.jpg'), await picture({ seed: ++seed }))
    await ok({ q: 'rename', path: '/Photos/a', item: '/Photos/a/two.jpg', name: 'dos.jpg' })
    expect(manager().items().get(id)).toBe('Photos: a/dos.jpg')
    await expectScanned()
  })

  test('nothing is renamed if the new name of a sidecar is taken', async () => {
    const { photos, put, get, tree } = manager()
    put(join(photos.root, 'a/uno.jpg.xmp'), sidecar('another'))
    const before = tree(photos.root)
    const response = await get({ q: 'rename', path: '/Photos/a', item: '/Photos/a/one.jpg', name: 'uno.jpg' })
    expect(response.status).toBe(409)
    expect(response.json.message).toContain('one.jpg')
    expect(tree(photos.root)).toEqual(before)
    expect(idAt('Photos: a/one.jpg')).toBeGreaterThan(0)
    await manager().scan(photos)
    await expectScanned()
  })

  test('edited versions are renamed with their picture and its folder', async () => {
    const { directory, library, photos, put } = manager()
    const variants = join(directory, 'Variants')
    put(join(variants, 'a/one.png'), 'edited')
    await library.db.transact({ userId: null }, tx =>
      tx.run('UPDATE collections SET path_variant = ? WHERE id = ?', variants, photos.id),
    )
    await ok({ q: 'rename', path: '/Photos/a', item: '/Photos/a/one.jpg', name: 'uno.jpg' })
    expect(existsSync(join(variants, 'a/uno.png'))).toBe(true)
    await ok({ q: 'rename', path: '/Photos', item: '/Photos/a', name: 'z' })
    expect(existsSync(join(variants, 'z/uno.png'))).toBe(true)
    await library.db.transact({ userId: null }, tx =>
      tx.run("UPDATE collections SET path_variant = '' WHERE id = ?", photos.id),
    )
    await expectScanned()
  })

  test('is refused without waiting while another job works on the collection', async () => {
    const { library, photos, get, tree } = manager()
    const job = await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: photos.id }, { inProcess: true })
    const before = tree(photos.root)
    const response = await get({ q: 'rename', path: '/Photos', item: '/Photos/a', name: 'b' })
    expect(response.status).toBe(409)
    expect(response.json.message).toContain("'Photos'")
    expect(tree(photos.root)).toEqual(before)
    await library.jobs.run(job)
    await ok({ q: 'rename', path: '/Photos', item: '/Photos/a', name: 'b' })
    await expectScanned()
  })

  test('two simultaneous renames are performed one after the other', async () => {
    const { get } = manager()
    const id = idAt('Photos: a/two.jpg')
    const responses = await Promise.all([
      get({ q: 'rename', path: '/Photos/a', item: '/Photos/a/two.jpg', name: 'dos.jpg' }),
      get({ q: 'rename', path: '/Photos/a', item: '/Photos/a/notes.txt', name: 'notas.txt' }),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(manager().items().get(id)).toBe('Photos: a/dos.jpg')
    expect(
      manager()
        .library.jobs.list(terminalViewer, 'all')
        .filter(({ kind }) => kind === 'files'),
    ).toEqual([])
    await expectScanned()
  })

  test('renames of pictures and folders can be undone', async () => {
    const { library, photos } = manager()
    const before = Object.keys(manager().tree(photos.root))
    const id = idAt('Photos: a/one.jpg')
    await ok({ q: 'rename', path: '/Photos/a', item: '/Photos/a/one.jpg', name: 'uno.jpg' })
    await ok({ q: 'rename', path: '/Photos', item: '/Photos/a', name: 'b' })
    expect(manager().items().get(id)).toBe('Photos: b/uno.jpg')
    const steps = library.db.all<{ step: string }>(
      "SELECT step FROM history WHERE operation IN ('file.move', 'folder.move') GROUP BY step ORDER BY max(id) DESC LIMIT 2",
    )
    for (const { step } of steps) {
      const undo = library.history.planUndo(terminalViewer, step)
      const ended = await library.jobs.run(
        await library.jobs.enqueue(terminalViewer, 'undo', undo, { inProcess: true }),
      )
      expect(JSON.parse(ended?.counts ?? '{}')).toMatchObject({ undone: 1, changed: 0, gone: 0, refused: 0 })
    }
    expect(Object.keys(manager().tree(photos.root))).toEqual(before)
    expect(manager().items().get(id)).toBe('Photos: a/one.jpg')
    await expectScanned()
  })
})

describe('move', () => {
  test('pictures keep their items when they are moved within a collection', async () => {
    const { photos, tree } = manager()
    const ids = [idAt('Photos: a/one.jpg'), idAt('Photos: a/two.jpg')]
    mkdirSync(join(photos.root, 'to'))
    // Files that belong to a picture are chosen as well: each is moved once.
    const items = itemsParameter('/Photos/a/one.jpg', '/Photos/a/one.jpg.xmp', '/Photos/a/one.cr2', '/Photos/a/two.jpg')
    await ok({ q: 'move', path: '/Photos/a', items, item: '/Photos/to' })
    expect(ids.map(id => manager().items().get(id))).toEqual(['Photos: to/one.jpg', 'Photos: to/two.jpg'])
    expect(Object.keys(tree(join(photos.root, 'a')))).toEqual(['notes.txt'])
    await expectScanned()
  })

  test('a picture to another collection: its item moves there', async () => {
    const { others, tree, photos } = manager()
    const id = idAt('Photos: a/one.jpg')
    await setDescription(id, 'kept')
    await ok({ q: 'move', path: '/Photos/a', items: itemsParameter('/Photos/a/one.jpg'), item: '/Others' })
    expect(manager().items().get(id)).toBe('Others: one.jpg')
    expect(description(id)).toBe('kept')
    expect(Object.keys(tree(others.root))).toContain('one.jpg.xmp')
    expect(eventCount(photos.id)).toBeGreaterThan(0)
    expect(eventCount(others.id)).toBeGreaterThan(0)
    await expectScanned()
  })

  test('a folder keeps its items and everything in it when it is moved to another collection', async () => {
    const { others, photos, put, scan, tree } = manager()
    put(join(photos.root, 'a/deep/three.jpg'), await picture({ seed: ++seed }))
    mkdirSync(join(photos.root, 'a/empty'))
    await scan(photos)
    const before = tree(join(photos.root, 'a'))
    const ids = [...manager().items().keys()].sort()
    await setDescription(ids[0] ?? 0, 'kept')
    await ok({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/a'), item: '/Others' })
    expect(tree(join(others.root, 'a'))).toEqual(before)
    expect(existsSync(join(photos.root, 'a'))).toBe(false)
    expect([...manager().items().keys()].sort()).toEqual(ids)
    expect([...manager().items().values()].every(place => place.startsWith('Others: a/'))).toBe(true)
    expect(description(ids[0] ?? 0)).toBe('kept')
    await expectScanned()
  })

  test('a folder out of the library and back: the items are found again', async () => {
    const { files, tree } = manager()
    const ids = [...manager().items().keys()].sort()
    await ok({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/a'), item: '/Files' })
    expect(manager().missing().sort()).toEqual(ids)
    expect(Object.keys(tree(join(files, 'a'))).length).toBe(5)
    await ok({ q: 'move', path: '/Files', items: itemsParameter('/Files/a'), item: '/Others' })
    expect([...manager().items().keys()].sort()).toEqual(ids)
    await expectScanned()
  })

  test('a picture out of the library takes its sidecars along', async () => {
    const { files, tree } = manager()
    const id = idAt('Photos: a/one.jpg')
    await ok({ q: 'move', path: '/Photos/a', items: itemsParameter('/Photos/a/one.jpg'), item: '/Files' })
    expect(manager().missing()).toEqual([id])
    expect(Object.keys(tree(files))).toEqual(['kept.txt', 'one.cr2', 'one.jpg', 'one.jpg.xmp'])
    await expectScanned()
  })

  test('a collection in a folder of the settings can be changed by both paths', async () => {
    const { files, library, put } = manager()
    put(join(files, 'home/album/x.jpg'), await picture({ seed: ++seed }))
    const name = `Album ${seed}`
    const { id: collection } = await library.collections.create(terminalViewer, {
      name,
      path: join(files, 'home/album'),
    })
    await manager().scan({ id: collection, root: '' })
    const id = idAt(`${name}: x.jpg`)
    await ok({ q: 'rename', path: '/Files/home/album', item: '/Files/home/album/x.jpg', name: 'y.jpg' })
    expect(manager().items().get(id)).toBe(`${name}: y.jpg`)
    await ok({ q: 'move', path: `/${name}`, items: itemsParameter(`/${name}/y.jpg`), item: '/Photos' })
    expect(manager().items().get(id)).toBe('Photos: y.jpg')
    await removeCollection(join(files, 'home/album'))
    await expectScanned()
  })

  test('a picture that is moved into the library is an item at once', async () => {
    const { files, put } = manager()
    put(join(files, 'new.jpg'), await picture({ seed: ++seed }))
    await ok({ q: 'move', path: '/Files', items: itemsParameter('/Files/new.jpg'), item: '/Photos/a' })
    expect([...manager().items().values()]).toContain('Photos: a/new.jpg')
    await expectScanned()
  })

  describe('a sidecar that two pictures share', () => {
    async function withShared(folder: string) {
      const { photos, put, scan } = manager()
      put(join(photos.root, folder, 'pair.jpg'), await picture({ seed: ++seed }))
      put(join(photos.root, folder, 'pair.webp'), await picture({ seed: ++seed }))
      put(join(photos.root, folder, 'pair.xmp'), sidecar('shared'))
      await scan(photos)
      return [idAt(`Photos: ${folder}/pair.jpg`), idAt(`Photos: ${folder}/pair.webp`)]
    }

    test('is moved once with both pictures', async () => {
      const { photos, others, tree } = manager()
      const ids = await withShared('shared')
      const items = itemsParameter('/Photos/shared/pair.xmp', '/Photos/shared/pair.jpg', '/Photos/shared/pair.webp')
      await ok({ q: 'move', path: '/Photos/shared', items, item: '/Others' })
      expect(tree(join(photos.root, 'shared'))).toEqual({})
      expect(Object.keys(tree(others.root)).filter(path => path.startsWith('pair'))).toEqual([
        'pair.jpg',
        'pair.webp',
        'pair.xmp',
      ])
      expect(ids.map(id => manager().items().get(id))).toEqual(['Others: pair.jpg', 'Others: pair.webp'])
      await expectScanned()
    })

    test('is moved once with their folder', async () => {
      const { photos, others, tree } = manager()
      const ids = await withShared('shared')
      const before = tree(join(photos.root, 'shared'))
      await ok({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/shared'), item: '/Others' })
      expect(existsSync(join(photos.root, 'shared'))).toBe(false)
      expect(tree(join(others.root, 'shared'))).toEqual(before)
      expect(ids.every(id => manager().items().has(id))).toBe(true)
      await expectScanned()
    })

    test('is copied when only one of the pictures is moved', async () => {
      const { photos, others, tree } = manager()
      await withShared('shared')
      await ok({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/shared/pair.jpg'), item: '/Others' })
      expect(Object.keys(tree(join(photos.root, 'shared')))).toEqual(['pair.webp', 'pair.xmp'])
      expect(Object.keys(tree(others.root))).toContain('pair.xmp')
      await expectScanned()
    })
  })

  test('a folder goes to another collection with the links in it, not with their targets', async () => {
    const { photos, others, outside, tree } = manager()
    symlinkSync(outside, join(photos.root, 'a/out'))
    await ok({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/a'), item: '/Others' })
    expect(tree(join(others.root, 'a')).out).toBe(`-> ${outside}`)
    expect(existsSync(join(photos.root, 'a'))).toBe(false)
    await expectScanned()
  })

  test('files that cannot be moved to another disk are reported with their kind before anything is moved', async () => {
    if (otherDisk === null) return
    const { library, photos, outside, get, put, tree } = manager()
    const root = join(otherDisk, `keepsake-test-${crypto.randomUUID()}`)
    put(join(root, 'x.txt'), 'x')
    try {
      await library.collections.create(terminalViewer, { name: `Away ${seed}`, path: root })
      const before = tree(join(photos.root, 'a'))
      const move = () => get({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/a'), item: `/Away ${seed}` })
      mkdirSync(join(photos.root, 'a/in'))
      const kinds: [string, string, () => unknown][] = [
        ['out', 'a link', () => symlinkSync(outside, join(photos.root, 'a/in/out'))],
        ['pipe', 'a pipe', () => Bun.spawnSync(['mkfifo', join(photos.root, 'a/in/pipe')])],
        ['socket', 'a socket', () => Bun.listen({ unix: join(photos.root, 'a/in/socket'), socket: { data() {} } })],
      ]
      for (const [name, kind, make] of kinds) {
        make()
        const response = await move()
        expect(response.status).toBe(409)
        expect(response.json.message).toBe(
          `/Photos/a was not moved: /Photos/a/in/${name} is ${kind}: it cannot go to another disk.`,
        )
        expect(Object.keys(tree(root))).toEqual(['x.txt'])
        rmSync(join(photos.root, 'a/in', name))
      }
      rmSync(join(photos.root, 'a/in'), { recursive: true })
      expect(tree(join(photos.root, 'a'))).toEqual(before)
      expect((await move()).status).toBe(200)
      expect(tree(join(root, 'a'))).toEqual(before)
      await expectScanned()
    } finally {
      rmSync(root, { recursive: true, force: true })
      await removeCollection(root)
    }
  })

  test('a move of hundreds of files is refused as a whole if one name is taken', async () => {
    const { files, put, tree, get } = manager()
    for (let n = 0; n < 300; n++) put(join(files, `many/${n}.txt`), `${n}`)
    mkdirSync(join(files, 'to'))
    const items = itemsParameter(...Array.from({ length: 300 }, (_, n) => `/Files/many/${n}.txt`))
    put(join(files, 'to/299.txt'), 'taken')
    expect((await get({ q: 'move', path: '/Files/many', items, item: '/Files/to' })).status).toBe(409)
    expect(Object.keys(tree(join(files, 'to')))).toEqual(['299.txt'])
    rmSync(join(files, 'to/299.txt'))
    await ok({ q: 'move', path: '/Files/many', items, item: '/Files/to' })
    expect(Object.keys(tree(join(files, 'to'))).length).toBe(300)
    await ok({ q: 'delete', path: '/Files/to', items: items.replaceAll('/many/', '/to/') })
    expect(Object.keys(tree(join(files, 'to'))).length).toBe(0)
    await expectScanned()
  }, 60_000)

  test('a folder keeps its items when it is moved to another disk and back', async () => {
    if (otherDisk === null) return
    const { library, put, tree } = manager()
    const root = join(otherDisk, `keepsake-test-${crypto.randomUUID()}`)
    mkdirSync(root)
    try {
      put(join(root, 'x.txt'), 'x')
      await library.collections.create(terminalViewer, { name: `Far ${seed}`, path: root })
      const ids = [...manager().items().keys()].sort()
      const before = tree(join(manager().photos.root, 'a'))
      await ok({ q: 'move', path: '/Photos', items: itemsParameter('/Photos/a'), item: `/Far ${seed}` })
      expect(tree(join(root, 'a'))).toEqual(before)
      expect([...manager().items().keys()].sort()).toEqual(ids)
      await ok({ q: 'move', path: '/Photos', items: itemsParameter(`/Far ${seed}/a`), item: '/Photos' })
      expect([...manager().items().keys()].sort()).toEqual(ids)
      await expectScanned()
    } finally {
      rmSync(root, { recursive: true, force: true })
      await removeCollection(root)
    }
  })
})

describe('delete', () => {
  test('a deleted picture is missing, and has its tags again when it is back', async () => {
    const { photos, put } = manager()
    const id = idAt('Photos: a/two.jpg')
    const bytes = readFileSync(join(photos.root, 'a/two.jpg'))
    await setDescription(id, 'kept')
    await ok({ q: 'delete', path: '/Photos/a', items: itemsParameter('/Photos/a/two.jpg') })
    expect(manager().missing()).toEqual([id])
    expect(eventCount(photos.id)).toBeGreaterThan(0)
    await expectScanned()
    put(join(photos.root, 'back.jpg'), bytes)
    await manager().scan(photos)
    expect(manager().items().get(id)).toBe('Photos: back.jpg')
    expect(description(id)).toBe('kept')
  })

  test('a folder with everything in it: its items are missing', async () => {
    const ids = [...manager().items().keys()].sort()
    await ok({ q: 'delete', path: '/Photos', items: itemsParameter('/Photos/a') })
    expect(manager().missing().sort()).toEqual(ids)
    expect(existsSync(join(manager().photos.root, 'a'))).toBe(false)
    await expectScanned()
  })

  test('the JPEG of a pair: its RAW continues as the item', async () => {
    const id = idAt('Photos: a/one.jpg')
    await ok({ q: 'delete', path: '/Photos/a', items: itemsParameter('/Photos/a/one.jpg') })
    expect(manager().items().get(id)).toBe('Photos: a/one.cr2')
    await expectScanned()
  })

  test('a sidecar alone: the picture stays', async () => {
    const id = idAt('Photos: a/one.jpg')
    await ok({ q: 'delete', path: '/Photos/a', items: itemsParameter('/Photos/a/one.jpg.xmp') })
    expect(manager().items().get(id)).toBe('Photos: a/one.jpg')
    await expectScanned()
  })
})

describe('new files', () => {
  test('an upload is an item at once', async () => {
    const { upload, photos } = manager()
    const response = await upload('/Photos/a', 'up.jpg', await picture({ seed: ++seed }))
    expect(response.status).toBe(200)
    expect([...manager().items().values()]).toContain('Photos: a/up.jpg')
    expect(eventCount(photos.id)).toBeGreaterThan(0)
    await expectScanned()
  })

  test('the tags of an uploaded sidecar are read', async () => {
    const { upload, library } = manager()
    const id = idAt('Photos: a/two.jpg')
    const text = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt>
      <rdf:li xml:lang="x-default">told beside it</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>`
    expect((await upload('/Photos/a', 'two.jpg.xmp', text)).status).toBe(200)
    expect(description(id)).toBe('told beside it')
    expect(library.db.all('SELECT 1 FROM journal')).toEqual([])
    await expectScanned()
  })

  test('a cropped picture replaces the bytes of its item, and the old bytes are kept', async () => {
    const { upload, photos, directory, library, scan } = manager()
    const id = idAt('Photos: a/two.jpg')
    const whole = await picture({ seed: ++seed, exif: takenAt('2019-01-03 18:58:01'), width: 64, height: 48 })
    writeFileSync(join(photos.root, 'a/two.jpg'), whole)
    await scan(photos)
    await setDescription(id, 'kept')
    const taken = () => library.db.get('SELECT taken, taken_source FROM items WHERE id = ?', id)
    const dated = taken()
    const before = readFileSync(join(photos.root, 'a/two.jpg'))
    const content = library.db.get<{ content: string }>('SELECT content FROM items WHERE id = ?', id)?.content
    const cropped = await picture({ seed: ++seed, width: 32, height: 16 })
    const response = await upload('/Photos/a/two.jpg', 'blob', cropped, { name: 'two.jpg' })
    expect(response.status).toBe(200)
    // The file has the pixels that were sent, and the item keeps the date of the original.
    const pixels = (file: Uint8Array) => sharp(file).raw().toBuffer()
    const now = readFileSync(join(photos.root, 'a/two.jpg'))
    expect((await pixels(now)).equals(await pixels(cropped))).toBe(true)
    expect(taken()).toEqual(dated)
    expect(manager().items().get(id)).toBe('Photos: a/two.jpg')
    expect(description(id)).toBe('kept')
    const row = library.db.get<{ content: string; width: number }>('SELECT content, width FROM items WHERE id = ?', id)
    expect(row?.width).toBe(32)
    expect(row?.content).not.toBe(content)
    const kept = join(directory, 'data/replaced')
    const [day = ''] = readdirSync(kept)
    const old = readdirSync(join(kept, day)).filter(name => name.startsWith(`${id}-`))
    expect(old.length).toBe(1)
    expect(readFileSync(join(kept, day, old[0] ?? '')).equals(before)).toBe(true)
    await expectScanned()
  })

  test('replaced bytes are removed after a month', async () => {
    const { upload, directory, put } = manager()
    const kept = join(directory, 'data/replaced')
    put(join(kept, '2020-01-01/1-old.jpg'), 'old')
    await upload('/Photos/a/two.jpg', 'blob', await picture({ seed: ++seed }))
    expect(readdirSync(kept)).not.toContain('2020-01-01')
  })

  test('a file that is no picture becomes no item, and causes no fault', async () => {
    const { upload, get } = manager()
    const before = [...manager().items().keys()]
    expect((await upload('/Photos/a', 'up.txt', 'text')).status).toBe(200)
    expect((await get({ q: 'newfile', path: '/Photos/a', name: 'new.txt' })).status).toBe(200)
    expect((await get({ q: 'newfolder', path: '/Photos/a', name: 'new' })).status).toBe(200)
    expect([...manager().items().keys()]).toEqual(before)
    await expectScanned()
  })

  test('an upload is accepted while a job works on the collection', async () => {
    const { upload, library, photos } = manager()
    const job = await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: photos.id }, { inProcess: true })
    expect((await upload('/Photos/a', 'up.jpg', await picture({ seed: ++seed }))).status).toBe(200)
    await library.jobs.run(job)
    expect([...manager().items().values()]).toContain('Photos: a/up.jpg')
    await expectScanned()
  })

  for (const [where, path] of [
    ['in a folder', 'many/'],
    ['at the top', 'many-'],
  ]) {
    test(`more than a hundred files ${where} of an archive are left to a scan`, async () => {
      const { get, library, put, photos } = manager()
      const one = await picture({ seed: ++seed })
      const entries = Array.from({ length: 120 }, (_, n) => ({
        name: `${path}${n}.jpg`,
        data: Buffer.concat([one, Buffer.from(`${n}`)]),
        stored: true,
      }))
      put(join(photos.root, 'many.zip'), buildZip(entries))
      expect((await get({ q: 'unarchive', path: '/Photos', item: '/Photos/many.zip' })).status).toBe(200)
      const [waiting] = library.jobs.waiting().filter(({ kind }) => kind === 'scan')
      expect(waiting?.collectionId).toBe(photos.id)
      await library.jobs.run(waiting?.id ?? 0)
      expect([...manager().items().values()].filter(place => place.startsWith(`Photos: ${path}`)).length).toBe(120)
      await expectScanned()
    }, 60_000)
  }
})
