import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { createFaces } from '../../../core/people/faces/faces.ts'
import { openEditingLibrary } from '../../support/editing-library.ts'

const refused = (code: string, field?: string) =>
  expect.objectContaining({ code, ...(field === undefined ? {} : { field }) })
const plain = { ifMatch: null, mustExist: false }
const box = (x: number, y: number, width = 50, height = 50) => ({ x, y, width, height })

async function openLibraryWithItem() {
  const library = openEditingLibrary()
  const { make, tags, get } = library
  const [anna, ben] = [await make.person('Anna'), await make.person('Ben')]
  const id = await make.item({ width: 4000, height: 3000 })
  const people = (item = id) =>
    (get(item).tags.People?.data ?? []).map(({ name: _n, type: _t, face: _f, ...rest }) => rest)
  return {
    ...library,
    anna,
    ben,
    id,
    people,
    draw: (
      data: { id?: number; person: number; face?: number; rotation?: 0 | 90 } & ReturnType<typeof box>,
      more = {},
    ) => tags.saveRegion(terminalViewer, id, { tag: 'People', data }, { ...plain, ...more }),
  }
}

describe('a region', () => {
  test('is created, changed and removed by its id', async () => {
    const { draw, people, anna, ben, id, tags, searchIds, expectCountersRight } = await openLibraryWithItem()
    const drawn = await draw({ person: anna, ...box(100, 100) })
    expect(drawn.tag.version).toBe(1)
    expect(people()).toEqual([{ id: drawn.id, person: anna, ...box(100, 100) }])
    expect(searchIds('person:anna')).toEqual([id])
    const moved = await draw({ id: drawn.id, person: ben, ...box(300, 100) }, { mustExist: true })
    expect(moved).toMatchObject({ id: drawn.id, tag: { version: 2 } })
    expect(people()).toEqual([{ id: drawn.id, person: ben, ...box(300, 100) }])
    expect(searchIds('person:anna')).toEqual([])
    const another = await draw({ person: 0, ...box(500, 500) })
    expect(another.id).not.toBe(drawn.id)
    expectCountersRight()
    await tags.removeRegion(terminalViewer, { id, regionId: drawn.id }, 'People', { ifMatch: null })
    expect(people()).toEqual([{ id: another.id, person: 0, ...box(500, 500) }])
    const again = tags.removeRegion(terminalViewer, { id, regionId: drawn.id }, 'People', { ifMatch: null })
    expect(await again.catch((error: unknown) => error)).toEqual(refused('notFound'))
    expectCountersRight()
  })

  test('is refused if it was drawn on a picture that has been rotated since', async () => {
    const { draw, anna, ben, people, tags, id } = await openLibraryWithItem()
    const list = [
      { person: anna, ...box(100, 100), rotation: 0 },
      { person: ben, ...box(300, 100), rotation: 90 },
    ]
    const whole = tags.save(terminalViewer, { id, tagName: 'People' }, list, plain)
    expect(await whole.catch((error: unknown) => error)).toEqual(refused('changed'))
    expect(await draw({ person: anna, ...box(100, 100), rotation: 90 }).catch((error: unknown) => error)).toEqual(
      refused('changed'),
    )
    expect(people()).toEqual([])
    await draw({ person: anna, ...box(100, 100), rotation: 0 })
    expect(people()).toHaveLength(1)
  })

  test('is created only once by repeated calls', async () => {
    const { draw, anna, changeCounts } = await openLibraryWithItem()
    const first = await draw({ person: anna, ...box(100, 100) })
    const nowhere = await draw({ person: anna, ...box(0, 0, 0, 0) })
    expect(nowhere.id).not.toBe(first.id)
    const before = changeCounts()
    expect(await draw({ person: anna, ...box(102, 99) })).toEqual({ ...first, tag: { ...first.tag, version: 2 } })
    expect(await draw({ person: anna, ...box(0, 0, 0, 0) })).toMatchObject({ id: nowhere.id })
    expect(changeCounts()).toEqual(before)
  })

  test('is refused with a wrong item, kind, id, person, box or version', async () => {
    const { draw, anna, make, tags, id } = await openLibraryWithItem()
    const thing = await make.item({ objects: ['Bucket'] })
    const { id: mine } = await draw({ person: anna, ...box(100, 100) })
    const attempt = async (work: Promise<unknown>) => work.catch((error: unknown) => error)
    const data = { id: mine, person: anna, ...box(100, 100) }
    expect(await attempt(tags.saveRegion(terminalViewer, thing, { tag: 'People', data }, plain))).toEqual(
      refused('notFound'),
    )
    expect(await attempt(tags.removeRegion(terminalViewer, { id: thing, regionId: mine }, 'People', plain))).toEqual(
      refused('notFound'),
    )
    expect(await attempt(tags.removeRegion(terminalViewer, { id, regionId: mine }, 'Object', plain))).toEqual(
      refused('notFound'),
    )
    expect(await attempt(draw({ id: 987_654, person: anna, ...box(1, 1) }))).toEqual(refused('notFound'))
    expect(await attempt(draw({ person: anna, ...box(1, 1) }, { mustExist: true }))).toEqual(
      refused('invalid', 'data.id'),
    )
    expect(await attempt(draw({ person: 987_654, ...box(1, 1) }))).toEqual(refused('invalid', 'data.person'))
    expect(await attempt(draw({ person: anna, ...box(100, 720) }))).toEqual(refused('invalid', 'data'))
    expect(await attempt(draw({ person: anna, ...box(1, 1) }, { ifMatch: 0 }))).toMatchObject({ code: 'changed' })
  })

  test.each([90, 180, 270])('has coordinates on the picture as shown, rotated by %d degrees', async rotation => {
    const { make, tags, get, db, anna, changeCounts } = await openLibraryWithItem()
    const id = await make.item({ width: 4000, height: 3000, rotation })
    const given = box(610.5, 640, 90, 110)
    await tags.saveRegion(terminalViewer, id, { tag: 'People', data: { person: anna, ...given } }, plain)
    const returned = get(id).tags.People?.data ?? []
    for (const side of ['x', 'y', 'width', 'height'] as const) expect(returned[0]?.[side]).toBeCloseTo(given[side], 2)
    // Saving the returned list changes nothing.
    const before = changeCounts()
    await tags.save(terminalViewer, { id, tagName: 'People' }, returned, { ifMatch: null })
    expect(changeCounts()).toEqual(before)
    await db.transact({ userId: null }, tx => {
      tx.run('UPDATE items SET rotation = 0 WHERE id = ?', id)
    })
    const [upright] = get(id).tags.People?.data ?? []
    const expected = {
      90: { x: 640, y: 750 - 610.5 - 90 },
      180: { x: 1000 - 610.5 - 90, y: 750 - 640 - 110 },
      270: { x: 1000 - 640 - 110, y: 610.5 },
    }[rotation]
    expect(upright?.x).toBeCloseTo(expected?.x ?? 0, 2)
    expect(upright?.y).toBeCloseTo(expected?.y ?? 0, 2)
  })
})

