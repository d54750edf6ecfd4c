/** Rows of jobs: requesting, claiming, releasing, and ending them. */
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { Failure, sentence } from '../../schema/errors.ts'
import { activityText } from '../../schema/job-words.ts'
import { channels } from '../../schema/realtime.ts'
import { type JobState, jobs } from '../../schema/tables/jobs.ts'
import type { Viewer } from '../accounts/access.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { findBy } from '../kernel/database/find-by.ts'
import type { Log } from '../kernel/log.ts'
import type { JobKind } from './job-kind.ts'
import { type JobRow, jobJson, lanesOf, ownerIsGone } from './job-row.ts'

export interface JobStore {
  db: LibraryDatabase
  clock: Clock
  log: Log
  /** The owner in the rows of jobs that run in this process. */
  ownerId: string
  kinds: ReadonlyMap<string, JobKind>
  /** Called when this process requests a job that will create this step of the history. */
  onStep?: ((step: string, job: number) => void) | undefined
}

/** Duration of a lease; its holder renews it more often. Milliseconds. */
export const leaseMs = 15_000
/** A job whose process died this often is not resumed: the job itself crashes it. */
const maxAttempts = 5

const byId = findBy(jobs, jobs.id)
export const jobRow = (db: Pick<LibraryDatabase, 'orm'>, id: number): JobRow | null => byId(db, id) ?? null

const unowned = { owner: null, leaseUntil: 0 }

export function publishJob(tx: Transaction, id: number, action: 'create' | 'update' | 'complete') {
  const row = jobRow(tx, id)
  if (row === null) return
  const job = jobJson(row)
  const level = row.state === 'failed' ? 'error' : 'status'
  tx.event(channels.task(id), { action, level, message: row.message, job })
  if (action !== 'update') tx.event(channels.jobs, { action, job })
}

export function finish(
  { db, clock, ownerId }: JobStore,
  id: number,
  state: JobState,
  { message, error = null, problems }: { message?: string; error?: string | null; problems?: number },
) {
  return db.transact({ userId: null }, tx => {
    tx.orm
      .update(jobs)
      .set({ ...unowned, state, message, error, problems, finishedAt: clock.now() })
      .where(and(eq(jobs.id, id), eq(jobs.owner, ownerId)))
      .run()
    publishJob(tx, id, 'complete')
  })
}

/** Requeues or fails the jobs of dead processes. Safe to call at any time, from any process. */
export async function recoverJobs({ db, clock, log, ownerId, kinds }: JobStore): Promise<void> {
  const running = inState(db, 'running')
  const dead = running.filter(row => row.owner !== ownerId && (row.leaseUntil < clock.now() || ownerIsGone(row.owner)))
  for (const row of dead) {
    const resume = kinds.get(row.kind)?.afterRestart === 'resume' && row.attempts < maxAttempts && !row.cancel
    const state: JobState = resume ? 'queued' : row.cancel ? 'cancelled' : 'failed'
    await db.transact({ userId: null }, tx => {
      const { changes } = tx.orm
        .update(jobs)
        .set({
          ...unowned,
          state,
          message: resume ? 'It was interrupted and will continue.' : undefined,
          error: state === 'failed' ? 'The process that ran it ended unexpectedly.' : null,
          finishedAt: resume ? null : clock.now(),
        })
        .where(and(eq(jobs.id, row.id), eq(jobs.state, 'running'), sql`${jobs.owner} IS ${row.owner}`))
        .run()
      if (changes > 0) publishJob(tx, row.id, resume ? 'create' : 'complete')
    })
    log.warn('a job had lost its process', { job: row.id, kind: row.kind, now: state })
  }
}

export function inState({ orm }: Pick<LibraryDatabase, 'orm'>, state: JobState): JobRow[] {
  return orm.select().from(jobs).where(eq(jobs.state, state)).orderBy(asc(jobs.id)).all()
}

/** A job that holds one of the lanes in `lane`; the states are searched in their order. Null if there is none. */
export function inLane(
  { db }: JobStore,
  lane: string,
  states: readonly JobState[] = ['running', 'queued'],
): JobRow | null {
  const wanted = new Set(lanesOf(lane))
  for (const state of states) {
    const held = db.orm
      .select({ id: jobs.id, lane: jobs.lane })
      .from(jobs)
      .where(and(eq(jobs.state, state), isNotNull(jobs.lane)))
      .orderBy(asc(jobs.id))
      .all()
    const other = held.find(row => lanesOf(row.lane).some(one => wanted.has(one)))
    if (other !== undefined) return jobRow(db, other.id)
  }
  return null
}

