import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { createRights } from '../../../core/accounts/rights.ts'
import { viewerOfUser } from '../../../core/accounts/viewers.ts'
import { startTransfer } from '../../../core/moving/transfer-job.ts'
import {
  type DiskCollection,
  fileHashes,
  findFaults,
  itemPaths,
  itemPlaces,
  listFiles,
  type MovingLibrary,
  openMovingLibrary,
  writeFileIn,
} from '../../support/moving-library.ts'
import { picture, takenAt } from '../../support/scanning-library.ts'
import { otherDisk } from '../../support/temporary.ts'

const quiet = { new: 0, changed: 0, moved: 0, missing: 0, failed: 0 }

/** A user with these rights. */
async function userWith(
  { library }: MovingLibrary,
  rights: [DiskCollection, 'view' | 'create' | 'update' | 'admin'][],
): Promise<Viewer> {
  const { db } = library
  const id = await db.transact({ userId: null }, tx => {
    const name = `user ${Math.random()}`
    const user = tx.run(
      `INSERT INTO users (username, username_key, name, email, password_hash, pin_hash, created_at) VALUES (?, ?, '', '', '', '', 0)`,
      name,
      name,
    ).lastInsertRowid
    for (const [{ id: collection }, right] of rights) {
      const group = tx.run(`INSERT INTO access_groups (name, "${right}") VALUES ('group', 1)`).lastInsertRowid
      const place = tx.get<{ n: number }>(
        'SELECT count(*) AS n FROM collection_access WHERE collection_id = ?',
        collection,
      )
      tx.run(
        'INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, ?)',
        collection,
        group,
        place?.n ?? 0,
      )
      tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', group, user)
    }
    return user
  })
  const viewer = viewerOfUser(db, createRights(db), id)
  if (viewer === null) throw new Error('no such user')
  return viewer
}

/** Directories on another disk, which are not removed with the temporary ones. */
const elsewhere: string[] = []
afterAll(() => {
  for (const path of elsewhere) rmSync(path, { recursive: true, force: true })
})