describe('a whole list of people', () => {
  test('keeps the ids of matching boxes and removes all other boxes', async () => {
    const { draw, saveTag, people, id, anna, ben } = await openLibraryWithItem()
    const first = await draw({ person: anna, ...box(100, 100) })
    const second = await draw({ person: ben, ...box(500, 100, 200, 200) })
    const gone = await draw({ person: anna, ...box(700, 500) })
    await saveTag(id, 'People', [
      { id: 0, person: ben, ...box(560, 100, 200, 200) },
      { person: ben, ...box(103, 97, 54, 46) },
      { person: anna, ...box(10, 600) },
    ])
    const list = people()
    expect(list).toContainEqual({ id: second.id, person: ben, ...box(560, 100, 200, 200) })
    expect(list).toContainEqual({ id: first.id, person: ben, ...box(103, 97, 54, 46) })
    expect(list).toHaveLength(3)
    expect(list.map(region => region.id)).not.toContain(gone.id)
    expect(await saveTag(id, 'People', [])).toEqual({ id: 0, version: 5 })
    expect(people()).toEqual([])
  })

  test('is refused if it has a region twice or a region of another item', async () => {
    const { draw, saveTag, make, id, anna } = await openLibraryWithItem()
    const { id: region } = await draw({ person: anna, ...box(100, 100) })
    const twice = [
      { id: region, person: anna, ...box(100, 100) },
      { id: region, person: anna, ...box(300, 100) },
    ]
    expect(await saveTag(id, 'People', twice).catch((error: unknown) => error)).toEqual(refused('invalid', 'data.1.id'))
    const other = await make.item({})
    expect(await saveTag(other, 'People', twice.slice(0, 1)).catch((error: unknown) => error)).toEqual(
      refused('notFound'),
    )
  })
})

