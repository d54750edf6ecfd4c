import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { tagId } from '../../../core/items/item-row.ts'
import { item } from '../../../schema/api/items.ts'
import type { TagSetName } from '../../../schema/api/tags.ts'
import { openEditingLibrary } from '../../support/editing-library.ts'
import { secondsOf, unlockValue } from '../../support/library.ts'

const refused = (code: string, field?: string) =>
  expect.objectContaining({ code, ...(field === undefined ? {} : { field }) })

describe('a tag set', () => {
  const cases: [TagSetName, unknown, unknown][] = [
    ['DateTimeOriginal', '1987-05-03 10:11:12', '1987-05-03 10:11:12'],
    ['DateTimeOriginal', '1987-05-03T10:11', '1987-05-03 10:11:00'],
    ['DateTimeOriginal', '1987-05-03', '1987-05-03 00:00:00'],
    ['Description', '  Two lines\r\nof text ', 'Two lines\nof text'],
    ['Category', ['Travel', { content: 'Family' }], ['Travel', 'Family']],
    ['Keywords', [{ id: 0, content: ' Sea ' }, 'sea', ''], ['Sea']],
    ['Author', ['Zoë'], ['Zoë']],
    ['Locations', { latitude: 48.1, longitude: 11.6 }, { latitude: 48.1, longitude: 11.6, placeName: '' }],
    [
      'Locations',
      [{ latitude: null, longitude: null, placeName: 'Munich' }],
      { latitude: null, longitude: null, placeName: 'Munich' },
    ],
    ['Rating', -1, -1],
    ['Rating', 0, 0],
  ]
  for (const [name, data, expected] of cases) {
    test(`${name} is saved, returned, not written again when unchanged, and deleted when empty`, async () => {
      const { make, saveTag, get, changeCounts, expectCountersRight } = openEditingLibrary()
      const id = await make.item({})
      expect(await saveTag(id, name, data)).toEqual({ id: tagId(id, name), version: 1 })
      const json = get(id)
      expect(item.safeParse(json).success).toBe(true)
      const tag = json.tags[name]
      const value: unknown = tag?.data
      expect(Array.isArray(value) ? value.map(({ content }) => content) : value).toEqual(expected)
      expect(tag).toMatchObject({ id: tagId(id, name), version: 1 })

      const before = changeCounts()
      expect(await saveTag(id, name, data)).toEqual({ id: tagId(id, name), version: 1 })
      expect(await saveTag(id, name, tag?.data)).toEqual({ id: tagId(id, name), version: 1 })
      expect(changeCounts()).toEqual(before)

      expect(await saveTag(id, name, null)).toEqual({ id: 0, version: 2 })
      expect(get(id).tags[name]).toBeUndefined()
      expect(await saveTag(id, name, undefined)).toEqual({ id: 0, version: 2 })
      expect(await saveTag(id, name, data)).toEqual({ id: tagId(id, name), version: 3 })
      expectCountersRight()
    })
  }

  const wrong: [TagSetName, unknown, string][] = [
    ['DateTimeOriginal', 'yesterday', 'data'],
    ['DateTimeOriginal', '2019-02-30', 'data'],
    ['DateTimeOriginal', '1799-01-01', 'data'],
    ['DateTimeOriginal', 5, 'data'],
    ['Description', 'x'.repeat(20_001), 'data'],
    ['Description', ['x'], 'data'],
    ['Keywords', 'Sea', 'data'],
    ['Keywords', [{ id: 987_654 }], 'data.0.id'],
    ['Keywords', ['Sea', { content: 5 }], 'data.1.content'],
    ['Keywords', ['x'.repeat(4001)], 'data.0'],
    ['Category', Array.from({ length: 1001 }, (_, n) => `k${n}`), 'data'],
    ['Locations', { latitude: 91, longitude: 0 }, 'data.latitude'],
    ['Locations', { latitude: 0, longitude: 0 }, 'data'],
    ['Locations', { latitude: 1, longitude: null }, 'data.longitude'],
    ['Locations', [{ latitude: 1, longitude: 181 }], 'data.0.longitude'],
    ['Rating', 6, 'data'],
    ['Rating', '5', 'data'],
    ['People', [{ person: 987_654, x: 0, y: 0, width: 0, height: 0 }], 'data.0.person'],
    ['People', [{ person: 0, x: 990, y: 0, width: 50, height: 50 }], 'data.0'],
    ['People', [{ person: 0, x: 0, y: 0, width: 1001, height: 50 }], 'data.0.width'],
    ['Object', [{ object: 987_654, x: 0, y: 0, width: 0, height: 0 }], 'data.0.object'],
  ]
  test.each(wrong)('%s refuses %j and names the field', async (name, data, field) => {
    const { make, saveTag, changeCounts } = openEditingLibrary()
    const id = await make.item({})
    const before = changeCounts()
    const error = await saveTag(id, name, data).catch((reason: unknown) => reason)
    expect(error).toEqual(refused('invalid', field))
    expect(error).toHaveProperty('message', expect.not.stringMatching(/^Invalid input$/))
    expect(changeCounts()).toEqual(before)
  })

  test('that is saved with the value from the file does not become a value of the user', async () => {
    const { make, saveTag, db, changeCounts } = openEditingLibrary()
    const id = await make.item({ description: 'From the file ', keywords: ['Sea'], rating: 4, people: ['Anna'] })
    const before = changeCounts()
    await saveTag(id, 'Description', 'From the file')
    await saveTag(id, 'Keywords', ['sea'])
    expect(await saveTag(id, 'Rating', 4)).toEqual({ id: tagId(id, 'Rating'), version: 0 })
    const person = db.get<{ id: number }>('SELECT id FROM people')?.id
    await saveTag(id, 'People', [{ person, x: 0, y: 0, width: 0, height: 0 }])
    expect(changeCounts()).toEqual(before)
    const stored = db.get<{ tags: string }>('SELECT tags FROM items WHERE id = ?', id)
    expect(stored?.tags).not.toContain('"u"')
  })

  test('updates the search and the counts in the same transaction', async () => {
    const { make, saveTag, searchIds, db, expectCountersRight } = openEditingLibrary()
    const id = await make.item({ keywords: ['Sea'], name: 'a.jpg' })
    expect(searchIds('keyword:sea')).toEqual([id])
    await saveTag(id, 'Keywords', ['Mountain'])
    expect(searchIds('keyword:sea')).toEqual([])
    expect(searchIds('mountain')).toEqual([id])
    await saveTag(id, 'Description', 'a quiet afternoon')
    expect(searchIds('quiet aftern')).toEqual([id])
    await saveTag(id, 'Rating', 5)
    expect(searchIds('rating:5')).toEqual([id])
    await saveTag(id, 'Locations', { latitude: 48.1, longitude: 11.6, placeName: 'Munich' })
    expect(searchIds('near:48.1,11.6,1km munich')).toEqual([id])
    await saveTag(id, 'Locations', null)
    expect(searchIds('near:48.1,11.6,1km')).toEqual([])
    expect(db.get('SELECT latitude, longitude FROM items WHERE id = ?', id)).toEqual({
      latitude: null,
      longitude: null,
    })
    await saveTag(id, 'DateTimeOriginal', '1950-01-01')
    expect(searchIds('year:1950 mountain')).toEqual([id])
    expectCountersRight()
  })

  test('of a date keeps its offset when changed, and returns to the date of the name or file when deleted', async () => {
    const { make, saveTag, get, db } = openEditingLibrary()
    const named = await make.item({ name: 'IMG_20190801_142233.jpg', taken: '2001-01-01' })
    const plain = await make.item({ name: 'scan.jpg', taken: '2001-01-01 12:00:00' })
    await db.transact({ userId: null }, tx => {
      tx.run('UPDATE items SET taken_offset = 120')
    })
    for (const id of [named, plain]) await saveTag(id, 'DateTimeOriginal', '1987-05-03 10:11:12')
    expect(get(named)).toMatchObject({ taken_at: '1987-05-03 10:11:12', utc_offset: 120, date_source: 'user' })
    expect(get(named).taken).toBe(secondsOf('1987-05-03 10:11:12'))
    for (const id of [named, plain]) await saveTag(id, 'DateTimeOriginal', '')
    expect(get(named)).toMatchObject({ taken_at: '2019-08-01 14:22:33', date_source: 'name' })
    expect(get(plain)).toMatchObject({ date_source: 'file' })
    // The file's time is an instant, so the date depends on the server's time zone.
    expect(Math.abs(get(plain).taken - secondsOf('2001-01-01 12:00:00'))).toBeLessThanOrEqual(14 * 3600)
  })

  test('is deleted by its id; ids of other items and of absent tags are not found', async () => {
    const { make, tags, get } = openEditingLibrary()
    const id = await make.item({ keywords: ['Sea'], rating: 3, people: ['Anna'] })
    const other = await make.item({ keywords: ['Sea'] })
    const remove = (item: number, tag: number) =>
      tags.remove(terminalViewer, { id: item, tagId: tag }, { ifMatch: null })
    for (const name of ['Keywords', 'Rating', 'People'] as const) {
      await remove(id, tagId(id, name))
      expect(await remove(id, tagId(id, name)).catch((error: unknown) => error)).toEqual(refused('notFound'))
    }
    expect(get(id).tags).toEqual({})
    for (const tag of [tagId(other, 'Keywords'), tagId(id, 'Description'), 1, id * 16]) {
      expect(await remove(id, tag).catch((error: unknown) => error)).toEqual(refused('notFound'))
    }
    expect(get(other).tags.Keywords?.data).toHaveLength(1)
  })

  test('refuses a change based on an older version and returns the current one', async () => {
    const { make, saveTag, tags } = openEditingLibrary()
    const id = await make.item({ keywords: ['Sea'] })
    await saveTag(id, 'Keywords', ['Mountain'], { ifMatch: 1 })
    const current = { id: tagId(id, 'Keywords'), version: 2, data: [expect.objectContaining({ content: 'Mountain' })] }
    const late = await saveTag(id, 'Keywords', ['Lake'], { ifMatch: 1 }).catch((error: unknown) => error)
    expect(late).toMatchObject({ code: 'changed', status: 409, current })
    const removing = tags.remove(terminalViewer, { id, tagId: tagId(id, 'Keywords') }, { ifMatch: 1 })
    expect(await removing.catch((error: unknown) => error)).toMatchObject({ code: 'changed', current })
    expect(await saveTag(id, 'Keywords', ['Lake'], { ifMatch: 2 })).toMatchObject({ version: 3 })
    await saveTag(id, 'Keywords', [])
    expect(await saveTag(id, 'Keywords', ['Sea'], { ifMatch: 3 }).catch((error: unknown) => error)).toMatchObject({
      code: 'changed',
      current: null,
    })
    // Version 0 means that the tag is absent.
    expect(await saveTag(id, 'Keywords', ['Sea'], { ifMatch: 0 })).toMatchObject({ version: 5 })
    expect(await saveTag(id, 'Keywords', ['Lake'], { ifMatch: 0 }).catch((error: unknown) => error)).toMatchObject({
      code: 'changed',
      current: { version: 5 },
    })
    // Without a version the last write wins.
    await saveTag(id, 'Keywords', ['Lake'])
  })
})

