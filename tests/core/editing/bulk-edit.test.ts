import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { planBulkEdit } from '../../../core/editing/bulk-edit-job.ts'
import { latestYear } from '../../../schema/api/parts/latest-year.ts'
import { openEditingLibrary } from '../../support/editing-library.ts'

const refused = (code: string, field?: string) =>
  expect.objectContaining({ code, ...(field === undefined ? {} : { field }) })

async function openLibraryWithItems(n: number) {
  const library = openEditingLibrary()
  const ids: number[] = []
  for (let i = 0; i < n; i++) {
    ids.push(
      await library.make.item({ keywords: i % 2 === 0 ? ['Sea', 'Old', 'Sand'] : ['Mountain'], category: ['Old'] }),
    )
  }
  const words = (id: number, name: 'Keywords' | 'Category') =>
    (library.get(id).tags[name]?.data ?? []).map(({ content }) => content)
  return { ...library, ids, words }
}

describe('a bulk edit', () => {
  test('applies all changes to each item, as one step with fewer events of the collection than items', async () => {
    const { ids, words, bulkEdit, make, db, lastStep, get, expectCountersRight, searchIds } =
      await openLibraryWithItems(6)
    const anna = await make.person('Anna')
    const before = db.get<{ id: number }>('SELECT max(id) AS id FROM events')?.id ?? 0
    const refusal = await bulkEdit(terminalViewer, {
      items: [...ids, ...ids.slice(0, 1), 987],
      changes: [
        { tagName: 'Keywords', mode: 'add', data: ['New'] },
        { tagName: 'Keywords', mode: 'remove', data: ['mountain', 'never heard of'] },
        { tagName: 'Category', mode: 'set', data: ['Travel'] },
        { tagName: 'People', mode: 'add', data: [{ person: anna }] },
        { tagName: 'Rating', mode: 'set', data: 4 },
      ],
    }).catch((error: unknown) => error)
    // One unknown item makes the whole edit fail.
    expect(refusal).toEqual(refused('notFound'))
    const done = await bulkEdit(terminalViewer, {
      items: ids,
      changes: [
        { tagName: 'Keywords', mode: 'add', data: ['New'] },
        { tagName: 'Keywords', mode: 'remove', data: ['mountain', 'never heard of'] },
        { tagName: 'Category', mode: 'set', data: ['Travel'] },
        { tagName: 'People', mode: 'add', data: [{ person: anna }] },
        { tagName: 'Rating', mode: 'set', data: 4 },
      ],
    })
    expect(done).toMatchObject({ state: 'done', counts: { changed: 6, unchanged: 0, gone: 0, refused: 0 } })
    expect(words(ids[0] ?? 0, 'Keywords')).toEqual(['Sea', 'Old', 'Sand', 'New'])
    expect(words(ids[1] ?? 0, 'Keywords')).toEqual(['New'])
    expect(words(ids[1] ?? 0, 'Category')).toEqual(['Travel'])
    expect(get(ids[2] ?? 0)).toMatchObject({ rating: 4 })
    expect(searchIds('person:anna').sort()).toEqual([...ids].sort())
    expect(db.get("SELECT 1 FROM keystrings WHERE content = 'never heard of'")).toBeNull()
    expect(lastStep()).toMatchObject({ operation: 'item.bulk', items: 6, undoable: true })
    const published = db.all<{ channel: string }>(
      "SELECT channel FROM events WHERE id > ? AND channel LIKE 'collection-%'",
      before,
    )
    // The job publishes an event before each of its pauses: only one in all unless the machine is slow.
    expect(published.length).toBeGreaterThan(0)
    expect(published.length).toBeLessThan(ids.length)
    expectCountersRight()
  })

  test('replaces a keystring at its position, on items that have it', async () => {
    const { ids, words, bulkEdit } = await openLibraryWithItems(2)
    const done = await bulkEdit(terminalViewer, {
      items: ids,
      changes: [
        { tagName: 'Keywords', mode: 'replace', data: { from: ['old'], to: ['Newer', 'Newest'] } },
        { tagName: 'Category', mode: 'replace', data: { from: ['Nothing of that'], to: ['x'] } },
      ],
    })
    expect(done.counts).toMatchObject({ changed: 1, unchanged: 1 })
    expect(words(ids[0] ?? 0, 'Keywords')).toEqual(['Sea', 'Newer', 'Newest', 'Sand'])
    expect(words(ids[1] ?? 0, 'Keywords')).toEqual(['Mountain'])
    expect(words(ids[0] ?? 0, 'Category')).toEqual(['Old'])
  })

  test('that fails while it replaces a keystring keeps the items that it has already saved', async () => {
    const { ids, words, db, bulkEdit, lastStep } = await openLibraryWithItems(6)
    const failing = ids[4] ?? 0
    const stop = "BEGIN SELECT raise(ABORT, 'stopped'); END"
    await db.transact(
      { userId: null },
      tx => tx.run(`CREATE TRIGGER stop BEFORE UPDATE ON items WHEN old.id = ${failing} ${stop}`).changes,
    )
    const before = db.get<{ id: number }>('SELECT max(id) AS id FROM events')?.id ?? 0
    const changes = [{ tagName: 'Category', mode: 'replace', data: { from: ['Old'], to: ['Newer'] } }] as const
    expect(await bulkEdit(terminalViewer, { items: ids, changes }).catch(({ message }) => message)).toBe('stopped')
    const job = db.get<{ counts: string }>("SELECT state, done, total, counts FROM jobs WHERE kind = 'edit'")
    expect(job).toMatchObject({ state: 'failed', done: 4, total: 6 })
    expect(JSON.parse(job?.counts ?? '')).toMatchObject({ changed: 4 })
    expect(ids.map(id => words(id, 'Category')[0])).toEqual(['Newer', 'Newer', 'Newer', 'Newer', 'Old', 'Old'])
    // The items saved so far form one step, and at least one event of the collection was published.
    expect(lastStep()).toMatchObject({ operation: 'item.bulk', items: 4, undoable: true })
    const published = db.all("SELECT 1 FROM events WHERE id > ? AND channel LIKE 'collection-%'", before)
    expect(published.length).toBeGreaterThan(0)
  })

  test('changes nothing when repeated', async () => {
    const { ids, bulkEdit, changeCounts } = await openLibraryWithItems(3)
    const edit = { items: ids, changes: [{ tagName: 'Author', mode: 'set', data: ['Zoë'] }] } as const
    await bulkEdit(terminalViewer, edit)
    const before = changeCounts()
    expect((await bulkEdit(terminalViewer, edit)).counts).toMatchObject({ changed: 0, unchanged: 3 })
    expect(changeCounts().history).toBe(before.history)
  })

  test('keeps the boxes of people who are in the new list, and removes all other boxes', async () => {
    const { bulkEdit, make, get } = openEditingLibrary()
    const id = await make.item({ boxes: [{ person: 'Anna', x: 10, y: 10, width: 20, height: 20 }, { person: 'Ben' }] })
    const people = () => get(id).tags.People?.data ?? []
    const [anna, ben] = people().map(({ person }) => person)
    const cleo = await make.person('Cleo')
    const change = (mode: 'set' | 'remove', persons: (number | undefined)[]) =>
      bulkEdit(terminalViewer, {
        items: [id],
        changes: [{ tagName: 'People', mode, data: persons.map(person => ({ person })) }],
      })
    await change('set', [anna, cleo])
    expect(people().map(({ person, x, width }) => ({ person, x, width }))).toEqual([
      { person: anna ?? 0, x: 10, width: 20 },
      { person: cleo, x: 0, width: 0 },
    ])
    await change('remove', [anna, ben])
    expect(people()).toMatchObject([{ person: cleo }])
  })

  test('is refused as a whole if one item may not be changed or the data is invalid', async () => {
    const { make, viewer, bulkEdit, db, dump } = openEditingLibrary()
    const user = await make.user()
    const [mine, seen, unseen] = [
      await make.item({ collection: await make.collection({ updaters: [user] }) }),
      await make.item({ collection: await make.collection({ viewers: [user] }) }),
      await make.item({ collection: await make.collection() }),
    ]
    const before = dump()
    const attempt = (
      items: number[],
      change: { tagName: 'Keywords' | 'Rating'; mode: 'add' | 'replace'; data: unknown },
      who = viewer(user),
    ) => bulkEdit(who, { items, changes: [change] }).catch((error: unknown) => error)
    const good = { tagName: 'Keywords', mode: 'add', data: ['x'] } as const
    expect(await attempt([mine, seen], good)).toEqual(refused('denied'))
    expect(await attempt([mine, unseen], good)).toEqual(refused('notFound'))
    expect(await attempt([mine], good, viewer(null))).toEqual(refused('unauthenticated'))
    expect(await attempt([mine], { tagName: 'Rating', mode: 'add', data: 5 })).toEqual(
      refused('invalid', 'changes.0.data'),
    )
    expect(await attempt([mine], { tagName: 'Rating', mode: 'replace', data: { from: ['a'], to: [] } })).toEqual(
      refused('invalid', 'changes.0.data'),
    )
    expect(await attempt([mine], { tagName: 'Keywords', mode: 'replace', data: { from: [], to: [] } })).toEqual(
      refused('invalid', 'changes.0.data.from'),
    )
    expect(await attempt([mine], { tagName: 'Keywords', mode: 'add', data: [{ id: 987 }] })).toEqual(
      refused('invalid', 'changes.0.data.0.id'),
    )
    expect(dump()).toEqual(before)
    expect(db.get('SELECT count(*) AS n FROM jobs')).toEqual({ n: 0 })
  })

  test('checks rights when it runs', async () => {
    const { make, viewer, items, db, runJob, get } = openEditingLibrary()
    const user = await make.user()
    const id = await make.item({ collection: await make.collection({ updaters: [user] }) })
    const edit = { items: [id], changes: [{ tagName: 'Keywords', mode: 'add', data: ['x'] }] } as const
    const planned = await planBulkEdit({ db, items }, viewer(user), edit, undefined)
    await db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM access_members WHERE user_id = ?', user)
    })
    expect((await runJob(viewer(user), 'edit', planned)).counts).toMatchObject({ changed: 0, refused: 1 })
    expect(get(id).tags.Keywords).toBeUndefined()
  })

  test('shifts dates once, leaves those with their own zone or out of range, and is undone as one step', async () => {
    const { make, bulkEdit, items, db, runJob, get, lastStep, undo, dump, expectCountersRight } = openEditingLibrary()
    const item = async (taken: string, offset: number | null, source: string) => {
      const id = await make.item({ taken })
      await db.transact({ userId: null }, tx => {
        tx.run('UPDATE items SET taken_offset = ?, taken_source = ? WHERE id = ?', offset, source, id)
      })
      return id
    }
    const last = `${latestYear()}-12-31 23:30:00`
    const ids = [
      await item('2019-08-31 23:31:00', null, 'exif-original'),
      await item('2019-08-03 08:12:00', 120, 'file'),
      await item('2019-08-03 08:12:00', 120, 'exif-original'),
      await item(last, null, 'exif-original'),
    ]
    await db.transact({ userId: null }, tx => {
      tx.run("UPDATE collections SET write_back = 'file'")
    })
    const before = dump()
    const shift = (seconds: unknown) =>
      ({ items: ids, changes: [{ tagName: 'DateTimeOriginal', mode: 'shift', data: seconds }] }) as const
    const planned = await planBulkEdit({ db, items }, terminalViewer, shift(3600), undefined)
    // A job that is resumed after it has changed its items does not shift them twice.
    for (const unchanged of [2, 2]) {
      const { counts } = await runJob(terminalViewer, 'edit', planned)
      expect(counts).toMatchObject({ changed: 2, unchanged })
    }
    expect(ids.map(id => [get(id).taken_at, get(id).date_source])).toEqual([
      ['2019-09-01 00:31:00', 'user'],
      ['2019-08-03 09:12:00', 'user'],
      ['2019-08-03 08:12:00', 'exif-original'],
      [last, 'exif-original'],
    ])
    expect(get(ids[0] ?? 0).tags.DateTimeOriginal?.data).toBe('2019-09-01 00:31:00')
    expect(db.all('SELECT item_id FROM metadata_due ORDER BY 1')).toEqual(ids.slice(0, 2).map(item_id => ({ item_id })))
    expect(lastStep()).toMatchObject({ operation: 'item.bulk', items: 2, undoable: true })
    expectCountersRight()
    // A date that a user has set can be shifted again, also back over the end of the month.
    await bulkEdit(terminalViewer, shift(-3600))
    expect(get(ids[0] ?? 0).taken_at).toBe('2019-08-31 23:31:00')
    await undo(terminalViewer, lastStep()?.step ?? '')
    expect((await undo(terminalViewer, planned.step)).counts).toMatchObject({ undone: 2 })
    expect(dump()).toEqual(before)
    for (const data of ['1', 1.5, 1e12]) {
      expect(await bulkEdit(terminalViewer, shift(data)).catch(error => error)).toEqual(
        refused('invalid', 'changes.0.data'),
      )
    }
    const wrong = { items: ids, changes: [{ tagName: 'Rating', mode: 'shift', data: 1 }] } as const
    expect(await bulkEdit(terminalViewer, wrong).catch(error => error)).toEqual(refused('invalid', 'changes.0.data'))
  })
})
