import { expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { eventsOn, newestEvent } from '../../../core/kernel/events.ts'
import { createProblems, setProblems } from '../../../core/work/problems.ts'
import { openTestLibrary } from '../../support/library.ts'

async function openLibraryWithProblems() {
  const { db, make, viewer } = openTestLibrary()
  const one = await make.collection({ name: 'One' })
  const two = await make.collection({ name: 'Two' })
  const put = (collectionId: number, path: string, at: number, ...reasons: string[]) =>
    db.transact({ userId: null }, tx =>
      setProblems(
        tx,
        { collectionId, path, itemId: null, jobId: null, at },
        reasons.map((reason, n) => ({ code: `code-${n}`, reason })),
      ),
    )
  await put(one, 'a.jpg', 1, 'damaged')
  await put(one, 'b.jpg', 3, 'cut off', 'without a date')
  await put(two, 'c.jpg', 2, 'empty')
  return { db, make, viewer, one, two, problems: createProblems({ db }) }
}

test('problems are counted by collection and listed newest first', async () => {
  const { problems, one, two } = await openLibraryWithProblems()
  expect(problems.counts(terminalViewer)).toEqual(
    new Map([
      [one, 3],
      [two, 1],
    ]),
  )
  expect(problems.newest(terminalViewer, 3).map(({ path }) => path)).toEqual(['b.jpg', 'b.jpg', 'c.jpg'])
})

test('dismissed problems are removed, and an event is sent to the channel of their collection', async () => {
  const { db, problems, one, two } = await openLibraryWithProblems()
  const [first, second] = problems.list(terminalViewer, one)
  const before = newestEvent(db)
  expect(await problems.dismiss(terminalViewer, [first?.id ?? 0, second?.id ?? 0, 999])).toBe(2)
  expect(problems.count()).toBe(2)
  const events = eventsOn(db, [`collection-${one}`, `collection-${two}`], {
    after: before,
    upTo: newestEvent(db),
    max: 10,
  })
  expect(events.map(({ channel }) => channel)).toEqual([`collection-${one}`])
})

test('only global admins may count all problems, list the newest, or dismiss any', async () => {
  const { problems, make, viewer } = await openLibraryWithProblems()
  const somebody = viewer(await make.user('somebody'))
  expect(() => problems.counts(somebody)).toThrow()
  expect(() => problems.newest(somebody, 1)).toThrow()
  expect(problems.dismiss(somebody, [1])).rejects.toThrow()
})
