/** Long work: one row each, leases with heartbeats, progress, cancellation, and recovery after a process died. */
import type { z } from 'zod'
import type { Job } from '../../schema/api/jobs.ts'
import { Failure, reasonOf } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import type { JobState } from '../../schema/tables/jobs.ts'
import { demandSignedIn, isSignedIn, notFound, rightsOn, showsHiddenTo, type Viewer } from '../accounts/access.ts'
import { hidesAnything } from '../filter/hidden-items.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import { type JobRow, jobJson, lanesOf, ownerHere, ownerIsGone, spokenKind } from './job-row.ts'

/** What a running job is told and may say. */
export interface JobContext<Input> {
  jobId: number
  input: Input
  /** Aborted when somebody cancels the job, or the process is asked to end. */
  signal: AbortSignal
  /** Says how far it is; written at most twice a second, so it may be called for every file. */
  progress(now: Progress): void
}

export interface Progress {
  done?: number
  total?: number | null
  message?: string
  counts?: Record<string, number>
}

/** How a job ended that did not fail: `stopped` is a safety stop, which somebody has to look at. */
export interface JobEnd {
  state: 'done' | 'stopped'
  message?: string
  /** How many problems it found; it is done all the same. */
  problems?: number
}

/** A kind of work, declared beside its subject. */
export interface JobKind<Input = unknown> {
  kind: string
  input: z.ZodType<Input>
  /** At most one running job has a lane; null when any number may run at once. Several lanes have spaces between. */
  lane(input: Input): string | null
  collectionId(input: Input): number | null
  /** One of this kind runs at a time, on whatever it works: the others wait for it. */
  single?: boolean
  /** When the process that had it died: it can be run again from the start, or it ends as failed. */
  afterRestart: 'resume' | 'fail'
  run(context: JobContext<Input>): Promise<JobEnd>
}

/** A lease is believed this long; its holder renews it more often. Milliseconds. */
const leaseMs = 15_000
const heartbeatMs = 2_000
/** How soon a running job learns that it was cancelled. */
const watchMs = 250
const progressMs = 500
/** A job whose process died that often is not taken up again: it is the job that kills it. */
const mostAttempts = 5

/** May the viewer be told names of files in passing? Not while keystrings hide items from him. */
export function namesFiles(db: LibraryDatabase, viewer: Viewer): boolean {
  return showsHiddenTo(viewer) || !hidesAnything(db)
}

/** The job without the name of the file at hand, where that may not be told. */
export function withoutNames(job: Job, told: boolean): Job {
  return told || job.state !== 'running' ? job : { ...job, message: '' }
}

/** The history's step that a job will make: most say so in their input. What undoes names the one that it undoes, too. */
function stepOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || 'undoStep' in input || !('step' in input)) return null
  return typeof input.step === 'string' ? input.step : null
}

