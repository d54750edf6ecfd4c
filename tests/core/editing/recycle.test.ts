import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { purgeItem } from '../../../core/editing/purge.ts'
import { clockHasJumped, purgeIsDue } from '../../../core/editing/purge-job.ts'
import { seconds } from '../../../core/kernel/clock.ts'
import { renditionPath } from '../../../core/media/cache/renditions.ts'
import { limits } from '../../../schema/limits.ts'
import { openEditingLibrary } from '../../support/editing-library.ts'
import type { TestItem } from '../../support/library.ts'

const refused = (code: string) => expect.objectContaining({ code })
const day = 86_400

/** A library with a collection whose directory exists, and helpers that add items and files to it. */
async function onDisk() {
  const library = openEditingLibrary()
  const { make, db, directory, cache } = library
  const root = join(directory, 'pictures')
  mkdirSync(join(root, 'sub'), { recursive: true })
  const collection = await make.collection({ path: root })

  /** Writes a file and records it like a scan. */
  async function put(item: number | null, path: string, role = 'sidecar') {
    writeFileSync(join(root, path), `content of ${path}`)
    const { size, mtimeNs } = statSync(join(root, path), { bigint: true })
    await db.transact({ userId: null }, tx => {
      const dir = tx.get<{ id: number }>('SELECT id FROM dirs WHERE path = ?', path.includes('/') ? 'sub' : '')?.id ?? 0
      tx.run(
        `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET size = excluded.size, mtime = excluded.mtime, mtime_ns = excluded.mtime_ns`,
        dir,
        Buffer.from(path.split('/').at(-1) ?? ''),
        item,
        role,
        Number(size),
        Number(mtimeNs / 1_000_000_000n),
        Number(mtimeNs % 1_000_000_000n),
      )
    })
  }

  async function photo(name: string, more: TestItem = {}) {
    const id = await make.item({ collection, folder: 'sub', name, ...more })
    await put(id, `sub/${name}`, 'main')
    return id
  }

  const rendition = (content: string) => renditionPath(cache, content, 'tiny')
  return {
    ...library,
    root,
    collection,
    put,
    photo,
    listed: () => readdirSync(join(root, 'sub')).sort(),
    rendition,
    makeRendition(content: string) {
      mkdirSync(join(rendition(content), '..'), { recursive: true })
      writeFileSync(rendition(content), 'webp')
    },
    isThere: (id: number) => db.get('SELECT 1 FROM items WHERE id = ?', id) !== null,
    setReadonly: () =>
      db.transact({ userId: null }, tx => {
        tx.run('UPDATE collections SET readonly = 1')
      }),
  }
}

