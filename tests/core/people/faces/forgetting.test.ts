import { expect, test } from 'bun:test'
import { terminalViewer } from '../../../../core/accounts/access.ts'
import { changeItem, requireItemToEdit } from '../../../../core/editing/item-edit.ts'
import type { StoredBox } from '../../../../core/editing/item-parts.ts'
import { createItems } from '../../../../core/items/items.ts'
import { createFoundFaces } from '../../../../core/people/faces/detected-faces.ts'
import { createKnownFaces } from '../../../../core/people/faces/known.ts'
import { createPeople } from '../../../../core/people/people.ts'
import { limits } from '../../../../schema/limits.ts'
import { openEditingLibrary } from '../../../support/editing-library.ts'
import { addDetectedFaces } from '../../../support/faces.ts'
import { openTestLibrary } from '../../../support/library.ts'

const square = (x: number) => ({ x, y: 100, width: 100, height: 100 })
const noJobs = { running: () => [], waiting: () => [], enqueue: async () => 0 }

test('forgetting a person includes faces that once had a wrong name, and keeps the history of other people', async () => {
  const { db, make } = openTestLibrary()
  const [mine, other] = [
    await make.item({ boxes: [{ person: 'Anna', ...square(50) }] }),
    await make.item({ boxes: [{ person: 'Bert', ...square(50) }] }),
  ]
  await addDetectedFaces(db, mine, [{ who: 1, ...square(50) }])
  await addDetectedFaces(db, other, [{ who: 2, ...square(50) }])
  const rows = db.all<{ id: number; person_id: number; region_id: number; embedding: string }>(
    'SELECT id, person_id, region_id, embedding FROM faces ORDER BY id',
  )
  const [anna, bert] = rows
  if (anna === undefined || bert === undefined) throw new Error('no known face was created')
  // Two entries have Anna's face under Bert's name, with another box or another id; the third is Bert's own face.
  const kept = [
    { ...anna, person_id: bert.person_id, region_id: 999 },
    { ...anna, id: 999, person_id: bert.person_id },
    { ...bert, region_id: 998 },
  ]
  await db.transact(terminalViewer, tx => {
    for (const face of kept) {
      const before = JSON.stringify({ faces: [face] })
      tx.run(
        "INSERT INTO history (at, step, operation, item_id, before) VALUES (1, 'a step', 'item.region', ?, ?)",
        mine,
        before,
      )
    }
  })
  const found = createFoundFaces({ db, known: createKnownFaces(db), jobs: noJobs, model: limits.faceModel })
  expect(await found.forget(terminalViewer, { person: anna.person_id })).toEqual({ known: 1, found: 1 })
  expect(
    db.all("SELECT json_type(before, '$.faces') AS faces FROM history WHERE step = ? ORDER BY id", 'a step'),
  ).toEqual([{ faces: null }, { faces: null }, { faces: 'array' }])
  expect(db.all('SELECT person_id FROM faces')).toEqual([{ person_id: bert.person_id }])
})

test('after forgetting, undoing the removal of a box restores the box without its face', async () => {
  const { db, make, tags, lastStep, undo } = openEditingLibrary()
  const id = await make.item({ boxes: [{ person: 'Anna', ...square(50) }] })
  await addDetectedFaces(db, id, [
    { who: 1, ...square(50) },
    { who: 2, ...square(400) },
  ])
  const anna = db.get<{ person_id: number }>('SELECT person_id FROM faces')?.person_id ?? 0
  const region = db.get<{ id: number }>('SELECT id FROM regions')?.id ?? 0
  await tags.removeRegion(terminalViewer, { id, regionId: region }, 'People', { ifMatch: null })
  const step = lastStep()?.step ?? ''
  const found = createFoundFaces({ db, known: createKnownFaces(db), jobs: noJobs, model: limits.faceModel })
  expect(db.all('SELECT id FROM faces')).toEqual([])
  expect(await found.forget(terminalViewer, { person: anna })).toEqual({ known: 0, found: 1 })
  await undo(terminalViewer, step)
  expect(db.get('SELECT count(*) AS n FROM regions WHERE person_id = ?', anna)).toEqual({ n: 1 })
  expect(db.all('SELECT id FROM faces')).toEqual([])
  expect(db.get('SELECT count(*) AS n FROM found_faces')).toEqual({ n: 1 })
})

