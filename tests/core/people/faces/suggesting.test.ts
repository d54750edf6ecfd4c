import { expect, test } from 'bun:test'
import { terminalViewer, type Viewer } from '../../../../core/accounts/access.ts'
import { roundedVector } from '../../../../core/editing/boxes/vectors.ts'
import { createFoundFaces } from '../../../../core/people/faces/detected-faces.ts'
import { createFaces } from '../../../../core/people/faces/faces.ts'
import { createKnownFaces } from '../../../../core/people/faces/known.ts'
import { faceCalls } from '../../../../schema/api/faces.ts'
import { suggestPeople } from '../../../../schema/faces.ts'
import { limits } from '../../../../schema/limits.ts'
import { openEditingLibrary } from '../../../support/editing-library.ts'
import { faceVector } from '../../../support/faces.ts'

const noJobs = { running: () => [], waiting: () => [], enqueue: async () => 0 }
const model: string = limits.faceModel
const square = { x: 100, y: 100, width: 100, height: 100 }
const vectorOf = (who: number, pose = 0) => roundedVector(faceVector(who, pose))

async function setup() {
  const library = openEditingLibrary()
  const { db, make, clock, viewer } = library
  const [updaterId, viewerId] = [await make.user(), await make.user()]
  const collection = await make.collection({ updaters: [updaterId], viewers: [viewerId] })
  const [editor, reader] = [viewer(updaterId), viewer(viewerId)]
  const faces = createFaces({ db, clock })
  const found = createFoundFaces({ db, known: createKnownFaces(db), jobs: noJobs, model: 'made-up-1' })
  /** A picture of a person with a known face. */
  const known = async (person: string, who: number, { pose = 0, by = model } = {}) => {
    const item = await make.item({ collection, boxes: [{ person, ...square }] })
    const box = db.get<{ id: number; person_id: number }>('SELECT id, person_id FROM regions WHERE item_id = ?', item)
    if (box === null) throw new Error('it has no box')
    await faces.add(terminalViewer, box.person_id, { object: box.id, embedding_data: vectorOf(who, pose), model: by })
    return { item, region: box.id, person: box.person_id }
  }
  return { ...library, editor, reader, collection, found, known }
}

const failure = async (work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (error) {
    return error instanceof Error && 'code' in error ? [error.code, error.message] : error
  }
  return null
}

test('faces found by a browser are compared with known faces of the same model, by the rule for faces that the server finds', async () => {
  const { db, editor, make, collection, found, known } = await setup()
  const anna = await known('Anna', 1, { pose: 1 })
  await known('Bert', 2)
  const other = await known('Cleo', 3, { by: 'made-up-1' })
  const item = await make.item({ collection })
  const faces = [vectorOf(3), vectorOf(1, 7)]
  const result = await found.suggest(editor, item, { model, faces })
  const all = db.all<{ person_id: number; embedding: string }>('SELECT * FROM faces WHERE model = ?', model)
  const people = all.map(face => ({ person: face.person_id, vector: JSON.parse(face.embedding) }))
  expect(result.suggestions).toEqual([[], suggestPeople(vectorOf(1, 7), people)])
  expect(result.suggestions[1]).toMatchObject([{ person: anna.person, matches: 1 }])
  // Faces of the server's own model are compared with known faces of that model.
  const byOther = await found.suggest(editor, item, { model: 'made-up-1', faces: [vectorOf(3, 2)] })
  expect(byOther.suggestions).toMatchObject([[{ person: other.person }]])
  expect((await found.suggest(editor, item, { model, faces: [vectorOf(1, 7)] })).suggestions).toEqual([
    suggestPeople(vectorOf(1, 7), people),
  ])
})

test('the result lists the regions of the picture that have a known face of the given model', async () => {
  const { editor, found, known } = await setup()
  const [anna, cleo] = [await known('Anna', 1), await known('Cleo', 3, { by: 'made-up-1' })]
  const suggest = (item: number) => found.suggest(editor, item, { model, faces: [vectorOf(1)] })
  expect((await suggest(anna.item)).known).toEqual([anna.region])
  expect((await suggest(cleo.item)).known).toEqual([])
})

test('a suggestion requires the right to edit the picture, and limits the number and length of vectors', async () => {
  const { make, editor, reader, found, known } = await setup()
  const { item } = await known('Anna', 1)
  const foreign = await make.item({ collection: await make.collection({}) })
  const suggest = (viewer: Viewer, id: number, faces = [vectorOf(1)]) =>
    failure(() => found.suggest(viewer, id, { model, faces }))
  expect(await suggest(reader, item)).toMatchObject(['denied', expect.any(String)])
  expect(await suggest(editor, foreign)).toMatchObject(['notFound', expect.any(String)])
  expect(await suggest(editor, item, [vectorOf(1).slice(1)])).toEqual([
    'invalid',
    "Faces of the model 'human-faceres-1' have 1024 numbers, not 1023.",
  ])
  const { body } = faceCalls.suggest
  const many = Array.from({ length: limits.faces.maxPerPicture + 1 }, () => vectorOf(1))
  expect(body?.safeParse({ model, faces: many.slice(1) }).success).toBe(true)
  expect(body?.safeParse({ model, faces: many }).error?.issues[0]?.message).toBe('At most 100 faces at once')
  expect(body?.safeParse({ model, faces: [] }).error?.issues[0]?.message).toBe('There are no faces')
})
