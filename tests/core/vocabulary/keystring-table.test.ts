import { describe, expect, test } from 'bun:test'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { createItems } from '../../../core/items/items.ts'
import { createKeystrings } from '../../../core/vocabulary/keystring-table.ts'
import { openTestLibrary, unlockValue } from '../../support/library.ts'

async function library() {
  const { db, make, viewer } = openTestLibrary()
  const keystrings = createKeystrings({ db, queueRemainingWork: async () => {}, jobs: { enqueue: async () => 0 } })
  const updaterId = await make.user()
  const own = await make.collection({ updaters: [updaterId] })
  const open = await make.collection({ public: true })
  await make.item({ collection: open, keywords: ['Beach', 'Émile'], category: ['Travel'] })
  await make.item({ collection: open, keywords: ['Travel', 'Beach'], author: ['Émile'] })
  await make.item({ collection: own, keywords: ['Beach', 'House'] })
  const viewers: Record<string, Viewer> = {
    visitor: viewer(null),
    stranger: viewer(await make.user()),
    updater: viewer(updaterId),
    unlocked: viewer(updaterId, { unlocked: true }),
    admin: viewer(await make.user('admin', { globalAdmin: true })),
  }
  const as = (name: string): Viewer => viewers[name] ?? viewer(null)
  const idOf = (content: string) =>
    db.get<{ id: number }>('SELECT id FROM keystrings WHERE content = ?', content)?.id ?? 0
  return { db, make, keystrings, as, idOf }
}

const refusal = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(() => null)
    .catch((error: unknown) => error)

const counts = (list: { content: string; itemcount: number }[]) =>
  list.map(({ content, itemcount }) => `${content} ${itemcount}`)