test('faces that had a wrong name before are forgotten, in redrawn and in restored boxes', async () => {
  const { db, make, lastStep, undo } = openEditingLibrary()
  const [redrawn, restored] = [await make.item(), await make.item()]
  const [wrong, right] = [await make.person('Wrong'), await make.person('Right')]
  for (const id of [redrawn, restored]) await addDetectedFaces(db, id, [{ who: 1, ...square(50) }])
  const write = (id: number, subject: number | null, region: number | null = null) =>
    db.transact(terminalViewer, tx => {
      const people = subject === null ? [] : [{ id: region, subject, ...square(50), source: 'user' as const }]
      changeItem(tx, requireItemToEdit(tx, id), { people }, { operation: 'item.region' })
    })
  await write(redrawn, wrong)
  await write(redrawn, null)
  await write(redrawn, right)
  await write(restored, wrong)
  const region = db.get<{ id: number }>('SELECT id FROM regions WHERE item_id = ?', restored)?.id ?? 0
  await write(restored, null)
  await undo(terminalViewer, lastStep()?.step ?? '')
  await write(restored, right, region)
  await write(restored, null)
  const kept = () =>
    db.get<{ n: number }>(
      "SELECT count(*) AS n FROM history WHERE before LIKE '%embedding%' OR after LIKE '%embedding%'",
    )?.n
  expect(kept()).toBeGreaterThan(2)
  const found = createFoundFaces({ db, known: createKnownFaces(db), jobs: noJobs, model: limits.faceModel })
  expect(await found.forget(terminalViewer, { person: right })).toEqual({ known: 1, found: 2 })
  expect(kept()).toBe(0)
  expect(db.all('SELECT id FROM found_faces')).toEqual([])
})

test('after two people were merged and separated, forgetting one keeps the faces of the other', async () => {
  const { db, make } = openTestLibrary()
  const [ofAnna, ofOther] = [await make.item(), await make.item({ boxes: [{ person: 'Other', ...square(50) }] })]
  for (const [n, id] of [ofAnna, ofOther].entries()) await addDetectedFaces(db, id, [{ who: n, ...square(50) }])
  const other = db.get<{ person_id: number }>('SELECT person_id FROM faces')?.person_id ?? 0
  const person = await make.person('Anna')
  const merged = (id: number) => JSON.stringify({ part: 'begin', into: { id: person }, other: { id } })
  await db.transact(terminalViewer, tx => {
    for (const id of [other, 999])
      tx.run("INSERT INTO history (at, step, operation, before) VALUES (1, 's', 'person.merge', ?)", merged(id))
    for (const [item, person_id] of [
      [ofAnna, 999],
      [ofOther, other],
    ] as const) {
      const [face] = tx.all<{ embedding: string }>('SELECT embedding FROM faces')
      const before = {
        faces: [{ id: 900 + item, person_id, region_id: 900 + item, model: 'm', embedding: face?.embedding }],
      }
      tx.run(
        "INSERT INTO history (at, step, operation, item_id, before) VALUES (1, 's', 'item.region', ?, ?)",
        item,
        JSON.stringify(before),
      )
    }
    // The face is removed, but kept in the history.
    tx.run('DELETE FROM regions')
    tx.run('DELETE FROM faces')
  })
  const found = createFoundFaces({ db, known: createKnownFaces(db), jobs: noJobs, model: limits.faceModel })
  await found.forget(terminalViewer, { person })
  expect(
    db.all<{ item: number }>("SELECT item_id AS item FROM history WHERE json_type(before, '$.faces') = 'array'"),
  ).toEqual([{ item: ofOther }])
  expect(db.get('SELECT count(*) AS n FROM found_faces WHERE item_id = ?', ofOther)).toEqual({ n: 1 })
})

test('forgetting a person includes faces of a file that changed since the search, and keeps other faces of the same step', async () => {
  const { db, make } = openEditingLibrary()
  const boxes = [
    { person: 'Anna', ...square(50) },
    { person: 'Bert', ...square(400) },
  ]
  const [stale, both] = [await make.item({ boxes }), await make.item({ boxes })]
  for (const id of [stale, both]) {
    await addDetectedFaces(db, id, [
      { who: 1, ...square(50) },
      { who: 2, ...square(400) },
    ])
  }
  await db.transact(terminalViewer, tx => {
    // Another program wrote to the file: its boxes are read again, but the picture has not been searched since.
    tx.run("UPDATE items SET content = 'another' WHERE id = ?", stale)
    tx.run('UPDATE found_faces SET region_id = NULL WHERE item_id = ?', stale)
    tx.run('DELETE FROM faces WHERE region_id IN (SELECT id FROM regions WHERE item_id = ?)', stale)
    changeItem(tx, requireItemToEdit(tx, both), { people: [] }, { operation: 'item.region' })
  })
  const anna = db.get<{ person_id: number }>("SELECT person_id FROM person_names WHERE name = 'Anna'")?.person_id ?? 0
  const found = createFoundFaces({ db, known: createKnownFaces(db), jobs: noJobs, model: limits.faceModel })
  expect(await found.forget(terminalViewer, { person: anna })).toEqual({ known: 0, found: 2 })
  expect(db.all('SELECT item_id, x FROM found_faces ORDER BY item_id')).toEqual([
    { item_id: stale, x: 400 },
    { item_id: both, x: 400 },
  ])
  const kept = db.all<{ person: number }>(
    "SELECT value ->> '$.person_id' AS person FROM history, json_each(before, '$.faces') WHERE json_type(before, '$.faces') = 'array'",
  )
  expect(kept.map(({ person }) => person)).toEqual([anna + 1])
})

