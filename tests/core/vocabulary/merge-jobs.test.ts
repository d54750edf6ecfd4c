import { describe, expect, test } from 'bun:test'
import { createRights } from '../../../core/accounts/rights.ts'
import { createAlbums } from '../../../core/albums/albums.ts'
import { changeItem, requireItemToEdit } from '../../../core/editing/item-edit.ts'
import { undoJob } from '../../../core/editing/undo-job.ts'
import { createItems } from '../../../core/items/items.ts'
import { createOnThisDay } from '../../../core/items/on-this-day.ts'
import { silentLog } from '../../../core/kernel/log.ts'
import { createFaces } from '../../../core/people/faces/faces.ts'
import { mergedBoxes, peopleMerge, redoPeopleMerge, undoPeopleMerge } from '../../../core/people/merge-people.ts'
import { createPeople } from '../../../core/people/people.ts'
import { createScreensavers } from '../../../core/sharing/screensavers.ts'
import { hideJob } from '../../../core/vocabulary/hide-job.ts'
import { createKeystrings } from '../../../core/vocabulary/keystring-table.ts'
import { mergeJob, startMerge } from '../../../core/vocabulary/merge-jobs.ts'
import { keystringsMerge, redoKeystringsMerge, undoKeystringsMerge } from '../../../core/vocabulary/merge-keystrings.ts'
import { textJob } from '../../../core/vocabulary/text-job.ts'
import { queueVocabularyWork } from '../../../core/vocabulary/vocabulary-due.ts'
import { createJobs } from '../../../core/work/jobs.ts'
import type { FilterEntry } from '../../../schema/api/items.ts'
import { links } from '../../../schema/tables/sharing.ts'
import { addDetectedFaces } from '../../support/faces.ts'
import { openTestLibrary, unlockValue } from '../../support/library.ts'

