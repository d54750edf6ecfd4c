import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { terminalViewer } from '../../../../core/accounts/access.ts'
import { planBulkEdit } from '../../../../core/editing/bulk-edit-job.ts'
import { type Library, openLibrary } from '../../../../core/library.ts'
import { startMerge } from '../../../../core/vocabulary/merge-jobs.ts'
import { createBuilders } from '../../../support/library.ts'
import { isLong } from '../../../support/long.ts'
import { itemPlaces, openMovingLibrary, writeFileIn } from '../../../support/moving-library.ts'
import { picture, takenAt } from '../../../support/scanning-library.ts'
import { editTags } from '../../../support/tagging.ts'
import { temporaryDirectory } from '../../../support/temporary.ts'

/** The text that `keepsake export` writes. */
function exportText(library: Library): string {
  return [...library.libraryExport.lines(terminalViewer, 0)].map(line => `${JSON.stringify(line)}\n`).join('')
}

/** Runs a job and the jobs that it queues. */
async function finish(library: Library, id: number): Promise<Record<string, number>> {
  const row = await library.jobs.run(id)
  expect(row?.state).toBe('done')
  await library.metadata.queueDue()
  for (const { id: next } of library.jobs.waiting()) await library.jobs.run(next)
  return JSON.parse(row?.counts ?? '{}')
}

/** Undoes the last step, then that undo, and so on. Expects the export to switch to `before` and back. */
async function expectUndone(library: Library, before: string, times = 2): Promise<void> {
  const after = exportText(library)
  expect(after).not.toBe(before)
  for (let n = 0; n < times; n++) {
    const [last] = library.history.list(terminalViewer, { collectionId: 0 }, {}).steps
    expect(last).toMatchObject({ undoable: true, undone: false })
    const job = await library.jobs.enqueue(
      terminalViewer,
      'undo',
      library.history.planUndo(terminalViewer, last?.step ?? ''),
    )
    expect(await finish(library, job)).toMatchObject({ changed: 0, gone: 0, refused: 0 })
    // A direct comparison would print a difference of thousands of lines.
    const isSame = exportText(library) === (n % 2 === 0 ? before : after)
    expect(isSame).toBe(true)
  }
}

