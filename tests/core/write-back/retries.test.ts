import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { parseXmpSidecar } from '../../../core/metadata/xmp/sidecar.ts'
import { startMerge } from '../../../core/vocabulary/merge-jobs.ts'
import { addDetectedFaces } from '../../support/faces.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { openScanningLibrary, picture } from '../../support/scanning-library.ts'
import { editTags } from '../../support/tagging.ts'

const minutes = 60

/** Pictures in a collection that writes sidecars, with a fake clock. */
async function writingLibrary(names: readonly string[] = ['a.jpg']) {
  const clock = fakeClock()
  const made = openScanningLibrary({ clock })
  const { library, root } = made
  for (const [n, name] of names.entries()) made.put(name, await picture({ seed: n + 1 }))
  await made.scan()
  await library.db.transact({ userId: null }, tx => {
    tx.run("UPDATE collections SET write_back = 'sidecar'")
  })
  const idOf = (path: string) => made.items().get(path)?.id ?? 0
  return {
    ...made,
    clock,
    idOf,
    edit: (path: string, keywords: string[]) => editTags(library, idOf(path), { keywords }),
    /** Runs a due job like a server; returns its counts, or null if nothing is due. */
    async runDueJob(): Promise<Record<string, number> | null> {
      await library.metadata.queueDue()
      const [job] = library.jobs.waiting().filter(({ kind }) => kind === 'metadata-write')
      if (job === undefined) return null
      const row = await library.jobs.run(job.id)
      return JSON.parse(row?.counts ?? '{}')
    },
    async runOtherJobs() {
      for (const { id, kind } of library.jobs.waiting()) if (kind !== 'metadata-write') await library.jobs.run(id)
    },
    due: () => library.db.all<{ id: number }>('SELECT item_id AS id FROM metadata_due ORDER BY id').map(({ id }) => id),
    problems: () =>
      library.db.all<{ path: string; code: string; reason: string }>('SELECT path, code, reason FROM problems'),
    keywords: (name: string) => parseXmpSidecar(readFileSync(join(root, name))).keywords,
    /** A directory in place of the sidecar, which no user can overwrite. */
    block: (name: string) => mkdirSync(join(root, name)),
    unblock: (name: string) => rmdirSync(join(root, name)),
  }
}

test('faces found in a picture remain valid after its tags are written into the file', async () => {
  const { library, idOf, edit, runDueJob } = await writingLibrary()
  const { db } = library
  await db.transact({ userId: null }, tx => {
    tx.run("UPDATE collections SET write_back = 'file'")
  })
  const id = idOf('a.jpg')
  await addDetectedFaces(db, id, [{ who: 1, x: 5, y: 5, width: 20, height: 20 }])
  const looks = () =>
    db.get('SELECT l.content = i.content AS same, i.content FROM face_looks AS l JOIN items AS i ON i.id = item_id')
  const before = looks()
  await edit('a.jpg', ['sea'])
  expect(await runDueJob()).toMatchObject({ written: 1 })
  expect(looks()).toMatchObject({ same: 1 })
  expect(looks()).not.toEqual(before)
  expect(library.foundFaces.ofItem(terminalViewer, id).faces).toHaveLength(1)
})

describe('metadata that could not be written', () => {
  test('remains due with a problem, is retried later, and clears the problem when it succeeds', async () => {
    const setup = await writingLibrary()
    setup.block('a.jpg.xmp')
    await setup.edit('a.jpg', ['sea'])
    expect(await setup.runDueJob()).toMatchObject({ failed: 1, written: 0 })
    expect(setup.due()).toEqual([setup.idOf('a.jpg')])
    expect(setup.problems()).toEqual([
      { path: 'a.jpg', code: 'metadata-write', reason: expect.stringContaining('a.jpg.xmp') },
    ])
    expect(await setup.runDueJob()).toBeNull()
    setup.clock.advance(4 * minutes)
    expect(await setup.runDueJob()).toBeNull()
    setup.clock.advance(2 * minutes)
    expect(await setup.runDueJob()).toMatchObject({ failed: 1 })
    setup.unblock('a.jpg.xmp')
    setup.clock.advance(10 * minutes)
    expect(await setup.runDueJob()).toMatchObject({ written: 1, failed: 0 })
    expect(setup.keywords('a.jpg.xmp')).toEqual(['sea'])
    expect([setup.due(), setup.problems()]).toEqual([[], []])
  })

  test('is retried at increasing intervals, but at least four times a day', async () => {
    const setup = await writingLibrary()
    setup.block('a.jpg.xmp')
    await setup.edit('a.jpg', ['sea'])
    const tries: number[] = []
    for (let at = 0; at < 3 * 24 * 60; at += 5) {
      if ((await setup.runDueJob()) !== null) tries.push(at)
      setup.clock.advance(5 * minutes)
    }
    const waits = tries.slice(1).map((at, n) => at - (tries[n] ?? 0))
    expect(waits.slice(0, 5)).toEqual([5, 5, 10, 20, 40])
    expect(Math.max(...waits)).toBe(360)
    expect(tries.length).toBeLessThan(20)
  })

  test('is retried at once after an edit, and does not delay other items', async () => {
    const setup = await writingLibrary(['a.jpg', 'b.jpg'])
    setup.block('a.jpg.xmp')
    await setup.edit('a.jpg', ['sea'])
    expect(await setup.runDueJob()).toMatchObject({ failed: 1 })
    await setup.edit('b.jpg', ['lake'])
    expect(await setup.runDueJob()).toMatchObject({ written: 1, failed: 0 })
    setup.unblock('a.jpg.xmp')
    await setup.edit('a.jpg', ['sea', 'sun'])
    expect(setup.problems()).toHaveLength(1)
    expect(await setup.runDueJob()).toMatchObject({ written: 1 })
    expect(setup.problems()).toEqual([])
  })

  test('by a manual export is retried only if the collection writes metadata', async () => {
    for (const writeBack of ['sidecar', 'off']) {
      const setup = await writingLibrary()
      await setup.edit('a.jpg', ['sea'])
      await setup.library.db.transact({ userId: null }, tx => {
        tx.run('DELETE FROM metadata_due')
        tx.run('UPDATE collections SET write_back = ?', writeBack)
      })
      setup.block('a.jpg.xmp')
      const job = await setup.library.metadata.startExport(terminalViewer, 1)
      await setup.library.jobs.run(job)
      expect(setup.due()).toHaveLength(writeBack === 'off' ? 0 : 1)
      expect(setup.problems()).toHaveLength(1)
    }
  })

  test('because another program changed the file is written after the next scan', async () => {
    const setup = await writingLibrary()
    await setup.edit('a.jpg', ['sea'])
    setup.put('a.jpg', await picture({ seed: 9 }))
    expect(await setup.runDueJob()).toMatchObject({ skipped: 1 })
    expect(setup.due()).toHaveLength(1)
    await setup.scan()
    expect(await setup.runDueJob()).toMatchObject({ written: 1 })
    expect([setup.due(), setup.problems()]).toEqual([[], []])
  })

  test('because a directory is missing is written when the directory is back', async () => {
    const setup = await writingLibrary(['a.jpg', 'b/c.jpg'])
    await setup.edit('b/c.jpg', ['sea'])
    renameSync(join(setup.root, 'b'), join(setup.root, '.b'))
    expect(await setup.runDueJob()).toMatchObject({ skipped: 1 })
    expect(setup.problems()).toEqual([
      { path: 'b/c.jpg', code: 'metadata-write', reason: expect.stringContaining('not there') },
    ])
    renameSync(join(setup.root, '.b'), join(setup.root, 'b'))
    setup.clock.advance(6 * minutes)
    expect(await setup.runDueJob()).toMatchObject({ written: 1 })
    expect(existsSync(join(setup.root, 'b/c.jpg.xmp'))).toBe(true)
  })
})

