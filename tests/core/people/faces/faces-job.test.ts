import { expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { terminalViewer } from '../../../../core/accounts/access.ts'
import type { Library } from '../../../../core/library.ts'
import { openLibrary } from '../../../../core/library.ts'
import { limits } from '../../../../schema/limits.ts'
import { cleanEnvironment, programCommand, runCommand } from '../../../support/command.ts'
import { describeWithSamples } from '../../../support/samples.ts'
import { openScanningLibrary, picture, type ScanningLibrary } from '../../../support/scanning-library.ts'
import { waitUntil } from '../../../support/server-process.ts'

async function runFacesJob(library: Library, request: { all?: boolean; collection?: number } = {}) {
  const id = await library.foundFaces.index(terminalViewer, request, { now: Date.now(), inProcess: true })
  const row = await library.jobs.run(id)
  if (row === null) throw new Error('somebody else took the job')
  const counts: Record<string, number> = JSON.parse(row.counts)
  return { ...row, figures: counts }
}

const found = (library: Library) =>
  library.db.all<{ name: string; x: number; y: number; width: number; region_id: number | null }>(
    `SELECT i.name, f.x, f.y, f.width, f.region_id FROM found_faces AS f JOIN items AS i ON i.id = f.item_id ORDER BY i.name, f.x`,
  )

test('pictures without faces are searched once, and again when they change or are rotated', async () => {
  const setup = openScanningLibrary()
  for (let n = 0; n < 3; n++) setup.put(`${n}.jpg`, await picture({ seed: n, width: 300, height: 200 }))
  setup.put('broken.jpg', 'no picture')
  await setup.scan()
  const { library } = setup
  expect(library.foundFaces.due(terminalViewer, {})).toBe(3)
  const first = await runFacesJob(library)
  expect([first.state, first.figures.pictures, first.figures.faces]).toEqual(['done', 3, 0])
  expect((await runFacesJob(library)).figures.pictures).toBe(0)
  const [id = 0] = [...setup.items().values()].map(item => item.id)
  expect(library.foundFaces.ofItem(terminalViewer, id).looked?.model).toBe(limits.faceModel)
  await library.db.transact(terminalViewer, tx => void tx.run('UPDATE items SET rotation = 90 WHERE id = ?', id))
  expect(library.foundFaces.ofItem(terminalViewer, id).looked).toBeNull()
  expect((await runFacesJob(library)).figures.pictures).toBe(1)
  setup.put('1.jpg', await picture({ seed: 77, width: 300, height: 200 }))
  await setup.scan()
  expect((await runFacesJob(library)).figures.pictures).toBe(1)
  expect((await runFacesJob(library, { all: true })).figures.pictures).toBe(3)
}, 60_000)

test('a changed file is skipped until the next scan, and an unreadable one is a problem', async () => {
  const setup = openScanningLibrary()
  for (let n = 0; n < 2; n++) setup.put(`${n}.jpg`, await picture({ seed: n, width: 300, height: 200 }))
  await setup.scan()
  const { library } = setup
  setup.put('0.jpg', await picture({ seed: 50, width: 300, height: 200 }))
  setup.put('1.jpg', 'no picture')
  const ended = await runFacesJob(library)
  expect([ended.state, ended.figures.pictures, ended.figures.failed, ended.problems]).toEqual(['done', 0, 1, 1])
  expect(library.problems.list(terminalViewer, 0).map(({ path, code }) => [path, code])).toEqual([['1.jpg', 'faces']])
  // The changed file waits for a scan.
  expect(library.foundFaces.due(terminalViewer, {})).toBe(1)
}, 60_000)

test('pictures that are temporarily unavailable are searched when they are available again', async () => {
  const setup = openScanningLibrary()
  for (let n = 0; n < 3; n++) setup.put(`${n}.jpg`, await picture({ seed: n, width: 300, height: 200 }))
  await setup.scan()
  const { library, root } = setup
  renameSync(root, `${root}.away`)
  for (const empty of [false, true]) {
    if (empty) mkdirSync(root)
    const ended = await runFacesJob(library)
    expect([ended.state, ended.figures.pictures, ended.figures.failed, ended.problems]).toEqual(['done', 0, 0, 1])
    expect(ended.message).toContain(`${root} is ${empty ? 'empty' : 'not there'}. Is its disk connected?`)
    expect(library.foundFaces.due(terminalViewer, {})).toBe(3)
    expect(library.problems.list(terminalViewer, 0)).toEqual([])
  }
  const [collection] = library.db.all<{ id: number }>('SELECT id FROM collections')
  const stopped = await runFacesJob(library, { collection: collection?.id ?? 0 })
  expect([stopped.state, stopped.message]).toEqual([
    'stopped',
    `${root} is empty. Is its disk connected? Its pictures were not looked at.`,
  ])
  rmSync(root, { recursive: true })
  renameSync(`${root}.away`, root)
  // A picture whose file is missing is reported as a problem, and stays due.
  renameSync(join(root, '1.jpg'), join(root, 'elsewhere'))
  expect((await runFacesJob(library)).figures).toMatchObject({ pictures: 2, failed: 1 })
  expect(library.problems.list(terminalViewer, 0).map(({ path }) => path)).toEqual(['1.jpg'])
  renameSync(join(root, 'elsewhere'), join(root, '1.jpg'))
  expect((await runFacesJob(library)).figures).toMatchObject({ pictures: 1, failed: 0 })
  expect(library.problems.list(terminalViewer, 0)).toEqual([])
  expect(library.foundFaces.due(terminalViewer, {})).toBe(0)
  // A problem of an item that no longer exists is removed.
  await library.db.transact({ userId: null }, tx => {
    tx.run(
      `INSERT INTO problems (job_id, collection_id, item_id, path, code, reason, at)
       SELECT max(j.id), 1, 999, '9.jpg', 'faces', 'gone', 1 FROM jobs AS j`,
    )
  })
  await runFacesJob(library)
  expect(library.problems.list(terminalViewer, 0)).toEqual([])
}, 60_000)

test('an interrupted search of all pictures continues where it stopped', async () => {
  const { library, put, scan } = openScanningLibrary()
  for (const name of ['a.jpg', 'b.jpg']) put(name, await picture({ seed: name.charCodeAt(0), width: 300, height: 200 }))
  await scan()
  const since = async (all: boolean) => {
    const id = await library.foundFaces.index(terminalViewer, { all }, { now: library.clock.now() })
    return { id, since: z.object({ since: z.int() }).parse(JSON.parse(library.jobs.row(id)?.input ?? '')).since }
  }
  const first = await since(true)
  expect(first.since).toBeGreaterThan(0)
  await library.jobs.cancel(terminalViewer, first.id)
  const again = await since(true)
  expect(again.since).toBe(first.since)
  await library.jobs.run(again.id)
  const later = await since(true)
  expect(later.since).toBeGreaterThan(first.since)
  await library.jobs.cancel(terminalViewer, later.id)
  expect((await since(false)).since).toBe(0)
}, 60_000)

test('a scan searches for faces if a flag or a setting asks for it', async () => {
  const setup = openScanningLibrary()
  setup.put('a.jpg', await picture({ seed: 1, width: 300, height: 200 }))
  const searchedCount = () => setup.library.db.get<{ n: number }>('SELECT count(*) AS n FROM face_looks')?.n
  const scan = (...more: string[]) => runCommand(['--data', setup.data, 'scan', setup.root, '--quiet', ...more])
  expect((await scan()).code).toBe(0)
  expect(searchedCount()).toBe(0)
  expect((await scan('--faces')).code).toBe(0)
  expect(searchedCount()).toBe(1)
  setup.put('b.jpg', await picture({ seed: 2, width: 300, height: 200 }))
  const environment = { KEEPSAKE_FACES_SCAN: 'true' }
  expect((await runCommand(['--data', setup.data, 'scan', setup.root, '--quiet'], { environment })).code).toBe(0)
  expect(searchedCount()).toBe(2)
  const status = await runCommand(['--data', setup.data, 'faces', 'status', '--json'])
  expect(status.objects.at(0)).toMatchObject({ looked: 2, due: 0, faces: 0 })
}, 120_000)

describeWithSamples('faces of the samples', samples => {
  function setup(names: readonly string[]): ScanningLibrary {
    const made = openScanningLibrary()
    for (const name of names) {
      mkdirSync(made.root, { recursive: true })
      copyFileSync(join(samples, 'faces', name), join(made.root, name.replace(/.*\//, '')))
    }
    return made
  }
  const obama = ['obama.jpg', 'obama1.jpg', 'obama2.jpg'].map(name => `Barack Obama/${name}`)
  const both = '_several people/obama_and_biden.jpg'

  test('are detected and grouped, and the name of one face is suggested for the others', async () => {
    const { library, scan, items } = setup([...obama, both])
    await scan()
    const ended = await runFacesJob(library)
    expect([ended.figures.pictures, ended.figures.faces]).toEqual([4, 5])
    const id = (name: string) => items().get(name)?.id ?? 0
    const before = library.foundFaces.ofItem(terminalViewer, id('obama.jpg'))
    expect(before.faces.map(({ suggestions, object }) => [suggestions, object])).toEqual([[[], null]])
    const [mine] = library.faceGroups.list(terminalViewer, {}).groups
    const [face, next] = mine?.faces ?? []
    const person = await library.people.create(terminalViewer, { names: ['Barack'] })
    await library.faceGroups.name(terminalViewer, mine?.id ?? 0, { person: person.id, faces: [face?.id ?? 0] })
    const now = library.foundFaces.ofItem(terminalViewer, face?.item.id ?? 0).faces
    expect(now.find(one => one.id === face?.id)?.person).toBe(person.id)
    // One match is enough for a suggestion.
    const other = library.foundFaces.ofItem(terminalViewer, next?.item.id ?? 0).faces.filter(one => one.id === next?.id)
    expect(other[0]?.suggestions[0]?.person).toBe(person.id)
    expect(other[0]?.object).toBeNull()
    expect(other[0]?.embedding_data.length).toBe(1024)
    expect(library.foundFaces.status(terminalViewer)).toMatchObject({ looked: 4, due: 0, faces: 5, named: 1, known: 1 })
  }, 120_000)

  test('are hidden, and the picture is due again, after it is rotated upside down', async () => {
    const { library, scan, items } = setup(obama.slice(0, 1))
    await scan()
    await runFacesJob(library)
    const [upright] = found(library)
    const id = items().get('obama.jpg')?.id ?? 0
    // Rotated by 180 degrees, the face is upside down.
    await library.db.transact(terminalViewer, tx => void tx.run('UPDATE items SET rotation = 180 WHERE id = ?', id))
    const [kept] = found(library)
    expect(kept).toEqual(upright)
    expect(library.foundFaces.ofItem(terminalViewer, id)).toEqual({ looked: null, faces: [] })
  }, 60_000)

  test('can all be forgotten', async () => {
    const { library, scan } = setup([...obama, both])
    await scan()
    await runFacesJob(library)

    const groups = library.faceGroups.list(terminalViewer, {}).groups
    const person = await library.people.create(terminalViewer, { names: ['Barack'] })
    const [group] = groups
    const faces = group?.faces.map(({ id }) => id) ?? []
    await library.faceGroups.name(terminalViewer, group?.id ?? 0, { person: person.id, faces })
    // Removing a box keeps the known face in the history for undo: forgetting removes it there too.
    const region = library.db.get<{ id: number; item_id: number }>('SELECT id, item_id FROM regions')
    await library.tags.removeRegion(terminalViewer, { id: region?.item_id ?? 0, regionId: region?.id ?? 0 }, 'People', {
      ifMatch: null,
    })
    expect(library.db.get("SELECT count(*) AS n FROM history WHERE before LIKE '%embedding%'")).toEqual({ n: 1 })
    const gone = await library.foundFaces.forget(terminalViewer, { all: true })
    expect(gone).toEqual({ known: faces.length - 1, found: 5 })
    expect(library.db.get("SELECT count(*) AS n FROM history WHERE before LIKE '%embedding%'")).toEqual({ n: 0 })
    for (const table of ['faces', 'found_faces', 'face_groups', 'face_looks']) {
      expect(library.db.get(`SELECT count(*) AS n FROM ${table}`)).toEqual({ n: 0 })
    }
    expect(library.db.get('SELECT count(*) AS n FROM regions')).toEqual({ n: faces.length - 1 })
    // The database file no longer contains the vectors.
    const text = readFileSync(library.db.path).toString('latin1')
    expect(text.includes('embedding":"[')).toBe(false)
  }, 120_000)

  test('are neither lost nor duplicated when the process is killed repeatedly', async () => {
    const made = setup([...obama, both, 'Joe Biden/biden.jpg', 'Joe Biden/biden2.jpg'])
    await made.scan()
    const child = () =>
      Bun.spawn([...programCommand(), '--data', made.data, 'faces', 'index', '--quiet'], {
        stdout: 'ignore',
        stderr: 'ignore',
        env: cleanEnvironment(),
      })
    const searchedCount = () => made.library.db.get<{ n: number }>('SELECT count(*) AS n FROM face_looks')?.n ?? 0
    for (const after of [0, 2, 4]) {
      const one = child()
      await waitUntil(async () => (searchedCount() > after || one.exitCode !== null ? true : null))
      one.kill('SIGKILL')
      await one.exited
    }
    await child().exited
    expect(searchedCount()).toBe(6)
    expect(made.library.foundFaces.due(terminalViewer, {})).toBe(0)
    const whole = found(made.library)
    await runFacesJob(made.library, { all: true })
    expect(whole.length).toBe(7)
    expect(found(made.library)).toEqual(whole)
    const other = openLibrary({
      role: 'terminal',
      data: made.data,
      create: false,
      environment: {},
      stderrLevel: 'none',
    })
    expect(other.db.all('PRAGMA foreign_key_check')).toEqual([])
    other.close()
  }, 180_000)
})