describe('a face', () => {
  test('is linked to its region, is returned with it, and follows the person of the region', async () => {
    const { draw, db, id, get, anna, ben, saveTag } = await openLibraryWithItem()
    const addFace = (person: number) =>
      db.transact(
        { userId: null },
        tx =>
          tx.run("INSERT INTO faces (person_id, embedding, model, created_at) VALUES (?, '[]', 'm', 0)", person)
            .lastInsertRowid,
      )
    const face = await addFace(anna)
    const wrong = draw({ person: ben, face, ...box(100, 100) })
    expect(await wrong.catch((error: unknown) => error)).toEqual(refused('invalid', 'data.face'))
    const unknown = draw({ person: ben, face: 987_654, ...box(100, 100) })
    expect(await unknown.catch((error: unknown) => error)).toEqual(refused('invalid', 'data.face'))
    const { id: region } = await draw({ person: anna, face, ...box(100, 100) })
    const firstRegion = () => get(id).tags.People?.data[0]
    expect(firstRegion()).toMatchObject({ id: region, face })
    await draw({ id: region, person: ben, ...box(100, 100) })
    expect(db.get('SELECT person_id, region_id FROM faces WHERE id = ?', face)).toEqual({
      person_id: ben,
      region_id: region,
    })
    await saveTag(id, 'People', [{ id: region, person: ben, face: null, ...box(100, 100) }])
    expect(firstRegion()).toMatchObject({ id: region, face: null })
  })

  async function openLibraryWithFace() {
    const made = await openLibraryWithItem()
    const { draw, db, clock, anna, lastStep, undo } = made
    const { id: region } = await draw({ person: anna, ...box(100, 100) })
    const faces = createFaces({ db, clock })
    const vector = Array.from({ length: 1024 }, (_, n) => n / 3)
    const face = await faces.add(terminalViewer, anna, { object: region, embedding_data: vector })
    const known = () => faces.list(terminalViewer)
    const undoLast = async () => (await undo(terminalViewer, lastStep()?.step ?? '')).counts
    const published = () =>
      db.all<{ channel: string }>('SELECT channel FROM events ORDER BY id').map(event => event.channel)
    return { ...made, region, face, known, undoLast, published }
  }

  test('is removed with its region and restored with it', async () => {
    const { tags, id, region, face, known, undoLast, published, anna } = await openLibraryWithFace()
    const before = published().length
    await tags.removeRegion(terminalViewer, { id, regionId: region }, 'People', { ifMatch: null })
    expect(known()).toEqual([])
    expect(published().slice(before)).toContain(`person-${anna}`)
    for (const expected of [[face], [], [face]]) {
      expect(await undoLast()).toMatchObject({ undone: 1, changed: 0 })
      expect(known()).toEqual(expected)
    }
  })

  test('follows the person of its region, and is removed if the region shows nobody', async () => {
    const { draw, region, face, known, undoLast, published, anna, ben } = await openLibraryWithFace()
    const before = published().length
    await draw({ id: region, person: ben, ...box(100, 100) })
    expect(known()).toEqual([{ ...face, person: ben }])
    expect(published().slice(before)).toEqual(expect.arrayContaining([`person-${anna}`, `person-${ben}`]))
    await undoLast()
    expect(known()).toEqual([face])
    await draw({ id: region, person: 0, ...box(100, 100) })
    expect(known()).toEqual([])
    await undoLast()
    expect(known()).toEqual([face])
  })

  test('is removed by undoing the step that created it, by whole lists and by bulk edits', async () => {
    const { id, face, known, undoLast, saveTag, bulkEdit, anna } = await openLibraryWithFace()
    await undoLast()
    expect(known()).toEqual([])
    await undoLast()
    expect(known()).toEqual([face])
    await saveTag(id, 'People', [])
    expect(known()).toEqual([])
    await undoLast()
    expect(known()).toEqual([face])
    await bulkEdit(terminalViewer, {
      items: [id],
      changes: [{ tagName: 'People', mode: 'remove', data: [{ person: anna }] }],
    })
    expect(known()).toEqual([])
    await undoLast()
    expect(known()).toEqual([face])
  })

  test('moves to a region that it is assigned to, and stays if another region replaces its own', async () => {
    const { db, id, region, face, known, saveTag, anna, undoLast } = await openLibraryWithFace()
    await saveTag(id, 'People', [{ person: anna, face: face.id, ...box(600, 600) }])
    const [moved] = known()
    expect(moved).toMatchObject({ id: face.id, person: anna })
    expect(moved?.object).not.toBe(region)
    await undoLast()
    expect(known()).toEqual([face])
    // Two browsers can create two regions at one place.
    await db.transact({ userId: null }, tx => {
      tx.run('UPDATE faces SET region_id = ? WHERE id = ?', region, face.id)
      tx.run(
        `INSERT INTO regions (item_id, type, person_id, x, y, width, height, source)
         VALUES (?, 'person', ?, 100, 100, 50, 50, 'user')`,
        id,
        anna,
      )
    })
    const twin = db.get<{ id: number }>('SELECT max(id) AS id FROM regions')?.id ?? 0
    await saveTag(id, 'People', [{ id: twin, person: anna, ...box(100, 100) }])
    expect(known()).toMatchObject([{ id: face.id, person: anna }])
  })
})
