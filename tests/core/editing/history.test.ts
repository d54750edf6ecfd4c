import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { createHistory } from '../../../core/editing/history.ts'
import { openEditingLibrary } from '../../support/editing-library.ts'
import { isLong } from '../../support/long.ts'

const refused = (code: string) => expect.objectContaining({ code })

describe('undo', () => {
  test('restores the item after each kind of edit, and undoing the undo repeats the edit', async () => {
    const { make, saveTag, tags, recycle, undo, lastStep, dump, db, expectCountersRight } = openEditingLibrary()
    const anna = await make.person('Anna')
    const id = await make.item({
      name: 'IMG_20190801_142233.jpg',
      keywords: ['Sea'],
      description: 'before',
      rating: 3,
      place: { latitude: 1, longitude: 2, placeName: 'Here' },
      boxes: [{ person: 'Ben', x: 10, y: 10, width: 50, height: 50 }],
    })
    const edits = [
      () => saveTag(id, 'Keywords', ['Mountain']),
      () => saveTag(id, 'Description', ''),
      () => saveTag(id, 'Rating', null),
      () => saveTag(id, 'Locations', null),
      () => saveTag(id, 'DateTimeOriginal', '1950-01-01'),
      () => saveTag(id, 'DateTimeOriginal', null),
      () => saveTag(id, 'People', []),
      () =>
        tags.saveRegion(
          terminalViewer,
          id,
          { tag: 'People', data: { person: anna, x: 100, y: 100, width: 50, height: 50 } },
          { ifMatch: null, mustExist: false },
        ),
      () => recycle.remove(terminalViewer, id),
      () => recycle.restore(terminalViewer, id),
    ]
    for (const edit of edits) {
      const before = dump()
      await edit()
      const after = dump()
      const step = lastStep()
      expect(step).toMatchObject({ undoable: true, undone: false, items: 1, item_id: id })
      expect((await undo(terminalViewer, step?.step ?? '')).counts).toMatchObject({ undone: 1, changed: 0, gone: 0 })
      expect(dump()).toEqual(before)
      expectCountersRight()
      const undoStep = lastStep()
      expect(undoStep).toMatchObject({ operation: 'undo', undoable: true })
      await undo(terminalViewer, undoStep?.step ?? '')
      expect(dump()).toEqual(after)
    }
    expect(db.get("SELECT 1 FROM jobs WHERE state <> 'done'")).toBeNull()
  })

  test('is not available after the item is purged, and the step no longer has the name of the item', async () => {
    const { make, recycle, lastStep, undo, db } = openEditingLibrary()
    const id = await make.item({ name: 'IMG_20190801_142233.jpg' })
    await recycle.remove(terminalViewer, id)
    const step = lastStep()
    expect(step).toMatchObject({ undoable: true, item_name: 'IMG_20190801_142233.jpg' })
    await db.transact(terminalViewer, tx => tx.run('DELETE FROM items WHERE id = ?', id))
    expect(lastStep()).toMatchObject({ step: step?.step, undoable: false, item_id: null, item_name: null })
    expect(() => undo(terminalViewer, step?.step ?? '')).toThrow('This can’t be undone.')
  })

  test('restores a thousand items (ten thousand in long runs) after a bulk edit', async () => {
    const copies = isLong ? 99 : 9
    const many = 100 * (copies + 1)
    const { make, bulkEdit, undo, lastStep, dump, expectCountersRight, db } = openEditingLibrary()
    const anna = await make.person('Anna')
    const collection = await make.collection()
    const ids: number[] = []
    for (let n = 0; n < 100; n++) {
      ids.push(
        await make.item({
          collection,
          keywords: [`k${n % 7}`, 'Sea'],
          category: ['Old'],
          taken: 1_500_000_000 + n * 86_400,
        }),
      )
    }
    // All other items are copies of the first hundred.
    await db.transact({ userId: null }, tx => {
      const columns =
        'collection_id, dir_id, name, type, taken_source, added, tags, keys, details, width, height, content'
      tx.run(
        `INSERT INTO items (taken, ${columns}) SELECT taken + n.value, ${columns} FROM items, (SELECT value FROM json_each(?)) AS n`,
        JSON.stringify(Array.from({ length: copies }, (_, n) => n + 1)),
      )
      tx.run(
        'INSERT INTO item_text (rowid, file) SELECT taken * 268435456 + id, name FROM items WHERE id > ?',
        ids.at(-1) ?? 0,
      )
    })
    const all = db.all<{ id: number }>('SELECT id FROM items').map(row => row.id)
    expect(all).toHaveLength(many)
    const before = dump()
    const done = await bulkEdit(terminalViewer, {
      items: all,
      changes: [
        { tagName: 'Keywords', mode: 'add', data: ['New'] },
        { tagName: 'Keywords', mode: 'replace', data: { from: ['Sea'], to: ['Ocean'] } },
        { tagName: 'Category', mode: 'set', data: [] },
        { tagName: 'People', mode: 'add', data: [{ person: anna }] },
        { tagName: 'Rating', mode: 'set', data: 5 },
      ],
    })
    expect(done.counts).toMatchObject({ changed: many })
    const after = dump()
    expect(after).not.toEqual(before)
    const step = lastStep()
    expect(step).toMatchObject({ operation: 'item.bulk', items: many, item_id: null, undoable: true })
    expect((await undo(terminalViewer, step?.step ?? '')).counts).toMatchObject({ undone: many, changed: 0, gone: 0 })
    expect(dump()).toEqual(before)
    await undo(terminalViewer, lastStep()?.step ?? '')
    expect(dump()).toEqual(after)
    expectCountersRight()
  }, 120_000)

  test('skips and counts items that were changed or removed after the step', async () => {
    const { make, bulkEdit, saveTag, undo, lastStep, get, db } = openEditingLibrary()
    const ids = [await make.item({}), await make.item({}), await make.item({})]
    const [first = 0, second = 0, third = 0] = ids
    await bulkEdit(terminalViewer, { items: ids, changes: [{ tagName: 'Keywords', mode: 'set', data: ['Sea'] }] })
    const step = lastStep()?.step ?? ''
    await saveTag(second, 'Keywords', ['Mountain'])
    // A change of another tag set does not prevent the undo.
    await saveTag(first, 'Description', 'since')
    await db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM files WHERE item_id = ?', third)
      tx.run('DELETE FROM items WHERE id = ?', third)
    })
    expect((await undo(terminalViewer, step)).counts).toMatchObject({ undone: 1, changed: 1, gone: 1 })
    expect(get(first).tags).toMatchObject({ Description: { data: 'since' } })
    expect(get(first).tags.Keywords).toBeUndefined()
    expect(get(second).tags.Keywords?.data).toMatchObject([{ content: 'Mountain' }])
  })

  test('is partial if an item was changed after the step, and can undo the rest later', async () => {
    const { make, bulkEdit, saveTag, undo, lastStep, history, get } = openEditingLibrary()
    const ids = [await make.item({}), await make.item({})]
    const [first = 0, second = 0] = ids
    await bulkEdit(terminalViewer, { items: ids, changes: [{ tagName: 'Description', mode: 'set', data: 'all' }] })
    const step = lastStep()?.step ?? ''
    const stepRow = () => history.list(terminalViewer, { collectionId: 0 }, {}).steps.find(known => known.step === step)
    await saveTag(second, 'Description', 'mine')
    const mine = lastStep()?.step ?? ''
    expect((await undo(terminalViewer, step)).counts).toMatchObject({ undone: 1, changed: 1 })
    expect(stepRow()).toMatchObject({ undone: false, partly_undone: true, undoable: true })
    await undo(terminalViewer, mine)
    expect((await undo(terminalViewer, step)).counts).toMatchObject({ undone: 1, changed: 0 })
    expect(stepRow()).toMatchObject({ undone: true, partly_undone: false, undoable: false })
    expect([first, second].map(id => get(id).tags.Description)).toEqual([undefined, undefined])
  })

  test('does not restore a deleted person', async () => {
    const { make, saveTag, undo, lastStep, db } = openEditingLibrary()
    const id = await make.item({ people: ['Anna'] })
    await saveTag(id, 'People', [])
    await db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM people')
    })
    expect((await undo(terminalViewer, lastStep()?.step ?? '')).counts).toMatchObject({ undone: 0, changed: 1 })
  })

  test('is possible only once, and only for operations that can be undone', async () => {
    const { make, saveTag, undo, lastStep, history, db } = openEditingLibrary()
    const id = await make.item({})
    await saveTag(id, 'Description', 'x')
    const step = lastStep()?.step ?? ''
    await undo(terminalViewer, step)
    expect(() => history.planUndo(terminalViewer, step)).toThrow(refused('conflict'))
    await db.transact({ userId: null, step: 'strange' }, tx =>
      tx.history({ operation: 'collection.create', collectionId: 1 }),
    )
    expect(lastStep()).toMatchObject({ step: 'strange', undoable: false })
    expect(() => history.planUndo(terminalViewer, 'strange')).toThrow(refused('conflict'))
    expect(() => history.planUndo(terminalViewer, 'never was')).toThrow(refused('notFound'))
  })

  test('calls undos from the last entry to the first, both undos within a transaction and undos of files', async () => {
    const calls: unknown[] = []
    const { make, db, undo, saveTag, lastStep, get } = openEditingLibrary({
      undos: {
        'word.merge': (tx, entry) => {
          calls.push(entry.before)
          tx.history({ operation: 'word.merge', collectionId: 1, before: entry.after, after: entry.before })
          return 'undone'
        },
        'file.move': {
          files: async (entries, actor) =>
            entries.map(entry => {
              calls.push([entry.before, actor.step !== entry.step])
              return 'undone'
            }),
        },
      },
    })
    const id = await make.item({ collection: await make.collection() })
    await saveTag(id, 'Description', 'x')
    await db.transact({ userId: null, step: 'all of it' }, tx => {
      tx.run(`INSERT INTO history (at, step, operation, collection_id, item_id, before, after)
        SELECT at, 'all of it', operation, collection_id, item_id, before, after FROM history`)
      tx.history({ operation: 'word.merge', collectionId: 1, before: 'a' })
      tx.history({ operation: 'file.move', collectionId: 1, before: 'b' })
      tx.history({ operation: 'file.move', collectionId: 1, before: 'c' })
      tx.history({ operation: 'word.merge', collectionId: 1, before: 'd' })
    })
    const row = await undo(terminalViewer, 'all of it')
    expect(row.counts).toMatchObject({ undone: 5 })
    expect(row.lane).toBe('collection-1')
    expect(calls).toEqual(['d', ['c', true], ['b', true], 'a'])
    expect(get(id).tags.Description).toBeUndefined()
    expect(db.get("SELECT count(*) AS n FROM history WHERE step = 'all of it' AND undone_by IS NULL")).toEqual({ n: 0 })
    expect(lastStep()).toMatchObject({ undoable: true })
  })

  test('continues after an interruption', async () => {
    const { make, bulkEdit, lastStep, history, jobs, db, get } = openEditingLibrary()
    const ids = [await make.item({}), await make.item({})]
    await bulkEdit(terminalViewer, { items: ids, changes: [{ tagName: 'Rating', mode: 'set', data: 2 }] })
    const planned = history.planUndo(terminalViewer, lastStep()?.step ?? '')
    const job = await jobs.enqueue(terminalViewer, 'undo', planned)
    // One entry was undone before the process died.
    await db.transact({ userId: null }, tx => {
      tx.run('UPDATE items SET rating = NULL WHERE id = ?', ids[1] ?? 0)
      tx.run('UPDATE history SET undone_by = ? WHERE item_id = ?', planned.undoStep, ids[1] ?? 0)
    })
    const row = await jobs.run(job)
    expect(JSON.parse(row?.counts ?? '{}')).toMatchObject({ undone: 2, changed: 0 })
    expect(ids.map(id => get(id).rating)).toEqual([null, null])
  })
})

