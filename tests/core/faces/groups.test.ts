import { expect, test } from 'bun:test'
import type { Viewer } from '../../../core/access.ts'
import { terminalViewer } from '../../../core/access.ts'
import { distanceOf, groupFaces } from '../../../core/faces/grouping.ts'
import { createFaceGroups } from '../../../core/faces/groups.ts'
import { createKnownFaces } from '../../../core/faces/known.ts'
import { similarity } from '../../../schema/faces.ts'
import { limits } from '../../../schema/limits.ts'
import { faceVector, seen } from '../../support/faces.ts'
import { openTestLibrary, unlockValue } from '../../support/library.ts'

const model = () => limits.faceModel

async function house() {
  const library = openTestLibrary()
  const { db, make } = library
  const [editor, reader] = [await make.user(), await make.user()]
  const open = await make.collection({ updaters: [editor], viewers: [reader] })
  const closed = await make.collection({})
  const groups = createFaceGroups({ db, known: createKnownFaces(db), model })
  const group = () => groupFaces(db, limits.faceModel, { signal: new AbortController().signal, onProgress() {} })
  /** A picture with these people. */
  const picture = async (who: number[], collection = open, more = {}) => {
    const id = await make.item({ collection, ...more })
    await seen(
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

test('distance and similarity say the same', () => {
  const [a, b] = [new Float32Array(4), new Float32Array([10, 0, 0, 0])]
  const far = 100
  const alike = similarity(a, b)
  expect(Math.abs(distanceOf(alike) - far)).toBeLessThan(3)
  expect(similarity(faceVector(1, 1), faceVector(1, 2))).toBeGreaterThan(0.8)
  expect(similarity(faceVector(1), faceVector(2))).toBe(0)
})

test('faces that look alike are a group, one that is like no other is none', async () => {
  const { group, picture, groups } = await house()
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

test('groups keep their ids when more comes, and when pictures are looked at again', async () => {
  const { db, group, picture, groups } = await house()
  const first = await picture([1])
  await picture([1])
  await group()
  const [before] = groups.list(terminalViewer, {}).groups
  await picture([1])
  await seen(db, first, [{ who: 1 }], 5)
  await group()
  expect(groups.list(terminalViewer, {}).groups.map(({ id, count }) => [id, count])).toEqual([[before?.id ?? 0, 3]])
})

test('those who edit see the faces of what they edit, nobody else any', async () => {
  const { group, picture, groups, viewer, editor, reader, open, closed } = await house()
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

test('hidden and recycled items show no faces, hidden ones to an unlocked session', async () => {
  const { group, picture, groups, viewer, editor, open, make } = await house()
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

test('only the faces that are said get the name; for the others he is suggested', async () => {
  const { db, group, picture, groups, viewer, editor, make } = await house()
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
  // Who is named already is not named once more.
  expect(await failure(() => groups.name(me, found?.id ?? 0, { person, faces }))).toBe('notFound')
  expect(await failure(() => groups.name(me, found?.id ?? 0, { person: 999, faces: [rest.faces[0]?.id ?? 0] }))).toBe(
    'invalid',
  )
})

test('who was only known to be on a picture gets the place of his face, a box without a name the name', async () => {
  const { db, make, open, groups, group } = await house()
  const somewhere = await make.item({ collection: open, people: ['Anna'] })
  const nameless = await make.item({ collection: open })
  await db.transact(terminalViewer, tx => {
    tx.run(
      "INSERT INTO regions (item_id, type, x, y, width, height, source) VALUES (?, 'person', 48, 98, 104, 104, 'user')",
      nameless,
    )
  })
  for (const id of [somewhere, nameless]) await seen(db, id, [{ who: 1 }])
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

test('groups are merged, split and put aside, and grouping again leaves them so', async () => {
  const { group, picture, groups } = await house()
  for (let n = 0; n < 3; n++) await picture([1])
  for (let n = 0; n < 2; n++) await picture([2])
  await group()
  const [one, two] = groups.list(terminalViewer, {}).groups
  const merged = await groups.merge(terminalViewer, { id: one?.id ?? 0, otherId: two?.id ?? 0 })
  expect(merged.count).toBe(5)
  expect(await failure(() => groups.get(terminalViewer, two?.id ?? 0, undefined))).toBe('notFound')
  const apart = await groups.split(
    terminalViewer,
    merged.id,
    merged.faces.slice(0, 2).map(({ id }) => id),
  )
  expect(apart.count).toBe(2)
  expect((await groups.ignore(terminalViewer, apart.id, true)).ignored).toBe(true)
  await group()
  expect(groups.list(terminalViewer, {}).groups.map(({ id, count }) => [id, count])).toEqual([[merged.id, 3]])
  expect(groups.list(terminalViewer, { ignored: true }).groups.map(({ id }) => id)).toEqual([apart.id])
})
