import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { changeItem, requireItemToEdit } from '../../../core/editing/item-edit.ts'
import { findOrCreatePerson } from '../../../core/people/people.ts'
import { startMerge } from '../../../core/vocabulary/merge-jobs.ts'
import { limits } from '../../../schema/limits.ts'
import { addDetectedFaces } from '../../support/faces.ts'
import { openScanningLibrary, picture } from '../../support/scanning-library.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

/** A sidecar with a keyword and a face region in the format of the Metadata Working Group. */
function sidecar(name: string, { x = 0.25, keyword = 'first' } = {}): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
  xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">
<dc:subject><rdf:Bag><rdf:li>${keyword}</rdf:li></rdf:Bag></dc:subject>
<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource">
<mwg-rs:Name>${name}</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type>
<mwg-rs:Area stArea:x="${x}" stArea:y="0.5" stArea:w="0.2" stArea:h="0.2" stArea:unit="normalized"/>
</rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>`
}

test('a name in a file creates one known face from the face in its box, and removes it with the box', async () => {
  const setup = openScanningLibrary()
  const { db } = setup.library
  setup.put('a.jpg', await picture({ seed: 1, width: 800, height: 800 }))
  await setup.scan()
  const id = setup.items().get('a.jpg')?.id ?? 0
  await addDetectedFaces(db, id, [{ who: 1, x: 150, y: 400, width: 200, height: 200 }])
  const known = () =>
    db.all<{ name: string; hasSameBox: number }>(
      `SELECT n.name, f.region_id IS NOT NULL AND f.region_id = (SELECT region_id FROM found_faces) AS hasSameBox
       FROM faces AS f JOIN person_names AS n ON n.person_id = f.person_id WHERE f.model = ?`,
      limits.faceModel,
    )
  const scanWith = async (text: string) => {
    setup.put('a.jpg.xmp', text)
    expect((await setup.scan()).figures).toMatchObject({ changed: 1 })
  }
  expect(known()).toEqual([])
  await scanWith(sidecar('Anna'))
  expect(known()).toEqual([{ name: 'Anna', hasSameBox: 1 }])
  await scanWith(sidecar('Anna', { keyword: 'another one' }))
  expect(known()).toEqual([{ name: 'Anna', hasSameBox: 1 }])
  await scanWith(sidecar('Bert of the file'))
  expect(known()).toEqual([{ name: 'Bert of the file', hasSameBox: 1 }])
  await scanWith(sidecar('Bert of the file', { x: 0.85 }))
  expect(known()).toEqual([])
})

test('a metadata import replaces boxes and their known faces, and undo restores both', async () => {
  const setup = openScanningLibrary()
  const { db, jobs } = setup.library
  const places = [
    { x: 150, y: 400, width: 200, height: 200 },
    { x: 550, y: 400, width: 200, height: 200 },
  ]
  for (const [n, source] of (['user', 'face'] as const).entries()) {
    const [left] = places
    if (left === undefined) throw new Error('no place')
    setup.put(`${source}.jpg`, await picture({ seed: n, width: 800, height: 800 }))
    await setup.scan()
    const id = setup.items().get(`${source}.jpg`)?.id ?? 0
    await addDetectedFaces(db, id, [{ who: n, ...left }])
    await db.transact(terminalViewer, tx => {
      // Slightly offset from the file's box, but the same place.
      const x = left.x + (source === 'user' ? 20 : 0)
      const box = { id: null, subject: findOrCreatePerson(tx, 'Anna'), ...left, x, source }
      changeItem(tx, requireItemToEdit(tx, id), { people: [box] }, { operation: 'item.region' })
    })
  }
  const known = () =>
    db.all<{ item: string; name: string }>(
      `SELECT i.name AS item, n.name FROM faces AS f JOIN person_names AS n ON n.person_id = f.person_id
       LEFT JOIN regions AS r ON r.id = f.region_id LEFT JOIN items AS i ON i.id = r.item_id ORDER BY item, n.name`,
    )
  const boxes = () =>
    db.all<{ item: string; name: string; source: string }>(
      `SELECT i.name AS item, n.name, source FROM regions AS r JOIN items AS i ON i.id = r.item_id
       JOIN person_names AS n ON n.person_id = r.person_id ORDER BY item, n.name`,
    )
  const of = (name: string) => ['face.jpg', 'user.jpg'].map(item => ({ item, name }))
  const run = async (kind: string, input: unknown) =>
    jobs.run(await jobs.enqueue(terminalViewer, kind, input, { inProcess: true }))
  const lastStep = () => db.get<{ step: string }>('SELECT step FROM history ORDER BY id DESC LIMIT 1')?.step ?? ''
  const [boxesBefore, knownBefore] = [boxes(), known()]
  expect(knownBefore).toEqual(of('Anna'))
  for (const name of ['Anna', 'Bert']) {
    for (const item of ['user', 'face']) setup.put(`${item}.jpg.xmp`, sidecar(name))
    await run('scan', { collectionId: 1, full: true, fileWins: true })
    expect(boxes()).toEqual(of(name).map(box => ({ ...box, source: 'file' })))
    expect(known()).toEqual(of(name))
    const step = lastStep()
    await run('undo', setup.library.history.planUndo(terminalViewer, step))
    expect(boxes()).toEqual(boxesBefore)
    expect(known()).toEqual(knownBefore)
  }
})

test('a box removed from a file does not pass its known face to an overlapping box', async () => {
  const setup = openScanningLibrary()
  const { db } = setup.library
  setup.put('a.jpg', await picture({ seed: 1, width: 800, height: 800 }))
  setup.put('a.jpg.xmp', sidecar('Anna'))
  await setup.scan()
  const id = setup.items().get('a.jpg')?.id ?? 0
  await db.transact(terminalViewer, tx => {
    const bert = findOrCreatePerson(tx, 'Bert') ?? 0
    tx.run(
      "INSERT INTO regions (item_id, type, person_id, x, y, width, height, source) VALUES (?, 'person', ?, 200, 400, 200, 200, 'face')",
      id,
      bert,
    )
    const box = tx.get<{ id: number; person_id: number }>("SELECT id, person_id FROM regions WHERE source = 'file'")
    tx.run(
      "INSERT INTO faces (person_id, region_id, embedding, model, created_at) VALUES (?, ?, '[1]', 'other', 1)",
      box?.person_id ?? 0,
      box?.id ?? 0,
    )
  })
  setup.put('a.jpg.xmp', sidecar('Anna', { x: 0.85 }))
  expect((await setup.scan()).figures).toMatchObject({ changed: 1 })
  expect(db.all('SELECT person_id FROM faces')).toEqual([])
})

test('restoring an export corrects the person of a known face', async () => {
  const setup = openScanningLibrary()
  const { db, jobs, libraryExport, restore } = setup.library
  setup.put('a.jpg', await picture({ seed: 1, width: 800, height: 800 }))
  await setup.scan()
  const id = setup.items().get('a.jpg')?.id ?? 0
  const place = { x: 150, y: 400, width: 200, height: 200 }
  await addDetectedFaces(db, id, [{ who: 1, ...place }])
  const name = (who: string) =>
    db.transact(terminalViewer, tx => {
      const item = requireItemToEdit(tx, id)
      const [old] = item.parts.people
      const box = { id: old?.id ?? null, subject: findOrCreatePerson(tx, who), ...place, source: 'user' as const }
      changeItem(tx, item, { people: [box] }, { operation: 'item.region' })
    })
  await name('Anna')
  const file = join(temporaryDirectory(), 'export.json')
  writeFileSync(file, [...libraryExport.lines(terminalViewer, 0)].map(line => `${JSON.stringify(line)}\n`).join(''))
  await name('Wrong')
  await jobs.run(await restore.start(terminalViewer, { id: 1, file }, { inProcess: true }))
  expect(
    db.all(
      `SELECT n.name, f.region_id = r.id AS hasSameBox FROM faces AS f JOIN person_names AS n ON n.person_id = f.person_id
       LEFT JOIN regions AS r ON r.person_id = f.person_id`,
    ),
  ).toEqual([{ name: 'Anna', hasSameBox: 1 }])
})

test('a person renamed in the library keeps matching the old name in files', async () => {
  const setup = openScanningLibrary()
  const { db, jobs, people } = setup.library
  setup.put('a.jpg', await picture({ seed: 1, width: 800, height: 800 }))
  setup.put('a.jpg.xmp', sidecar('Anna'))
  await setup.scan()
  const [anna] = people.list(terminalViewer, {})
  const where = { id: anna?.id ?? 0, nameId: anna?.names[0]?.id ?? 0 }
  await people.updateName(terminalViewer, where, { name: 'Anna Berg' })
  await people.updateName(terminalViewer, where, { name: 'Anna Thal' })
  const names = () =>
    db.all('SELECT p.person_id AS person, p.name FROM regions AS r JOIN person_names AS p USING (person_id)')
  for (const called of ['Anna', 'Anna Berg', 'anna']) {
    setup.put('a.jpg.xmp', sidecar(called, { keyword: called }))
    expect((await setup.scan()).figures).toMatchObject({ changed: 1 })
    expect(names()).toEqual([{ person: where.id, name: 'Anna Thal' }])
  }
  const into = await people.create(terminalViewer, { names: ['Berta'] })
  const merge = await startMerge({ db, jobs }, terminalViewer, 'merge-people', { id: into.id, otherId: where.id })
  await jobs.run(merge.taskid)
  setup.put('a.jpg.xmp', sidecar('Anna', { keyword: 'merged' }))
  await setup.scan()
  expect(people.list(terminalViewer, {}).map(({ id, itemcount }) => [id, itemcount])).toEqual([[into.id, 1]])
  // Another person has this name now.
  const other = await people.create(terminalViewer, { names: ['Anna'] })
  setup.put('a.jpg.xmp', sidecar('Anna', { keyword: 'second' }))
  await setup.scan()
  expect(names()).toEqual([{ person: other.id, name: 'Anna' }])
})
