import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { formerIndexedText } from '../../../core/filter/words.ts'
import { createItems } from '../../../core/items/items.ts'
import { migrate } from '../../../core/kernel/database/migrate.ts'
import { silentLog } from '../../../core/kernel/log.ts'
import { indexJob } from '../../../core/vocabulary/index-job.ts'
import { queueVocabularyWork } from '../../../core/vocabulary/vocabulary-due.ts'
import { createJobs } from '../../../core/work/jobs.ts'
import { openTestLibrary } from '../../support/library.ts'

/** More items than the job indexes in one batch. */
const many = 450

const captions = ['Straße', 'İstanbul', '서울타워', 'علي', 'Ёлка', 'ＴＯＫＹＯ', '東京', 'Zürich', 'sea']

/** A library whose items are indexed as before texts were folded, and the job that indexes them again. */
async function oldLibrary() {
  const { db, make, clock, viewer } = openTestLibrary()
  const collection = await make.collection({ public: true })
  const ids: number[] = []
  for (let n = 0; n < many; n++)
    ids.push(
      await make.item({ collection, description: captions[n % captions.length] ?? '', taken: 1_600_000_000 - n }),
    )
  await db.transact({ userId: null }, tx => {
    tx.run('DELETE FROM item_text')
    for (const [n, id] of ids.entries())
      tx.run(
        'INSERT INTO item_text (rowid, description) VALUES (? * 268435456 + ?, ?)',
        1_600_000_000 - n,
        id,
        formerIndexedText(captions[n % captions.length] ?? ''),
      )
    tx.run('INSERT INTO search_text_due VALUES (-17179869184, 0)')
  })
  const jobs = createJobs({ db, clock, log: silentLog, kinds: [indexJob({ db })] })
  const queue = () => queueVocabularyWork({ db, clock, jobs, log: silentLog })
  const items = createItems({ db })
  const count = (q: string) => items.list(terminalViewer, { collectionId: 0 }, { q })._meta.total_records
  const due = () => db.all('SELECT * FROM search_text_due')
  /** The number of items whose folded caption is in the index. */
  const folded = () =>
    db.get<{ n: number }>("SELECT count(*) AS n FROM item_text WHERE item_text MATCH 'strasse OR tokyo'")?.n
  return { db, make, viewer, collection, jobs, queue, items, count, due, folded, ids }
}

/** A program that runs the job and kills itself at progress report number `deadly`, within a transaction. */
function killedWithin(path: string, job: number, deadly: number): string {
  const core = (name: string) => JSON.stringify(join(import.meta.dir, '../../../core', name))
  return `
    import { openDatabase, terminalWaiting } from ${core('kernel/database/database.ts')}
    import { createJobs } from ${core('work/jobs.ts')}
    import { indexJob } from ${core('vocabulary/index-job.ts')}
    import { silentLog } from ${core('kernel/log.ts')}
    const clock = { now: () => Date.now() }
    const db = openDatabase(${JSON.stringify(path)}, { waiting: terminalWaiting, clock })
    let reports = 0
    await createJobs({ db, clock, log: silentLog, kinds: [indexJob({ db })] }).run(${job}, {
      onProgress: ({ done = 0 }) => {
        if (done > 0 && ++reports === ${deadly}) process.kill(process.pid, 'SIGKILL')
      },
    })`
}

const each = many / captions.length
const perCaption = Object.fromEntries(captions.map(caption => [caption, each]))

test('a library with items needs the job after the migration, a new one does not', () => {
  const stateAfter = (insert: string) => {
    const db = new Database(':memory:')
    migrate(db, null, 20)
    db.run('PRAGMA foreign_keys = OFF')
    if (insert !== '') db.run(insert)
    migrate(db, null)
    const rows = db.query('SELECT * FROM search_text_due').all()
    db.close()
    return rows
  }
  const item = `INSERT INTO items (collection_id, dir_id, name, type, taken, taken_source, mime, size, content, added)
    VALUES (1, 1, 'a.jpg', 'image', 0, 'exif', 'image/jpeg', 1, 'x', 1)`
  expect(stateAfter('')).toEqual([])
  expect(stateAfter(item)).toEqual([{ taken: -17_179_869_184, item_id: 0 }])
})