describe('deleting an item', () => {
  test('keeps a sidecar that another picture uses', async () => {
    const { photo, put, recycle, listed, isThere } = await onDisk()
    const first = await photo('a.jpg')
    await photo('a.png')
    await put(first, 'sub/a.xmp')
    await put(first, 'sub/a.jpg.xmp')
    await recycle.remove(terminalViewer, first)
    await recycle.remove(terminalViewer, first)
    expect(isThere(first)).toBe(false)
    expect(listed()).toEqual(['a.png', 'a.xmp'])
  })

  test('recycles it, and restoring brings it back', async () => {
    const { make, recycle, get, items, lastStep, clock } = openEditingLibrary()
    const id = await make.item({})
    await recycle.remove(terminalViewer, id)
    expect(get(id).properties).toEqual([{ name: 'Deleted', value: seconds(clock) }])
    expect(items.list(terminalViewer, { collectionId: 0 }, {}).items).toEqual([])
    const bin = items.listOf(terminalViewer, { collectionId: 0, path: '/v1/item/deleted', which: 'deleted' }, {})
    expect(bin.items.map(item => item.id)).toEqual([id])
    expect(bin._links.self).toStartWith('/v1/item/deleted/0?')
    expect(lastStep()?.operation).toBe('item.recycle')
    await recycle.restore(terminalViewer, id)
    expect(items.list(terminalViewer, { collectionId: 0 }, {}).items).toHaveLength(1)
    const step = lastStep()?.step
    await expect(recycle.restore(terminalViewer, id)).rejects.toMatchObject({ code: 'conflict' })
    expect(lastStep()?.step).toBe(step ?? '')
  })

  test('that is recycled purges it with its regions, shares, renditions, sidecars and companions', async () => {
    const { photo, put, recycle, listed, isThere, db, makeRendition, rendition, make, searchIds } = await onDisk()
    const user = await make.user()
    const id = await photo('a.jpg', { keywords: ['Sea'], people: ['Anna'], content: 'abc-1' })
    const twin = await photo('twin.jpg', { content: 'abc-1' })
    await put(id, 'sub/a.dng', 'companion')
    await put(id, 'sub/a.jpg.xmp')
    await put(null, 'sub/other.txt', 'none')
    makeRendition('abc-1')
    await db.transact({ userId: null }, tx => {
      tx.run("INSERT INTO shares (lookup, item_id, user_id, created_at, expires_at) VALUES ('s', ?, ?, 0, 1)", id, user)
    })
    // A sidecar that another program has changed is removed too.
    writeFileSync(join(db.path, '..', 'pictures', 'sub', 'a.jpg.xmp'), 'changed by another program')
    await recycle.remove(terminalViewer, id)
    expect(listed()).toHaveLength(5)
    await recycle.remove(terminalViewer, id)
    expect(listed()).toEqual(['other.txt', 'twin.jpg'])
    expect(isThere(id)).toBe(false)
    expect(searchIds('keyword:sea')).toEqual([])
    for (const table of ['regions', 'shares', 'journal']) expect(db.all(`SELECT * FROM ${table}`)).toEqual([])
    // Another item still uses the rendition.
    expect(existsSync(rendition('abc-1'))).toBe(true)
    await recycle.remove(terminalViewer, twin)
    await recycle.remove(terminalViewer, twin)
    expect(existsSync(rendition('abc-1'))).toBe(false)
    expect(listed()).toEqual(['other.txt'])
  })

  test('in a read-only collection keeps its files and adds a tombstone', async () => {
    const { photo, recycle, listed, isThere, db, setReadonly } = await onDisk()
    const id = await photo('a.jpg', { content: 'abc-1' })
    await setReadonly()
    await recycle.remove(terminalViewer, id)
    await recycle.remove(terminalViewer, id)
    expect(isThere(id)).toBe(false)
    expect(listed()).toEqual(['a.jpg'])
    expect(db.get('SELECT path, content FROM tombstones')).toEqual({ path: 'sub/a.jpg', content: 'abc-1' })
    expect(db.get('SELECT item_id, role FROM files')).toEqual({ item_id: null, role: 'none' })
  })

  test('that is recycled succeeds if its file is gone, and fails if the file was replaced or its disk is absent', async () => {
    const { photo, recycle, isThere, root, listed, db } = await onDisk()
    const [gone, other, away] = [await photo('gone.jpg'), await photo('other.jpg'), await photo('away.jpg')]
    for (const id of [gone, other, away]) await recycle.remove(terminalViewer, id)
    rmSync(join(root, 'sub', 'gone.jpg'))
    await recycle.remove(terminalViewer, gone)
    expect(isThere(gone)).toBe(false)
    writeFileSync(join(root, 'sub', 'other.jpg'), 'a picture that nobody has recycled')
    const refusal = await recycle.remove(terminalViewer, other).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'conflict', message: expect.stringContaining('sub/other.jpg was changed') })
    renameSync(root, `${root}-away`)
    expect(await recycle.remove(terminalViewer, away).catch((error: unknown) => error)).toEqual(refused('conflict'))
    mkdirSync(root)
    expect(await recycle.remove(terminalViewer, away).catch((error: unknown) => error)).toEqual(refused('conflict'))
    rmSync(root, { recursive: true })
    renameSync(`${root}-away`, root)
    expect([isThere(other), isThere(away)]).toEqual([true, true])
    expect(listed()).toEqual(['away.jpg', 'other.jpg'])
    expect(db.all('SELECT * FROM journal')).toEqual([])
  })

  test('requires the right `update`, and deleting a recycled item requires the right `admin`', async () => {
    const library = openEditingLibrary()
    const { make, recycle, viewer, db } = library
    const isThere = (id: number) => db.get('SELECT 1 FROM items WHERE id = ?', id) !== null
    const [seer, updater, admin] = [await make.user(), await make.user(), await make.user()]
    const collection = await make.collection({ viewers: [seer], updaters: [updater], admins: [admin] })
    const id = await make.item({ collection })
    await library.db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM files')
    })
    const attempt = (who: number | null) => recycle.remove(viewer(who), id).catch((error: unknown) => error)
    expect(await attempt(null)).toEqual(refused('unauthenticated'))
    expect(await attempt(seer)).toEqual(refused('denied'))
    expect(await attempt(updater)).toBeUndefined()
    expect(await attempt(seer)).toEqual(refused('notFound'))
    expect(await attempt(updater)).toEqual(refused('denied'))
    expect(await recycle.restore(viewer(seer), id).catch((error: unknown) => error)).toEqual(refused('notFound'))
    expect(isThere(id)).toBe(true)
    expect(await attempt(admin)).toBeUndefined()
    expect(isThere(id)).toBe(false)
  })
})

