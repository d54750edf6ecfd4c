/** Cached texts of lists equal uncached lists, for every viewer and after every change. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Viewer } from '../../../core/accounts/access.ts'
import { createItems } from '../../../core/items/items.ts'
import { systemClock } from '../../../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../../../core/kernel/database/database.ts'
import type { FilterQuery, PageQuery } from '../../../schema/api/items.ts'
import { itemSorts } from '../../../schema/limits.ts'
import { openTestLibrary, unlockValue } from '../../support/library.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

/** Items of two collections, and viewers who each see different items or metadata. */
async function library() {
  const { db, make, viewer } = openTestLibrary()
  const [reader, editor, admin] = [
    await make.user(),
    await make.user(),
    await make.user('admin', { globalAdmin: true }),
  ]
  const open = await make.collection({ public: true, keepPrivate: true, viewers: [reader], updaters: [editor] })
  const closed = await make.collection({ viewers: [editor] })
  for (let n = 0; n < 12; n++) {
    await make.item({
      collection: n % 3 === 0 ? closed : open,
      folder: 'Summer',
      name: `${String.fromCharCode(122 - n)}.jpg`,
      taken: `2019-06-${10 + n}`,
      keywords: n % 4 === 0 ? ['Secret', 'Süß'] : ['Sea'],
      people: ['Anna'],
      place: { latitude: 48, longitude: 11 },
    })
  }
  await db.transact({ userId: null }, tx => {
    tx.run("UPDATE keystrings SET is_hidden = 1, is_associated_items_hidden = 1 WHERE content = 'Secret'")
    tx.run(
      "UPDATE items SET hidden_by = 1 WHERE tags LIKE '%' || (SELECT id FROM keystrings WHERE content = 'Secret') || '%' AND id % 4 = 1",
    )
  })
  const viewers: Viewer[] = [
    viewer(null),
    viewer(reader),
    viewer(editor),
    viewer(editor, { unlocked: true }),
    viewer(admin),
    viewer(admin, { unlocked: true }),
  ]
  const items = createItems({ db })
  const cached = (who: Viewer, query: FilterQuery & PageQuery) =>
    JSON.parse(items.listText(who, { collectionId: 0 }, query))
  /** The list from a new `createItems`, composed without the cache of texts. */
  const uncached = (who: Viewer, query: FilterQuery & PageQuery) =>
    JSON.parse(JSON.stringify(createItems({ db }).list(who, { collectionId: 0 }, query)))
  return { db, viewers, cached, uncached }
}

const queries: (FilterQuery & PageQuery)[] = [
  {},
  { limit: 3, page: 2 },
  { limit: 5, includeHidden: unlockValue },
  { q: 'sea', limit: 100 },
  { timestampStart: 0, timestampEnd: 1 },
  ...itemSorts.map(sort => ({ sort, limit: 4, includeHidden: unlockValue })),
]

describe('a list as text', () => {
  test('equals the uncached list for every viewer, also when requested again', async () => {
    const { viewers, cached, uncached } = await library()
    for (let round = 0; round < 2; round++) {
      for (const query of queries) for (const who of viewers) expect(cached(who, query)).toEqual(uncached(who, query))
    }
  })

  test('is updated when rows, keystrings, names, boxes or rights change', async () => {
    const { db, viewers, cached, uncached } = await library()
    const changes = [
      'UPDATE items SET rotation = 90',
      "UPDATE items SET thumbhash = 'abc', problem = 'cut off' WHERE id = 2",
      "UPDATE keystrings SET content = 'Ocean' WHERE content = 'Sea'",
      "UPDATE person_names SET name = 'Berta'",
      'UPDATE regions SET x = 7',
      "UPDATE dirs SET path = 'Winter'",
      'UPDATE collections SET keep_private = 0',
      'UPDATE items SET deleted = 5 WHERE id = 3',
    ]
    for (const change of changes) {
      await db.transact({ userId: null }, tx => void tx.run(change))
      for (const who of viewers) expect([change, cached(who, {})]).toEqual([change, uncached(who, {})])
    }
  })

  test('is updated when another process writes, because the state of the database changes', async () => {
    const path = join(temporaryDirectory(), 'library.db')
    const mine = openDatabase(path, { waiting: terminalWaiting, clock: systemClock })
    const other = openDatabase(path, { waiting: terminalWaiting, clock: systemClock })
    const before = mine.state()
    expect(mine.state()).toBe(before)
    await other.transact({ userId: null }, tx => void tx.run('UPDATE change_counts SET words = words'))
    const after = mine.state()
    expect(after).not.toBe(before)
    await mine.transact({ userId: null }, tx => void tx.run('UPDATE change_counts SET words = words'))
    expect(mine.state()).not.toBe(after)
    mine.close()
    other.close()
  })

  test('is read from one state while another process writes', async () => {
    const path = join(temporaryDirectory(), 'library.db')
    const mine = openDatabase(path, { waiting: terminalWaiting, clock: systemClock })
    const other = openDatabase(path, { waiting: terminalWaiting, clock: systemClock })
    const words = () => mine.get<{ words: number }>('SELECT words FROM change_counts')?.words
    let written: Promise<void> = Promise.resolve()
    const [first, second] = mine.reading(() => {
      const first = words()
      // `transact` has already committed when it returns the promise.
      written = other.transact({ userId: null }, tx => void tx.run('UPDATE change_counts SET words = words + 1'))
      return [first, words()]
    })
    await written
    expect(second).toBe(first)
    expect(words()).toBe((first ?? 0) + 1)
    expect(() =>
      mine.reading(() => {
        throw new Error('broken off')
      }),
    ).toThrow('broken off')
    expect(words()).toBe((first ?? 0) + 1)
    mine.close()
    other.close()
  })
})