/** Ends queued jobs of a kind in a lane, because one of this kind is about to run. */
function endWaiting(tx: Transaction, kind: string, lane: string, now: number) {
  tx.orm
    .update(jobs)
    .set({ state: 'cancelled', finishedAt: now })
    .where(and(eq(jobs.kind, kind), eq(jobs.lane, lane), eq(jobs.state, 'queued')))
    .run()
}

/** The history's step that a job will create, by its input. The input of an undo has the undone step as well. */
function stepOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || 'undoStep' in input || !('step' in input)) return null
  return typeof input.step === 'string' ? input.step : null
}

/**
 * Queues a job for the server's job workers or for `run`. Throws `busy` if the lane has a job already: one collection
 * has one writer. With `inProcess`, this process claims it at once (`run` must follow): queued jobs of the lane wait,
 * but a queued job of the same kind is cancelled. `also` runs in the same transaction.
 */
export async function enqueue(
  store: JobStore,
  viewer: Viewer,
  kindName: string,
  input: unknown,
  { inProcess = false, also }: { inProcess?: boolean; also?: (tx: Transaction) => void } = {},
): Promise<number> {
  const kind = store.kinds.get(kindName)
  if (kind === undefined) throw new Error(`no kind of job is called ${kindName}`)
  const checked = kind.input.parse(input)
  const lane = kind.lane(checked)
  await recoverJobs(store)
  const made = await store.db.transact(viewer, tx => {
    const now = store.clock.now()
    if (inProcess && lane !== null) endWaiting(tx, kindName, lane, now)
    const other = lane === null ? null : inLane(store, lane, inProcess ? ['running'] : ['running', 'queued'])
    if (other !== null) {
      const activity = activityText(other.kind)
      const refusal =
        other.state === 'running'
          ? sentence`Another job is already running: ${activity}.`
          : sentence`Another job is already waiting: ${activity}.`
      throw new Failure('busy', refusal, { current: jobJson(other) })
    }
    const { lastInsertRowid: id } = tx.orm
      .insert(jobs)
      .values({
        kind: kindName,
        collectionId: kind.collectionId(checked),
        input: JSON.stringify(checked),
        lane,
        userId: viewer.userId,
        createdAt: now,
        ...(inProcess
          ? { state: 'running', owner: store.ownerId, leaseUntil: now + leaseMs, attempts: 1, startedAt: now }
          : { state: 'queued' }),
      })
      .run()
    publishJob(tx, id, 'create')
    also?.(tx)
    return id
  })
  const step = stepOf(checked)
  if (step !== null) store.onStep?.(step, made)
  return made
}

function isRunning({ orm }: Transaction, kind: string): boolean {
  const running = and(eq(jobs.state, 'running'), eq(jobs.kind, kind))
  return orm.select({ id: jobs.id }).from(jobs).where(running).limit(1).get() !== undefined
}

/** Claims a queued job; false if it can't run now, or another process has claimed it. */
export async function claim(store: JobStore, id: number): Promise<boolean> {
  return store.db.transact({ userId: null }, tx => {
    const row = jobRow(tx, id)
    if (row?.state !== 'queued') return false
    if (row.lane !== null && inLane(store, row.lane, ['running']) !== null) return false
    if (store.kinds.get(row.kind)?.single === true && isRunning(tx, row.kind)) return false
    const now = store.clock.now()
    tx.orm
      .update(jobs)
      .set({
        state: 'running',
        owner: store.ownerId,
        leaseUntil: now + leaseMs,
        attempts: row.attempts + 1,
        startedAt: row.startedAt ?? now,
        error: null,
      })
      .where(eq(jobs.id, id))
      .run()
    publishJob(tx, id, 'update')
    return true
  })
}

/** Releases a job for another process; false if its kind can't be resumed, or it was cancelled meanwhile. */
export async function releaseJob({ db, ownerId }: JobStore, id: number, kind: JobKind): Promise<boolean> {
  if (kind.afterRestart !== 'resume') return false
  return db.transact({ userId: null }, tx => {
    const { changes } = tx.orm
      .update(jobs)
      .set({ ...unowned, state: 'queued', attempts: sql`max(0, ${jobs.attempts} - 1)` })
      .where(and(eq(jobs.id, id), eq(jobs.owner, ownerId), eq(jobs.cancel, false)))
      .run()
    if (changes > 0) publishJob(tx, id, 'update')
    return changes > 0
  })
}
