/** Jobs: one row each, leases with heartbeats, progress, cancellation, and recovery after a crash. */
import { and, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Job } from '../../schema/api/jobs.ts'
import { type JobState, jobs } from '../../schema/tables/jobs.ts'
import { isSignedIn, notFound, requireSignedIn, rightsOn, showsHiddenTo, type Viewer } from '../accounts/access.ts'
import { hidesAnything } from '../filter/hidden-items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { JobKind } from './job-kind.ts'
import { type JobRow, jobJson, ownerHere } from './job-row.ts'
import { enqueue, inLane, inState, type JobStore, jobRow, publishJob, recoverJobs } from './job-store.ts'
import { runJob } from './run-job.ts'

/** Whether the viewer may see file names in progress reports: not while keystrings hide items from them. */
export function maySeeFileNames(db: LibraryDatabase, viewer: Viewer): boolean {
  return showsHiddenTo(viewer) || !hidesAnything(db)
}

/** The job without the name of the current file, if the viewer may not see it. */
export function withoutNames(job: Job, maySeeNames: boolean): Job {
  return maySeeNames || job.state !== 'running' ? job : { ...job, message: '' }
}

function mayManage(viewer: Viewer, { userId, collectionId }: JobRow): boolean {
  if (viewer.globalAdmin) return true
  if (userId !== null && userId === viewer.userId) return true
  return collectionId !== null && isSignedIn(viewer) && rightsOn(viewer, collectionId).admin
}

const maxListed = 500

function createJobList({ db, clock }: JobStore) {
  /** The jobs that the viewer may manage. The current file of a running job may belong to a hidden item. */
  function shown(viewer: Viewer, rows: readonly JobRow[]): Job[] {
    const maySeeFiles = maySeeFileNames(db, viewer)
    return rows.filter(row => mayManage(viewer, row)).map(row => withoutNames(jobJson(row), maySeeFiles))
  }

  function get(viewer: Viewer, id: number): Job {
    requireSignedIn(viewer)
    const row = jobRow(db, id)
    const [job] = row === null ? [] : shown(viewer, [row])
    if (job === undefined) throw notFound()
    return job
  }

  return {
    get,

    list(viewer: Viewer, which: 'active' | 'all'): Job[] {
      requireSignedIn(viewer)
      const wanted = which === 'active' ? inArray(jobs.state, ['queued', 'running']) : undefined
      const rows = db.orm.select().from(jobs).where(wanted).orderBy(desc(jobs.id)).limit(maxListed).all()
      return shown(viewer, rows)
    },

    /** Jobs that have ended, newest first. */
    ended(viewer: Viewer, limit: number): Job[] {
      requireSignedIn(viewer)
      const ended = db.orm.select().from(jobs).where(isNotNull(jobs.finishedAt))
      return shown(viewer, ended.orderBy(desc(jobs.finishedAt), desc(jobs.id)).limit(limit).all())
    },

    /** Cancels a job; a queued one ends at once, a running one notices within a quarter of a second. */
    async cancel(viewer: Viewer, id: number): Promise<Job> {
      const { state } = get(viewer, id)
      await db.transact(viewer, tx => {
        const write = (state: JobState, changes: Partial<JobRow>) =>
          tx.orm
            .update(jobs)
            .set(changes)
            .where(and(eq(jobs.id, id), eq(jobs.state, state)))
            .run()
        write('queued', { state: 'cancelled', finishedAt: clock.now() })
        write('running', { cancel: true })
        publishJob(tx, id, state === 'queued' ? 'complete' : 'update')
      })
      return get(viewer, id)
    },
  }
}

export function createJobs({ kinds, ...base }: Omit<JobStore, 'ownerId' | 'kinds'> & { kinds: readonly JobKind[] }) {
  const store: JobStore = { ...base, ownerId: ownerHere(), kinds: new Map(kinds.map(kind => [kind.kind, kind])) }
  const { db, clock } = store
  return {
    ...createJobList(store),
    enqueue: (viewer: Viewer, kind: string, input: unknown, options?: Parameters<typeof enqueue>[4]) =>
      enqueue(store, viewer, kind, input, options),
    run: (id: number, options?: Parameters<typeof runJob>[2]) => runJob(store, id, options),
    recover: () => recoverJobs(store),
    row: (id: number): JobRow | null => jobRow(db, id),
    /** Whether a job is running or queued in this lane. */
    inLane: (lane: string): boolean => inLane(store, lane) !== null,
    /** True if the lane's last job failed, or was cancelled less than `forMs` ago: it is not started again. */
    wasGivenUp(lane: string, forMs: number): boolean {
      const last = db.orm.select().from(jobs).where(eq(jobs.lane, lane)).orderBy(desc(jobs.id)).limit(1).get()
      if (last?.state === 'cancelled') return clock.now() - (last.finishedAt ?? 0) < forMs
      return last?.state === 'failed'
    },
    /** Whether only one job of this kind runs at a time. */
    isSingle: (kind: string): boolean => store.kinds.get(kind)?.single === true,

    waiting: (): JobRow[] => inState(db, 'queued'),
    running: (): JobRow[] => inState(db, 'running'),
  }
}

export type Jobs = ReturnType<typeof createJobs>
