import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { type Library, openLibrary } from '../../../core/library.ts'
import { openScanningLibrary, picture, type ScanningLibrary } from '../../support/scanning-library.ts'

async function setup(writeBack: 'sidecar' | 'file') {
  const made = openScanningLibrary()
  for (const [n, name] of ['a.jpg', 'b.jpg', 'c.jpg'].entries()) made.put(name, await picture({ seed: n }))
  await made.scan()
  const { library, root } = made
  const setMode = (mode: string) =>
    library.db.transact({ userId: null }, tx => void tx.run('UPDATE collections SET write_back = ?', mode))
  await setMode(writeBack)
  const [a, b, c] = ['a.jpg', 'b.jpg', 'c.jpg'].map(name => made.items().get(name)?.id ?? 0)
  return {
    ...made,
    ids: { a, b, c } as { a: number; b: number; c: number },
    due: () => new Set(library.db.all<{ id: number }>('SELECT item_id AS id FROM metadata_due').map(({ id }) => id)),
    async write() {
      const job = await library.jobs.enqueue(terminalViewer, 'metadata-write', { collectionId: 1 }, { inProcess: true })
      expect(await library.jobs.run(job)).toMatchObject({ state: 'done', problems: 0 })
      expect(library.db.all('SELECT * FROM metadata_due')).toEqual([])
    },
    /** The texts of a picture's file and its sidecar. */
    text: (name: string) =>
      [name, `${name}.xmp`]
        .map(file => join(root, file))
        .filter(path => existsSync(path))
        .map(path => readFileSync(path).toString('latin1'))
        .join(''),
  }
}

/** Albums with the names of their items. */
function albumsOf({ albums, items }: Library): Record<string, string[]> {
  const names = (album: number) =>
    items.list(terminalViewer, { collectionId: 0 }, { album }).items.map(({ name }) => name)
  return Object.fromEntries(albums.list(terminalViewer).map(({ id, name }) => [name, names(id).sort()]))
}

/** A library whose database was lost, after a scan of the same files. */
async function rebuilt({ data, root }: Pick<ScanningLibrary, 'data' | 'root'>): Promise<Library> {
  const fresh = openLibrary({
    role: 'worker',
    data: `${data}-${crypto.randomUUID()}`,
    create: true,
    environment: {},
    stderrLevel: 'none',
  })
  process.on('exit', () => fresh.close())
  const { row } = await fresh.collections.resolve(terminalViewer, root, { create: true })
  await fresh.jobs.run(await fresh.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true }))
  return fresh
}