describe('lists of recycled and missing items', () => {
  test('are paged by links and have only items that the viewer may update', async () => {
    const { make, items, viewer } = openEditingLibrary()
    const [seer, updater] = [await make.user(), await make.user()]
    const collection = await make.collection({ viewers: [seer], updaters: [updater], public: true })
    await make.keystring('Private', { hidesItems: true })
    const gone: Record<'deleted' | 'missing', number[]> = { deleted: [], missing: [] }
    for (let n = 0; n < 25; n++) {
      gone.deleted.push(await make.item({ collection, deleted: 5, taken: 1_000_000 + n }))
      gone.missing.push(await make.item({ collection, missing: 5, taken: 1_000_000 + n }))
    }
    await make.item({ collection })
    await make.item({ collection: await make.collection(), deleted: 5 })
    for (const which of ['deleted', 'missing'] as const) {
      await make.item({ collection, [which]: 5, keywords: ['Private'] })
      const path = `/v1/item/${which}`
      const page = (who: number | null, query: { cursor?: string; page?: number }) =>
        items.listOf(viewer(who), { collectionId: collection, path, which }, { limit: 10, ...query })
      const found: number[] = []
      let next: string | null = `${path}/${collection}?`
      while (next !== null) {
        const parameters = new URL(next, 'http://keepsake.test').searchParams
        const cursor = parameters.get('cursor')
        const result = page(updater, {
          ...(cursor === null ? {} : { cursor }),
          page: Number(parameters.get('page') ?? 1),
        })
        expect(result._meta.total_records).toBe(25)
        found.push(...result.items.map(({ id }) => id))
        next = result._links.next
      }
      expect(found).toEqual(gone[which].toReversed())
      expect(page(seer, {})).toMatchObject({ _meta: { total_records: 0 }, items: [] })
      expect(page(null, {}).items).toEqual([])
    }
  })
})