async function library() {
  const { db, make, clock, viewer } = openTestLibrary()
  const undos = {
    'person.merge': undoPeopleMerge,
    'person.restore': redoPeopleMerge,
    'keystring.merge': undoKeystringsMerge,
    'keystring.restore': redoKeystringsMerge,
  }
  const kinds = [
    hideJob({ db }),
    textJob({ db }),
    mergeJob({ db }, 'merge-people', peopleMerge),
    mergeJob({ db }, 'merge-keystrings', keystringsMerge),
    undoJob({ db, rights: createRights(db), undos }),
  ]
  const jobs = createJobs({ db, clock, log: silentLog, kinds })
  const queueRemainingWork = () => queueVocabularyWork({ db, clock, jobs, log: silentLog })
  const adminId = await make.user('admin', { globalAdmin: true })
  const admin = viewer(adminId)
  const publicCollection = await make.collection({ public: true })
  const items = createItems({ db })
  const search = (q: string) => items.list(admin, { collectionId: 0 }, { q })._meta.total_records

  /** Runs a job and the jobs that follow from it. */
  async function finish(id: number) {
    const row = await jobs.run(id)
    expect(row?.state).toBe('done')
    await queueRemainingWork()
    for (const { id: next } of jobs.waiting()) await jobs.run(next)
  }
  const merge = async (kind: 'merge-people' | 'merge-keystrings', id: number, otherId: number) =>
    finish((await startMerge({ db, jobs }, admin, kind, { id, otherId })).taskid)

  /** Undoes the given step; or the last merge, which may be a redone one; or the last step of any kind. */
  async function undo(which: 'merge' | 'last' | { step: string } = 'merge') {
    const found = db.get<{ step: string }>(
      "SELECT step FROM history WHERE operation LIKE '%.merge' OR ? ORDER BY id DESC",
      which === 'last' ? 1 : 0,
    )
    const { step } = typeof which === 'object' ? which : (found ?? {})
    const input = { step, undoStep: crypto.randomUUID(), userId: adminId, collectionId: null, lane: 'undo' }
    const id = await jobs.enqueue(admin, 'undo', input)
    await finish(id)
    return jobs.row(id)
  }

  /** Everything that a merge changes, except versions of tags, which undo never restores. */
  function dump() {
    const tables = {
      people: 'SELECT * FROM people ORDER BY id',
      names: 'SELECT * FROM person_names ORDER BY id',
      faces: 'SELECT * FROM faces ORDER BY id',
      keystrings: 'SELECT * FROM keystrings ORDER BY id',
      regions: 'SELECT id, item_id, type, person_id, object_id, x, y, width, height, source FROM regions ORDER BY id',
      keyed: 'SELECT * FROM keyed ORDER BY key, item_id',
      counts: 'SELECT * FROM key_count ORDER BY key, collection_id, state, tags',
      items: 'SELECT id, state, hidden_by, keys, tags, taken, rating, rotation FROM items ORDER BY id',
      pending: 'SELECT * FROM pending_hide',
      due: 'SELECT * FROM text_due',
      albums: 'SELECT id, query FROM albums ORDER BY id',
      savers: 'SELECT id, filters FROM screensavers ORDER BY id',
      links: 'SELECT id, subject FROM links ORDER BY id',
      words: 'SELECT term, doc, col FROM item_words ORDER BY term, doc, col, offset',
    }
    const text = Object.entries(tables).map(([name, sql]) => [name, db.all(sql)])
    return JSON.parse(JSON.stringify(text).replace(/\\"v\\":\d+/g, '\\"v\\":0'))
  }
  const albums = createAlbums({ db, clock, items })
  const onThisDay = createOnThisDay({ items, clock })
  const savers = createScreensavers({ db, clock, items, onThisDay, rights: createRights(db) })
  /** Creates an album and a screen saver that both search for this keystring or person, and a link to the person. */
  async function createReferences(entry: Pick<FilterEntry, 'type' | 'id'>) {
    const filtergroups = [
      [{ ...entry, mode: 0 as const }],
      [{ type: 'Object' as const, id: entry.id, mode: 0 as const }],
    ]
    const album = await albums.create(admin, {
      kind: 'search',
      name: 'Album',
      query: { filtergroups: JSON.stringify(filtergroups) },
    })
    await savers.create(admin, { name: 'Saver', filtergroups })
    const link = {
      lookup: 'l',
      sealedName: 's',
      kind: 'person',
      subject: entry.id,
      userId: adminId,
      createdAt: 0,
    } as const
    if (entry.type === 'Person')
      await db.transact({ userId: adminId }, tx => void tx.orm.insert(links).values(link).run())
    return {
      albumItemCount: () => albums.get(admin, album.id).items,
      filters: () => db.get<{ text: string }>('SELECT query || filters AS text FROM albums, screensavers')?.text ?? '',
      linkedPerson: () => db.get('SELECT subject FROM links'),
    }
  }
  return {
    db,
    make,
    createReferences,
    clock,
    viewer,
    jobs,
    kinds,
    admin,
    publicCollection,
    items,
    search,
    merge,
    undo,
    dump,
    finish,
    queueRemainingWork,
  }
}

type Setup = Awaited<ReturnType<typeof library>>

const refusal = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error)