test('forgetting a merged person includes faces from the time of the merge, and keeps a later face of the same box', async () => {
  const { db, make } = openEditingLibrary()
  const [first, second] = [await make.item(), await make.item()]
  for (const id of [first, second]) {
    await addDetectedFaces(db, id, [
      { who: 1, ...square(50) },
      { who: 2, ...square(400) },
    ])
  }
  const [anna, bert] = [await make.person('Anna'), await make.person('Bert')]
  const write = (id: number, people: Omit<StoredBox, 'height' | 'source' | 'width' | 'y'>[]) =>
    db.transact(terminalViewer, tx => {
      const boxes = people.map(box => ({ ...square(50), ...box, source: 'user' as const }))
      changeItem(tx, requireItemToEdit(tx, id), { people: boxes }, { operation: 'item.region' })
    })
  await write(first, [{ id: null, subject: anna, x: 50 }])
  const face = db.get<{ id: number; region_id: number }>('SELECT id, region_id FROM faces')
  // Anna is merged into Bert, and her box is removed.
  await db.transact(terminalViewer, tx => {
    const before = { part: 'begin', into: { id: bert }, other: { id: anna }, faces: [face] }
    tx.history({ operation: 'person.merge', before })
  })
  await write(first, [{ id: face?.region_id ?? 0, subject: bert, x: 50 }])
  await write(first, [])
  // A box of Anna is moved to Bert's face.
  await write(second, [{ id: null, subject: anna, x: 50 }])
  const region = db.get<{ id: number }>('SELECT id FROM regions')?.id ?? 0
  await write(second, [{ id: region, subject: bert, x: 400 }])
  await write(second, [])
  const found = createFoundFaces({ db, known: createKnownFaces(db), jobs: noJobs, model: limits.faceModel })
  await found.forget(terminalViewer, { person: anna })
  const kept = db.all<{ item: number; person: number }>(
    `SELECT item_id AS item, value ->> '$.person_id' AS person FROM history, json_each(before, '$.faces')
     WHERE item_id IS NOT NULL AND json_type(before, '$.faces') = 'array'`,
  )
  expect(kept).toEqual([{ item: second, person: bert }])
  expect(db.all('SELECT x FROM found_faces WHERE item_id = ?', second)).toContainEqual({ x: 400 })
})

test('a deleted person can be forgotten in the history, also by forgetting a new person of the same name', async () => {
  const { db, make } = openEditingLibrary()
  const found = createFoundFaces({ db, known: createKnownFaces(db), jobs: noJobs, model: limits.faceModel })
  const people = createPeople({ db, items: createItems({ db }), queueRemainingWork: async () => {} })
  const kept = () => {
    const rows = db.all<{ person: number }>(
      `SELECT value ->> '$.person_id' AS person FROM history, json_each(before, '$.faces')
       WHERE item_id IS NOT NULL AND json_type(before, '$.faces') = 'array' ORDER BY history.id`,
    )
    return rows.map(({ person }) => person)
  }
  /** Creates a person whose box is drawn and removed, and who is then deleted. */
  const createAndDelete = async (name: string, who: number) => {
    const [id, person] = [await make.item(), await make.person(name)]
    await addDetectedFaces(db, id, [{ who, ...square(50) }])
    for (const wanted of [[{ id: null, subject: person, ...square(50), source: 'user' as const }], []]) {
      await db.transact(terminalViewer, tx => {
        changeItem(tx, requireItemToEdit(tx, id), { people: wanted }, { operation: 'item.region' })
      })
    }
    await people.removeUnused(terminalViewer)
    return person
  }
  const [anna, bert, cleo] = [
    await createAndDelete('Anna', 1),
    await createAndDelete('Bert', 2),
    await createAndDelete('Cleo', 3),
  ]
  expect(kept()).toEqual([anna, bert, cleo])
  expect(found.gone(terminalViewer)).toEqual([
    { id: anna, names: ['Anna'] },
    { id: bert, names: ['Bert'] },
    { id: cleo, names: ['Cleo'] },
  ])
  await found.forget(terminalViewer, { person: anna })
  expect(kept()).toEqual([bert, cleo])
  // A new person gets the name, as when a file contains it again.
  await found.forget(terminalViewer, { person: await make.person('bert') })
  expect(kept()).toEqual([cleo])
  expect(db.get('SELECT count(*) AS n FROM found_faces')).toEqual({ n: 1 })
  const nobody = found.forget(terminalViewer, { person: 9999 })
  await expect(nobody).rejects.toMatchObject({ code: 'notFound' })
})