describe('hidden keystrings', () => {
  async function withSecret() {
    const library = openEditingLibrary()
    const { make, viewer } = library
    const user = await make.user()
    const collection = await make.collection({ updaters: [user] })
    const secret = await make.keystring('Secret', { hidden: true })
    const id = await make.item({ collection, keywords: ['Sea', 'Secret', 'Sand'] })
    const stored = () => {
      const tags = library.db.get<{ tags: string }>('SELECT tags FROM items WHERE id = ?', id)?.tags ?? '{}'
      const { Keywords }: { Keywords?: { d?: number[]; v: number } } = JSON.parse(tags)
      return (Keywords?.d ?? []).map(
        word => library.db.get<{ content: string }>('SELECT content FROM keystrings WHERE id = ?', word)?.content,
      )
    }
    return {
      ...library,
      id,
      secret,
      stored,
      locked: viewer(user),
      unlocked: viewer(user, { unlocked: true }),
      collection,
    }
  }

  test('are kept by edits of users who cannot see them', async () => {
    const { saveTag, get, stored, id, locked, tags } = await withSecret()
    await saveTag(id, 'Keywords', ['Sand', 'Sea'], { viewer: locked })
    expect(stored()).toEqual(['Sand', 'Sea', 'Secret'])
    await saveTag(id, 'Keywords', ['Mountain'], { viewer: locked })
    expect(stored()).toEqual(['Mountain', 'Secret'])
    expect(get(id, locked).tags.Keywords?.data.map(({ content }) => content)).toEqual(['Mountain'])
    expect(await saveTag(id, 'Keywords', [], { viewer: locked })).toEqual({ id: 0, version: 4 })
    expect(stored()).toEqual(['Secret'])
    expect(get(id, locked).tags.Keywords).toBeUndefined()
    const remove = tags.remove(locked, { id, tagId: tagId(id, 'Keywords') }, { ifMatch: null })
    expect(await remove.catch((error: unknown) => error)).toEqual(refused('notFound'))
  })

  test('are kept by edits in an unlocked session without its unlock value', async () => {
    const { saveTag, stored, id, unlocked } = await withSecret()
    await saveTag(id, 'Keywords', ['Sea'], { viewer: unlocked })
    expect(stored()).toEqual(['Sea', 'Secret'])
    await saveTag(id, 'Keywords', ['Sea'], { viewer: unlocked, includeHidden: 'guess' })
    expect(stored()).toEqual(['Sea', 'Secret'])
    await saveTag(id, 'Keywords', ['Sea'], { viewer: unlocked, includeHidden: unlockValue })
    expect(stored()).toEqual(['Sea'])
  })

  test('are reported as unknown ids to users who cannot see them', async () => {
    const { saveTag, id, secret, locked, unlocked } = await withSecret()
    const byId = (viewer: typeof locked, word: number, includeHidden?: string) =>
      saveTag(id, 'Author', [{ id: word }], { viewer, includeHidden }).catch((error: Error) => error.message)
    expect(await byId(locked, secret)).toBe(`There is no keystring with the id ${secret}.`)
    expect(await byId(locked, 999)).toBe('There is no keystring with the id 999.')
    expect(await byId(unlocked, secret, unlockValue)).toMatchObject({ version: 1 })
  })

  test('are kept by bulk edits, which cannot find them by their content', async () => {
    const { bulkEdit, stored, id, locked } = await withSecret()
    const keywords = (mode: 'set' | 'remove' | 'replace', data: unknown) =>
      bulkEdit(locked, { items: [id], changes: [{ tagName: 'Keywords', mode, data }] })
    await keywords('set', ['Lake', 'Sea'])
    expect(stored()).toEqual(['Lake', 'Sea', 'Secret'])
    await keywords('remove', ['secret'])
    await keywords('replace', { from: ['secret'], to: ['x'] })
    expect(stored()).toEqual(['Lake', 'Sea', 'Secret'])
  })
})