describe('the history', () => {
  test('shows administrators the changes in their collections, and shows other users only their own changes', async () => {
    const { make, viewer, saveTag, bulkEdit, history, undo } = openEditingLibrary()
    const [admin, updater, other] = [await make.user('admin'), await make.user('updater'), await make.user()]
    const mine = await make.collection({ admins: [admin], updaters: [updater] })
    const theirs = await make.collection({ updaters: [updater] })
    const [a, b] = [await make.item({ collection: mine }), await make.item({ collection: theirs })]
    await saveTag(a, 'Description', 'by updater', { viewer: viewer(updater) })
    await saveTag(b, 'Description', 'by updater', { viewer: viewer(updater) })
    await bulkEdit(viewer(updater), { items: [a, b], changes: [{ tagName: 'Rating', mode: 'set', data: 1 }] })
    await saveTag(a, 'Description', 'by the terminal')
    const seen = (who: ReturnType<typeof viewer>, collectionId = 0) =>
      history.list(who, { collectionId }, {}).steps.map(({ username, items: n, item_id }) => [username, n, item_id])
    expect(seen(viewer(admin))).toEqual([
      [null, 1, a],
      ['updater', 1, a],
    ])
    expect(seen(viewer(updater))).toEqual([
      ['updater', 2, null],
      ['updater', 1, b],
      ['updater', 1, a],
    ])
    expect(seen(viewer(updater), theirs)).toEqual([
      ['updater', 2, null],
      ['updater', 1, b],
    ])
    expect(seen(viewer(other))).toEqual([])
    expect(seen(terminalViewer)).toHaveLength(4)
    expect(() => seen(viewer(null))).toThrow(refused('unauthenticated'))

    const [, both] = history.list(terminalViewer, { collectionId: 0 }, {}).steps
    expect(() => history.planUndo(viewer(admin), both?.step ?? '')).toThrow(refused('notFound'))
    expect(() => history.planUndo(viewer(other), both?.step ?? '')).toThrow(refused('notFound'))
    expect((await undo(viewer(updater), both?.step ?? '')).counts).toMatchObject({ undone: 2 })
  })

  test('omits the step of an item that the viewer cannot see', async () => {
    const { make, viewer, saveTag, history } = openEditingLibrary()
    const admin = await make.user()
    const collection = await make.collection({ admins: [admin] })
    await make.keystring('Private', { hidesItems: true })
    const id = await make.item({ collection, keywords: ['Private'] })
    await saveTag(id, 'Description', 'x', { viewer: viewer(admin, { unlocked: true }) })
    const itemIds = (unlocked: boolean, item?: number) =>
      history.list(viewer(admin, { unlocked }), { collectionId: 0 }, { item }).steps.map(step => step.item_id)
    expect(itemIds(false)).toEqual([])
    expect(itemIds(true)).toEqual([id])
    expect(itemIds(false, id)).toEqual([])
    expect(itemIds(true, id)).toEqual([id])
  })

  test('omits hidden items from a step that also has visible items, even before the job that hides them starts', async () => {
    const { make, viewer, bulkEdit, undo, history, db, expectCountersRight } = openEditingLibrary()
    const admin = await make.user()
    const [one, two] = [await make.collection({ admins: [admin] }), await make.collection({ admins: [admin] })]
    const word = await make.keystring('Private', { hidesItems: true })
    const shown = await make.item({ collection: one })
    const hidden = [
      await make.item({ collection: one, keywords: ['Private'] }),
      await make.item({ collection: two, keywords: ['Private'] }),
    ]
    const unlocked = viewer(admin, { unlocked: true })
    const rating = (data: number) => ({ changes: [{ tagName: 'Rating' as const, mode: 'set' as const, data }] })
    await bulkEdit(unlocked, { items: [shown, ...hidden], ...rating(1) }, unlocked.unlockValue ?? undefined)
    await bulkEdit(unlocked, { items: hidden, ...rating(2) }, unlocked.unlockValue ?? undefined)
    const [onHidden, onAll] = history.list(unlocked, { collectionId: 0 }, {}).steps
    expect([onHidden, onAll]).toMatchObject([
      { items: 2, item_id: null, collection_id: null },
      { items: 3, item_id: null, collection_id: null, partly_undone: false },
    ])
    await undo(unlocked, onHidden?.step ?? '')
    const locked = viewer(admin)
    const stepsOf = (collectionId: number) => history.list(locked, { collectionId }, {}).steps
    const shownPart = { step: onAll?.step, items: 1, item_id: shown, collection_id: one, undone: false, undoable: true }
    expect(stepsOf(0)).toMatchObject([shownPart])
    expect(stepsOf(one)).toMatchObject([shownPart])
    // The job that hides the items has not started yet.
    await db.transact({ userId: null }, tx => {
      tx.run('UPDATE items SET hidden_by = 0')
      tx.run('INSERT INTO pending_hide (keystring_id) VALUES (?)', word)
    })
    expect(stepsOf(0)).toMatchObject([shownPart])
    expectCountersRight()
  })

  test('lists a step of many entries without reading all entries', async () => {
    const { make, items, db } = openEditingLibrary()
    const collection = await make.collection()
    const ids = [await make.item({ collection }), await make.item({ collection })]
    await db.transact({ userId: null, step: 'many' }, tx => {
      for (const itemId of ids) tx.history({ operation: 'item.tag', collectionId: collection, itemId })
    })
    const queries: string[] = []
    const watched: typeof db = {
      ...db,
      all(text, ...values) {
        queries.push(typeof text === 'string' ? text : text.sql)
        return db.all(text, ...values)
      },
      get(text, ...values) {
        queries.push(typeof text === 'string' ? text : text.sql)
        return db.get(text, ...values)
      },
    }
    const history = createHistory({ db: watched, items, undos: {} })
    expect(history.list(terminalViewer, { collectionId: 0 }, {}).steps).toMatchObject([{ step: 'many', items: 2 }])
    expect(history.list(terminalViewer, { collectionId: collection }, {}).steps).toHaveLength(1)
    expect(queries.filter(text => /\bhistory\b/.test(text) && !/LIMIT 1$/.test(text))).toEqual([])
    const walks = queries.filter(text => text.includes('FROM history_parts') && text.includes('ORDER BY newest_id'))
    const plans = walks.map(text =>
      db
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...(text.match(/\?/g) ?? []).map(() => 1))
        .map(({ detail }) => detail),
    )
    expect(plans.length).toBeGreaterThan(0)
    for (const plan of plans) expect(plan).toEqual([expect.stringMatching(/^SEARCH history_parts USING .*INDEX/)])
  })

  test('has each step once in its pages, even if entries of several steps alternate', async () => {
    const { make, history, db } = openEditingLibrary()
    const collection = await make.collection()
    const id = await make.item({ collection })
    await db.transact({ userId: null }, tx => {
      for (let n = 0; n < 400; n++) {
        tx.run(
          "INSERT INTO history (at, step, operation, collection_id, item_id, before, after) VALUES (?, ?, 'item.tag', ?, ?, '{}', '{}')",
          n,
          `step ${n % 130}`,
          collection,
          id,
        )
      }
    })
    const steps: string[] = []
    let before: number | undefined
    for (let page = 0; page < 10; page++) {
      const result = history.list(terminalViewer, { collectionId: collection }, { before })
      steps.push(...result.steps.map(({ step }) => step))
      if (result.next === null) break
      before = result.next
    }
    expect(steps).toHaveLength(130)
    expect(new Set(steps).size).toBe(130)
    expect(steps[0]).toBe(`step ${399 % 130}`)
  })
})