describe.each(['sidecar', 'file'] as const)('albums by hand (write-back: %s)', writeBack => {
  test('are in the sidecars, and come back with their items when the library is built again from them', async () => {
    const made = await setup(writeBack)
    const { library, ids, write } = made
    const { albums } = library
    const before = readFileSync(join(made.root, 'a.jpg'))
    const summer = await albums.create(terminalViewer, {
      kind: 'hand',
      name: 'Summer | 2019 & <more>',
      items: [ids.a, ids.b],
    })
    await albums.create(terminalViewer, { kind: 'hand', name: 'Winter', items: [ids.b] })
    const secret = await albums.create(terminalViewer, { kind: 'hand', name: 'Secret', items: [ids.c] })
    await albums.update(terminalViewer, secret.id, { private: true })
    await write()
    expect(made.text('a.jpg')).toContain('keepsake:Albums')
    expect(made.text('a.jpg')).not.toContain('dc:subject')
    expect(made.text('c.jpg')).not.toContain('Secret')
    // Visitors of a public collection may download the picture itself.
    expect(readFileSync(join(made.root, 'a.jpg')).equals(before)).toBe(true)

    const fresh = await rebuilt(made)
    expect(albumsOf(fresh)).toEqual({ 'Summer | 2019 & <more>': ['a.jpg', 'b.jpg'], Winter: ['b.jpg'] })
    const back = fresh.albums.list(terminalViewer).find(({ name }) => name.startsWith('Summer'))
    expect(back).toMatchObject({ owner: null, members: [], public: false, items: 2 })
    const uid = ({ db }: Library) => db.get("SELECT uid FROM albums WHERE name LIKE 'Summer%'")
    expect(uid(fresh)).toEqual(uid(library))

    // The albums of this library take precedence over those in files that another library wrote.
    await fresh.albums.setItems(terminalViewer, back?.id ?? 0, { remove: [1, 2, 3] })
    await fresh.jobs.run(
      await fresh.jobs.enqueue(terminalViewer, 'scan', { collectionId: 1, full: true }, { inProcess: true }),
    )
    expect(fresh.albums.get(terminalViewer, back?.id ?? 0).items).toBe(0)
    expect(summer.items).toBe(2)
  }, 60_000)

  test('are written again when they change', async () => {
    const made = await setup(writeBack)
    const { library, ids, write, due, text } = made
    const { albums } = library
    const { id } = await albums.create(terminalViewer, { kind: 'hand', name: 'Summer', items: [ids.a, ids.b] })
    expect(due()).toEqual(new Set([ids.a, ids.b]))
    await write()
    for (const change of [{ description: 'words' }, { cover: ids.a }, { public: true }])
      await albums.update(terminalViewer, id, change)
    expect(due()).toEqual(new Set([]))

    await albums.update(terminalViewer, id, { name: 'Sea' })
    expect(due()).toEqual(new Set([ids.a, ids.b]))
    await write()
    expect(text('a.jpg')).toContain('|Sea')
    expect(text('a.jpg')).not.toContain('Summer')

    await albums.update(terminalViewer, id, { private: true })
    await write()
    expect(text('a.jpg') + text('b.jpg')).not.toContain('|Sea')
    await albums.update(terminalViewer, id, { private: false })
    await write()
    expect(text('b.jpg')).toContain('|Sea')

    await albums.setItems(terminalViewer, id, { remove: [ids.a], add: [ids.c] })
    expect(due()).toEqual(new Set([ids.a, ids.c]))
    await write()
    expect([text('a.jpg').includes('|Sea'), text('c.jpg').includes('|Sea')]).toEqual([false, true])

    const { step } = await albums.remove(terminalViewer, id)
    expect(due()).toEqual(new Set([ids.b, ids.c]))
    await write()
    expect(text('b.jpg') + text('c.jpg')).not.toContain('|Sea')
    await library.jobs.run(
      await library.jobs.enqueue(terminalViewer, 'undo', library.history.planUndo(terminalViewer, step)),
    )
    await write()
    expect(text('b.jpg')).toContain('|Sea')
  }, 60_000)
})

test('a new file with old albums does not bring back a deleted album, and its item joins a renamed one', async () => {
  const made = await setup('file')
  const { albums } = made.library
  const [kept, deleted] = [
    await albums.create(terminalViewer, { kind: 'hand', name: 'Kept', items: [made.ids.a] }),
    await albums.create(terminalViewer, { kind: 'hand', name: 'Deleted', items: [made.ids.a] }),
  ]
  await made.write()
  const copies = ['', '.xmp'].map(end => [`copy.jpg${end}`, readFileSync(join(made.root, `a.jpg${end}`))] as const)
  await albums.remove(terminalViewer, deleted.id)
  await albums.update(terminalViewer, kept.id, { name: 'Renamed' })
  await made.write()
  for (const [name, bytes] of copies) made.put(name, bytes)
  await made.scan()
  expect(albumsOf(made.library)).toEqual({ Renamed: ['a.jpg', 'copy.jpg'] })
  // The copy still has the old names.
  await made.write()
  expect(made.text('copy.jpg')).toContain('|Renamed')
  expect(made.text('copy.jpg')).not.toContain('|Deleted')
}, 60_000)
