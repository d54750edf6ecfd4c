import { describe, expect, test } from 'bun:test'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { planMerge } from '../../../core/editing/merge-duplicates-job.ts'
import { createFavourites } from '../../../core/items/favourites/favourites.ts'
import { createItems } from '../../../core/items/items.ts'
import { openEditingLibrary } from '../../support/editing-library.ts'
import { openTestLibrary, unlockValue } from '../../support/library.ts'

async function library() {
  const made = openTestLibrary()
  const { db, clock, make } = made
  const items = createItems({ db })
  const [ines, tom, uma] = [await make.user('ines'), await make.user('tom'), await make.user('uma')]
  const open = await make.collection({ public: true })
  const closed = await make.collection({ viewers: [ines, uma] })
  const older = await make.item({ collection: open, taken: '2019-01-01' })
  const newer = await make.item({ collection: closed, taken: '2020-01-01', keywords: ['sea'] })
  const secret = await make.keystring('secret', { hidesItems: true })
  expect(secret).toBeGreaterThan(0)
  const hidden = await make.item({ collection: closed, taken: '2021-01-01', keywords: ['secret'] })
  return {
    ...made,
    items,
    favourites: createFavourites({ db, clock, items }),
    /** Ines and Uma have the same rights. */
    users: { ines, tom, uma },
    ids: { older, newer, hidden },
    found: (viewer: Viewer, q: string) => items.list(viewer, { collectionId: 0 }, { q }).items.map(({ id }) => id),
    foundText: (viewer: Viewer, q: string): number[] =>
      JSON.parse(items.listText(viewer, { collectionId: 0 }, { q })).items.map(({ id }: { id: number }) => id),
  }
}

describe('favourites', () => {
  test('are each user’s own, and filter lists, counts and the timeline', async () => {
    const { favourites, items, viewer, users, ids, found, foundText } = await library()
    const [ines, tom] = [viewer(users.ines), viewer(users.tom)]
    expect(await favourites.set(ines, { items: [ids.older, ids.newer], favourite: true })).toEqual({ changed: 2 })
    expect(await favourites.set(tom, { items: [ids.older], favourite: true })).toEqual({ changed: 1 })
    expect(favourites.list(ines, {})).toEqual({ items: [ids.newer, ids.older] })
    expect(favourites.list(tom, {})).toEqual({ items: [ids.older] })
    expect(found(ines, 'favourite:no')).toEqual([])
    expect(found(ines, 'favourite:yes keyword:sea')).toEqual([ids.newer])
    expect(items.timeline(ines, { collectionId: 0 }, { q: 'favourite:yes' }).total_records).toBe(2)
    // The kept texts of pages do not mix users with the same rights.
    for (const q of ['favourite:yes', 'FAVOURITE:YES', 'album:favourites', 'album:"Favourites"']) {
      expect(foundText(ines, q)).toEqual([ids.newer, ids.older])
      expect(foundText(viewer(users.uma), q)).toEqual([])
      expect(foundText(tom, q)).toEqual([ids.older])
    }
    for (const nobody of [viewer(null), terminalViewer])
      for (const q of ['favourite:yes', 'album:Favourites']) expect(found(nobody, q)).toEqual([])
    expect(() => found(ines, 'favourite:perhaps')).toThrow('favourite takes yes or no')
  })

  test('are changed only once when a change is repeated', async () => {
    const { favourites, viewer, users, ids, db } = await library()
    const ines = viewer(users.ines)
    for (const changed of [1, 0])
      expect(await favourites.set(ines, { items: [ids.older, ids.older], favourite: true })).toEqual({ changed })
    for (const changed of [1, 0])
      expect(await favourites.set(ines, { items: [ids.older], favourite: false })).toEqual({ changed })
    expect(favourites.list(ines, {})).toEqual({ items: [] })
    expect(db.all('SELECT * FROM key_count WHERE key < 0')).toEqual([])
    expect(db.all('SELECT * FROM keyed WHERE key < 0')).toEqual([])
  })

  test('of items that the user does not see cannot be set, and disappear with the item', async () => {
    const { favourites, viewer, users, ids, db } = await library()
    const [ines, tom] = [viewer(users.ines), viewer(users.tom)]
    const notFound = expect.objectContaining({ code: 'notFound' })
    expect(favourites.set(tom, { items: [ids.older, ids.newer], favourite: true })).rejects.toEqual(notFound)
    expect(favourites.set(ines, { items: [ids.hidden], favourite: true })).rejects.toEqual(notFound)
    expect(favourites.list(tom, {})).toEqual({ items: [] })
    expect(favourites.set(viewer(null), { items: [ids.older], favourite: true })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect(favourites.set(terminalViewer, { items: [ids.older], favourite: true })).rejects.toThrow('--user NAME')
    const unlocked = viewer(users.ines, { unlocked: true })
    await favourites.set(unlocked, { items: [ids.hidden, ids.newer], favourite: true })
    expect(favourites.list(ines, {})).toEqual({ items: [ids.newer] })
    expect(favourites.list(unlocked, { includeHidden: unlockValue })).toEqual({ items: [ids.hidden, ids.newer] })
    await db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM items WHERE id = ?', ids.newer)
    })
    expect(favourites.list(ines, {})).toEqual({ items: [] })
    expect(db.all('SELECT item_id FROM favourites')).toEqual([{ item_id: ids.hidden }])
  })

  test('stay when the item is edited, and move to the copy that is kept when duplicates are merged', async () => {
    const made = openEditingLibrary()
    const { db, clock, make, viewer, items, tags, runJob } = made
    const [ines, tom] = [await make.user('ines'), await make.user('tom')]
    const collection = await make.collection({ updaters: [ines, tom] })
    const [keep, copy] = [await make.item({ collection }), await make.item({ collection })]
    const favourites = createFavourites({ db, clock, items })
    await favourites.set(viewer(ines), { items: [keep], favourite: true })
    await favourites.set(viewer(tom), { items: [copy], favourite: true })
    await tags.save(viewer(ines), { id: keep, tagName: 'Description' }, 'A day at the sea', { ifMatch: null })
    expect(favourites.list(viewer(ines), {})).toEqual({ items: [keep] })

    const groups = [{ keep, recycle: [copy] }]
    await runJob(terminalViewer, 'merge-duplicates', await planMerge(items, terminalViewer, groups))
    expect(favourites.list(viewer(ines), {})).toEqual({ items: [keep] })
    expect(favourites.list(viewer(tom), {})).toEqual({ items: [keep] })
  })
})
