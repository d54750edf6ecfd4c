import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { openDatabase, terminalWaiting } from '../../../core/kernel/database/database.ts'
import { silentLog } from '../../../core/kernel/log.ts'
import type { JobContext, JobEnd, JobKind } from '../../../core/work/job-kind.ts'
import { createJobs } from '../../../core/work/jobs.ts'
import { Failure } from '../../../schema/errors.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const input = z.object({ collection: z.int() })
type Input = z.output<typeof input>

function library(run: (context: JobContext<Input>) => Promise<JobEnd>, afterRestart: 'resume' | 'fail' = 'resume') {
  const clock = fakeClock()
  const db = openDatabase(':memory:', { waiting: terminalWaiting, clock })
  const kind: JobKind<Input> = {
    kind: 'count',
    input,
    lane: ({ collection }) => `collection-${collection}`,
    collectionId: ({ collection }) => collection,
    afterRestart,
    run,
  }
  const open = () => createJobs({ db, clock, log: silentLog, kinds: [kind] })
  return { clock, db, jobs: open(), openAnother: open }
}

const done = async (): Promise<JobEnd> => ({ state: 'done' })

describe('jobs', () => {
  test('finished jobs are listed by time, latest first, without unfinished ones', async () => {
    const { jobs, clock } = library(done)
    const first = await jobs.enqueue(terminalViewer, 'count', { collection: 1 })
    const second = await jobs.enqueue(terminalViewer, 'count', { collection: 2 })
    await jobs.enqueue(terminalViewer, 'count', { collection: 3 })
    clock.advance(1000)
    await jobs.run(second)
    clock.advance(1000)
    await jobs.run(first)
    expect(jobs.ended(terminalViewer, 10).map(({ id }) => id)).toEqual([first, second])
    expect(jobs.ended(terminalViewer, 1).map(({ id }) => id)).toEqual([first])
  })

  test('a finished job has its result, and sends an event', async () => {
    const { jobs, db } = library(async context => {
      context.progress({ done: 3, total: 3, counts: { new: 2 } })
      return { state: 'done', message: 'fine', problems: 1 }
    })
    const id = await jobs.enqueue(terminalViewer, 'count', { collection: 1 })
    await jobs.run(id)
    expect(jobs.get(terminalViewer, id)).toMatchObject({
      state: 'done',
      done: 3,
      total: 3,
      counts: { new: 2 },
      message: 'fine',
      problems: 1,
    })
    const messages = db.all<{ channel: string; message: string }>('SELECT channel, message FROM events ORDER BY id')
    expect(messages.at(-1)?.channel).toBe('.jobs')
    expect(JSON.parse(messages.at(-1)?.message ?? '')).toMatchObject({ action: 'complete' })
  })

  test('a lane holds one job; another one is refused as busy', async () => {
    const { jobs } = library(done)
    await jobs.enqueue(terminalViewer, 'count', { collection: 1 })
    const second = await jobs.enqueue(terminalViewer, 'count', { collection: 1 }).catch((error: unknown) => error)
    expect(second).toBeInstanceOf(Failure)
    expect(second).toMatchObject({ code: 'busy', exit: 11, status: 409 })
    await jobs.enqueue(terminalViewer, 'count', { collection: 2 })
  })

  test('a queued job is cancelled when a process itself starts a job of the same kind in the same lane', async () => {
    const { jobs } = library(done)
    const waiting = await jobs.enqueue(terminalViewer, 'count', { collection: 1 })
    const mine = await jobs.enqueue(terminalViewer, 'count', { collection: 1 }, { inProcess: true })
    expect(jobs.row(waiting)?.state).toBe('cancelled')
    expect((await jobs.run(mine))?.state).toBe('done')
  })

  test('an error of a job is stored in its row, and a failure is thrown to the caller', async () => {
    const { jobs } = library(async () => {
      throw new Failure('notFound', 'The collection no longer exists.')
    })
    const id = await jobs.enqueue(terminalViewer, 'count', { collection: 1 })
    expect(jobs.run(id)).rejects.toThrow('The collection no longer exists.')
    await Bun.sleep(0)
    while (jobs.row(id)?.state === 'running') await Bun.sleep(1)
    expect(jobs.row(id)).toMatchObject({ state: 'failed', error: 'The collection no longer exists.' })
  })

  test('a signal cancels a job', async () => {
    const abort = new AbortController()
    const { jobs } = library(async ({ signal }) => {
      abort.abort(new Failure('interrupted', 'Interrupted'))
      signal.throwIfAborted()
      return { state: 'done' }
    })
    const id = await jobs.enqueue(terminalViewer, 'count', { collection: 1 }, { inProcess: true })
    expect((await jobs.run(id, { signal: abort.signal }))?.state).toBe('cancelled')
  })

  test('a process that stops puts its job back into the queue, where a user can cancel it', async () => {
    const abort = new AbortController()
    const { jobs, openAnother } = library(async context => {
      abort.abort()
      context.signal.throwIfAborted()
      return { state: 'done' }
    })
    const id = await jobs.enqueue(terminalViewer, 'count', { collection: 1 })
    expect(await jobs.run(id, { signal: abort.signal, requeuesOnStop: true })).toMatchObject({
      state: 'queued',
      attempts: 0,
    })
    const next = openAnother()
    expect(next.waiting().map(job => job.id)).toEqual([id])
    await next.cancel(terminalViewer, id)
    expect(next.row(id)?.state).toBe('cancelled')
  })

  test('a queued job is cancelled at once, a running one is requested to stop', async () => {
    const { jobs } = library(done)
    const id = await jobs.enqueue(terminalViewer, 'count', { collection: 1 })
    expect((await jobs.cancel(terminalViewer, id)).state).toBe('cancelled')
    const running = await jobs.enqueue(terminalViewer, 'count', { collection: 1 }, { inProcess: true })
    await jobs.cancel(terminalViewer, running)
    expect(jobs.row(running)).toMatchObject({ state: 'running', cancel: true })
  })

  test('a job of a dead process is queued again, or fails if it must not be repeated', async () => {
    for (const [afterRestart, state, message] of [
      ['resume', 'queued', 'It was interrupted and will continue.'],
      ['fail', 'failed', ''],
    ] as const) {
      const { jobs, db } = library(done, afterRestart)
      const id = await jobs.enqueue(terminalViewer, 'count', { collection: 1 }, { inProcess: true })
      const gone = Bun.spawn(['true'])
      await gone.exited
      const host = jobs.row(id)?.owner?.split(' ')[0] ?? ''
      await db.transact(
        { userId: null },
        tx => tx.run('UPDATE jobs SET owner = ? WHERE id = ?', `${host} ${gone.pid} x`, id).changes,
      )
      await jobs.recover()
      expect(jobs.row(id)).toMatchObject({ state, message })
    }
  })

  test('the lease of a process on another machine expires if it is not renewed', async () => {
    const { jobs, db, clock } = library(done)
    const id = await jobs.enqueue(terminalViewer, 'count', { collection: 1 }, { inProcess: true })
    await db.transact(
      { userId: null },
      tx => tx.run("UPDATE jobs SET owner = 'elsewhere 1 x' WHERE id = ?", id).changes,
    )
    await jobs.recover()
    expect(jobs.row(id)?.state).toBe('running')
    clock.advance(16)
    await jobs.recover()
    expect(jobs.row(id)?.state).toBe('queued')
  })

  test('a job that killed its process five times is not tried again', async () => {
    const { jobs, db, clock } = library(done)
    const id = await jobs.enqueue(terminalViewer, 'count', { collection: 1 }, { inProcess: true })
    await db.transact(
      { userId: null },
      tx => tx.run("UPDATE jobs SET owner = 'elsewhere 1 x', attempts = 5 WHERE id = ?", id).changes,
    )
    clock.advance(16)
    await jobs.recover()
    expect(jobs.row(id)?.state).toBe('failed')
  })

  test('jobs are visible to the user who started them and to administrators of the collection', async () => {
    const { jobs } = library(done)
    const viewer = (userId: number, admin: boolean): Viewer => ({
      kind: 'user',
      userId,
      username: null,
      sessionId: null,
      globalAdmin: false,
      unlockValue: null,
      rights: new Map([[1, { view: true, create: true, update: true, admin }]]),
    })
    const id = await jobs.enqueue(viewer(1, false), 'count', { collection: 1 })
    expect(jobs.get(viewer(1, false), id).id).toBe(id)
    expect(jobs.get(viewer(2, true), id).id).toBe(id)
    expect(() => jobs.get(viewer(3, false), id)).toThrow('Not found')
    expect(jobs.list(viewer(3, false), 'all')).toEqual([])
  })
})
