/** Starts a worker process for each waiting job, and scheduled work. */
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { purgeIsDue } from '../../core/editing/purge-job.ts'
import { copyIsDue, copyKind } from '../../core/exchange/backup/copy-job.ts'
import { followEvents, pruneEvents } from '../../core/kernel/events.ts'
import type { Library } from '../../core/library.ts'
import { hashesDue } from '../../core/scan/picture-hashes.ts'
import { countMediumDue } from '../../core/scan/renditions-job.ts'
import { sweepBuilds } from '../../core/sharing/slideshow/slideshow-job.ts'
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { createJobWorkers } from './job-workers.ts'

const pollMs = 10_000

const scanThatEnded = z.object({ kind: z.enum(['scan', 'import']) })

/** Work that is due by the clock or after a scan. None of it throws; work that cannot be done now is logged. */
function createChores(library: Library, isClosed: () => boolean) {
  const { jobs, log, db, settings, collections, clock } = library

  /** Runs `work` and logs `trouble` if it fails, unless its job already waits or runs. */
  async function attempt(trouble: string, work: () => unknown, level: 'error' | 'warn' = 'error') {
    if (isClosed()) return
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy')) log[level](trouble, { error })
    }
  }

  const enqueue = (kind: string, input: object = {}) => jobs.enqueue(terminalViewer, kind, input)

  /** Collections that may be scanned without a request: scanned before, and not stopped for safety. */
  const scannable = () => collections.all().filter(row => row.last_scan !== null && row.safety_stop === null)

  /** Scans after a recovery, because an interrupted change may not be recorded in the library. */
  async function scanAll() {
    for (const { id } of scannable()) {
      await enqueue('scan', { collectionId: id }).catch((error: unknown) => {
        if (!(error instanceof Failure && error.code === 'busy')) throw error
      })
    }
  }

  const recover = (how: Parameters<typeof library.journal.recover>[0]) =>
    attempt('interrupted work on files could not be recovered', async () => {
      const { finished, undone } = await library.journal.recover(how)
      if (finished + undone > 0) await scanAll()
    })

  let untilRetry = 1
  let retryWait = 1
  return {
    queueRenditions: () =>
      attempt('medium pictures could not be queued', async () => {
        if (countMediumDue(db) > 0 || hashesDue(db)) await enqueue('renditions')
      }),

    /** Finds faces on newly scanned items, if enabled. */
    queueFaces: () =>
      attempt('the search for faces could not be started', async () => {
        if (settings['faces.scan'] && library.foundFaces.due(terminalViewer, {}) > 0)
          await library.foundFaces.index(terminalViewer, {}, { now: clock.now() })
      }),

    /** Scans every collection whose last scan is older than the setting allows. */
    async scanDue() {
      const { scan_every: every } = settings
      if (every === null || isClosed()) return
      const now = Math.floor(clock.now() / 1000)
      for (const { id, last_scan } of scannable()) {
        if (now - (last_scan ?? now) < every) continue
        await attempt('a scan could not be started', () => enqueue('scan', { collectionId: id }))
      }
    },

    /** Recovers files that a killed process was moving, before anything reads the disks. */
    recoverFiles: () => recover({ restarted: true }),

    /** Recovers files whose disk or folder was missing: tries again after 1, 2, 4 … minutes, at most after an hour. */
    async retryFiles() {
      if (isClosed() || library.journal.left() === 0) {
        untilRetry = retryWait = 1
        return
      }
      if (--untilRetry > 0) return
      retryWait = untilRetry = Math.min(60, retryWait * 2)
      await recover({ patient: true })
    },

    pruneAudit: () => attempt('the audit log could not be pruned', () => library.audit.prune(), 'warn'),

    /** Deletes expired items of the recycle bin for good. */
    purgeDue: () => attempt('a purge could not be started', () => purgeIsDue(library) && enqueue('purge')),

    copyDue: () => attempt('the database could not be copied', () => copyIsDue(library) && enqueue(copyKind)),

    /** Removes expired data: archives of slideshows, files kept by the file manager, events. */
    async sweep() {
      await attempt('old slideshows could not be removed', () => sweepBuilds(library), 'warn')
      await attempt(
        'old files of the file manager could not be removed',
        () => library.fileManager.actions.sweep(),
        'warn',
      )
      await attempt('the outbox could not be pruned', () => pruneEvents(db, clock.now()), 'warn')
    },
  }
}

/**
 * While no job runs, moves the write-ahead log into the database if it is long or nothing was written for a minute.
 * Deleted data is overwritten only then.
 */
function createCheckpoints({ db, jobs }: Library) {
  let before = 0
  return () => {
    const size = db.logSize()
    const isIdle = size > 0 && size === before
    if (jobs.running().length === 0 && (size > 1024 * 1024 || isIdle)) db.checkpoint('TRUNCATE')
    before = db.logSize()
  }
}

export function superviseJobs(library: Library) {
  const { db, log } = library
  const workers = createJobWorkers(library)
  const { checkJobs } = workers
  let closed = false
  const checkpoint = createCheckpoints(library)
  const chores = createChores(library, () => closed)
  const { queueRenditions, queueFaces, scanDue, copyDue, purgeDue, pruneAudit } = chores

  const follower = followEvents(
    db,
    events => {
      const ofJobs = events.filter(event => event.channel === channels.jobs)
      if (ofJobs.length > 0) void checkJobs()
      if (ofJobs.some(({ message: { action, job } }) => action === 'complete' && scanThatEnded.safeParse(job).success))
        void queueRenditions().then(queueFaces)
    },
    { log },
  )
  const polling = setInterval(() => void checkJobs(), pollMs)
  const minute = setInterval(() => {
    void scanDue()
    void chores.retryFiles()
    void copyDue()
    checkpoint()
  }, 60_000)
  const hour = setInterval(() => {
    void chores.sweep()
    void purgeDue()
    void pruneAudit()
  }, 3_600_000)
  void chores
    .recoverFiles()
    .then(checkJobs)
    .then(copyDue)
    .then(scanDue)
    .then(purgeDue)
    .then(pruneAudit)
    .then(queueRenditions)
    .then(queueFaces)

  return {
    follower,
    checkJobs,
    /** Asks the workers to stop; their jobs continue at the next start. */
    async close() {
      closed = true
      clearInterval(polling)
      clearInterval(minute)
      clearInterval(hour)
      follower.close()
      await workers.close()
    },
  }
}