describe('missing items', () => {
  const vanish = (library: Awaited<ReturnType<typeof onDisk>>, id: number) =>
    library.db.transact({ userId: null }, tx => {
      tx.run('UPDATE items SET missing = 5 WHERE id = ?', id)
      tx.run('DELETE FROM files WHERE item_id = ?', id)
    })

  test('when deleted, are forgotten if their files are gone, or shown again if the files are back', async () => {
    const library = await onDisk()
    const { photo, recycle, isThere, get, db, listed, root } = library
    const [gone, back] = [
      await photo('gone.jpg', { description: 'kept' }),
      await photo('back.jpg', { description: 'kept' }),
    ]
    for (const id of [gone, back]) await vanish(library, id)
    rmSync(join(root, 'sub', 'gone.jpg'))
    await recycle.remove(terminalViewer, gone)
    expect(isThere(gone)).toBe(false)
    await recycle.remove(terminalViewer, back)
    expect(get(back)).toMatchObject({ properties: [], tags: { Description: { data: 'kept' } } })
    expect(db.get('SELECT role, size FROM files WHERE item_id = ?', back)).toEqual({ role: 'main', size: 0 })
    expect(listed()).toEqual(['back.jpg'])
  })

  test('can all be forgotten at once where the user may update', async () => {
    const library = await onDisk()
    const { photo, recycle, viewer, make, collection, root } = library
    const updater = await make.user()
    const own = await make.collection({ path: join(root, '..', 'own'), updaters: [updater] })
    mkdirSync(join(root, '..', 'own'))
    const ids = [await photo('a.jpg'), await photo('b.jpg'), await make.item({ collection: own })]
    for (const id of ids) await vanish(library, id)
    rmSync(join(root, 'sub', 'a.jpg'))
    const refusal = await recycle.forgetMissing(viewer(updater), collection).catch((error: unknown) => error)
    expect(refusal).toEqual(refused('notFound'))
    expect(await recycle.forgetMissing(viewer(updater), 0)).toEqual({ forgotten: 1, back: 0 })
    expect(await recycle.forgetMissing(terminalViewer, collection)).toEqual({ forgotten: 1, back: 1 })
    expect(await recycle.forgetMissing(terminalViewer, 0)).toEqual({ forgotten: 0, back: 0 })
  })

  test('are not forgotten while the whole directory is absent', async () => {
    const library = await onDisk()
    const id = await library.photo('a.jpg')
    await vanish(library, id)
    renameSync(library.root, `${library.root}-away`)
    expect(await library.recycle.remove(terminalViewer, id).catch((error: unknown) => error)).toEqual(
      refused('conflict'),
    )
    expect(library.isThere(id)).toBe(true)
  })
})

