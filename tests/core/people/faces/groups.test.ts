import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import type { Viewer } from '../../../../core/accounts/access.ts'
import { terminalViewer } from '../../../../core/accounts/access.ts'
import { openDatabase, serverWaiting } from '../../../../core/kernel/database/database.ts'
import { faceGroupUndos } from '../../../../core/people/faces/group-steps.ts'
import { distanceOf, groupFaces } from '../../../../core/people/faces/grouping.ts'
import { createFaceGroups } from '../../../../core/people/faces/groups.ts'
import { createKnownFaces } from '../../../../core/people/faces/known.ts'
import { similarity } from '../../../../schema/faces.ts'
import { limits } from '../../../../schema/limits.ts'
import { openEditingLibrary } from '../../../support/editing-library.ts'
import { addDetectedFaces, faceVector } from '../../../support/faces.ts'
import { unlockValue } from '../../../support/library.ts'

const model = limits.faceModel

async function setup() {
  const library = openEditingLibrary({ undos: faceGroupUndos })
  const { db, make } = library
  const [editor, reader] = [await make.user(), await make.user()]
  const open = await make.collection({ updaters: [editor], viewers: [reader] })
  const closed = await make.collection({})
  const groups = createFaceGroups({ db, known: createKnownFaces(db), model })
  const group = () => groupFaces(db, limits.faceModel, { signal: new AbortController().signal, onProgress() {} })
  /** A picture with faces of these people. */
  const picture = async (who: number[], collection = open, more = {}) => {
    const id = await make.item({ collection, ...more })
    await addDetectedFaces(
      db,
      id,
      who.map(one => ({ who: one })),
    )
    return id
  }
  return { ...library, editor, reader, open, closed, groups, group, picture }
}

