import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { createItems } from '../../../core/items/items.ts'
import { silentLog } from '../../../core/kernel/log.ts'
import { hideJob } from '../../../core/vocabulary/hide-job.ts'
import { createKeystrings } from '../../../core/vocabulary/keystring-table.ts'
import { textJob } from '../../../core/vocabulary/text-job.ts'
import { queueVocabularyWork } from '../../../core/vocabulary/vocabulary-due.ts'
import { createJobs } from '../../../core/work/jobs.ts'
import { openTestLibrary, unlockValue } from '../../support/library.ts'

/** More items than the job marks in one batch. */
const many = 450

async function library() {
  const { db, make, clock, viewer } = openTestLibrary()
  const collection = await make.collection({ public: true })
  for (let n = 0; n < many; n++) {
    await make.item({
      collection,
      keywords: n % 3 === 0 ? ['Clinic', 'Summer', 'Doctor'] : ['Clinic', 'Summer'],
      taken: 1_600_000_000 + n,
    })
  }
  for (let n = 0; n < 20; n++) await make.item({ collection, keywords: ['Summer'], taken: 1_700_000_000 + n })
  const clinic = await make.keystring('Clinic')
  const doctor = await make.keystring('Doctor')
  const kinds = [hideJob({ db }), textJob({ db })]
  const jobs = createJobs({ db, clock, log: silentLog, kinds })
  const queueRemainingWork = () => queueVocabularyWork({ db, clock, jobs, log: silentLog })
  const keystrings = createKeystrings({ db, queueRemainingWork, jobs: { enqueue: async () => 0 } })
  const admin = viewer(await make.user('admin', { globalAdmin: true }))
  const items = createItems({ db })
  const visitor = viewer(null)
  const list = (query: { q?: string } = {}) => items.list(visitor, { collectionId: 0 }, query)._meta.total_records
  const runAll = async () => {
    for (const { id } of jobs.waiting()) await jobs.run(id)
  }
  const countMarked = () => db.get<{ n: number }>('SELECT count(*) AS n FROM items WHERE hidden_by > 0')?.n
  return {
    db,
    make,
    jobs,
    keystrings,
    admin,
    items,
    visitor,
    list,
    runAll,
    countMarked,
    clinic,
    doctor,
    viewer,
    clock,
    queueRemainingWork,
  }
}

/** A program that runs the job and kills itself at progress report number `deadly`, within a transaction. */
function killedWithin(path: string, job: number, deadly: number): string {
  const core = (name: string) => JSON.stringify(join(import.meta.dir, '../../../core', name))
  return `
    import { openDatabase, terminalWaiting } from ${core('kernel/database/database.ts')}
    import { createJobs } from ${core('work/jobs.ts')}
    import { hideJob } from ${core('vocabulary/hide-job.ts')}
    import { silentLog } from ${core('kernel/log.ts')}
    const clock = { now: () => Date.now() }
    const db = openDatabase(${JSON.stringify(path)}, { waiting: terminalWaiting, clock })
    let reports = 0
    await createJobs({ db, clock, log: silentLog, kinds: [hideJob({ db })] }).run(${job}, {
      onProgress: ({ done = 0 }) => {
        if (done > 0 && ++reports === ${deadly}) process.kill(process.pid, 'SIGKILL')
      },
    })`
}

