import { expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { matchFaces } from '../../../core/editing/boxes/face-matches.ts'
import { roundedVector } from '../../../core/editing/boxes/vectors.ts'
import { changeItem, requireItemToEdit } from '../../../core/editing/item-edit.ts'
import { storeFault } from '../../../core/people/faces/detections.ts'
import { similarity } from '../../../schema/faces.ts'
import { limits } from '../../../schema/limits.ts'
import { openEditingLibrary } from '../../support/editing-library.ts'
import { addDetectedFaces, faceVector } from '../../support/faces.ts'
import { openTestLibrary } from '../../support/library.ts'

const square = (x: number, size = 100) => ({ x, y: 100, width: size, height: size })

function knownFaceRows(db: ReturnType<typeof openTestLibrary>['db']) {
  return db.all<{ person_id: number; region_id: number | null }>('SELECT person_id, region_id FROM faces ORDER BY id')
}

test('a detected face on a named box becomes a known face', async () => {
  const { db, make } = openTestLibrary()
  const id = await make.item({ boxes: [{ person: 'Anna', ...square(50) }, { person: 'Berta' }] })
  await addDetectedFaces(db, id, [
    { who: 1, ...square(52) },
    { who: 2, ...square(500) },
  ])
  const anna = db.get<{ person_id: number }>("SELECT person_id FROM person_names WHERE name = 'Anna'")?.person_id ?? 0
  expect(knownFaceRows(db).map(({ person_id }) => person_id)).toEqual([anna])
  expect(db.all('SELECT region_id IS NOT NULL AS has_box FROM found_faces ORDER BY x')).toEqual([
    { has_box: 1 },
    { has_box: 0 },
  ])
})

test('a detected face matches a larger box around it, but not a box beside it', async () => {
  const { db, make } = openTestLibrary()
  const [around, beside] = [
    await make.item({ boxes: [{ person: 'Anna', ...square(40, 140) }] }),
    await make.item({ boxes: [{ person: 'Anna', ...square(130) }] }),
  ]
  for (const id of [around, beside]) await addDetectedFaces(db, id, [{ who: 1, x: 50, y: 110 }])
  expect(knownFaceRows(db).length).toBe(1)
})

test('naming a face later adds a known face, and detecting faces again adds no duplicate', async () => {
  const { db, make } = openTestLibrary()
  const id = await make.item()
  const person = await make.person('Anna')
  await addDetectedFaces(db, id, [{ who: 1, ...square(50) }])
  expect(knownFaceRows(db)).toEqual([])
  await db.transact(terminalViewer, tx => {
    const box = { id: null, subject: person, ...square(51), source: 'user' as const }
    changeItem(tx, requireItemToEdit(tx, id), { people: [box] }, { operation: 'item.region' })
  })
  expect(knownFaceRows(db).map(({ person_id }) => person_id)).toEqual([person])
  await addDetectedFaces(db, id, [{ who: 1, ...square(50) }], 2)
  await db.transact(terminalViewer, tx => void matchFaces(tx, id))
  expect(knownFaceRows(db).length).toBe(1)
})

test('removing a box removes its known face and frees the detected face', async () => {
  const { db, make } = openTestLibrary()
  const id = await make.item({ boxes: [{ person: 'Anna', ...square(50) }] })
  await addDetectedFaces(db, id, [{ who: 1, ...square(50) }])
  await db.transact(terminalViewer, tx => {
    changeItem(tx, requireItemToEdit(tx, id), { people: [] }, { operation: 'item.region' })
  })
  expect(knownFaceRows(db)).toEqual([])
  expect(db.get('SELECT region_id FROM found_faces')).toEqual({ region_id: null })
})

test('moving a box to another detected face replaces its known face', async () => {
  const { db, make } = openTestLibrary()
  const id = await make.item({ boxes: [{ person: 'Anna', ...square(50) }] })
  await addDetectedFaces(db, id, [
    { who: 1, ...square(50) },
    { who: 2, ...square(500) },
  ])
  const knownFaces = () => {
    const rows = db.all<{ embedding: string }>('SELECT embedding FROM faces')
    return rows.map(({ embedding }) => {
      const vector: number[] = JSON.parse(embedding)
      return [1, 2].find(who => similarity(vector, faceVector(who, id)) > 0.9) ?? 0
    })
  }
  expect(knownFaces()).toEqual([1])
  const move = (x: number) =>
    db.transact(terminalViewer, tx => {
      const item = requireItemToEdit(tx, id)
      changeItem(tx, item, { people: item.parts.people.map(box => ({ ...box, x })) }, { operation: 'item.region' })
    })
  await move(500)
  expect(knownFaces()).toEqual([2])
  // There is no detected face at this place.
  await move(800)
  expect(knownFaces()).toEqual([])
  await move(50)
  expect(knownFaces()).toEqual([1])
})

test('replacing the picture removes known faces that are not detected on the new one', async () => {
  const { db, make } = openTestLibrary()
  const id = await make.item({
    boxes: [
      { person: 'Anna', ...square(50) },
      { person: 'Bert', ...square(400) },
    ],
  })
  const faces = [
    { who: 1, ...square(50) },
    { who: 2, ...square(400) },
  ]
  await addDetectedFaces(db, id, faces)
  expect(knownFaceRows(db)).toHaveLength(2)
  // A later detection that misses a face on the same picture does not remove its known face.
  await addDetectedFaces(db, id, faces.slice(1), 2)
  expect(knownFaceRows(db)).toHaveLength(2)
  await addDetectedFaces(db, id, faces, 3)
  await db.transact(terminalViewer, tx => {
    tx.run("UPDATE items SET content = 'another'")
  })
  await addDetectedFaces(db, id, faces.slice(1), 4)
  expect(db.all('SELECT n.name FROM faces JOIN person_names AS n USING (person_id)')).toEqual([{ name: 'Bert' }])
  await db.transact(terminalViewer, tx => {
    tx.run("UPDATE items SET content = 'broken'")
    const item = tx.get<{ width: number; height: number }>('SELECT width, height FROM items WHERE id = ?', id)
    const broken = { id, content: 'broken', rotation: 0, width: item?.width ?? 0, height: item?.height ?? 0 }
    storeFault(tx, { item: broken, model: limits.faceModel, confidence: 0.5, at: 5 }, 'It is cut off.')
  })
  expect(knownFaceRows(db)).toEqual([])
})

test('undoing the move of a box restores its known face, not the one detected last', async () => {
  const { db, make, lastStep, undo } = openEditingLibrary()
  const id = await make.item({ boxes: [{ person: 'Anna', ...square(50) }] })
  await addDetectedFaces(db, id, [{ who: 1, pose: 1, ...square(50) }])
  // The second detection differs a little, but the known face stays.
  await addDetectedFaces(
    db,
    id,
    [
      { who: 1, pose: 9, ...square(50) },
      { who: 2, ...square(500) },
    ],
    2,
  )
  const knownFaces = () => db.all<{ embedding: string }>('SELECT id, region_id, embedding FROM faces')
  const before = knownFaces()
  expect(before).toMatchObject([{ embedding: JSON.stringify(roundedVector(faceVector(1, 1))) }])
  await db.transact(terminalViewer, tx => {
    const item = requireItemToEdit(tx, id)
    changeItem(tx, item, { people: item.parts.people.map(box => ({ ...box, x: 500 })) }, { operation: 'item.region' })
  })
  const moved = knownFaces()
  expect(moved).toMatchObject([{ embedding: JSON.stringify(roundedVector(faceVector(2, id))) }])
  await undo(terminalViewer, lastStep()?.step ?? '')
  expect(knownFaces()).toEqual(before)
  await undo(terminalViewer, lastStep()?.step ?? '')
  expect(knownFaces()).toEqual(moved)
})