describe('undoing restores the export', () => {
  test('after a bulk edit of a thousand items (ten thousand in long runs)', async () => {
    const copyCount = isLong ? 99 : 9
    const many = 100 * (copyCount + 1)
    const data = join(temporaryDirectory(), 'data')
    const library = openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none' })
    process.on('exit', () => library.close())
    const { db } = library
    const make = createBuilders(db)
    const anna = await make.person('Anna')
    for (let n = 0; n < 100; n++) {
      await make.item({
        keywords: [`k${n % 7}`, 'Sea'],
        category: ['Old'],
        taken: 1_500_000_000 + n * 86_400,
        ...(n % 3 === 0 ? { people: ['Ben'], description: 'before' } : {}),
      })
    }
    // All other items are copies of the first hundred.
    await db.transact({ userId: null }, tx => {
      const columns = 'collection_id, dir_id, type, taken_source, added, tags, keys, details, width, height'
      const copies = JSON.stringify(Array.from({ length: copyCount }, (_, n) => n + 1))
      tx.run(
        `INSERT INTO items (taken, name, content, ${columns})
         SELECT taken + n.value, n.value || name, n.value || content, ${columns} FROM items, (SELECT value FROM json_each(?)) AS n`,
        copies,
      )
      tx.run(
        `INSERT INTO item_text (rowid, file) SELECT taken * 268435456 + id, name FROM items WHERE id NOT IN
           (SELECT rowid & 268435455 FROM item_text)`,
      )
    })
    const items = db.all<{ id: number }>('SELECT id FROM items').map(({ id }) => id)
    expect(items).toHaveLength(many)
    const before = exportText(library)
    const edit = await planBulkEdit(
      library,
      terminalViewer,
      {
        items,
        changes: [
          { tagName: 'Keywords', mode: 'add', data: ['New'] },
          { tagName: 'Keywords', mode: 'replace', data: { from: ['Sea'], to: ['Ocean'] } },
          { tagName: 'Category', mode: 'set', data: [] },
          { tagName: 'Description', mode: 'set', data: 'after' },
          { tagName: 'DateTimeOriginal', mode: 'set', data: '2001-02-03 04:05:06' },
          { tagName: 'People', mode: 'add', data: [{ person: anna }] },
          { tagName: 'Rating', mode: 'set', data: 5 },
        ],
      },
      undefined,
    )
    expect(await finish(library, await library.jobs.enqueue(terminalViewer, 'edit', edit))).toMatchObject({
      changed: many,
    })
    await expectUndone(library, before, 1)
  }, 300_000)

  test('after a transfer, also into a managed collection', async () => {
    for (const managed of [false, true]) {
      const setup = openMovingLibrary()
      const from = await setup.collection()
      const to = await setup.collection({ managed })
      writeFileIn(from.root, 'a.jpg', await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') }))
      writeFileIn(from.root, 'sub/b.jpg', await picture({ seed: 2, exif: takenAt('2020-01-02 03:04:05') }))
      writeFileIn(from.root, 'sub/b.jpg.xmp', '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      writeFileIn(to.root, 'a.jpg', await picture({ seed: 3 }))
      await setup.scan(from)
      await setup.scan(to)
      const ids = [...itemPlaces(setup.library)]
        .filter(([, place]) => place.startsWith(`${from.id}:`))
        .map(([id]) => id)
      for (const id of ids) await editTags(setup.library, id, { keywords: ['sea'], people: [{ name: 'Anna' }] })
      const before = exportText(setup.library)
      expect((await setup.transfer(ids, to)).figures).toMatchObject({ moved: 2 })
      await expectUndone(setup.library, before)
    }
  })

  test('after merging keystrings, and after merging people with birthdays and several names', async () => {
    const setup = openMovingLibrary()
    const { library } = setup
    const pictures = await setup.collection()
    for (const n of [1, 2, 3, 4]) writeFileIn(pictures.root, `${n}.jpg`, await picture({ seed: n }))
    await setup.scan(pictures)
    const [one = 0, two = 0, three = 0, four = 0] = itemPlaces(library).keys()
    const box = [10, 10, 50, 50] as const
    await editTags(library, one, { keywords: ['Sea', 'Sun'], people: [{ name: 'Anna', box }] })
    await editTags(library, two, {
      keywords: ['Ocean', 'Sun', 'Sea'],
      people: [{ name: 'Ann', box }, { name: 'Anna' }],
    })
    await editTags(library, three, { category: ['Ocean'], people: [{ name: 'Ann' }] })
    await editTags(library, four, { author: ['Ocean'] })
    const id = (table: string, name: string) =>
      library.db.get<{ id: number }>(
        table === 'keystrings'
          ? 'SELECT id FROM keystrings WHERE content = ?'
          : 'SELECT person_id AS id FROM person_names WHERE name = ?',
        name,
      )?.id ?? 0
    await library.keystrings.update(terminalViewer, id('keystrings', 'Ocean'), { isAssociatedItemsHidden: true })
    await library.people.update(terminalViewer, id('people', 'Ann'), { birthdate: '1980-01-01' })
    await library.people.addName(terminalViewer, id('people', 'Ann'), { name: 'Annie', finish: 500_000_000 })
    for (const [kind, into, other] of [
      ['merge-keystrings', id('keystrings', 'Sea'), id('keystrings', 'Ocean')],
      ['merge-people', id('people', 'Anna'), id('people', 'Ann')],
    ] as const) {
      const before = exportText(library)
      await finish(library, (await startMerge(library, terminalViewer, kind, { id: into, otherId: other })).taskid)
      await expectUndone(library, before, 4)
    }
  })
})
