import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer, type Viewer } from '../../../../core/accounts/access.ts'
import { viewerOfUser } from '../../../../core/accounts/viewers.ts'
import { type Library, openLibrary } from '../../../../core/library.ts'
import { openScanningLibrary, picture, takenAt } from '../../../support/scanning-library.ts'
import { editTags } from '../../../support/tagging.ts'
import { temporaryDirectory } from '../../../support/temporary.ts'

const embeddedXmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
  <dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>sun</rdf:li></rdf:Bag></dc:subject>
  <Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Ana</rdf:li><rdf:li>Ben</rdf:li></rdf:Bag></Iptc4xmpExt:PersonInImage>
</rdf:Description></rdf:RDF></x:xmpmeta>`

function exportText(library: Library): string {
  return [...library.libraryExport.lines(terminalViewer, 0)].map(line => `${JSON.stringify(line)}\n`).join('')
}

function fileOf(text: string): string {
  const path = join(temporaryDirectory(), 'export.json')
  writeFileSync(path, text)
  return path
}

async function addUser({ db }: Library): Promise<number> {
  return await db.transact({ userId: null }, tx => {
    tx.run(
      `INSERT INTO users (id, username, username_key, name, email, password_hash, pin_hash, global_admin, created_at)
       VALUES (1, 'Ines', 'ines', '', '', '', '', 1, 0), (2, 'Tom', 'tom', '', '', '', '', 0, 0)`,
    )
    return 1
  })
}

/** Opens another library with the same files and the same user, and no edits. */
async function openUneditedLibrary(root: string) {
  const data = join(temporaryDirectory(), 'data')
  const library = openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none' })
  process.on('exit', () => library.close())
  await addUser(library)
  const { row } = await library.collections.resolve(terminalViewer, root, { create: true })
  await library.jobs.run(
    await library.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true }),
  )
  return library
}

async function runRestore(library: Library, text: string, more: { from?: string } = {}) {
  const job = await library.restore.start(terminalViewer, { id: 1, file: fileOf(text), ...more }, { inProcess: true })
  const row = await library.jobs.run(job)
  for (const { id } of library.jobs.waiting()) await library.jobs.run(id)
  return { ...row, figures: JSON.parse(row?.counts ?? '{}') }
}

function planRestore(library: Library, text: string) {
  const { words, items } = library.restore.plan(terminalViewer, { id: 1, file: fileOf(text) })
  return { words, items: [...items] }
}

/** A library in which users have edited every kind of metadata. */
async function openEditedLibrary() {
  const made = openScanningLibrary()
  const { library, root } = made
  made.put('a.jpg', await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') }))
  made.put('b.jpg', await picture({ seed: 2, xmp: embeddedXmp }))
  made.put('sub/c.jpg', await picture({ seed: 3 }))
  // The same picture twice, with different keywords.
  made.put('sub/copy 1.jpg', await picture({ seed: 4 }))
  made.put('sub/copy 2.jpg', await picture({ seed: 4 }))
  made.put('untouched.jpg', await picture({ seed: 5, xmp: embeddedXmp }))
  await made.scan()
  const idOf = (path: string) => made.items().get(path)?.id ?? 0
  await editTags(library, idOf('a.jpg'), {
    date: '1999-12-31 23:59:59',
    offset: 60,
    description: 'Words\nin two lines',
    keywords: ['Straße', 'sun', 'Sea'],
    category: ['Holiday'],
    author: ['Jo'],
    place: { latitude: -33.85, longitude: 151.2, placeName: 'Sydney' },
    rating: 4,
    rotation: 270,
    people: [{ name: 'Zoe', box: [100, 200, 300.2, 250] }, { name: 'Ben' }],
    objects: [{ name: 'Dog', box: [700, 10, 20, 20] }, { name: 'Cup' }],
  })
  await editTags(library, idOf('b.jpg'), { keywords: [], description: '', rating: null, date: '' })
  await editTags(library, idOf('sub/copy 1.jpg'), { keywords: ['one'] })
  await editTags(library, idOf('sub/copy 2.jpg'), { keywords: ['two'], rotation: 90 })
  const { people, keystrings, objects, db } = library
  const person = (name: string) =>
    db.get<{ id: number; person: number }>('SELECT id, person_id AS person FROM person_names WHERE name = ?', name)
  const ben = person('Ben')
  const ana = person('Ana')
  await people.update(terminalViewer, ben?.person ?? 0, { birthdate: '1980-02-03' })
  await people.updateName(
    terminalViewer,
    { id: ben?.person ?? 0, nameId: ben?.id ?? 0 },
    { name: 'Ben', finish: 1_000_000_000 },
  )
  await people.addName(terminalViewer, ben?.person ?? 0, { name: 'Benjamin', start: 1_000_000_000 })
  // The files still have the old name.
  await people.updateName(terminalViewer, { id: ana?.person ?? 0, nameId: ana?.id ?? 0 }, { name: 'Anna' })
  await people.create(terminalViewer, { names: ['Nobody yet'], birthdate: '2020-01-01' })
  await people.update(terminalViewer, person('Zoe')?.person ?? 0, { cover: idOf('a.jpg') })
  const word = (content: string) =>
    db.get<{ id: number }>('SELECT id FROM keystrings WHERE content = ?', content)?.id ?? 0
  await keystrings.update(terminalViewer, word('one'), { isHidden: true, isAssociatedItemsHidden: true })
  await keystrings.update(terminalViewer, word('sun'), { content: 'Sunshine' })
  const animal = await objects.create(terminalViewer, { name: 'Animal', description: 'that lives' })
  const dog = db.get<{ id: number }>("SELECT id FROM objects WHERE name = 'Dog'")?.id ?? 0
  await objects.update(terminalViewer, dog, { isObjectId: animal.id })
  await objects.addProperty(terminalViewer, dog, { name: 'colour', value: 'brown', hidden: true })
  await library.recycle.remove(terminalViewer, idOf('sub/c.jpg'))
  const ines = viewerOfUser(library.db, library.rights, await addUser(library))
  if (ines === null) throw new Error('the user is not there')
  await library.favourites.set(ines, { items: [idOf('a.jpg'), idOf('untouched.jpg')], favourite: true })
  await makeAlbums(library, ines, idOf)
  for (const { id } of library.jobs.waiting()) await library.jobs.run(id)
  return { ...made, root, idOf }
}

/** Albums of every kind: of a user with a member, of nobody, private, public, in folders, by a search with ids. */
async function makeAlbums({ albums, db }: Library, ines: Viewer, idOf: (path: string) => number) {
  const years = await albums.create(ines, { kind: 'folder', name: 'Years' })
  const year = await albums.create(ines, { kind: 'folder', name: '1999', parent: years.id })
  const [a, b, c] = [idOf('a.jpg'), idOf('b.jpg'), idOf('untouched.jpg')]
  const summer = await albums.create(ines, {
    kind: 'hand',
    name: 'Summer',
    description: 'Two | words',
    parent: year.id,
    sort: 'hand',
    items: [a, b, c],
  })
  await albums.order(ines, summer.id, { items: [c], before: b })
  await albums.setMember(ines, summer.id, { username: 'tom', role: 'add' })
  await albums.update(ines, summer.id, { cover: b, private: true, public: true })
  await albums.create(terminalViewer, { kind: 'hand', name: 'Nobody’s', items: [a] })
  const deleted = await albums.create(terminalViewer, { kind: 'hand', name: 'Deleted', items: [a] })
  await albums.remove(terminalViewer, deleted.id)
  const idIn = (table: string, column: string, name: string) =>
    db.get<{ id: number }>(`SELECT id FROM ${table} WHERE ${column} = ?`, name)?.id ?? 0
  const entry = { type: 'Keyword', mode: 0 }
  const groups = [
    [{ ...entry, id: idIn('keystrings', 'content', 'Sunshine') }],
    [{ ...entry, id: 0, text: 'words' }],
    [
      {
        ...entry,
        type: 'Person',
        id: db.get<{ id: number }>("SELECT person_id AS id FROM person_names WHERE name = 'Zoe'")?.id,
      },
      { ...entry, type: 'Object', mode: 1, id: idIn('objects', 'name', 'Cup') },
    ],
  ]
  const query = { collection_id: '1', filtergroups: JSON.stringify(groups), timestampStart: '5' }
  await albums.create(ines, { kind: 'search', name: 'By ids', query })
}

const setup = await openEditedLibrary()
const text = exportText(setup.library)

describe('an export', () => {
  test('restored into a new library of the same files gives the same export', async () => {
    const other = await openUneditedLibrary(setup.root)
    expect(exportText(other)).not.toBe(text)
    const job = await runRestore(other, text)
    expect(job).toMatchObject({ state: 'done', problems: 0, figures: { items: 6, unmatched: 0 } })
    expect(exportText(other)).toBe(text)
    const ines = viewerOfUser(other.db, other.rights, 1)
    expect(ines === null ? [] : other.favourites.list(ines, {}).items).toHaveLength(2)
    expect(await runRestore(other, text)).toMatchObject({ figures: { items: 6, changed: 0, unchanged: 6 } })
    expect(exportText(other)).toBe(text)
  })

  test('restores albums without unknown users, and the items but not the settings of existing albums', async () => {
    const other = await openUneditedLibrary(setup.root)
    const { db, albums } = other
    await db.transact({ userId: null }, tx => tx.run("DELETE FROM users WHERE username_key = 'ines'"))
    await runRestore(other, text)
    const summer = albums.list(terminalViewer).find(({ name }) => name === 'Summer')
    if (summer === undefined) throw new Error('it was not restored')
    expect(summer).toMatchObject({ owner: null, members: [{ username: 'Tom', role: 'add' }], private: true, items: 3 })
    const names = () =>
      other.items.list(terminalViewer, { collectionId: 0 }, { album: summer.id, sort: 'hand' }).items.map(i => i.name)
    expect(names()).toEqual(['a.jpg', 'untouched.jpg', 'b.jpg'])
    expect(summer.cover?.name).toBe('b.jpg')
    const byIds = albums.list(terminalViewer).find(({ name }) => name === 'By ids')
    const original = setup.library.albums.list(terminalViewer).find(({ name }) => name === 'By ids')
    expect(byIds?.items).toBeGreaterThan(0)
    expect(byIds?.items).toBe(original?.items)

    await albums.update(terminalViewer, summer.id, { name: 'Mine', description: '', public: false })
    const [first] = other.items.list(terminalViewer, { collectionId: 0 }, { album: summer.id }).items
    await albums.setItems(terminalViewer, summer.id, { remove: [first?.id ?? 0] })
    const gone = albums.list(terminalViewer).find(({ name }) => name === 'Nobody’s')
    await albums.remove(terminalViewer, gone?.id ?? 0)
    await runRestore(other, text)
    expect(albums.get(terminalViewer, summer.id)).toMatchObject({
      name: 'Mine',
      description: '',
      public: false,
      items: 3,
    })
    expect(albums.list(terminalViewer)).toHaveLength(4)
  })

  test('is searchable once it is restored, and restoring it is one step that can be undone', async () => {
    const other = await openUneditedLibrary(setup.root)
    const before = exportText(other)
    await runRestore(other, text)
    const found = (q: string) => other.items.list(terminalViewer, { collectionId: 0 }, { q })._meta.total_records
    expect([found('person:zoe'), found('keyword:sunshine'), found('keyword:sun'), found('object:dog')]).toEqual([
      1, 2, 2, 1,
    ])
    const { steps } = other.history.list(terminalViewer, { collectionId: 0 }, {})
    const step = steps.find(({ operation }) => operation === 'library.restore')
    expect(step).toMatchObject({ undoable: true })
    const undo = async (stepToUndo: string) => {
      const input = other.history.planUndo(terminalViewer, stepToUndo)
      const row = await other.jobs.run(await other.jobs.enqueue(terminalViewer, 'undo', input))
      expect(JSON.parse(row?.counts ?? '{}')).toMatchObject({ changed: 0, gone: 0, refused: 0 })
      return input.undoStep
    }
    const undoStep = await undo(step?.step ?? '')
    // Changes of people, keystrings and objects belong to other steps and stay, and favourites are no edits.
    const items = (lines: string) =>
      lines
        .split('\n')
        .filter(line => line.includes('"type":"item"'))
        .map(line =>
          line
            .replace(/"person":\d+,|"added":\d+,|,"(?:favourites|albums)":\[[^\]]*\]/g, '')
            .replaceAll('Sunshine', 'sun'),
        )
    expect(items(exportText(other))).toEqual(items(before))
    await undo(undoStep)
    expect(exportText(other)).toBe(text)
  })

  test('changes nothing while its restore is only planned, and the plan lists the changes', async () => {
    const other = await openUneditedLibrary(setup.root)
    const rows = () =>
      other.db
        .all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
        .map(({ name }) => [name, other.db.all(`SELECT * FROM "${name}"`)])
    const before = JSON.stringify(rows())
    const plan = planRestore(other, text)
    expect(JSON.stringify(rows())).toBe(before)
    expect(plan.words).toContainEqual({ type: 'person', name: 'Nobody yet', change: 'new' })
    expect(plan.words).toContainEqual({ type: 'person', name: 'Ben', change: 'changed' })
    expect(plan.words).toContainEqual({ type: 'keystring', name: 'one', change: 'new' })
    expect(plan.words).toContainEqual({ type: 'object', name: 'Animal', change: 'new' })
    expect(plan.words).toContainEqual({ type: 'album', name: 'Summer', change: 'new' })
    const changes = Object.fromEntries(plan.items.map(({ path, changes: names }) => [path, names]))
    expect(changes['sub/copy 2.jpg']).toEqual(['Keywords', 'rotation'])
    expect(changes['sub/c.jpg']).toEqual(['deleted'])
    await runRestore(other, text)
    expect(planRestore(other, text).items.flatMap(({ changes: names }) => names)).toEqual([])
    expect(planRestore(other, text).words).toEqual([])
  })

  test('matches moved pictures by content and changed ones by path, and reports the rest', async () => {
    const made = openScanningLibrary()
    made.put('elsewhere/x.jpg', await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') }))
    made.put('b.jpg', await picture({ seed: 99 }))
    made.put('sub/copy 2.jpg', await picture({ seed: 4 }))
    await made.scan()
    const plan = planRestore(made.library, text)
    expect(plan.items.map(({ path, by }) => [path, by])).toEqual([
      ['a.jpg', 'content'],
      ['b.jpg', 'path'],
      ['sub/c.jpg', null],
      ['sub/copy 1.jpg', null],
      ['sub/copy 2.jpg', 'content'],
      ['untouched.jpg', null],
    ])
    expect(await runRestore(made.library, text)).toMatchObject({
      state: 'done',
      problems: 3,
      figures: { items: 6, changed: 3, unmatched: 3 },
    })
    const of = (path: string) => made.library.items.get(terminalViewer, { id: made.items().get(path)?.id ?? 0 }, {})
    expect(of('elsewhere/x.jpg')).toMatchObject({ rating: 4, taken_at: '1999-12-31 23:59:59' })
    expect(of('sub/copy 2.jpg').tags.Keywords?.data).toMatchObject([{ content: 'two' }])
  })

  test('does not replace edits of users with values from files, and hidden keystrings stay hidden', async () => {
    const other = await openUneditedLibrary(setup.root)
    const id = other.db.get<{ id: number }>("SELECT id FROM items WHERE name = 'untouched.jpg'")?.id ?? 0
    await editTags(other, id, { keywords: ['mine'], people: [{ name: 'Mine' }], rating: 2 })
    const [sea] = other.db.all<{ id: number }>("SELECT id FROM keystrings WHERE content = 'sea'")
    await other.keystrings.update(terminalViewer, sea?.id ?? 0, { isHidden: true })
    await runRestore(other, text)
    const item = other.items.get(terminalViewer, { id }, {})
    expect(item.tags.Keywords?.data).toMatchObject([{ content: 'mine' }])
    expect(item.rating).toBe(2)
    expect(other.db.get('SELECT is_hidden AS hidden FROM keystrings WHERE id = ?', sea?.id ?? 0)).toEqual({ hidden: 1 })
  })

  test('of several collections is restored one collection at a time', async () => {
    const other = await openUneditedLibrary(setup.root)
    const twoCollections = text.replace(
      /^(\{"type":"collection".*)$/m,
      '$1\n{"type":"collection","name":"Second","path":"/elsewhere"}',
    )
    expect((await runRestore(other, twoCollections)).figures).toMatchObject({ items: 6 })
    expect((await runRestore(other, twoCollections, { from: 'second' })).figures).toMatchObject({ items: 0 })
    await expect(runRestore(other, twoCollections, { from: 'third' })).rejects.toMatchObject({ code: 'notFound' })
    const strange = twoCollections.replace(/"name":"pictures","path":"[^"]*"/, '"name":"First","path":"/nowhere"')
    await expect(runRestore(other, strange)).rejects.toMatchObject({ code: 'invalid' })
  })

  for (const [what, broken, message] of [
    ['no content', '', /is empty/],
    ['another format', '{"a":1}\n', /was not written by/],
    ['no JSON', 'pictures\n', /line 1: it is not JSON/],
    ['a truncated last line', text.slice(0, -30), /line \d+: it is not JSON/],
    ['a newer format', '{"type":"keepsake-export","schema":3}\n', /newer Keepsake/],
    [
      'an invalid line',
      `${text.split('\n')[0]}\n{"type":"person","person":1,"names":3}\n`,
      /line 2: (birthdate|names)/,
    ],
    ['an album with a strange uid', text.replace(/"uid":"[^"]*"/, '"uid":"../x"'), /line \d+: uid: /],
    ['an invalid date', text.replace(/"taken_at":"[^"]*"/, '"taken_at":"soon"'), /taken_at: It is no date/],
  ] as const) {
    test(`with ${what} is refused before anything is written`, async () => {
      const before = exportText(setup.library)
      await expect(runRestore(setup.library, broken)).rejects.toThrow(message)
      expect(exportText(setup.library)).toBe(before)
    })
  }
})