describe('keystrings', () => {
  test('are those on items that the caller sees, listed by tag with the counts of that tag', async () => {
    const { keystrings, as } = await library()
    expect(counts(keystrings.list(as('visitor'), {}))).toEqual(['Beach 2', 'Travel 2', 'Émile 2'])
    expect(counts(keystrings.byTag(as('visitor'), 'Keywords', {}))).toEqual(['Beach 2', 'Travel 1', 'Émile 1'])
    expect(counts(keystrings.byTag(as('visitor'), 'Category', {}))).toEqual(['Travel 1'])
    expect(counts(keystrings.byTag(as('visitor'), 'Author', {}))).toEqual(['Émile 1'])
    expect(counts(keystrings.list(as('updater'), {}))).toEqual(['Beach 3', 'House 1', 'Travel 2', 'Émile 2'])
  })

  test('are all listed for editors, including unused ones', async () => {
    const { keystrings, as, make } = await library()
    await make.keystring('Unused')
    expect(await refusal(() => keystrings.listAll(as('visitor'), {}))).toMatchObject({ code: 'unauthenticated' })
    expect(await refusal(() => keystrings.listAll(as('stranger'), {}))).toMatchObject({ code: 'denied' })
    expect(counts(keystrings.listAll(as('updater'), {}))).toContain('Unused 0')
  })

  test('with the hidden flag are listed for unlocked sessions, and by list-all for global admins', async () => {
    const { keystrings, as, idOf } = await library()
    await keystrings.update(as('admin'), idOf('Beach'), { isHidden: true })
    const value = { includeHidden: unlockValue }
    const has = (list: { content: string }[]) => list.some(({ content }) => content === 'Beach')
    for (const name of ['visitor', 'updater', 'admin']) {
      expect(has(keystrings.list(as(name), value))).toBe(false)
      expect(has(keystrings.byTag(as(name), 'Keywords', value))).toBe(false)
    }
    expect(has(keystrings.list(as('unlocked'), {}))).toBe(false)
    expect(has(keystrings.list(as('unlocked'), value))).toBe(true)
    expect(has(keystrings.byTag(as('unlocked'), 'Keywords', value))).toBe(true)
    expect(has(keystrings.listAll(as('updater'), {}))).toBe(false)
    expect(has(keystrings.listAll(as('unlocked'), value))).toBe(true)
    expect(has(keystrings.listAll(as('admin'), {}))).toBe(true)
    const rename = (name: string) => refusal(() => keystrings.update(as(name), idOf('Beach'), { content: 'Beach' }))
    expect(await rename('updater')).toMatchObject({ code: 'notFound' })
    expect(await rename('unlocked')).toBeNull()
  })

  test('can be renamed by editors; flags can be changed by global admins', async () => {
    const { keystrings, as, idOf } = await library()
    const id = idOf('Beach')
    expect(await refusal(() => keystrings.update(as('visitor'), id, { content: 'x' }))).toMatchObject({
      code: 'unauthenticated',
    })
    expect(await refusal(() => keystrings.update(as('stranger'), id, { content: 'x' }))).toMatchObject({
      code: 'denied',
    })
    expect(await refusal(() => keystrings.update(as('updater'), id, { isHidden: true }))).toMatchObject({
      code: 'denied',
    })
    expect(
      await refusal(() => keystrings.update(as('updater'), id, { content: 'Coast', isAssociatedItemsHidden: true })),
    ).toMatchObject({ code: 'denied' })
    expect(idOf('Coast')).toBe(0)
    // Unchanged flags are ignored.
    const whole = { content: ' Sea side ', isHidden: false, isAssociatedItemsHidden: false }
    expect(await keystrings.update(as('updater'), id, whole)).toEqual({
      id,
      content: 'Sea side',
      isHidden: false,
      isAssociatedItemsHidden: false,
      itemcount: 3,
    })
    expect(await refusal(() => keystrings.update(as('admin'), 999, { content: 'x' }))).toMatchObject({
      code: 'notFound',
    })
  })

  test('are unique: the word of another keystring is refused, a change of case is not', async () => {
    const { keystrings, as, idOf } = await library()
    expect(await refusal(() => keystrings.update(as('updater'), idOf('Beach'), { content: 'hOUSE' }))).toMatchObject({
      code: 'conflict',
      field: 'content',
      message: "There is another keystring 'hOUSE'. Merge the two instead.",
    })
    expect((await keystrings.update(as('updater'), idOf('Beach'), { content: 'BEACH' })).content).toBe('BEACH')
    expect(await refusal(() => keystrings.update(as('updater'), idOf('BEACH'), { content: '\u0000' }))).toMatchObject({
      code: 'invalid',
    })
  })

  test('send an event with their id and a history entry when changed, and nothing when unchanged', async () => {
    const { keystrings, as, idOf, db } = await library()
    const id = idOf('Beach')
    await keystrings.update(as('updater'), id, { content: 'Beach', isHidden: false })
    expect(db.all('SELECT * FROM events')).toEqual([])
    await keystrings.update(as('updater'), id, { content: 'Coast' })
    const events = db.all<{ channel: string; message: string }>('SELECT channel, message FROM events')
    expect(events.map(({ channel, message }) => [channel, JSON.parse(message)])).toEqual([
      ['keystring-0', { action: 'update', keystring: { id } }],
    ])
    const [entry] = db.all<{ operation: string; before: string; after: string }>('SELECT * FROM history')
    expect(entry?.operation).toBe('keystring.update')
    expect([JSON.parse(entry?.before ?? '').content, JSON.parse(entry?.after ?? '').content]).toEqual([
      'Beach',
      'Coast',
    ])
  })

  test('hide their items from everybody at once, and show them again', async () => {
    const { keystrings, as, idOf, db } = await library()
    const items = createItems({ db })
    const total = (name: string, includeHidden?: string) =>
      items.list(as(name), { collectionId: 0 }, { includeHidden })._meta.total_records
    await keystrings.update(as('admin'), idOf('Beach'), { isAssociatedItemsHidden: true })
    expect(['visitor', 'updater', 'admin'].map(name => total(name))).toEqual([0, 0, 0])
    expect(total('unlocked', unlockValue)).toBe(3)
    expect(keystrings.list(as('visitor'), {})).toEqual([])
    await keystrings.update(terminalViewer, idOf('Beach'), { isAssociatedItemsHidden: false })
    expect(['visitor', 'updater', 'admin'].map(name => total(name))).toEqual([2, 3, 3])
  })
})