/** Expects both saved filters to name `id`, which was kept, and also an object that has the removed one's number. */
function expectReplaced(filters: string, type: string, { id, otherId }: { id: number; otherId: number }) {
  const entries = [...filters.matchAll(/"type\W+(\w+)\W+mode\W+0\W+id\W+(\d+)/g)].map(([, type, id]) => `${type} ${id}`)
  const wanted = [`${type} ${id}`, `Object ${otherId}`]
  expect(entries).toEqual([...wanted, ...wanted])
}

async function twoPeople(setup: Setup) {
  const { db, make, publicCollection, admin, clock } = setup
  const people = createPeople({ db, items: createItems({ db }), queueRemainingWork: setup.queueRemainingWork })
  const anna = (await people.create(admin, { names: ['Anna Berg', { name: 'Anni', finish: 0 }] })).id
  const other = (
    await people.create(admin, {
      names: ['Anna Thal', 'anna berg', { name: 'Anni', finish: 0 }],
      birthdate: '1980-02-01',
    })
  ).id
  for (let n = 0; n < 5; n++) await make.item({ collection: publicCollection, people: ['Anna Berg'], taken: 1_000 + n })
  for (let n = 0; n < 240; n++) {
    await make.item({ collection: publicCollection, people: ['Anna Thal', 'Carl'], taken: 2_000 + n })
  }
  // Two pictures show both people. In the first, their boxes differ. In the second, both have the same box, and Anna
  // Thal also has a region without a box.
  const box = { x: 10, y: 10, width: 50, height: 50 }
  await make.item({
    collection: publicCollection,
    boxes: [
      { person: 'Anna Berg', ...box },
      { person: 'Anna Thal', ...box, x: 500 },
    ],
  })
  const both = await make.item({
    collection: publicCollection,
    boxes: [{ person: 'Anna Berg', ...box }, { person: 'Anna Thal', ...box }, { person: 'Anna Thal' }],
  })
  await make.item({ collection: publicCollection, people: ['Anna Thal'], deleted: 7 })
  const faces = createFaces({ db, clock })
  const region = db.get<{ id: number }>(
    'SELECT id FROM regions WHERE item_id = ? AND person_id = ? AND width > 0',
    both,
    other,
  )
  const vector = Array.from({ length: 1024 }, (_, n) => n)
  await faces.add(admin, other, { object: region?.id ?? 0, embedding_data: vector })
  await faces.add(admin, other, { embedding_data: vector })
  await people.update(admin, other, { cover: both })
  return { people, anna, other, both, references: await setup.createReferences({ type: 'Person', id: other }) }
}

describe('merging two people', () => {
  test('moves all items, names and faces to the first person and removes the other', async () => {
    const setup = await library()
    const { db, search, merge } = setup
    const { people, anna, other, both, references } = await twoPeople(setup)
    await merge('merge-people', anna, other)
    expect(references.albumItemCount()).toBe(247)
    expect(references.linkedPerson()).toEqual({ subject: anna })
    expectReplaced(references.filters(), 'Person', { id: anna, otherId: other })
    expect(db.get('SELECT cover FROM people WHERE id = ?', anna)).toEqual({ cover: both })
    const [merged, ...others] = people.list(setup.admin, {})
    expect(merged).toMatchObject({ id: anna, birthdate: '1980-02-01', itemcount: 247 })
    expect(merged?.names.map(({ name }) => name).sort()).toEqual(['Anna Berg', 'Anna Thal', 'Anni'])
    expect(others.map(({ names }) => names[0]?.name)).toEqual(['Carl'])
    expect([search('person:thal'), search('person:berg'), search('person:carl')]).toEqual([247, 247, 240])
    expect(db.all('SELECT DISTINCT person_id AS person FROM faces')).toEqual([{ person: anna }])
    expect(db.all('SELECT id FROM regions WHERE item_id = ?', both)).toHaveLength(1)
    expect(db.get('SELECT count(DISTINCT step) AS n FROM history WHERE operation = ?', 'person.merge')).toEqual({
      n: 1,
    })
  })

  test('can be undone completely', async () => {
    const setup = await library()
    const { anna, other } = await twoPeople(setup)
    const before = setup.dump()
    await setup.merge('merge-people', anna, other)
    expect(setup.dump()).not.toEqual(before)
    const job = await setup.undo()
    expect(JSON.parse(job?.counts ?? '{}')).toMatchObject({ changed: 0, gone: 0, refused: 0 })
    expect(setup.dump()).toEqual(before)
  })

  test('can be undone and redone repeatedly', async () => {
    const setup = await library()
    const { anna, other } = await twoPeople(setup)
    const before = setup.dump()
    await setup.merge('merge-people', anna, other)
    const after = setup.dump()
    const steps = () => setup.db.all<{ step: string }>('SELECT DISTINCT step FROM history ORDER BY id')
    const merge = steps().at(-1) ?? { step: '' }
    for (let n = 0; n < 2; n++) {
      await setup.undo('last')
      expect(setup.dump()).toEqual(before)
      await setup.undo('last')
      expect(setup.dump()).toEqual(after)
    }
    // The merge itself can be undone again.
    expect(setup.db.get('SELECT 1 FROM history WHERE step = ? AND undone_by IS NOT NULL', merge.step)).toBeNull()
    await setup.undo(merge)
    expect(setup.dump()).toEqual(before)
  }, 30_000)

  test('and undoing the merge duplicates no known face', async () => {
    const setup = await library()
    const { anna, other } = await twoPeople(setup)
    const box = { x: 10, y: 10, width: 50, height: 50 }
    const boxes = ['Anna Thal', 'Anna Berg'].map(person => ({ person, ...box }))
    await addDetectedFaces(setup.db, await setup.make.item({ collection: setup.publicCollection, boxes }), [
      { who: 1, ...box },
    ])
    const known = () => setup.db.all('SELECT person_id, region_id FROM faces ORDER BY id')
    const before = known()
    expect(before).toHaveLength(3)
    await setup.merge('merge-people', anna, other)
    await setup.undo()
    expect(known()).toEqual(before)
  })

  test('when redone, leaves the other person on pictures that were added since', async () => {
    const setup = await library()
    const { db, make, publicCollection } = setup
    const { anna, other } = await twoPeople(setup)
    await setup.merge('merge-people', anna, other)
    await setup.undo()
    const late = await make.item({ collection: publicCollection, people: ['Anna Thal'] })
    const job = await setup.undo('last')
    expect(JSON.parse(job?.counts ?? '{}')).toMatchObject({ changed: 1, gone: 0, refused: 0 })
    expect(db.all('SELECT item_id AS id FROM regions WHERE person_id = ?', other)).toEqual([{ id: late }])
  }, 30_000)

  test('resumes in the same step, and can be undone when half done', async () => {
    const setup = await library()
    const { db, jobs, clock, kinds } = setup
    const { anna, other } = await twoPeople(setup)
    const before = setup.dump()
    const regionsOfOther = () =>
      db.get<{ n: number }>('SELECT count(*) AS n FROM regions WHERE person_id = ?', other)?.n ?? 0
    const regionsBefore = regionsOfOther()
    const abort = new AbortController()
    const { taskid: id } = await startMerge({ db, jobs }, setup.admin, 'merge-people', {
      id: anna,
      otherId: other,
    })
    await jobs.run(id, { signal: abort.signal, onProgress: ({ done = 0 }) => done > 0 && abort.abort() })
    // A slow machine merges only one item in the first batch.
    expect(regionsOfOther()).toBeWithin(1, regionsBefore)
    // Queues the job again, as recovery does after its process was killed.
    await db.transact({ userId: null }, tx => {
      tx.run("UPDATE jobs SET state = 'queued', finished_at = NULL WHERE id = ?", id)
    })
    await createJobs({ db, clock, log: silentLog, kinds }).run(id)
    expect(db.get('SELECT 1 FROM people WHERE id = ?', other)).toBeNull()
    expect(db.get('SELECT count(DISTINCT step) AS n FROM history WHERE operation = ?', 'person.merge')).toEqual({
      n: 1,
    })
    await setup.undo()
    expect(setup.dump()).toEqual(before)

    const { taskid: again } = await startMerge({ db, jobs }, setup.admin, 'merge-people', {
      id: anna,
      otherId: other,
    })
    const stop = new AbortController()
    await jobs.run(again, { signal: stop.signal, onProgress: ({ done = 0 }) => done > 0 && stop.abort() })
    await setup.undo()
    expect(setup.dump()).toEqual(before)
  })

  test('when undone, does not change items that were edited since', async () => {
    const setup = await library()
    const { db } = setup
    const { anna, other, both } = await twoPeople(setup)
    await setup.merge('merge-people', anna, other)
    await db.transact({ userId: null }, tx => void tx.run('UPDATE regions SET x = 77 WHERE item_id = ?', both))
    const job = await setup.undo()
    expect(JSON.parse(job?.counts ?? '{}')).toMatchObject({ changed: 1 })
    expect(db.all('SELECT DISTINCT person_id AS person FROM regions WHERE item_id = ?', both)).toEqual([
      { person: anna },
    ])
    expect(db.get('SELECT count(*) AS n FROM regions WHERE person_id = ?', other)).toEqual({ n: 242 })
  })

  test('requires a global admin and two different people', async () => {
    const setup = await library()
    const { db, jobs, admin, make, viewer } = setup
    const [a, b] = [await make.person('A'), await make.person('B')]
    const start = (id: number, otherId: number, who = admin) =>
      refusal(startMerge({ db, jobs }, who, 'merge-people', { id, otherId }))
    expect(await start(a, b, viewer(null))).toMatchObject({ code: 'unauthenticated' })
    expect(await start(a, b, viewer(await make.user()))).toMatchObject({ code: 'denied' })
    expect(await start(a, 99)).toMatchObject({ code: 'notFound' })
    expect(await start(a, a)).toMatchObject({ code: 'invalid', field: 'otherId' })
    expect(await start(a, b)).toBeNull()
    expect(await start(a, b)).toMatchObject({ code: 'busy' })
    // No other person can be merged into a person who is being merged.
    expect(await start(b, await make.person('C'))).toMatchObject({ code: 'busy' })
  })

  const regionAt = (id: number, subject: number, x: number) => ({
    id,
    subject,
    x,
    y: x,
    width: x,
    height: x,
    source: 'file' as const,
  })
  const cases: [string, ReturnType<typeof regionAt>[], ReturnType<typeof regionAt>[]][] = [
    [
      'all regions of the other are kept if the first has none',
      [regionAt(1, 2, 5), regionAt(2, 2, 0)],
      [regionAt(1, 1, 5), regionAt(2, 1, 0)],
    ],
    ['two places remain two', [regionAt(1, 1, 5), regionAt(2, 2, 9)], [regionAt(1, 1, 5), regionAt(2, 1, 9)]],
    ['two boxes at the same place become one', [regionAt(1, 1, 5), regionAt(2, 2, 5)], [regionAt(1, 1, 5)]],
    ['a box replaces a region without a box', [regionAt(1, 1, 0), regionAt(2, 2, 5)], [regionAt(2, 1, 5)]],
    ['two regions without a box become one', [regionAt(1, 1, 0), regionAt(2, 2, 0)], [regionAt(1, 1, 0)]],
    [
      'regions of other people do not change',
      [regionAt(1, 1, 5), regionAt(2, 2, 5), regionAt(3, 7, 5)],
      [regionAt(1, 1, 5), regionAt(3, 7, 5)],
    ],
  ]
  for (const [title, boxes, wanted] of cases) {
    test(title, () => expect(mergedBoxes(boxes, 1, 2)).toEqual(wanted))
  }
})

describe('merging two keystrings', () => {
  async function twoWords(setup: Setup, flags: { hidden?: boolean; hidesItems?: boolean } = {}) {
    const { make, publicCollection } = setup
    const sea = await make.keystring('Sea')
    const ocean = await make.keystring('Ocean')
    for (let n = 0; n < 5; n++)
      await make.item({ collection: publicCollection, keywords: ['Sea', 'Sun'], taken: 1_000 + n })
    for (let n = 0; n < 230; n++)
      await make.item({ collection: publicCollection, keywords: ['Ocean', 'Sun'], taken: 2_000 + n })
    await make.item({
      collection: publicCollection,
      keywords: ['Sun', 'Ocean', 'Sea'],
      category: ['Ocean'],
      author: ['Sea'],
    })
    await make.item({ collection: publicCollection, keywords: ['Ocean'], missing: 9 })
    await make.item({ collection: publicCollection, keywords: ['Sun'] })
    const keystrings = createKeystrings({
      db: setup.db,
      queueRemainingWork: setup.queueRemainingWork,
      jobs: { enqueue: async () => 0 },
    })
    if (flags.hidden === true) await keystrings.update(setup.admin, ocean, { isHidden: true })
    if (flags.hidesItems === true) await keystrings.update(setup.admin, ocean, { isAssociatedItemsHidden: true })
    for (const { id } of setup.jobs.waiting()) await setup.jobs.run(id)
    return { keystrings, sea, ocean, references: await setup.createReferences({ type: 'Keyword', id: ocean }) }
  }

  test('replaces the other keystring on all items, without duplicates and in the same position', async () => {
    const setup = await library()
    const { db, merge, search, admin } = setup
    const { keystrings, sea, ocean, references } = await twoWords(setup)
    await merge('merge-keystrings', sea, ocean)
    expect(references.albumItemCount()).toBe(236)
    expectReplaced(references.filters(), 'Keyword', { id: sea, otherId: ocean })
    expect(keystrings.listAll(admin, {}).map(({ content, itemcount }) => [content, itemcount])).toEqual([
      ['Sea', 236],
      ['Sun', 237],
    ])
    expect([search('keyword:ocean'), search('keyword:sea'), search('category:sea'), search('author:sea')]).toEqual([
      0, 236, 1, 1,
    ])
    const sun = db.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'Sun'")?.id
    const [both] = db.all<{ tags: string }>('SELECT tags FROM items WHERE tags LIKE ?', '%Category%')
    expect(JSON.parse(both?.tags ?? '')).toMatchObject({ Keywords: { d: [sun, sea] }, Category: { d: [sea] } })
    expect(db.get('SELECT 1 FROM keyed WHERE key = ?', ocean * 4)).toBeNull()
  })

  for (const flags of [{}, { hidden: true }, { hidesItems: true }, { hidden: true, hidesItems: true }]) {
    test(`can be undone completely: ${JSON.stringify(flags)}`, async () => {
      const setup = await library()
      const { sea, ocean } = await twoWords(setup, flags)
      const before = setup.dump()
      await setup.merge('merge-keystrings', sea, ocean)
      expect(setup.dump()).not.toEqual(before)
      const after = setup.dump()
      const job = await setup.undo()
      expect(JSON.parse(job?.counts ?? '{}')).toMatchObject({ changed: 0, gone: 0, refused: 0 })
      expect(setup.dump()).toEqual(before)
      for (const wanted of [after, before, after]) {
        await setup.undo('last')
        expect(setup.dump()).toEqual(wanted)
      }
    }, 30_000)
  }

  test('hides the items of both from the start, and undoing shows nothing too early', async () => {
    const setup = await library()
    const { db, items, viewer, make } = setup
    const { keystrings, sea, ocean } = await twoWords(setup, { hidesItems: true })
    const visitor = viewer(null)
    const unlocked = viewer(await make.user(), { unlocked: true })
    const total = () => items.list(visitor, { collectionId: 0 }, {})._meta.total_records
    const all = () => items.list(unlocked, { collectionId: 0 }, { includeHidden: unlockValue })._meta.total_records
    expect([total(), all()]).toEqual([6, 237])
    const seen: number[] = []
    const stop = db.onEvents(() => seen.push(total()))
    await setup.merge('merge-keystrings', sea, ocean)
    const untilMerged = seen.splice(0)
    await setup.undo()
    stop()
    // Six are visible until the merge's first transaction, then only the one with neither keystring.
    expect(new Set(untilMerged)).toEqual(new Set([6, 1]))
    expect(untilMerged.indexOf(1)).toBeLessThan(3)
    expect(seen.every(n => n === 1 || n === 6)).toBe(true)
    expect([total(), all()]).toEqual([6, 237])
    expect(
      keystrings.listAll(setup.admin, {}).filter(({ isAssociatedItemsHidden }) => isAssociatedItemsHidden),
    ).toMatchObject([{ content: 'Ocean' }])
  })

  test('when undone, keeps hiding an item that was edited since and still has the first keystring', async () => {
    const setup = await library()
    const { db, items, viewer } = setup
    const { sea, ocean } = await twoWords(setup, { hidesItems: true })
    await setup.merge('merge-keystrings', sea, ocean)
    const item = db.get<{ id: number }>('SELECT id FROM items WHERE taken = 2000')?.id ?? 0
    await db.transact({ userId: null }, tx => {
      const before = requireItemToEdit(tx, item)
      changeItem(tx, before, { tags: { Keywords: { d: [sea], u: 1 } } }, { operation: 'item.tag' })
    })
    const job = await setup.undo()
    expect(JSON.parse(job?.counts ?? '{}')).toMatchObject({ changed: 2 })
    const list = items.list(viewer(null), { collectionId: 0 }, { limit: 500 })
    expect(list.items.some(({ id }) => id === item)).toBe(false)
    // As this item keeps the first keystring, that keystring hides all its items until an admin changes this.
    expect(list._meta.total_records).toBe(1)
  })

  test('when undone, restores the other keystring with a number if a file has created the same word since', async () => {
    const setup = await library()
    const { sea, ocean } = await twoWords(setup)
    await setup.merge('merge-keystrings', sea, ocean)
    await setup.make.item({ collection: setup.publicCollection, keywords: ['ocean'] })
    await setup.undo()
    const contents = setup.db.all('SELECT id, content FROM keystrings WHERE content LIKE ? ORDER BY id', 'ocean%')
    expect(contents).toMatchObject([{ id: ocean, content: 'Ocean 2' }, { content: 'ocean' }])
    expect(setup.search('keyword:"ocean 2"')).toBe(231)
  })
})