async function twoCollections(request: { otherDisk?: boolean; managed?: boolean } = {}) {
  const moving = openMovingLibrary()
  const other = join(otherDisk ?? '', `keepsake-test-${crypto.randomUUID()}`)
  if (request.otherDisk === true) elsewhere.push(other)
  const from = await moving.collection({ variants: true })
  const to = await moving.collection({
    managed: request.managed === true,
    variants: true,
    ...(request.otherDisk === true ? { root: other } : {}),
  })
  writeFileIn(from.root, 'a/one.jpg', await picture({ seed: 1, exif: takenAt('2019-08-01 14:22:33') }))
  writeFileIn(from.root, 'a/one.jpg.xmp', '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
  writeFileIn(from.root, 'a/one.cr2', 'a raw file, or nearly')
  writeFileIn(from.variants, 'a/one.png', 'an edited version')
  writeFileIn(from.root, 'two.jpg', await picture({ seed: 2, exif: takenAt('2020-08-01 14:22:33') }))
  writeFileIn(to.root, 'two.jpg', await picture({ seed: 3, exif: takenAt('2021-08-01 14:22:33') }))
  await moving.scan(from)
  await moving.scan(to)
  const id = (path: string) =>
    [...itemPlaces(moving.library)].find(([, place]) => place === `${from.id}: ${path}`)?.[0] ?? 0
  const before = fileHashes(from.root, from.variants, to.root, to.variants)
  return { moving, from, to, one: id('a/one.jpg'), two: id('two.jpg'), before }
}

describe('a transfer', () => {
  for (const far of [false, true]) {
    test.skipIf(far && otherDisk === null)(
      `moves items with all their files to a collection on ${far ? 'another' : 'the same'} disk`,
      async () => {
        const { moving, from, to, one, two, before } = await twoCollections({ otherDisk: far })
        const { library } = moving
        await library.db.transact({ userId: null }, tx => {
          tx.run(
            'UPDATE items SET rotation = 90, tags = json_set(tags, \'$.Description\', json(\'{"v":3,"u":1,"d":"hers"}\')) WHERE id = ?',
            one,
          )
        })
        chmodSync(join(from.root, 'a'), 0o700)
        const ended = await moving.transfer([one, two, one], to)
        expect(statSync(join(to.root, 'a')).mode & 0o777).toBe(0o700)
        expect(ended.figures).toEqual({ selected: 2, moved: 2, skipped: 0, failed: 0 })
        expect(listFiles(to.root)).toEqual(['a/one.cr2', 'a/one.jpg', 'a/one.jpg.xmp', 'two.jpg', 'two_2.jpg'])
        expect(listFiles(to.variants)).toEqual(['a/one.png'])
        expect(listFiles(from.root)).toEqual([])
        expect(listFiles(from.variants)).toEqual([])
        expect(itemPlaces(library).get(one)).toBe(`${to.id}: a/one.jpg`)
        expect(itemPlaces(library).get(two)).toBe(`${to.id}: two_2.jpg`)
        expect(findFaults(library, [from, to], before)).toEqual([])
        const item = library.items.get(terminalViewer, { id: one }, {})
        expect(item).toMatchObject({ collection_id: to.id, tags: { Description: { data: 'hers' } } })
        const counts = library.items.countByCollection(terminalViewer, true)
        expect([counts.get(from.id) ?? 0, counts.get(to.id)]).toEqual([0, 3])
        // The emptied folder belongs to the user and stays.
        expect(existsSync(join(from.root, 'a'))).toBe(true)
        expect((await moving.scan(to)).figures).toMatchObject(quiet)
        expect((await moving.scan(to, { full: true })).figures).toMatchObject({ new: 0, moved: 0, missing: 0 })
        expect((await moving.transfer([one, two], to)).figures).toMatchObject({ moved: 0, skipped: 2 })
      },
    )
  }

  test('into a managed collection uses its format; undated items keep their path', async () => {
    const { moving, from, to, one } = await twoCollections({ managed: true })
    writeFileIn(from.root, 'b/undated.jpg', await picture({ seed: 9 }))
    await moving.scan(from)
    const undated = [...itemPlaces(moving.library)].find(([, place]) => place.endsWith('b/undated.jpg'))?.[0] ?? 0
    await moving.transfer([one, undated], to)
    expect(itemPaths(moving.library, to)).toEqual(['2019/08/IMG_20190801_142233.jpg', 'b/undated.jpg', 'two.jpg'])
    expect(listFiles(to.variants)).toEqual(['2019/08/IMG_20190801_142233.png'])
  })

  test('sends events for both collections, and a message on its channel at the end', async () => {
    const { moving, from, to, two } = await twoCollections()
    const { db } = moving.library
    const last = db.get<{ id: number }>('SELECT max(id) AS id FROM events')?.id ?? 0
    const ended = await moving.transfer([two], to)
    const events = db
      .all<{ channel: string; message: string }>('SELECT channel, message FROM events WHERE id > ?', last)
      .map(({ channel, message }) => ({ channel, ...JSON.parse(message) }))
    expect(events).toContainEqual({
      channel: `collection-${from.id}`,
      action: 'delete',
      item: { id: two, collection_id: from.id },
    })
    expect(events).toContainEqual({
      channel: `collection-${to.id}`,
      action: 'create',
      item: { id: two, collection_id: to.id },
    })
    expect(events.filter(({ channel }) => channel === `task-${ended.id}`).at(-1)).toMatchObject({
      action: 'complete',
      job: { state: 'done', counts: { selected: 1, moved: 1, skipped: 0, failed: 0 } },
    })
  })

  test('skips recycled and missing items, and counts each kind', async () => {
    const { moving, to, one, two } = await twoCollections()
    await moving.library.db.transact({ userId: null }, tx => {
      tx.run('UPDATE items SET deleted = 5 WHERE id = ?', one)
      tx.run('UPDATE items SET missing = 5 WHERE id = ?', two)
    })
    const ended = await moving.transfer([one, two], to)
    expect(ended.figures).toEqual({ selected: 2, moved: 0, skipped: 2, failed: 0 })
    expect(ended.message).toBe('Skipped: 1 in the recycle bin, 1 with a missing file.')
  })

  test('requires create on the target and update on every item, and is refused completely if one item may not be moved', async () => {
    const { moving, from, to, one, two } = await twoCollections()
    const start = async (rights: [DiskCollection, 'view' | 'create' | 'update'][], items: number[]) =>
      startTransfer(moving.library, await userWith(moving, rights), to.id, items)
    const visitor = moving.library.sessions.anonymous()
    expect(startTransfer(moving.library, visitor, to.id, [one])).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(start([], [one])).rejects.toMatchObject({ code: 'notFound' })
    expect(start([[from, 'update']], [one])).rejects.toMatchObject({ code: 'notFound' })
    expect(start([[to, 'create']], [one])).rejects.toMatchObject({ code: 'notFound' })
    expect(
      start(
        [
          [to, 'view'],
          [from, 'update'],
        ],
        [one],
      ),
    ).rejects.toMatchObject({ code: 'denied' })
    expect(
      start(
        [
          [to, 'create'],
          [from, 'view'],
        ],
        [one],
      ),
    ).rejects.toMatchObject({ code: 'denied' })
    expect(
      start(
        [
          [to, 'create'],
          [from, 'update'],
        ],
        [one, 999_999],
      ),
    ).rejects.toMatchObject({ code: 'notFound' })
    await moving.library.db.transact({ userId: null }, tx => {
      tx.run(
        'INSERT INTO keystrings (content, content_key, is_associated_items_hidden) VALUES (?, ?, 1)',
        'secret',
        'secret',
      )
      const { id } = tx.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'secret'") ?? { id: 0 }
      tx.run('UPDATE items SET keys = json_array(json_array(? * 4, 1)), hidden_by = 1 WHERE id = ?', id, two)
    })
    expect(
      start(
        [
          [to, 'create'],
          [from, 'update'],
        ],
        [one, two],
      ),
    ).rejects.toMatchObject({ code: 'notFound' })
    expect(
      await start(
        [
          [to, 'create'],
          [from, 'update'],
        ],
        [one],
      ),
    ).toBeNumber()
  })

  test('is refused if either collection is read-only', async () => {
    for (const side of ['from', 'to'] as const) {
      const made = await twoCollections()
      await made.moving.library.db.transact({ userId: null }, tx =>
        tx.run('UPDATE collections SET readonly = 1 WHERE id = ?', made[side].id),
      )
      expect(made.moving.transfer([made.one], made.to)).rejects.toMatchObject({ code: 'denied' })
    }
  })

  test('occupies the lanes of both collections', async () => {
    const { moving, from, to, one } = await twoCollections()
    const { jobs } = moving.library
    const task = await startTransfer(moving.library, terminalViewer, to.id, [one])
    for (const { id } of [from, to])
      expect(jobs.enqueue(terminalViewer, 'scan', { collectionId: id })).rejects.toMatchObject({ code: 'busy' })
    const third = await moving.collection()
    expect(await jobs.enqueue(terminalViewer, 'scan', { collectionId: third.id })).toBeNumber()
    expect((await moving.run(task)).state).toBe('done')
    expect(await jobs.enqueue(terminalViewer, 'scan', { collectionId: from.id })).toBeNumber()
  })

  test('reports items that could not be moved, and moves the others', async () => {
    const { moving, from, to, one, two, before } = await twoCollections()
    rmSync(join(from.root, 'two.jpg'))
    mkdirSync(join(from.root, 'two.jpg'))
    const ended = await moving.transfer([two, one], to)
    expect(ended.figures).toEqual({ selected: 2, moved: 1, skipped: 0, failed: 1 })
    expect(moving.library.problems.list(terminalViewer, from.id)).toMatchObject([
      { path: 'two.jpg', code: 'move', reason: 'Its file is not where the last scan found it.' },
    ])
    expect(
      findFaults(
        moving.library,
        [from, to],
        before.filter(hash => fileHashes(from.root, to.root, from.variants, to.variants).includes(hash)),
      ).filter(fault => !fault.includes(`item ${two} `)),
    ).toEqual([])
  })

  test('moves nothing into a mount point whose disk is disconnected', async () => {
    const { moving, from, to, one, two } = await twoCollections()
    expect((await moving.transfer([one], to)).figures).toMatchObject({ moved: 1 })
    renameSync(to.root, `${to.root}.away`)
    mkdirSync(to.root)
    expect((await moving.transfer([two], to)).figures).toMatchObject({ moved: 0, failed: 1 })
    expect(moving.library.problems.list(terminalViewer, from.id)).toMatchObject([
      { path: 'two.jpg', code: 'move', reason: expect.stringContaining('is empty. Is its disk connected?') },
    ])
    expect(listFiles(to.root)).toEqual([])
  })
})

describe('undo', () => {
  async function undo({ library, run }: MovingLibrary, step: string, viewer: Viewer = terminalViewer) {
    const { undoStep, ...input } = library.history.planUndo(viewer, step)
    const ended = await run(await library.jobs.enqueue(viewer, 'undo', { ...input, undoStep }, { inProcess: true }))
    return { ended, undoStep }
  }

  function lastStep({ library }: MovingLibrary): string {
    return (
      library.db.get<{ step: string }>(
        "SELECT step FROM history WHERE operation = 'file.move' ORDER BY id DESC LIMIT 1",
      )?.step ?? ''
    )
  }

  for (const far of [false, true]) {
    test.skipIf(far && otherDisk === null)(
      `of a transfer ${far ? 'to another disk ' : ''}restores every file with its original name`,
      async () => {
        const { moving, from, to, one, two, before } = await twoCollections({ otherDisk: far, managed: true })
        const lists = [from.root, from.variants, to.root, to.variants].map(listFiles)
        const places = itemPlaces(moving.library)
        await moving.transfer([one, two], to)
        expect(listFiles(from.root)).toEqual([])
        const { ended } = await undo(moving, lastStep(moving))
        expect(ended.figures).toMatchObject({ undone: 2, changed: 0, gone: 0 })
        expect([from.root, from.variants, to.root, to.variants].map(listFiles)).toEqual(lists)
        expect(itemPlaces(moving.library)).toEqual(places)
        expect(findFaults(moving.library, [from, to], before)).toEqual([])
        expect((await moving.scan(from)).figures).toMatchObject(quiet)
        expect((await moving.scan(to)).figures).toMatchObject(quiet)
      },
    )
  }

  test('removes the folders created by the transfer, and no others', async () => {
    const folders = (root: string) =>
      readdirSync(root, { withFileTypes: true })
        .filter(entry => entry.isDirectory())
        .map(({ name }) => name)
    const { moving, from, to, one, two } = await twoCollections()
    await moving.transfer([one, two], to)
    expect(folders(to.root)).toEqual(['a'])
    await undo(moving, lastStep(moving))
    expect(folders(to.root)).toEqual([])
    expect(listFiles(from.root)).toContain('a/one.jpg')
    // An existing folder stays: the time of the transfer is set an hour later than that of the folder.
    mkdirSync(join(to.root, 'a'))
    await moving.transfer([one, two], to)
    const step = lastStep(moving)
    await moving.library.db.transact(terminalViewer, tx => {
      tx.run('UPDATE history SET at = at + 3600000 WHERE step = ?', step)
    })
    await undo(moving, step)
    expect(folders(to.root)).toEqual(['a'])
  })

  test('of a transfer out of private folders restores their permissions', async () => {
    const moving = openMovingLibrary()
    const [from, to] = [await moving.collection(), await moving.collection()]
    writeFileIn(from.root, 'private/inner/b.jpg', await picture({ seed: 2 }))
    for (const folder of ['private/inner', 'private']) chmodSync(join(from.root, folder), 0o750)
    await moving.scan(from)
    await moving.transfer([...itemPlaces(moving.library).keys()], to)
    const modesOf = (root: string) =>
      ['private', 'private/inner'].map(folder => statSync(join(root, folder)).mode & 0o777)
    expect([modesOf(from.root), modesOf(to.root)]).toEqual([
      [0o750, 0o750],
      [0o750, 0o750],
    ])
    await undo(moving, lastStep(moving))
    expect(modesOf(from.root)).toEqual([0o750, 0o750])
    expect(listFiles(to.root)).toEqual([])
  })

  test('of a sort in which one file took the previous name of another restores both names', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true, folderFormat: '', prefix: '' })
    // The first file has the name that the second will get.
    writeFileIn(own.root, '20200101_000000.jpg', await picture({ seed: 1, exif: takenAt('2019-01-01 00:00:00') }))
    writeFileIn(own.root, 'b.jpg', await picture({ seed: 2, exif: takenAt('2020-01-01 00:00:00') }))
    await moving.scan(own)
    const places = itemPlaces(moving.library)
    const before = fileHashes(own.root)
    await moving.sort(own)
    expect(listFiles(own.root)).toEqual(['20190101_000000.jpg', '20200101_000000.jpg'])
    await undo(moving, lastStep(moving))
    expect(itemPlaces(moving.library)).toEqual(places)
    expect(findFaults(moving.library, [own], before)).toEqual([])
    // The undo can itself be undone.
    await undo(moving, lastStep(moving))
    expect(listFiles(own.root)).toEqual(['20190101_000000.jpg', '20200101_000000.jpg'])
  })

  test('of many files is written in batches, like the sort', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true })
    const one = await picture({ seed: 1 })
    // Appended bytes make each content different, and the name has the date.
    for (let n = 0; n < 400; n++) {
      const second = String(n % 60).padStart(2, '0')
      const minute = String(Math.floor(n / 60)).padStart(2, '0')
      const taken = `2019-08-01 14.${minute}.${second}`
      writeFileIn(own.root, `${taken} trip.jpg`, Buffer.concat([one, Buffer.from(` ${n}`)]))
    }
    await moving.scan(own)
    const places = itemPlaces(moving.library)
    expect((await moving.sort(own)).figures).toMatchObject({ moved: 400 })
    const transact = spyOn(moving.library.db, 'transact')
    const { ended } = await undo(moving, lastStep(moving))
    const transactions = transact.mock.calls.length
    transact.mockRestore()
    expect(ended.figures).toMatchObject({ undone: 400, changed: 0 })
    expect(itemPlaces(moving.library)).toEqual(places)
    expect(transactions).toBeLessThan(200)
  }, 120_000)

  test('leaves items that were moved again, and never overwrites a file', async () => {
    const { moving, from, to, one, two } = await twoCollections()
    await moving.transfer([one, two], to)
    const step = lastStep(moving)
    writeFileIn(from.root, 'two.jpg', 'somebody put this here')
    const third = await moving.collection()
    await moving.transfer([one], third)
    const { ended } = await undo(moving, step)
    expect(ended.figures).toMatchObject({ undone: 0, changed: 2 })
    expect(itemPlaces(moving.library).get(one)).toBe(`${third.id}: a/one.jpg`)
    expect(itemPlaces(moving.library).get(two)).toBe(`${to.id}: two_2.jpg`)
  })
})