describe('rights on tags', () => {
  test('depend on the user and the state of the item', async () => {
    const { make, viewer, saveTag, db } = openEditingLibrary()
    const [outsider, seer, updater] = [await make.user(), await make.user(), await make.user()]
    const collection = await make.collection({ viewers: [seer], updaters: [updater] })
    const hiding = await make.keystring('Private', { hidesItems: true })
    const live = await make.item({ collection })
    const recycled = await make.item({ collection, deleted: 5 })
    const missing = await make.item({ collection, missing: 5 })
    const hidden = await make.item({ collection, keywords: ['Private'] })
    expect(hiding).toBeGreaterThan(0)
    const attempt = (id: number, who: ReturnType<typeof viewer>) =>
      saveTag(id, 'Description', `by ${who.userId}`, { viewer: who }).then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
    const table = async (who: ReturnType<typeof viewer>) =>
      Promise.all([live, recycled, missing, hidden, 987_654].map(id => attempt(id, who)))
    const nobody = 'unauthenticated'
    expect(await table(viewer(null))).toEqual([nobody, nobody, nobody, nobody, nobody])
    expect(await table(viewer(outsider))).toEqual(['notFound', 'notFound', 'notFound', 'notFound', 'notFound'])
    expect(await table(viewer(seer))).toEqual(['denied', 'notFound', 'notFound', 'notFound', 'notFound'])
    expect(await table(viewer(updater))).toEqual(['done', 'done', 'done', 'notFound', 'notFound'])
    expect(await table(viewer(updater, { unlocked: true }))).toEqual(['done', 'done', 'done', 'done', 'notFound'])
    expect(db.get('SELECT count(*) AS n FROM history')).toEqual({ n: 4 })
  })
})

test('an edit that hides its item publishes an event in which the item has left the lists', async () => {
  const { make, saveTag, db } = openEditingLibrary()
  await make.keystring('Secret', { hidesItems: true })
  const id = await make.item({})
  const lastMessage = () =>
    JSON.parse(db.get<{ message: string }>('SELECT message FROM events ORDER BY id DESC LIMIT 1')?.message ?? '{}')
  await saveTag(id, 'Keywords', ['Sea'])
  expect(lastMessage().item).not.toHaveProperty('left')
  await saveTag(id, 'Keywords', ['Sea', 'Secret'])
  expect(lastMessage()).toMatchObject({ action: 'update', item: { id, left: true } })
})
