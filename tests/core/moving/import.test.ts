import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { startDirectoryImport, startImport } from '../../../core/moving/import-job.ts'
import {
  type DiskCollection,
  fileHashes,
  findFaults,
  itemPaths,
  itemPlaces,
  listFiles,
  openMovingLibrary,
  writeFileIn,
} from '../../support/moving-library.ts'
import { picture, takenAt } from '../../support/scanning-library.ts'

const quiet = { new: 0, changed: 0, moved: 0, missing: 0, failed: 0 }

async function twoCollections(managed = false) {
  const moving = openMovingLibrary()
  const from = await moving.collection({ variants: true })
  const to = await moving.collection({ managed, variants: true })
  const importing = async (viewer: Viewer = terminalViewer) =>
    moving.run(await startImport(moving.library, viewer, { id: to.id, otherId: from.id }, { inProcess: true }))
  return { moving, from, to, importing }
}

function item({ library }: ReturnType<typeof openMovingLibrary>, { id }: DiskCollection, path: string) {
  const found = [...itemPlaces(library)].find(([, place]) => place === `${id}: ${path}`)?.[0]
  return library.items.get(terminalViewer, { id: found ?? 0 }, {})
}

describe('an import from another collection', () => {
  test('copies items that the target lacks with tags, regions, companions and sidecars, and does not change the source', async () => {
    const { moving, from, to, importing } = await twoCollections()
    const same = await picture({ seed: 5, exif: takenAt('2018-01-01 00:00:00') })
    writeFileIn(from.root, 'a/one.jpg', await picture({ seed: 1, exif: takenAt('2019-08-01 14:22:33') }))
    writeFileIn(from.root, 'a/one.cr2', 'a raw file, or nearly')
    writeFileIn(from.root, 'a/one.xmp', '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    writeFileIn(from.variants, 'a/one.png', 'an edited version')
    writeFileIn(from.root, 'both.jpg', same)
    writeFileIn(from.root, 'twice.jpg', await picture({ seed: 6, exif: takenAt('2018-01-02 00:00:00') }))
    writeFileIn(from.root, 'b/twice.jpg', await picture({ seed: 6, exif: takenAt('2018-01-02 00:00:00') }))
    writeFileIn(to.root, 'a/one.jpg', await picture({ seed: 2, exif: takenAt('2021-08-01 14:22:33') }))
    writeFileIn(to.root, 'other name.jpg', same)
    await moving.scan(from)
    await moving.scan(to)
    const { id } = item(moving, from, 'a/one.jpg')
    await moving.library.db.transact({ userId: null }, tx => {
      tx.run('INSERT INTO people (birthdate) VALUES (NULL)')
      tx.run("INSERT INTO person_names (person_id, name, name_key) VALUES (1, 'Ada', 'ada')")
    })
    await moving.library.as(terminalViewer).tags.create({
      params: { id, tagName: 'Description' },
      body: { data: 'her own words' },
    })
    await moving.library.db.transact({ userId: null }, tx => {
      tx.run(
        "INSERT INTO regions (item_id, type, person_id, x, y, width, height, source) VALUES (?, 'person', 1, 10, 20, 30, 40, 'user')",
        id,
      )
      tx.run('UPDATE items SET rotation = 270 WHERE id = ?', id)
    })
    const before = fileHashes(from.root, from.variants, to.root, to.variants)
    const source = [from.root, from.variants].map(listFiles)
    const places = itemPlaces(moving.library)
    const ended = await importing()
    expect(ended.figures).toEqual({ selected: 4, copied: 2, skipped: 2, failed: 0 })
    expect(ended.message).toBe('Skipped: 2 there already.')
    expect(listFiles(to.root)).toEqual([
      'a/one.jpg',
      'a/one_2.cr2',
      'a/one_2.jpg',
      'a/one_2.xmp',
      'other name.jpg',
      'twice.jpg',
    ])
    expect(listFiles(to.variants)).toEqual(['a/one_2.png'])
    expect([from.root, from.variants].map(listFiles)).toEqual(source)
    for (const [known, place] of places) expect(itemPlaces(moving.library).get(known)).toBe(place)
    expect(item(moving, to, 'a/one_2.jpg')).toMatchObject({
      taken_at: '2019-08-01 14:22:33',
      properties: expect.arrayContaining([{ name: 'Rotation', value: 270 }]),
      tags: { Description: { data: 'her own words' } },
      files: [
        { name: 'one_2.cr2', role: 'companion' },
        { name: 'one_2.xmp', role: 'sidecar' },
      ],
    })
    const regions = 'SELECT person_id, x, y, width, height FROM regions WHERE item_id = ?'
    expect(moving.library.db.all(regions, item(moving, to, 'a/one_2.jpg').id)).toEqual([
      { person_id: 1, x: 10, y: 20, width: 30, height: 40 },
    ])
    expect(findFaults(moving.library, [from, to], before)).toEqual([])
    expect((await moving.scan(to)).figures).toMatchObject(quiet)
    expect((await importing()).figures).toMatchObject({ copied: 0, skipped: 4 })
  })

  test('into a managed collection uses its folder and name format', async () => {
    const { moving, from, to, importing } = await twoCollections(true)
    writeFileIn(from.root, 'x.jpg', await picture({ seed: 1, exif: takenAt('2019-08-01 14:22:33') }))
    writeFileIn(from.root, 'b/undated.jpg', await picture({ seed: 2 }))
    await moving.scan(from)
    await importing()
    expect(itemPaths(moving.library, to)).toEqual(['2019/08/IMG_20190801_142233.jpg', 'b/undated.jpg'])
  })

  test('requires the admin right on the target and view on the source', async () => {
    const { moving, from, to } = await twoCollections()
    const start = (viewer: Viewer, id = to.id, otherId = from.id) =>
      startImport(moving.library, viewer, { id, otherId })
    const user = (rights: [number, 'view' | 'admin'][]): Viewer => ({
      ...terminalViewer,
      kind: 'user',
      userId: 7,
      globalAdmin: false,
      rights: new Map(
        rights.map(([id, right]) => [
          id,
          { view: true, create: right === 'admin', update: right === 'admin', admin: right === 'admin' },
        ]),
      ),
    })
    expect(start(moving.library.sessions.anonymous())).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(start(user([[from.id, 'view']]))).rejects.toMatchObject({ code: 'notFound' })
    expect(start(user([[to.id, 'admin']]))).rejects.toMatchObject({ code: 'notFound' })
    expect(
      start(
        user([
          [to.id, 'view'],
          [from.id, 'admin'],
        ]),
      ),
    ).rejects.toMatchObject({ code: 'denied' })
    expect(start(terminalViewer, to.id, to.id)).rejects.toMatchObject({ code: 'conflict' })
    expect(
      await start(
        user([
          [to.id, 'admin'],
          [from.id, 'view'],
        ]),
      ),
    ).toBeNumber()
  })

  test('copies only items that the user can see', async () => {
    const { moving, from, to } = await twoCollections()
    writeFileIn(from.root, 'open.jpg', await picture({ seed: 1 }))
    writeFileIn(from.root, 'secret.jpg', await picture({ seed: 2 }))
    await moving.scan(from)
    const { id } = item(moving, from, 'secret.jpg')
    const { library } = moving
    const userId = await library.db.transact({ userId: null }, tx => {
      tx.run(
        "INSERT INTO keystrings (id, content, content_key, is_associated_items_hidden) VALUES (5, 'hide', 'hide', 1)",
      )
      tx.run('UPDATE items SET keys = json_array(json_array(20, 1)), hidden_by = 1 WHERE id = ?', id)
      return tx.run(
        `INSERT INTO users (username, username_key, name, email, password_hash, pin_hash, global_admin, created_at)
         VALUES ('boss', 'boss', '', '', '', '', 1, 0)`,
      ).lastInsertRowid
    })
    const boss: Viewer = { ...terminalViewer, kind: 'user', userId }
    const ended = await moving.run(
      await startImport(library, boss, { id: to.id, otherId: from.id }, { inProcess: true }),
    )
    expect(ended.figures).toMatchObject({ selected: 1, copied: 1 })
    expect(listFiles(to.root)).toEqual(['open.jpg'])
    const unlocked: Viewer = { ...boss, unlockValue: 'value' }
    await moving.run(await startImport(library, unlocked, { id: to.id, otherId: from.id }, { inProcess: true }))
    expect(listFiles(to.root)).toEqual(['open.jpg', 'secret.jpg'])
  })
})

describe('an import of a directory', () => {
  test('imports Google Takeout folders with their JSON, and copies nothing twice', async () => {
    const moving = openMovingLibrary()
    const to = await moving.collection({ managed: true, folderFormat: '{Year}', prefix: '' })
    const takeout = join(moving.directory, 'Takeout')
    mkdirSync(takeout)
    const json = (title: string, seconds: number) =>
      JSON.stringify({
        title,
        description: `about ${title}`,
        photoTakenTime: { timestamp: String(seconds) },
        people: [{ name: 'Ada' }],
      })
    writeFileIn(takeout, 'Photos from 2015/a.jpg', await picture({ seed: 1 }))
    writeFileIn(takeout, 'Photos from 2015/a.jpg.supplemental-metadata.json', json('a.jpg', 1_433_160_000))
    writeFileIn(takeout, 'Photos from 2015/metadata.json', '{"title": "Photos from 2015"}')
    writeFileIn(takeout, 'Sea/a(1).jpg', await picture({ seed: 1 }))
    writeFileIn(takeout, 'Sea/b.jpg', await picture({ seed: 2, exif: takenAt('2016-02-03 04:05:06') }))
    writeFileIn(takeout, 'Sea/notes.txt', 'no picture')
    writeFileIn(takeout, 'Sea/broken.jpg', '')
    writeFileIn(takeout, '.hidden/c.jpg', await picture({ seed: 3 }))
    const before = fileHashes(takeout)
    const start = () =>
      startDirectoryImport(moving.library, terminalViewer, { id: to.id, directory: takeout }, { inProcess: true })
    const ended = await moving.run(await start())
    expect(ended.figures).toEqual({ selected: 4, copied: 2, skipped: 2, failed: 0 })
    const [first = '', sidecar = ''] = listFiles(to.root)
    expect(first).toMatch(/^2015\/2015060\d_\d{6}\.jpg$/)
    expect(sidecar).toBe(`${first}.supplemental-metadata.json`)
    expect(listFiles(to.root)).toEqual([first, sidecar, '2016/20160203_040506.jpg'])
    expect(fileHashes(takeout)).toEqual(before)
    expect(item(moving, to, first)).toMatchObject({ tags: { Description: { data: 'about a.jpg' } } })
    expect(findFaults(moving.library, [to], [])).toEqual([])
    expect((await moving.scan(to)).figures).toMatchObject(quiet)
    expect((await moving.run(await start())).figures).toMatchObject({ copied: 0, failed: 0 })
  })

  test('is for global admins, and for directories that do not overlap with the collection', async () => {
    const moving = openMovingLibrary()
    const to = await moving.collection()
    const start = (directory: string, viewer: Viewer = terminalViewer) =>
      startDirectoryImport(moving.library, viewer, { id: to.id, directory })
    expect(start('/tmp', { ...terminalViewer, kind: 'user', globalAdmin: false })).rejects.toMatchObject({
      code: 'denied',
    })
    expect(start(join(moving.directory, 'nothing'))).rejects.toMatchObject({ code: 'notFound' })
    expect(start(to.root)).rejects.toMatchObject({ code: 'conflict' })
    expect(start(moving.directory)).rejects.toMatchObject({ code: 'conflict' })
    expect(start(join(moving.data, 'cache'))).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('the undo of an import', () => {
  async function undoLast({ library, run }: ReturnType<typeof openMovingLibrary>) {
    const { steps } = library.history.list(terminalViewer, { collectionId: 0 }, {})
    const plan = library.history.planUndo(terminalViewer, steps.find(({ undoable }) => undoable)?.step ?? '')
    return run(await library.jobs.enqueue(terminalViewer, 'undo', plan, { inProcess: true }))
  }

  for (const what of ['another collection', 'a directory'])
    test(`from ${what} recycles the imported items and removes no file, and can itself be undone`, async () => {
      const { moving, from, to, importing } = await twoCollections()
      const { library } = moving
      writeFileIn(from.root, 'a/one.jpg', await picture({ seed: 1, exif: takenAt('2019-08-01 14:22:33') }))
      writeFileIn(from.root, 'a/two.jpg', await picture({ seed: 2, exif: takenAt('2019-08-02 14:22:33') }))
      writeFileIn(to.root, 'kept.jpg', await picture({ seed: 3, exif: takenAt('2021-08-01 14:22:33') }))
      await moving.scan(to)
      if (what === 'another collection') {
        await moving.scan(from)
        await importing()
      } else {
        const directory = join(moving.directory, 'card')
        writeFileIn(directory, 'a/one.jpg', await picture({ seed: 1, exif: takenAt('2019-08-01 14:22:33') }))
        writeFileIn(directory, 'a/two.jpg', await picture({ seed: 2, exif: takenAt('2019-08-02 14:22:33') }))
        await moving.run(
          await startDirectoryImport(library, terminalViewer, { id: to.id, directory }, { inProcess: true }),
        )
      }
      const files = fileHashes(to.root)
      const deleted = () =>
        library.db.all<{ name: string; deleted: number }>(
          'SELECT name, deleted IS NOT NULL AS deleted FROM items WHERE collection_id = ? ORDER BY name',
          to.id,
        )
      const [step] = library.history.list(terminalViewer, { collectionId: to.id }, {}).steps
      expect(step).toMatchObject({ operation: 'file.import', items: 2, undoable: true })
      expect((await undoLast(moving)).figures).toMatchObject({ undone: 2, changed: 0, gone: 0, refused: 0 })
      expect(deleted()).toEqual([
        { name: 'kept.jpg', deleted: 0 },
        { name: 'one.jpg', deleted: 1 },
        { name: 'two.jpg', deleted: 1 },
      ])
      expect(fileHashes(to.root)).toEqual(files)
      expect((await undoLast(moving)).figures).toMatchObject({ undone: 2 })
      expect(deleted().map(row => row.deleted)).toEqual([0, 0, 0])
      expect(findFaults(library, [to], [])).toEqual([])
    })
})