describe('hiding the items of a keystring', () => {
  test('takes effect at once in lists, searches, months, counts and keystrings, and stays so when the job has marked the items', async () => {
    const { keystrings, admin, items, visitor, list, runAll, countMarked, clinic, jobs, viewer, make } = await library()
    const seen = () => ({
      list: list(),
      search: list({ q: 'keyword:summer' }),
      months: items.timeline(visitor, { collectionId: 0 }, {}).total_records,
      collections: [...items.countByCollection(visitor, false).values()],
      keystrings: keystrings.list(visitor, {}).map(({ content, itemcount }) => [content, itemcount]),
      byTag: keystrings.byTag(visitor, 'Keywords', {}).map(({ content }) => content),
    })
    const hidden = {
      list: 20,
      search: 20,
      months: 20,
      collections: [20],
      keystrings: [['Summer', 20]],
      byTag: ['Summer'],
    }
    expect(seen()).toMatchObject({
      list: many + 20,
      keystrings: [
        ['Clinic', many],
        ['Doctor', 150],
        ['Summer', many + 20],
      ],
    })
    await keystrings.update(admin, clinic, { isAssociatedItemsHidden: true })
    expect(countMarked()).toBe(0)
    expect(jobs.waiting()).toMatchObject([{ kind: 'hide' }])
    expect(seen()).toEqual(hidden)
    await runAll()
    expect(countMarked()).toBe(many)
    expect(seen()).toEqual(hidden)
    const unlocked = viewer(await make.user(), { unlocked: true })
    expect(items.list(unlocked, { collectionId: 0 }, { includeHidden: unlockValue })._meta.total_records).toBe(
      many + 20,
    )
    expect(keystrings.list(unlocked, { includeHidden: unlockValue })).toMatchObject([
      { content: 'Clinic', itemcount: many },
      {},
      {},
    ])
  })

  test('showing items again takes effect when the job is done, and not before', async () => {
    const { keystrings, admin, list, runAll, countMarked, clinic, doctor, jobs, db } = await library()
    await keystrings.update(admin, clinic, { isAssociatedItemsHidden: true })
    await keystrings.update(admin, doctor, { isAssociatedItemsHidden: true })
    await runAll()
    await keystrings.update(terminalViewer, clinic, { isAssociatedItemsHidden: false })
    expect(list()).toBe(20)
    // Every batch of the job is committed, and readers never see a part of the items.
    const seen: number[] = []
    const stop = db.onEvents(() => seen.push(list()))
    await jobs.run(jobs.waiting()[0]?.id ?? 0)
    stop()
    expect(new Set(seen)).toEqual(new Set([20, 320]))
    // Items that another keystring hides stay hidden.
    expect(list()).toBe(320)
    expect(countMarked()).toBe(150)
    await keystrings.update(terminalViewer, doctor, { isAssociatedItemsHidden: false })
    await runAll()
    expect(list()).toBe(many + 20)
    expect(countMarked()).toBe(0)
  })

  test('an interrupted job is resumed, and shows no items in between', async () => {
    const { keystrings, admin, list, countMarked, clinic, jobs, db, clock } = await library()
    await keystrings.update(admin, clinic, { isAssociatedItemsHidden: true })
    const abort = new AbortController()
    const id = jobs.waiting()[0]?.id ?? 0
    await jobs.run(id, {
      signal: abort.signal,
      onProgress: ({ done = 0 }) => {
        if (done > 0) abort.abort()
      },
    })
    const half = countMarked() ?? 0
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(many)
    expect(list()).toBe(20)
    // As after a crash: the work is due, but there is no job for it.
    await db.transact({ userId: null }, tx => void tx.run('DELETE FROM jobs'))
    const again = createJobs({ db, clock, log: silentLog, kinds: [hideJob({ db }), textJob({ db })] })
    await queueVocabularyWork({ db, clock, jobs: again, log: silentLog })
    await queueVocabularyWork({ db, clock, jobs: again, log: silentLog })
    expect(again.waiting()).toHaveLength(1)
    await again.run(again.waiting()[0]?.id ?? 0)
    expect(countMarked()).toBe(many)
    expect(db.all('SELECT * FROM pending_hide')).toEqual([])
    expect(list()).toBe(20)
  })

  test('a job killed within a transaction is resumed, and shows no items in between', async () => {
    const { keystrings, admin, list, countMarked, clinic, jobs, db } = await library()
    await keystrings.update(admin, clinic, { isAssociatedItemsHidden: true })
    const id = jobs.waiting()[0]?.id ?? 0
    for (const deadly of [2, 3]) {
      const child = Bun.spawn([process.execPath, '-e', killedWithin(db.path, id, deadly)], { stderr: 'inherit' })
      await child.exited
      expect(child.signalCode).toBe('SIGKILL')
      expect(countMarked()).toBeGreaterThan(0)
      expect(countMarked()).toBeLessThan(many)
      expect(list()).toBe(20)
      await jobs.recover()
      expect(jobs.waiting()).toMatchObject([{ id }])
    }
    await jobs.run(id)
    expect(countMarked()).toBe(many)
    expect(list()).toBe(20)
    expect(db.all('SELECT * FROM pending_hide')).toEqual([])
    expect(db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
  })

  test('the last change made during the job wins', async () => {
    const { keystrings, admin, list, countMarked, clinic, jobs, db } = await library()
    await keystrings.update(admin, clinic, { isAssociatedItemsHidden: true })
    let changes: Promise<unknown> = Promise.resolve()
    let left = 3
    await jobs.run(jobs.waiting()[0]?.id ?? 0, {
      onProgress: ({ done = 0 }) => {
        if (done === 0 || left === 0) return
        left--
        const isAssociatedItemsHidden = left % 2 === 1
        changes = changes.then(() => keystrings.update(terminalViewer, clinic, { isAssociatedItemsHidden }))
      },
    })
    await changes
    expect(left).toBe(0)
    expect(db.all('SELECT * FROM pending_hide')).toEqual([])
    expect(countMarked()).toBe(0)
    expect(list()).toBe(many + 20)
  })

  test('a small number of items is marked in the transaction that hides them', async () => {
    const { keystrings, admin, list, countMarked, doctor, jobs, db } = await library()
    await keystrings.update(admin, doctor, { isAssociatedItemsHidden: true })
    expect(jobs.waiting()).toEqual([])
    expect(db.all('SELECT * FROM pending_hide')).toEqual([])
    expect(countMarked()).toBe(150)
    expect(list()).toBe(320)
    await keystrings.update(terminalViewer, doctor, { isAssociatedItemsHidden: false })
    expect(list()).toBe(many + 20)
  })

  test('a job that has just failed is not restarted at once', async () => {
    const { db, jobs, clock, queueRemainingWork, make, clinic } = await library()
    await make.pendingHide(clinic)
    const id = await jobs.enqueue(terminalViewer, 'hide', {})
    await db.transact({ userId: null }, tx => {
      tx.run("UPDATE jobs SET state = 'failed', finished_at = ? WHERE id = ?", clock.now(), id)
    })
    await queueRemainingWork()
    expect(jobs.waiting()).toEqual([])
    clock.advance(601)
    await queueRemainingWork()
    expect(jobs.waiting()).toMatchObject([{ kind: 'hide' }])
  })
})

describe('renaming a keystring', () => {
  test('makes items searchable by the new word after the job, or at once if they are few', async () => {
    const { keystrings, admin, list, runAll, clinic, doctor, db } = await library()
    await keystrings.update(admin, doctor, { content: 'Physician' })
    expect([list({ q: 'keyword:doctor' }), list({ q: 'keyword:physician' })]).toEqual([0, 150])
    await keystrings.update(admin, clinic, { content: 'Hospital' })
    expect(list({ q: 'keyword:clinic' })).toBe(many)
    await runAll()
    expect([list({ q: 'keyword:clinic' }), list({ q: 'keyword:hospital' })]).toEqual([0, many])
    expect(list({ q: 'keyword:summer' })).toBe(many + 20)
    expect(db.all('SELECT * FROM text_due')).toEqual([])
  })

  test('that is hidden does not make the old word searchable while the index still contains it', async () => {
    const { keystrings, admin, list, runAll, clinic } = await library()
    await keystrings.update(admin, clinic, { isHidden: true })
    expect(list({ q: 'keyword:clinic' })).toBe(0)
    await keystrings.update(admin, clinic, { content: 'Hospital' })
    expect([list({ q: 'keyword:clinic' }), list({ q: 'keyword:hospital' })]).toEqual([0, 0])
    expect(list({ q: 'keyword:summer' })).toBe(many + 20)
    await runAll()
    expect([list({ q: 'keyword:clinic' }), list({ q: 'keyword:hospital' })]).toEqual([0, 0])
  })

  test('again during the job results in the last name', async () => {
    const { keystrings, admin, list, clinic, jobs, db } = await library()
    await keystrings.update(admin, clinic, { content: 'Hospital' })
    let renamed: Promise<unknown> | null = null
    await jobs.run(jobs.waiting()[0]?.id ?? 0, {
      onProgress: ({ done = 0 }) => {
        if (done === 0) return
        // The job reports within its transaction, so the update comes after that transaction.
        renamed ??= Promise.resolve().then(() => keystrings.update(admin, clinic, { content: 'Surgery' }))
      },
    })
    await renamed
    expect(db.all('SELECT * FROM text_due')).toEqual([])
    expect([list({ q: 'keyword:hospital' }), list({ q: 'keyword:surgery' })]).toEqual([0, many])
  })
})