describe('after renaming', () => {
  const names = Array.from({ length: 230 }, (_, n) => `${String(n).padStart(3, '0')}.jpg`)

  test('a keystring of few items, its new word is written into their files', async () => {
    const setup = await writingLibrary(['a.jpg', 'b.jpg'])
    await setup.edit('a.jpg', ['sea'])
    await setup.runDueJob()
    const { id = 0 } = setup.library.db.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'sea'") ?? {}
    await setup.library.keystrings.update(terminalViewer, id, { content: 'ocean' })
    expect(setup.due()).toEqual([setup.idOf('a.jpg')])
    expect(await setup.runDueJob()).toMatchObject({ written: 1 })
    expect(setup.keywords('a.jpg.xmp')).toEqual(['ocean'])
  })

  test('a person or a keystring of many items, the items are due after the job that follows', async () => {
    const setup = await writingLibrary(names)
    const { library } = setup
    for (const name of names)
      await editTags(library, setup.idOf(name), { keywords: ['sea'], people: [{ name: 'Anna' }] })
    await library.db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM metadata_due')
    })
    const keystring = library.db.get<{ id: number }>("SELECT id FROM keystrings WHERE content = 'sea'")?.id ?? 0
    await library.keystrings.update(terminalViewer, keystring, { content: 'ocean' })
    expect(setup.due()).toEqual([])
    await setup.runOtherJobs()
    expect(setup.due()).toHaveLength(names.length)
    await library.db.transact({ userId: null }, tx => {
      tx.run('DELETE FROM metadata_due')
    })
    const [name] = library.db.all<{ id: number; person: number }>('SELECT id, person_id AS person FROM person_names')
    await library.people.updateName(
      terminalViewer,
      { id: name?.person ?? 0, nameId: name?.id ?? 0 },
      { name: 'Anna Berg' },
    )
    await setup.runOtherJobs()
    expect(setup.due()).toHaveLength(names.length)
  }, 60_000)

  test('by merging two keystrings or people, the changed items are due', async () => {
    const setup = await writingLibrary(['a.jpg', 'b.jpg', 'c.jpg'])
    const { library } = setup
    await editTags(library, setup.idOf('a.jpg'), { keywords: ['sea'], people: [{ name: 'Anna' }] })
    await editTags(library, setup.idOf('b.jpg'), { keywords: ['ocean'] })
    await editTags(library, setup.idOf('c.jpg'), { people: [{ name: 'Ann' }] })
    await setup.runDueJob()
    const word = (content: string) =>
      library.db.get<{ id: number }>('SELECT id FROM keystrings WHERE content = ?', content)?.id ?? 0
    const person = (name: string) =>
      library.db.get<{ id: number }>('SELECT person_id AS id FROM person_names WHERE name = ?', name)?.id ?? 0
    const sea = { id: word('sea'), otherId: word('ocean') }
    await library.jobs.run((await startMerge(library, terminalViewer, 'merge-keystrings', sea)).taskid)
    expect(setup.due()).toContain(setup.idOf('b.jpg'))
    expect(await setup.runDueJob()).toMatchObject({ written: 1 })
    expect(setup.keywords('b.jpg.xmp')).toEqual(['sea'])
    const anna = { id: person('Anna'), otherId: person('Ann') }
    await library.jobs.run((await startMerge(library, terminalViewer, 'merge-people', anna)).taskid)
    await setup.runOtherJobs()
    expect(setup.due()).toContain(setup.idOf('c.jpg'))
    await setup.runDueJob()
    expect(setup.due()).toEqual([])
  })
})