const failure = async (work: () => unknown) => {
  try {
    await work()
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return null
}

test('distance and similarity are consistent', () => {
  const [a, b] = [new Float32Array(4), new Float32Array([10, 0, 0, 0])]
  const far = 100
  const alike = similarity(a, b)
  expect(Math.abs(distanceOf(alike) - far)).toBeLessThan(3)
  expect(similarity(faceVector(1, 1), faceVector(1, 2))).toBeGreaterThan(0.8)
  expect(similarity(faceVector(1), faceVector(2))).toBe(0)
})

test('similar faces are a group; a single face is not', async () => {
  const { group, picture, groups } = await setup()
  for (let n = 0; n < 4; n++) await picture([1])
  for (let n = 0; n < 3; n++) await picture([2, 3])
  await picture([4])
  expect(await group()).toBe(3)
  const { groups: listed, _meta } = groups.list(terminalViewer, {})
  expect(listed.map(({ count, faces }) => [count, faces.length])).toEqual([
    [4, 4],
    [3, 3],
    [3, 3],
  ])
  expect(_meta.total_records).toBe(3)
})

test('two faces of one picture are never in the same group, and grouping again changes nothing', async () => {
  const { db, group, picture, groups } = await setup()
  for (let n = 0; n < 3; n++) await picture([1, 1])
  await group()
  const placed = () => db.all('SELECT id, group_id FROM found_faces ORDER BY id')
  expect(groups.list(terminalViewer, {}).groups.map(({ count }) => count)).toEqual([3, 3])
  const before = placed()
  await group()
  expect(placed()).toEqual(before)
})

test('small and blurred faces, which have short vectors, are not similar to each other', async () => {
  const { db, group, make, open } = await setup()
  for (let who = 0; who < 8; who++) {
    const id = await make.item({ collection: open })
    await addDetectedFaces(db, id, [{ who, strength: 0.02 }])
  }
  expect(await group()).toBe(0)
})

test('a changed picture shows no faces until it is searched again; its faces then join groups of similar faces', async () => {
  const { db, group, picture, groups } = await setup()
  const ids: number[] = []
  for (const who of [1, 1, 1, 2, 2]) ids.push(await picture([who]))
  await group()
  const counts = () => groups.list(terminalViewer, {}).groups.map(({ count }) => count)
  expect(counts()).toEqual([3, 2])
  const [first = 0] = ids
  const [one] = groups.list(terminalViewer, {}).groups
  const face = one?.faces.find(({ item }) => item.id === first)?.id ?? 0
  await db.transact(terminalViewer, tx => {
    tx.run("UPDATE items SET content = 'another' WHERE id = ?", first)
  })
  expect(counts()).toEqual([2, 2])
  const person = 1
  expect(await failure(() => groups.name(terminalViewer, one?.id ?? 0, { person, faces: [face] }))).toBe('notFound')
  await addDetectedFaces(db, first, [{ who: 2 }], 2)
  await group()
  expect(counts()).toEqual([3, 2])
})

test('a user who sees only a part of a group can ignore that part, and the rest stays as it is', async () => {
  const { group, picture, groups, viewer, editor, open, closed, undo } = await setup()
  for (let n = 0; n < 2; n++) await picture([1], open)
  for (let n = 0; n < 3; n++) await picture([1], closed)
  await group()
  const counts = (who: Viewer, ignored: boolean) => groups.list(who, { ignored }).groups.map(({ count }) => count)
  const me = viewer(editor)
  const [mine] = groups.list(me, {}).groups
  const { group: aside, step } = await groups.ignore(me, mine?.id ?? 0, true)
  expect([aside.count, aside.ignored]).toEqual([2, true])
  expect([counts(me, false), counts(me, true)]).toEqual([[], [2]])
  expect([counts(terminalViewer, false), counts(terminalViewer, true)]).toEqual([[3], [2]])
  await undo(me, step)
  expect([counts(terminalViewer, false), counts(terminalViewer, true)]).toEqual([[5], []])
})

test('groups keep their ids when faces are added or pictures are searched again', async () => {
  const { db, group, picture, groups } = await setup()
  const first = await picture([1])
  await picture([1])
  await group()
  const [before] = groups.list(terminalViewer, {}).groups
  await picture([1])
  await addDetectedFaces(db, first, [{ who: 1 }], 5)
  await group()
  expect(groups.list(terminalViewer, {}).groups.map(({ id, count }) => [id, count])).toEqual([[before?.id ?? 0, 3]])
})

test('editors see the faces of items they may edit, and nobody else sees any', async () => {
  const { group, picture, groups, viewer, editor, reader, open, closed } = await setup()
  for (let n = 0; n < 2; n++) await picture([1], open)
  for (let n = 0; n < 3; n++) await picture([1], closed)
  for (let n = 0; n < 3; n++) await picture([2], closed)
  await group()
  const [one, two] = groups.list(terminalViewer, {}).groups
  expect([one?.count, two?.count]).toEqual([5, 3])
  const seenBy = (who: Viewer) => groups.list(who, {}).groups.map(({ id, count }) => [id, count])
  expect(seenBy(viewer(editor))).toEqual([[one?.id ?? 0, 2]])
  expect(await failure(() => groups.list(viewer(reader), {}))).toBe('denied')
  expect(await failure(() => groups.list(viewer(null), {}))).toBe('unauthenticated')
  expect(await failure(() => groups.get(viewer(editor), two?.id ?? 0, undefined))).toBe('notFound')
  const foreign = two?.faces[0]?.id ?? 0
  expect(await failure(() => groups.split(viewer(editor), one?.id ?? 0, [foreign]))).toBe('notFound')
})

test('faces of recycled items are not shown, those of hidden items only in an unlocked session', async () => {
  const { group, picture, groups, viewer, editor, open, make } = await setup()
  await make.keystring('Secret', { hidesItems: true })
  await picture([1], open, { keywords: ['Secret'] })
  await picture([1])
  await picture([1], open, { deleted: 1 })
  await group()
  expect(groups.list(viewer(editor), {}).groups.map(({ count }) => count)).toEqual([1])
  const unlocked = viewer(editor, { unlocked: true })
  expect(groups.list(unlocked, {}).groups.map(({ count }) => count)).toEqual([1])
  expect(groups.list(unlocked, { includeHidden: unlockValue }).groups.map(({ count }) => count)).toEqual([2])
})

test('only the given faces are named; the others have a suggestion', async () => {
  const { db, group, picture, groups, viewer, editor, make } = await setup()
  for (let n = 0; n < 4; n++) await picture([1])
  await group()
  const me = viewer(editor)
  const [found] = groups.list(me, {}).groups
  const person = await make.person('Anna')
  const faces = (found?.faces ?? []).slice(0, 2).map(({ id }) => id)
  const { named, left, step } = await groups.name(me, found?.id ?? 0, { person, faces })
  expect([named, left]).toEqual([2, 2])
  const rest = groups.get(me, found?.id ?? 0, undefined)
  expect(rest.suggestions.map(one => one.person)).toEqual([person])
  expect(rest.faces.some(({ id }) => faces.includes(id))).toBe(false)
  expect(db.all('SELECT DISTINCT person_id, source FROM regions')).toEqual([{ person_id: person, source: 'face' }])
  expect(db.get('SELECT count(*) AS n FROM faces')).toEqual({ n: 2 })
  expect(db.get('SELECT count(DISTINCT item_id) AS n FROM history WHERE step = ?', step)).toEqual({ n: 2 })
  // A named face is not named again.
  expect(await failure(() => groups.name(me, found?.id ?? 0, { person, faces }))).toBe('conflict')
  expect(await failure(() => groups.name(me, found?.id ?? 0, { person: 999, faces: [rest.faces[0]?.id ?? 0] }))).toBe(
    'invalid',
  )
})

test('when two users name a group at once, one person is created and the other user gets a conflict', async () => {
  const { db, group, picture, groups, viewer, editor } = await setup()
  for (let n = 0; n < 4; n++) await picture([1])
  await group()
  const me = viewer(editor)
  const [found] = groups.list(me, {}).groups
  const faces = found?.faces.map(({ id }) => id) ?? []
  const id = found?.id ?? 0
  const naming = { person: { name: 'Mia' }, faces }
  const both = await Promise.allSettled([groups.name(me, id, naming), groups.name(terminalViewer, id, naming)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(one => one.status === 'rejected')?.reason).toMatchObject({ code: 'conflict' })
  const people = () => db.all('SELECT person_id, name FROM person_names')
  const [{ person, step } = { person: 0, step: '' }] = both.flatMap(one =>
    one.status === 'fulfilled' ? [one.value] : [],
  )
  expect(people()).toEqual([{ person_id: person, name: 'Mia' }])
  expect(db.all('SELECT DISTINCT person_id FROM regions')).toEqual([{ person_id: person }])
  expect(db.get('SELECT count(*) AS n FROM regions')).toEqual({ n: 4 })
  // The step contains only the boxes, so its undo keeps the person.
  expect(db.all('SELECT operation FROM history WHERE step = ? GROUP BY operation', step)).toEqual([
    { operation: 'item.region' },
  ])
})

test('calls that waited for the database check again: no face is named twice, and no removed group is merged', async () => {
  const { db: terminal, clock, group, picture, make } = await setup()
  for (const who of [1, 1, 1, 2, 2, 3, 3]) await picture([who])
  await group()
  const db = openDatabase(terminal.path, { waiting: serverWaiting, clock })
  const groups = createFaceGroups({ db, known: createKnownFaces(db), model })
  const [one, two, three] = groups.list(terminalViewer, {}).groups.map(({ id }) => id)
  const faces = groups.get(terminalViewer, one ?? 0, undefined).faces.map(({ id }) => id)
  const [anna, ben] = [await make.person('Anna'), await make.person('Ben')]
  const other = new Database(db.path)
  /** Starts the calls while another connection holds the write lock. */
  const both = async (...calls: (() => Promise<unknown>)[]) => {
    other.run('BEGIN IMMEDIATE')
    const results = calls.map(call => failure(call))
    other.run('COMMIT')
    return (await Promise.all(results)).toSorted()
  }
  const name = (person: number) => () => groups.name(terminalViewer, one ?? 0, { person, faces })
  expect(await both(name(anna), name(ben))).toEqual(['conflict', null])
  expect(db.get('SELECT count(*) AS n, count(DISTINCT person_id) AS people FROM regions')).toEqual({ n: 3, people: 1 })
  const merge =
    (id = 0, from = 0) =>
    () =>
      groups.merge(terminalViewer, id, [from])
  expect(await both(merge(two, three), merge(three, two))).toEqual(['notFound', null])
  const [left] = groups.list(terminalViewer, {}).groups
  const split = () => groups.split(terminalViewer, left?.id ?? 0, left?.faces.slice(0, 2).map(({ id }) => id) ?? [])
  expect(await both(split, split)).toEqual(['notFound', null])
  other.close()
  db.close()
})

test('when two users name overlapping parts of a group, each face gets one name', async () => {
  const { db, group, picture, groups, make } = await setup()
  for (let n = 0; n < 4; n++) await picture([1])
  await group()
  const [found] = groups.list(terminalViewer, {}).groups
  const faces = found?.faces.map(({ id }) => id) ?? []
  const [anna, ben] = [await make.person('Anna'), await make.person('Ben')]
  const name = (person: number, from: number, to: number) =>
    groups.name(terminalViewer, found?.id ?? 0, { person, faces: faces.slice(from, to) })
  const [first, second] = await Promise.all([name(anna, 0, 3), name(ben, 1, 4)])
  expect([first.named, first.overtaken, second.named, second.overtaken]).toEqual([3, 0, 1, 2])
  expect([first.person, second.person]).toEqual([anna, ben])
  expect(db.get('SELECT count(*) AS n FROM regions')).toEqual({ n: 4 })
})

test('a person without a box gets the box of the face; an unnamed box gets the name', async () => {
  const { db, make, open, groups, group } = await setup()
  const somewhere = await make.item({ collection: open, people: ['Anna'] })
  const nameless = await make.item({ collection: open })
  await db.transact(terminalViewer, tx => {
    tx.run(
      "INSERT INTO regions (item_id, type, x, y, width, height, source) VALUES (?, 'person', 48, 98, 104, 104, 'user')",
      nameless,
    )
  })
  for (const id of [somewhere, nameless]) await addDetectedFaces(db, id, [{ who: 1 }])
  await group()
  const [found] = groups.list(terminalViewer, {}).groups
  const person = db.get<{ person_id: number }>('SELECT person_id FROM person_names')?.person_id ?? 0
  const { named } = await groups.name(terminalViewer, found?.id ?? 0, {
    person,
    faces: found?.faces.map(({ id }) => id) ?? [],
  })
  expect(named).toBe(2)
  expect(db.all('SELECT item_id, person_id, x FROM regions ORDER BY item_id')).toEqual([
    { item_id: somewhere, person_id: person, x: 50 },
    { item_id: nameless, person_id: person, x: 48 },
  ])
})

test('groups that were merged, split or ignored stay so when grouping again', async () => {
  const { group, picture, groups } = await setup()
  for (let n = 0; n < 3; n++) await picture([1])
  for (let n = 0; n < 2; n++) await picture([2])
  await group()
  const [one, two] = groups.list(terminalViewer, {}).groups
  const { group: merged } = await groups.merge(terminalViewer, one?.id ?? 0, [two?.id ?? 0])
  expect(merged.count).toBe(5)
  expect(await failure(() => groups.get(terminalViewer, two?.id ?? 0, undefined))).toBe('notFound')
  expect(await failure(() => groups.merge(terminalViewer, merged.id, [merged.id]))).toBe('invalid')
  const { group: apart } = await groups.split(
    terminalViewer,
    merged.id,
    merged.faces.slice(0, 2).map(({ id }) => id),
  )
  expect(apart.count).toBe(2)
  expect((await groups.ignore(terminalViewer, apart.id, true)).group.ignored).toBe(true)
  await group()
  expect(groups.list(terminalViewer, {}).groups.map(({ id, count }) => [id, count])).toEqual([[merged.id, 3]])
  expect(groups.list(terminalViewer, { ignored: true }).groups.map(({ id }) => id)).toEqual([apart.id])
})

test('changes of groups are in the history, publish events, and can be undone', async () => {
  const { db, group, picture, groups, undo, lastStep, viewer, editor, reader } = await setup()
  for (const [who, count] of [4, 3, 2].entries()) for (let n = 0; n < count; n++) await picture([who])
  await group()
  const me = viewer(editor)
  const listed = (ignored = false) =>
    groups.list(me, { ignored }).groups.map(({ id, faces }) => [id, faces.map(face => face.id).sort()])
  const before = listed()
  const [one = 0, two = 0, three = 0] = groups.list(me, {}).groups.map(({ id }) => id)
  await groups.ignore(me, three, true)
  const eventCount = () => db.all<{ n: number }>("SELECT 1 AS n FROM events WHERE channel = 'face-groups'").length
  const eventsBefore = eventCount()

  // A group that was ignored is ignored again after undoing a merge.
  const { step } = await groups.merge(me, one, [two, three])
  expect(eventCount()).toBeGreaterThan(eventsBefore)
  expect(listed().map(([, faces]) => faces)).toHaveLength(1)
  expect(lastStep()).toMatchObject({ step, operation: 'faces.merge', undoable: true, username: expect.any(String) })
  expect(await failure(() => undo(viewer(reader), step))).toBe('notFound')
  expect((await undo(me, step)).counts).toMatchObject({ undone: 2, changed: 0, gone: 0 })
  expect(listed()).toEqual(before.slice(0, 2))
  expect(listed(true)).toEqual(before.slice(2))
  // The undo can be undone too.
  await undo(me, lastStep()?.step ?? '')
  expect(listed()).toHaveLength(1)
  await undo(me, lastStep()?.step ?? '')

  const faces = groups.get(me, one, undefined).faces.slice(0, 2)
  const split = await groups.split(
    me,
    one,
    faces.map(({ id }) => id),
  )
  expect(listed()).toHaveLength(3)
  await undo(me, split.step)
  expect(listed()).toEqual(before.slice(0, 2))

  const ignored = await groups.ignore(me, one, true)
  expect(listed().map(([id]) => id)).toEqual([two])
  await groups.ignore(me, one, false)
  // The group has changed since that step.
  expect((await undo(me, ignored.step)).counts).toMatchObject({ undone: 0, changed: 1 })
  // The faces of the merged group are deleted before the undo.
  const again = await groups.merge(me, one, [two])
  await db.transact(terminalViewer, tx => {
    tx.run('DELETE FROM found_faces')
    tx.run('DELETE FROM face_groups')
  })
  expect((await undo(me, again.step)).counts).toMatchObject({ undone: 0, gone: 1 })
})

test('faces keep their ids when pictures are searched again: merges are kept and can be undone', async () => {
  const { db, group, picture, groups, undo } = await setup()
  const ids: number[] = []
  for (const who of [1, 1, 2, 2]) ids.push(await picture([who]))
  await group()
  const listed = () => groups.list(terminalViewer, {}).groups.map(({ faces }) => faces.map(face => face.id).toSorted())
  const before = listed()
  const [one, two] = groups.list(terminalViewer, {}).groups
  const { step } = await groups.merge(terminalViewer, one?.id ?? 0, [two?.id ?? 0])
  // In the first picture, a new face is found before the old one.
  for (const [n, id] of ids.entries())
    await addDetectedFaces(db, id, [...(n === 0 ? [{ who: 9, x: 600 }] : []), { who: n < 2 ? 1 : 2, x: 50 }], 2)
  expect(listed()).toEqual([before.flat().toSorted()])
  expect((await undo(terminalViewer, step)).counts).toMatchObject({ undone: 1, gone: 0 })
  expect(listed()).toEqual(before)
})