describe('an interrupted removal', () => {
  /** A renamed file and its journal row, as left by a process killed `before` or `after` it removed the item's rows. */
  async function createInterruptedPurge(at: 'before' | 'after', holder = -4_194_305) {
    const library = await onDisk()
    const { photo, db, root } = library
    const id = await photo('a.jpg', { deleted: 5 })
    const source = join(root, 'sub', 'a.jpg')
    const aside = join(root, 'sub', '.keepsake-0123456789abcdef.tmp')
    const { size } = statSync(source)
    renameSync(source, aside)
    const row =
      at === 'before'
        ? { operation: 'move', source, destination: aside, state: 'planned' }
        : { operation: 'remove', source: aside, destination: null, state: 'recorded' }
    await db.transact({ userId: null }, tx => {
      tx.run(
        `INSERT INTO journal (job_id, unit, operation, item_id, source, destination, size, state, at)
         VALUES (?, 'unit', ?, ?, ?, ?, ?, ?, 0)`,
        holder,
        row.operation,
        id,
        Buffer.from(row.source),
        row.destination === null ? null : Buffer.from(row.destination),
        size,
        row.state,
      )
    })
    return { ...library, id }
  }

  test('is undone if the rows were not removed yet: the file gets its name back', async () => {
    const { journal, listed, db, root } = await createInterruptedPurge('before')
    expect(await journal.recover()).toMatchObject({ undone: 1 })
    expect(listed()).toEqual(['a.jpg'])
    expect(readFileSync(join(root, 'sub', 'a.jpg'), 'utf8')).toBe('content of sub/a.jpg')
    expect(db.all('SELECT * FROM journal')).toEqual([])
  })

  test('is finished if the rows were removed: the file is removed, and a new file with its name stays', async () => {
    const { journal, listed, root, db } = await createInterruptedPurge('after')
    writeFileSync(join(root, 'sub', 'a.jpg'), 'new')
    expect(await journal.recover()).toMatchObject({ finished: 1 })
    expect(listed()).toEqual(['a.jpg'])
    expect(readFileSync(join(root, 'sub', 'a.jpg'), 'utf8')).toBe('new')
    expect(db.all('SELECT * FROM journal')).toEqual([])
  })

  test('is not recovered while its process is alive', async () => {
    const { journal, listed } = await createInterruptedPurge('after', -process.pid)
    expect(await journal.recover()).toEqual({ finished: 0, undone: 0, left: 0 })
    expect(listed()).toEqual(['.keepsake-0123456789abcdef.tmp'])
  })

  test('restores the other files of the item if one of them cannot be removed', async () => {
    const { photo, put, recycle, listed, db, root, isThere, disk, clock, cache, journal, log } = await onDisk()
    const id = await photo('a.jpg', { deleted: 5 })
    await put(id, 'sub/a.dng', 'companion')
    await put(id, 'sub/a.xmp')
    // Another program removes the file between the check and the removal.
    const stat: typeof disk.stat = place => {
      const found = disk.stat(place)
      if (Buffer.from(place.path).toString() === 'sub/a.jpg') rmSync(join(root, 'sub', 'a.jpg'))
      return found
    }
    const refusal = await purgeItem({ db, clock, cache, journal, log, disk: { ...disk, stat } }, { userId: null }, id, {
      jobId: null,
      quiet: true,
    }).catch((error: unknown) => error)
    expect(refusal).toEqual(refused('conflict'))
    expect(listed()).toEqual(['a.dng', 'a.xmp'])
    expect(isThere(id)).toBe(true)
    expect(db.all('SELECT * FROM journal')).toEqual([])
    await recycle.remove(terminalViewer, id)
    expect(listed()).toEqual([])
  })
})

describe('emptying the recycle bin', () => {
  test('purges items that the user administers, except items that were recycled later or are hidden from the user', async () => {
    const library = await onDisk()
    const { make, viewer, recycle, runJob, db, clock, collection } = library
    const admin = await make.user()
    const own = await make.collection({ admins: [admin] })
    await make.keystring('Private', { hidesItems: true })
    const now = seconds(clock)
    const ids = {
      mine: await make.item({ collection: own, deleted: now }),
      later: await make.item({ collection: own, deleted: now + 10 }),
      hidden: await make.item({ collection: own, deleted: now, keywords: ['Private'] }),
      live: await make.item({ collection: own }),
      others: await make.item({ collection, deleted: now }),
    }
    await db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM files')
    })
    expect(() => recycle.planPurge(viewer(admin), collection)).toThrow(refused('notFound'))
    const row = await runJob(viewer(admin), 'purge', recycle.planPurge(viewer(admin), 0))
    expect(row).toMatchObject({ state: 'done', counts: { deleted: 1, kept: 0, waiting: 0 } })
    const left = db.all<{ id: number }>('SELECT id FROM items').map(({ id }) => id)
    expect(left.sort()).toEqual([ids.later, ids.hidden, ids.live, ids.others].sort())
  })

  test('continues after an item that cannot be purged, and reports the reason', async () => {
    const { photo, runJob, recycle, root, collection, isThere, db } = await onDisk()
    const [first, second] = [await photo('a.jpg', { deleted: 5 }), await photo('b.jpg', { deleted: 6 })]
    writeFileSync(join(root, 'sub', 'a.jpg'), 'another picture')
    const row = await runJob(terminalViewer, 'purge', recycle.planPurge(terminalViewer, collection))
    expect(row).toMatchObject({ state: 'done', problems: 1, counts: { deleted: 1, kept: 1 } })
    expect(row.message).toContain('sub/a.jpg was changed')
    expect([isThere(first), isThere(second)]).toEqual([true, false])
    expect(db.get("SELECT count(*) AS n FROM history WHERE operation = 'item.purge'")).toEqual({ n: 1 })
  })
})