export function createJobs({
  db,
  clock,
  log,
  kinds,
  onStep,
}: {
  db: LibraryDatabase
  clock: Clock
  log: Log
  kinds: readonly JobKind[]
  /** A job was asked for here that will make this step of the history. */
  onStep?: ((step: string, job: number) => void) | undefined
}) {
  const me = ownerHere()
  const byName = new Map(kinds.map(kind => [kind.kind, kind]))

  function rowOf(id: number): JobRow | null {
    return db.get<JobRow>('SELECT * FROM jobs WHERE id = ?', id)
  }

  function tell(tx: Transaction, id: number, action: 'create' | 'update' | 'complete') {
    const row = tx.get<JobRow>('SELECT * FROM jobs WHERE id = ?', id)
    if (row === null) return
    const job = jobJson(row)
    const level = row.state === 'failed' ? 'error' : 'status'
    tx.event(channels.task(id), { action, level, message: row.message, job })
    if (action !== 'update') tx.event(channels.jobs, { action, job })
  }

  function finish(
    id: number,
    state: JobState,
    end: { message?: string; error?: string; problems?: number; counts?: string },
  ) {
    return db.transact({ userId: null }, tx => {
      tx.run(
        `UPDATE jobs SET state = ?, message = coalesce(?, message), error = ?, problems = coalesce(?, problems),
           finished_at = ?, owner = NULL, lease_until = 0 WHERE id = ? AND owner = ?`,
        state,
        end.message ?? null,
        end.error ?? null,
        end.problems ?? null,
        clock.now(),
        id,
        me,
      )
      tell(tx, id, 'complete')
    })
  }

  /** Gives back what dead processes had. Safe to call at any time, from any process. */
  async function recover(): Promise<void> {
    const running = db.all<JobRow>("SELECT * FROM jobs WHERE state = 'running'")
    const dead = running.filter(row => row.owner !== me && (row.lease_until < clock.now() || ownerIsGone(row.owner)))
    for (const row of dead) {
      const resume = byName.get(row.kind)?.afterRestart === 'resume' && row.attempts < mostAttempts && row.cancel === 0
      const state: JobState = resume ? 'queued' : row.cancel === 1 ? 'cancelled' : 'failed'
      await db.transact({ userId: null }, tx => {
        const { changes } = tx.run(
          `UPDATE jobs SET state = ?1, message = iif(?1 = 'queued', 'It was broken off, and goes on.', message), error = ?2,
             owner = NULL, lease_until = 0, finished_at = ?3 WHERE id = ?4 AND state = 'running' AND owner IS ?5`,
          state,
          state === 'failed' ? 'The process that ran it ended unexpectedly.' : null,
          resume ? null : clock.now(),
          row.id,
          row.owner,
        )
        if (changes > 0) tell(tx, row.id, resume ? 'create' : 'complete')
      })
      log.warn('a job had lost its process', { job: row.id, kind: row.kind, now: state })
    }
  }

  /** A job of one of these states that holds one of these lanes; one that runs before one that waits. */
  function inLane(lane: string, states: readonly JobState[] = ['running', 'queued']): JobRow | null {
    const wanted = new Set(lanesOf(lane))
    for (const state of states) {
      const held = db.all<{ id: number; lane: string }>(
        'SELECT id, lane FROM jobs WHERE state = ? AND lane IS NOT NULL ORDER BY id',
        state,
      )
      const other = held.find(row => lanesOf(row.lane).some(one => wanted.has(one)))
      if (other !== undefined) return rowOf(other.id)
    }
    return null
  }

  /**
   * Writes down that something is to be done; a server's supervisor or `run` does it. `busy` when the lane has a job
   * already: one collection has one writer, and a second scan of it would find nothing new. With `here`, this process
   * takes the job at once (`run` must follow): what only waits in the lane waits on, and one of the same kind gives way.
   * `also` is done in the same transaction.
   */
  async function enqueue(
    viewer: Viewer,
    kindName: string,
    input: unknown,
    options: { here?: boolean; also?: (tx: Transaction) => void } = {},
  ): Promise<number> {
    const kind = byName.get(kindName)
    if (kind === undefined) throw new Error(`no kind of job is called ${kindName}`)
    const checked = kind.input.parse(input)
    const lane = kind.lane(checked)
    await recover()
    const made = await db.transact(viewer, tx => {
      const here = options.here === true
      if (here && lane !== null) {
        tx.run(
          "UPDATE jobs SET state = 'cancelled', finished_at = ? WHERE kind = ? AND lane = ? AND state = 'queued'",
          clock.now(),
          kindName,
          lane,
        )
      }
      const other = lane === null ? null : inLane(lane, here ? ['running'] : ['running', 'queued'])
      if (other !== null) {
        const what = other.kind === kindName ? spokenKind(kindName) : `Another job (${other.kind})`
        throw new Failure(
          'busy',
          `${what} of this collection is already ${other.state === 'running' ? 'running' : 'waiting'}.`,
          {
            current: jobJson(other),
          },
        )
      }
      const { lastInsertRowid: id } = tx.run(
        `INSERT INTO jobs (kind, collection_id, input, lane, state, owner, lease_until, attempts, user_id, created_at, started_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        kindName,
        kind.collectionId(checked),
        JSON.stringify(checked),
        lane,
        here ? 'running' : 'queued',
        here ? me : null,
        here ? clock.now() + leaseMs : 0,
        here ? 1 : 0,
        viewer.userId,
        clock.now(),
        here ? clock.now() : null,
      )
      tell(tx, id, 'create')
      options.also?.(tx)
      return id
    })
    const step = stepOf(checked)
    if (step !== null) onStep?.(step, made)
    return made
  }

  function isRunning(kind: string): boolean {
    return db.get("SELECT 1 FROM jobs WHERE state = 'running' AND kind = ? LIMIT 1", kind) !== null
  }

  async function claim(id: number): Promise<boolean> {
    return db.transact({ userId: null }, tx => {
      const row = tx.get<JobRow>('SELECT * FROM jobs WHERE id = ?', id)
      if (row === null || row.state !== 'queued') return false
      if (row.lane !== null && inLane(row.lane, ['running']) !== null) return false
      if (byName.get(row.kind)?.single === true && isRunning(row.kind)) return false
      tx.run(
        `UPDATE jobs SET state = 'running', owner = ?, lease_until = ?, attempts = attempts + 1,
           started_at = coalesce(started_at, ?), error = NULL WHERE id = ?`,
        me,
        clock.now() + leaseMs,
        clock.now(),
        id,
      )
      tell(tx, id, 'update')
      return true
    })
  }

  /** Lets somebody else go on with a job of this process; false where that can't be, or where it was cancelled meanwhile. */
  async function giveBack(id: number, kind: JobKind): Promise<boolean> {
    if (kind.afterRestart !== 'resume') return false
    return db.transact({ userId: null }, tx => {
      const { changes } = tx.run(
        `UPDATE jobs SET state = 'queued', owner = NULL, lease_until = 0, attempts = max(0, attempts - 1)
         WHERE id = ? AND owner = ? AND cancel = 0`,
        id,
        me,
      )
      if (changes > 0) tell(tx, id, 'update')
      return changes > 0
    })
  }

  /**
   * Runs a queued job in this process, to its end. `signal` ends it as cancelled (a terminal's Ctrl-C). Answers the row
   * as it ended; null when somebody else has taken it. A failure is in the row, and thrown when it is a Failure. With
   * `givesBack` the signal means that this process is stopping, and nobody's wish to cancel: the job waits for the next one.
   */
  async function run(
    id: number,
    options: { signal?: AbortSignal; onProgress?: (progress: Progress) => void; givesBack?: boolean } = {},
  ): Promise<JobRow | null> {
    const mine = rowOf(id)?.owner === me
    if (!mine && !(await claim(id))) return null
    const row = rowOf(id)
    const kind = row === null ? undefined : byName.get(row.kind)
    if (row === null || kind === undefined) throw new Error(`job ${id} is of a kind that this build does not know`)

    const abort = new AbortController()
    const onOutside = () => abort.abort(options.signal?.reason)
    options.signal?.addEventListener('abort', onOutside)
    if (options.signal?.aborted === true) onOutside()

    let latest: Progress = {}
    let dirty = false
    let writing = Promise.resolve()

    function flush() {
      dirty = false
      const now = latest
      writing = writing
        .then(() =>
          db.transact({ userId: null }, tx => {
            tx.run(
              `UPDATE jobs SET done = coalesce(?, done), total = coalesce(?, total), message = coalesce(?, message),
                 counts = coalesce(?, counts), lease_until = ? WHERE id = ? AND owner = ?`,
              now.done ?? null,
              now.total ?? null,
              now.message ?? null,
              now.counts === undefined ? null : JSON.stringify(now.counts),
              clock.now() + leaseMs,
              id,
              me,
            )
            tell(tx, id, 'update')
          }),
        )
        // The database being busy for seconds must not end the job: the next beat tries again.
        .catch((error: unknown) => log.warn('progress could not be written', { job: id, error }))
    }

    const watch = setInterval(() => {
      const state = db.get<{ cancel: number; owner: string | null }>('SELECT cancel, owner FROM jobs WHERE id = ?', id)
      if (state?.cancel === 1) abort.abort(new Failure('interrupted', 'Cancelled'))
      // The machine slept and another process took the job up: two must not write.
      else if (state?.owner !== me) abort.abort(new Failure('interrupted', 'Taken over by another process'))
    }, watchMs)
    const beat = setInterval(() => {
      if (!abort.signal.aborted) flush()
    }, heartbeatMs)
    const tick = setInterval(() => {
      if (dirty) flush()
    }, progressMs)

    try {
      const end = await kind.run({
        jobId: id,
        input: kind.input.parse(JSON.parse(row.input)),
        signal: abort.signal,
        progress(now) {
          latest = { ...latest, ...now }
          dirty = true
          options.onProgress?.(latest)
        },
      })
      flush()
      await writing
      await finish(id, end.state, end)
    } catch (error) {
      flush()
      await writing
      const cancelled = abort.signal.aborted
      if (options.givesBack === true && options.signal?.aborted === true && (await giveBack(id, kind))) return rowOf(id)
      await finish(id, cancelled ? 'cancelled' : 'failed', cancelled ? {} : { error: reasonOf(error) })
      if (cancelled) return rowOf(id)
      if (!(error instanceof Failure)) log.error('a job failed', { job: id, kind: row.kind, error })
      throw error
    } finally {
      clearInterval(watch)
      clearInterval(beat)
      clearInterval(tick)
      options.signal?.removeEventListener('abort', onOutside)
    }
    return rowOf(id)
  }

  function mayManage(viewer: Viewer, row: JobRow): boolean {
    if (viewer.globalAdmin) return true
    if (row.user_id !== null && row.user_id === viewer.userId) return true
    return row.collection_id !== null && isSignedIn(viewer) && rightsOn(viewer, row.collection_id).admin
  }

  function demand(viewer: Viewer, id: number): JobRow {
    demandSignedIn(viewer)
    const row = rowOf(id)
    if (row === null || !mayManage(viewer, row)) throw notFound()
    return row
  }

  /** While it runs, a job names the file at hand, which may be of an item that a keystring hides. */
  function shown(viewer: Viewer, row: JobRow): Job {
    return withoutNames(jobJson(row), namesFiles(db, viewer))
  }

  return {
    enqueue,
    run,
    recover,
    row: rowOf,
    /** Is anything running or waiting in this lane? */
    inLane: (lane: string): boolean => inLane(lane) !== null,
    /**
     * Did the last job of this lane fail, or did somebody cancel it within these milliseconds? What cannot be done is not
     * tried at every request, and what somebody has stopped does not begin again at the next one.
     */
    wasGivenUp(lane: string, forMs: number): boolean {
      const last = db.get<Pick<JobRow, 'state' | 'finished_at'>>(
        'SELECT state, finished_at FROM jobs WHERE lane = ? ORDER BY id DESC LIMIT 1',
        lane,
      )
      if (last?.state === 'cancelled') return clock.now() - (last.finished_at ?? 0) < forMs
      return last?.state === 'failed'
    },
    /** Does only one job of this kind run at a time? */
    isSingle: (kind: string): boolean => byName.get(kind)?.single === true,

    /** Jobs that wait for a process, oldest first. */
    waiting: (): JobRow[] => db.all<JobRow>("SELECT * FROM jobs WHERE state = 'queued' ORDER BY id"),
    running: (): JobRow[] => db.all<JobRow>("SELECT * FROM jobs WHERE state = 'running' ORDER BY id"),

    list(viewer: Viewer, which: 'active' | 'all'): Job[] {
      demandSignedIn(viewer)
      const sql =
        which === 'active'
          ? "SELECT * FROM jobs WHERE state IN ('queued', 'running') ORDER BY id DESC LIMIT 500"
          : 'SELECT * FROM jobs ORDER BY id DESC LIMIT 500'
      return db
        .all<JobRow>(sql)
        .filter(row => mayManage(viewer, row))
        .map(row => shown(viewer, row))
    },

    /** Those that have ended, the last one first. */
    ended(viewer: Viewer, most: number): Job[] {
      demandSignedIn(viewer)
      return db
        .all<JobRow>(
          'SELECT * FROM jobs WHERE finished_at IS NOT NULL ORDER BY finished_at DESC, id DESC LIMIT ?',
          most,
        )
        .filter(row => mayManage(viewer, row))
        .map(row => shown(viewer, row))
    },

    get: (viewer: Viewer, id: number): Job => shown(viewer, demand(viewer, id)),

    /** Asks a job to stop; one that waits is ended at once, one that runs learns of it within a quarter of a second. */
    async cancel(viewer: Viewer, id: number): Promise<Job> {
      const row = demand(viewer, id)
      await db.transact(viewer, tx => {
        tx.run(
          "UPDATE jobs SET state = 'cancelled', finished_at = ? WHERE id = ? AND state = 'queued'",
          clock.now(),
          id,
        )
        tx.run("UPDATE jobs SET cancel = 1 WHERE id = ? AND state = 'running'", id)
        tell(tx, id, row.state === 'queued' ? 'complete' : 'update')
      })
      return shown(viewer, rowOf(id) ?? row)
    },
  }
}

export type Jobs = ReturnType<typeof createJobs>