test('until the job is done, searches find items in either form', async () => {
  const { make, collection, queue, jobs, count, due, folded } = await oldLibrary()
  const found = () => Object.fromEntries(captions.map(caption => [caption, count(caption)]))
  expect(folded()).toBe(0)
  expect(found()).toEqual(perCaption)
  // What was found before is still found: by prefixes, phrases, and negations.
  expect([count('straß'), count('"Straße"'), count('서울'), count('-straße -서울')]).toEqual([
    each,
    each,
    each,
    many - 2 * each,
  ])
  // New items are folded at once; one word finds both.
  await make.item({ collection, description: 'Strasse' })
  expect([count('strasse'), count('Straße')]).toEqual([1, each + 1])

  await queue()
  await queue()
  const [job] = jobs.waiting()
  expect(jobs.waiting()).toMatchObject([{ kind: 'index' }])
  const abort = new AbortController()
  await jobs.run(job?.id ?? 0, {
    signal: abort.signal,
    onProgress: ({ done = 0 }) => {
      if (done > 0) abort.abort()
    },
  })
  expect(folded()).toBeGreaterThan(0)
  expect(folded()).toBeLessThan(2 * each)
  expect(found()).toEqual({ ...perCaption, Straße: each + 1 })

  await queue()
  for (const { id } of jobs.waiting()) await jobs.run(id)
  expect(due()).toEqual([])
  expect(found()).toEqual({ ...perCaption, Straße: each + 1 })
  expect([count('strasse'), count('istanbul'), count('타워'), count('علی'), count('елка'), count('tokyo')]).toEqual([
    each + 1,
    ...Array.from({ length: 5 }, () => each),
  ])
  await queue()
  expect(jobs.waiting()).toEqual([])
})

test('a killed job continues where it was, and leaves no item out', async () => {
  const { db, queue, jobs, count, due, folded } = await oldLibrary()
  await queue()
  const id = jobs.waiting()[0]?.id ?? 0
  let before = due()
  // The second run reports first what the first one has done.
  for (const deadly of [2, 3]) {
    const child = Bun.spawn([process.execPath, '-e', killedWithin(db.path, id, deadly)], { stderr: 'inherit' })
    await child.exited
    expect(child.signalCode).toBe('SIGKILL')
    expect(due()).not.toEqual(before)
    before = due()
    expect(before).toHaveLength(1)
    expect(count('straße')).toBe(each)
    await jobs.recover()
    expect(jobs.waiting()).toMatchObject([{ id }])
  }
  await jobs.run(id)
  expect(due()).toEqual([])
  expect(folded()).toBe(2 * each)
  expect(db.all('SELECT taken * 268435456 + id FROM items EXCEPT SELECT rowid FROM item_text')).toEqual([])
  expect(db.all("SELECT count(*) AS n FROM item_text WHERE item_text MATCH 'straße'")).toEqual([{ n: 0 }])
  expect(db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
})

test('items that change while the job runs are indexed once, under their new date', async () => {
  const { db, make, collection, queue, jobs, count, ids } = await oldLibrary()
  const [first = 0] = ids
  await db.transact({ userId: null }, tx => void tx.run('DELETE FROM items WHERE id = ?', first))
  await make.item({ collection, description: 'Straße', taken: '1990-01-01' })
  await queue()
  for (const { id } of jobs.waiting()) await jobs.run(id)
  expect(count('strasse')).toBe(each)
  expect(db.all('SELECT rowid FROM item_text EXCEPT SELECT taken * 268435456 + id FROM items')).toEqual([])
})

test('meanwhile, words of hidden keystrings stay hidden', async () => {
  const { db, make, collection, viewer, items } = await oldLibrary()
  const secret = await make.item({ collection, keywords: ['ｶﾞ'] })
  await make.keystring('ｶﾞ', { hidden: true })
  await db.transact({ userId: null }, tx => {
    tx.run('DELETE FROM item_text WHERE rowid & 268435455 = ?', secret)
    tx.run(
      'INSERT INTO item_text (rowid, keywords) SELECT taken * 268435456 + id, ? FROM items WHERE id = ?',
      formerIndexedText('ｶﾞ'),
      secret,
    )
  })
  // The half-width letter is a prefix of the former word, but not of the folded one.
  expect(db.all(`SELECT rowid FROM item_text WHERE item_text MATCH '"ｶ" *'`)).toHaveLength(1)
  expect(items.idsOf(viewer(null), 0, { q: 'ｶ' }, { limit: 10 }).ids).toEqual([])
})
