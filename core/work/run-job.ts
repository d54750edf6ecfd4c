/** Runs a job in this process: keeps its lease, writes progress, and notices cancellation. */
import { and, eq } from 'drizzle-orm'
import { Failure, reasonOf } from '../../schema/errors.ts'
import { jobs } from '../../schema/tables/jobs.ts'
import type { Progress } from './job-kind.ts'
import type { JobRow } from './job-row.ts'
import { claim, finish, type JobStore, jobRow, leaseMs, publishJob, releaseJob } from './job-store.ts'

const heartbeatMs = 2_000
const watchMs = 250
const progressMs = 500

interface RunOptions {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  requeuesOnStop?: boolean
}

function createReport({ db, clock, log, ownerId }: JobStore, id: number) {
  let latest: Progress = {}
  let isDirty = false
  let writing = Promise.resolve()

  function flush(): Promise<void> {
    isDirty = false
    const { done, total, message, counts } = latest
    const now = { done, total: total ?? undefined, message, counts: counts && JSON.stringify(counts) }
    writing = writing
      .then(() =>
        db.transact({ userId: null }, tx => {
          tx.orm
            .update(jobs)
            .set({ ...now, leaseUntil: clock.now() + leaseMs })
            .where(and(eq(jobs.id, id), eq(jobs.owner, ownerId)))
            .run()
          publishJob(tx, id, 'update')
        }),
      )
      // The database is busy, which must not end the job: the next heartbeat tries again.
      .catch((error: unknown) => log.warn('progress could not be written', { job: id, error }))
    return writing
  }

  return {
    flush,
    flushNew: () => isDirty && flush(),
    add(now: Progress): Progress {
      latest = { ...latest, ...now }
      isDirty = true
      return latest
    },
  }
}

/** Why a job of this process must not continue; null if it may. */
function stopCause({ db, ownerId }: JobStore, id: number): Failure | null {
  const row = jobRow(db, id)
  if (row?.cancel === true) return new Failure('interrupted', 'Cancelled')
  // After the machine slept, another process may have claimed the job: two must not write.
  return row?.owner === ownerId ? null : new Failure('interrupted', 'Taken over by another process')
}

/**
 * Runs a queued job to its end, and returns its row; null if another process has it. Throws the error of a failed job.
 * `signal` cancels the job. With `requeuesOnStop` it means that this process stops: the job is queued for another one.
 */
export async function runJob(store: JobStore, id: number, options: RunOptions = {}): Promise<JobRow | null> {
  const { db, log, ownerId } = store
  if (jobRow(db, id)?.owner !== ownerId && !(await claim(store, id))) return null
  const row = jobRow(db, id)
  const kind = row === null ? undefined : store.kinds.get(row.kind)
  if (row === null || kind === undefined) throw new Error(`job ${id} is of a kind that this build does not know`)

  const abort = new AbortController()
  const onOutside = () => abort.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', onOutside)
  if (options.signal?.aborted === true) onOutside()
  const report = createReport(store, id)
  const timers = [
    setInterval(() => {
      const stop = stopCause(store, id)
      if (stop !== null) abort.abort(stop)
    }, watchMs),
    setInterval(() => !abort.signal.aborted && report.flush(), heartbeatMs),
    setInterval(report.flushNew, progressMs),
  ]
  try {
    const end = await kind.run({
      jobId: id,
      input: kind.input.parse(JSON.parse(row.input)),
      signal: abort.signal,
      progress(now) {
        const latest = report.add(now)
        options.onProgress?.(latest)
      },
    })
    await report.flush()
    await finish(store, id, end.state, end)
  } catch (error) {
    await report.flush()
    const isCancelled = abort.signal.aborted
    const isStopping = options.requeuesOnStop === true && options.signal?.aborted === true
    if (isStopping && (await releaseJob(store, id, kind))) return jobRow(db, id)
    await finish(store, id, isCancelled ? 'cancelled' : 'failed', isCancelled ? {} : { error: reasonOf(error) })
    if (isCancelled) return jobRow(db, id)
    if (!(error instanceof Failure)) log.error('a job failed', { job: id, kind: row.kind, error })
    throw error
  } finally {
    for (const timer of timers) clearInterval(timer)
    options.signal?.removeEventListener('abort', onOutside)
  }
  return jobRow(db, id)
}
