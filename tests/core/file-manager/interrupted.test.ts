import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { type FileManagerLibrary, itemsParameter, openFileManagerLibrary } from '../../support/file-manager-library.ts'
import { picture } from '../../support/scanning-library.ts'
import { otherDisk } from '../../support/temporary.ts'

const away = otherDisk === null ? null : join(otherDisk, `keepsake-test-${crypto.randomUUID()}`)

let opened: FileManagerLibrary | null = null
let awayId = 0
beforeAll(async () => {
  opened = await openFileManagerLibrary()
  if (away === null) return
  mkdirSync(away)
  awayId = (await opened.library.collections.create(terminalViewer, { name: 'Away', path: away })).id
}, 60_000)
afterAll(async () => {
  await opened?.close()
  if (away !== null) rmSync(away, { recursive: true, force: true })
}, 60_000)

function manager(): FileManagerLibrary {
  if (opened === null) throw new Error('not open')
  return opened
}

const names = ['1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg']

/** What each test starts with: a folder of five pictures and a note, and another disk without pictures. */
beforeEach(async () => {
  const { photos, put, scan, library } = manager()
  for (const root of [photos.root, away ?? photos.root]) {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
    put(join(root, 'kept.txt'))
  }
  await library.db.transact({ userId: null }, tx => {
    tx.run('DELETE FROM items')
    tx.run('DELETE FROM dirs')
    tx.run('DELETE FROM jobs')
  })
  for (const [seed, name] of names.entries()) put(join(photos.root, 'a', name), await picture({ seed: seed + 1 }))
  put(join(photos.root, 'a/notes.txt'), 'notes')
  await scan(photos)
}, 60_000)

/** Creates the job of a process that was killed after it had moved only the pictures `moved` to /Away/a. */
async function createKilledJob(
  moves: [string, string][],
  moved: readonly string[],
): Promise<{ job: number; step: string }> {
  const { library, photos, get } = manager()
  mkdirSync(join(away ?? '', 'a'))
  const items = itemsParameter(...moved.map(name => `/Photos/a/${name}`))
  expect((await get({ q: 'move', path: '/', items, item: '/Away/a' })).status).toBe(200)
  const { db, jobs } = library
  const entry = db.get<{ step: string }>("SELECT step FROM history WHERE operation = 'file.move' ORDER BY id DESC")
  const step = entry?.step ?? ''
  const input = { work: 'gone', collections: [photos.id, awayId], move: { userId: null, step, moves } }
  const job = await jobs.enqueue(terminalViewer, 'files', input, { inProcess: true })
  await db.transact({ userId: null }, tx =>
    tx.run('UPDATE jobs SET owner = ?, lease_until = 0 WHERE id = ?', `${hostname()} 99999999 dead`, job),
  )
  return { job, step }
}

const below = (...path: string[]) => readdirSync(join(...path)).sort()

describe.skipIf(away === null)('an interrupted move of many files', () => {
  test('of a folder continues after a restart, says so, and is one step that can be undone', async () => {
    const { library, photos, items, faults } = manager()
    const { jobs } = library
    const { job, step } = await createKilledJob([['/Photos/a', '/Away/a']], ['1.jpg', '2.jpg'])
    await jobs.recover()
    expect(jobs.get(terminalViewer, job)).toMatchObject({ state: 'queued' })
    await jobs.run(job)
    expect(jobs.get(terminalViewer, job)).toMatchObject({
      state: 'done',
      message: 'This move was interrupted, and is now finished. The history can undo it.',
    })
    expect(below(photos.root)).toEqual(['kept.txt'])
    expect(below(away ?? '', 'a')).toEqual([...names, 'notes.txt'])
    expect([...items().values()].sort()).toEqual(names.map(name => `Away: a/${name}`))
    expect(faults()).toEqual([])

    expect(library.history.find(terminalViewer, step)).toMatchObject({ items: 5, undoable: true })
    const plan = library.history.planUndo(terminalViewer, step)
    await jobs.run(await jobs.enqueue(terminalViewer, 'undo', plan, { inProcess: true }))
    expect([...items().values()].sort()).toEqual(names.map(name => `Photos: a/${name}`))
    expect(below(photos.root, 'a')).toEqual(names)
    expect(faults()).toEqual([])
  }, 60_000)

  test('of chosen files continues with the remaining files', async () => {
    const { library, photos, items, faults } = manager()
    const moves = names.map((name): [string, string] => [`/Photos/a/${name}`, `/Away/a/${name}`])
    const { job } = await createKilledJob(moves, ['3.jpg'])
    await library.jobs.recover()
    await library.jobs.run(job)
    expect(library.jobs.get(terminalViewer, job)).toMatchObject({ state: 'done' })
    expect(below(photos.root, 'a')).toEqual(['notes.txt'])
    expect([...items().values()].sort()).toEqual(names.map(name => `Away: a/${name}`))
    expect(faults()).toEqual([])
  }, 60_000)

  test('whose target folder is missing fails with a message and creates nothing', async () => {
    const { library, photos } = manager()
    const { job } = await createKilledJob([['/Photos/a/4.jpg', '/Away/b/4.jpg']], ['1.jpg'])
    await library.jobs.recover()
    await library.jobs.run(job).catch(() => {})
    expect(library.jobs.get(terminalViewer, job)).toMatchObject({
      state: 'failed',
      error: 'There is no /Away/b. Refresh the folder.',
    })
    expect(existsSync(join(away ?? '', 'b'))).toBe(false)
    expect(below(photos.root, 'a')).toContain('4.jpg')
  }, 60_000)
})
