import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { type Library, openLibrary } from '../../../core/library.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

function setup() {
  const library = openLibrary({
    role: 'worker',
    data: temporaryDirectory(),
    create: true,
    environment: {},
    stderrLevel: 'none',
  })
  process.on('exit', () => library.close())
  const { db, history, jobs } = library
  const addWord = async (content: string) =>
    db.transact({ userId: null }, tx =>
      tx.run('INSERT INTO keystrings (content, content_key) VALUES (?, ?)', content, content.toLowerCase()),
    )
  /** Undoes the latest step as planned, and returns the counts. */
  async function undoLast(viewer = terminalViewer) {
    const [last] = history.list(terminalViewer, { collectionId: 0 }, {}).steps
    expect(last?.undoable).toBe(true)
    const plan = history.planUndo(viewer, last?.step ?? '')
    const row = await jobs.run(await jobs.enqueue(viewer, 'undo', plan, { inProcess: true }))
    const { undone, changed, gone, refused } = JSON.parse(row?.counts ?? '{}')
    return { undone, changed, gone, refused }
  }
  const oneUndone = { undone: 1, changed: 0, gone: 0, refused: 0 }
  const keystrings = () =>
    db.all('SELECT id, content, content_key, is_hidden, is_associated_items_hidden FROM keystrings ORDER BY id')
  const people = () => [db.all('SELECT * FROM people ORDER BY id'), db.all('SELECT * FROM person_names ORDER BY id')]
  return { library, db, addWord, undoLast, oneUndone, keystrings, people }
}

describe('a keyword', () => {
  test.each([
    ['renamed', { content: 'Sea' }],
    ['hidden', { isHidden: true }],
    ['hidden with its items', { isHidden: true, isAssociatedItemsHidden: true }],
    ['renamed and hidden', { content: 'Sea', isHidden: true }],
  ])('that was %s: undo restores it, and undoing again repeats the change', async (_what, change) => {
    const { addWord, undoLast, oneUndone, keystrings, library } = setup()
    await addWord('Beach')
    const before = keystrings()
    await library.keystrings.update(terminalViewer, 1, change)
    const after = keystrings()
    expect(await undoLast()).toEqual(oneUndone)
    expect(keystrings()).toEqual(before)
    expect(await undoLast()).toEqual(oneUndone)
    expect(keystrings()).toEqual(after)
  })

  test('that was changed since, or whose word is used again, is not changed by undo', async () => {
    const { addWord, undoLast, keystrings, db, library } = setup()
    await addWord('Beach')
    await library.keystrings.update(terminalViewer, 1, { content: 'Sea' })
    await addWord('beach')
    const taken = keystrings()
    expect(await undoLast()).toMatchObject({ undone: 0, changed: 1 })
    expect(keystrings()).toEqual(taken)
    await db.transact({ userId: null }, tx => void tx.run("DELETE FROM keystrings WHERE content = 'beach'"))
    await db.transact(
      { userId: null },
      tx => void tx.run("UPDATE keystrings SET content = 'Shore', content_key = 'shore' WHERE id = 1"),
    )
    expect(await undoLast()).toMatchObject({ undone: 0, changed: 1 })
    expect(keystrings()).toMatchObject([{ content: 'Shore' }])
  })

  test('that a global admin hid cannot be shown by an undo of this user, who has lost that right', async () => {
    const { addWord, undoLast, keystrings, db, library } = setup()
    await addWord('Secret')
    const account = { username: 'a', name: 'A', email: 'a@b', password: 'secret', unlockPin: '1234' }
    const admin = await library.users.create(terminalViewer, { ...account, globalAdmin: true }, true)
    const adminViewer = { ...terminalViewer, kind: 'user' as const, userId: admin.id }
    await library.keystrings.update(adminViewer, 1, { isHidden: true })
    await db.transact({ userId: null }, tx => void tx.run('UPDATE users SET global_admin = 0 WHERE id = ?', admin.id))
    expect(await undoLast({ ...adminViewer, globalAdmin: false })).toMatchObject({ undone: 0, refused: 1 })
    expect(keystrings()).toMatchObject([{ is_hidden: 1 }])
  })
})

describe('a person', () => {
  test.each<[string, (library: Library) => Promise<unknown>]>([
    ['a renamed name', ({ people }) => people.updateName(terminalViewer, { id: 1, nameId: 1 }, { name: 'Hannah' })],
    ['an added name', ({ people }) => people.addName(terminalViewer, 1, { name: 'Anna Smith', start: 5 })],
    ['a removed name', ({ people }) => people.removeName(terminalViewer, { id: 1, nameId: 1 })],
    ['a cover', ({ people }) => people.update(terminalViewer, 1, { cover: null })],
    ['a birthdate', ({ people }) => people.update(terminalViewer, 1, { birthdate: '1980-01-02' })],
    ['a new person', ({ people }) => people.create(terminalViewer, { names: ['Ben'] })],
    ['removed people without pictures', ({ people }) => people.removeUnused(terminalViewer)],
  ])('%s: undo restores everything, and undoing again repeats the change', async (_what, change) => {
    const { library, db, undoLast, people } = setup()
    await library.people.create(terminalViewer, { names: ['Anna', { name: 'Annie', start: 1, finish: 2 }] })
    await db.transact({ userId: null }, tx => void tx.run('UPDATE people SET cover = 1'))
    const before = people()
    await change(library)
    const after = people()
    expect(after).not.toEqual(before)
    expect(await undoLast()).toMatchObject({ undone: 1, changed: 0 })
    expect(people()).toEqual(before)
    expect(await undoLast()).toMatchObject({ undone: 1, changed: 0 })
    expect(people()).toEqual(after)
  })

  test('whose names were changed since is not changed by undo', async () => {
    const { library, undoLast, people } = setup()
    await library.people.create(terminalViewer, { names: ['Anna'] })
    await library.people.updateName(terminalViewer, { id: 1, nameId: 1 }, { name: 'Hannah' })
    await library.db.transact({ userId: null }, tx => void tx.run("UPDATE person_names SET name = 'Hanna'"))
    const now = people()
    expect(await undoLast()).toMatchObject({ undone: 0, changed: 1 })
    expect(people()).toEqual(now)
  })
})