describe('items past their time in the recycle bin', () => {
  async function bin(count: number) {
    const library = openEditingLibrary({ recycleDays: 30 })
    const { make, clock, db } = library
    const now = seconds(clock)
    const collection = await make.collection()
    for (let n = 0; n < count; n++) await make.item({ collection, deleted: now - 31 * day })
    const young = await make.item({ collection, deleted: now - 29 * day })
    await db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM files')
    })
    const addActivity = (daysAgo: number) =>
      db.transact({ userId: null }, tx => {
        tx.run("INSERT INTO history (at, step, operation) VALUES (?, 'x', 'x')", clock.now() - daysAgo * day * 1000)
      })
    const left = () => db.get<{ n: number }>('SELECT count(*) AS n FROM items')?.n
    return { ...library, young, addActivity, left, parts: { db, clock, settings: library.settings } }
  }

  test('are all purged if the clock has not jumped', async () => {
    const { addActivity, runJob, left, parts } = await bin(limits.purgedUnasked + 5)
    await addActivity(1)
    expect(purgeIsDue(parts)).toBe(true)
    expect(await runJob(terminalViewer, 'purge', {})).toMatchObject({
      state: 'done',
      counts: { deleted: limits.purgedUnasked + 5, waiting: 0 },
    })
    expect(left()).toBe(1)
    expect(purgeIsDue(parts)).toBe(false)
    expect(purgeIsDue({ ...parts, settings: { recycle_days: null } })).toBe(false)
  })

  test('are purged a hundred a run after the clock has jumped, until a user empties the recycle bin', async () => {
    const { addActivity, runJob, left, jobs, recycle, db, clock } = await bin(2 * limits.purgedUnasked + 5)
    await addActivity(200)
    const first = await runJob(terminalViewer, 'purge', {})
    expect(first).toMatchObject({
      state: 'stopped',
      counts: { deleted: limits.purgedUnasked, waiting: limits.purgedUnasked + 5 },
    })
    expect(first.message).toContain('clock')
    clock.advance(3_600)
    // The previous run is recent activity, but does not show that the clock is right.
    const second = await runJob(terminalViewer, 'purge', {})
    expect(second.counts).toMatchObject({ deleted: limits.purgedUnasked, waiting: 5 })
    expect(jobs.list(terminalViewer, 'active')).toEqual([])
    expect((await runJob(terminalViewer, 'purge', recycle.planPurge(terminalViewer, 0))).counts).toMatchObject({
      deleted: 6,
    })
    expect(left()).toBe(0)
    const newest = db.get<{ id: number }>('SELECT max(id) AS id FROM jobs')?.id ?? 0
    clock.advance(31 * day)
    await db.transact({ userId: null }, tx => tx.history({ operation: 'x' }))
    expect(clockHasJumped({ db, clock }, newest + 1, 30 * day)).toBe(false)
  })
})

describe('recycling many items', () => {
  test('is a job with one step that skips recycled and missing items', async () => {
    const { photo, recycle, runJob, db, lastStep, undo, dump } = await onDisk()
    const ids: number[] = []
    for (let n = 0; n < 203; n++) ids.push(await photo(`${n}.jpg`, n === 201 ? { missing: 1_000 } : {}))
    const [first = 0] = ids
    await recycle.remove(terminalViewer, first)
    const before = dump()
    const { step, job } = await recycle.removeMany(terminalViewer, ids)
    const row = await runJob(terminalViewer, 'recycle', job)
    expect(row.counts).toEqual({ changed: 201, unchanged: 2, gone: 0, refused: 0 })
    expect(db.get('SELECT count(*) AS n FROM items WHERE deleted IS NOT NULL')).toEqual({ n: 202 })
    expect(lastStep()).toMatchObject({ step, operation: 'item.recycle', items: 201, undoable: true })
    await undo(terminalViewer, step)
    expect(dump()).toEqual(before)
  })
})
