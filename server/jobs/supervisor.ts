/** Starts a worker process for each job that waits, and sees to what the clock asks for. */
import { z } from 'zod'
import { terminalViewer } from '../../core/accounts/access.ts'
import { purgeIsDue } from '../../core/editing/purge-job.ts'
import { copyIsDue, copyKind } from '../../core/exchange/backup/copy-job.ts'
import { followEvents, pruneEvents } from '../../core/kernel/events.ts'
import type { Library } from '../../core/library.ts'
import { hashesDue } from '../../core/scan/picture-hashes.ts'
import { mediumDue } from '../../core/scan/renditions-job.ts'
import { sweepBuilds } from '../../core/sharing/slideshow/slideshow-job.ts'
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { createJobWorkers } from './job-workers.ts'

const lookMs = 10_000

const scanThatEnded = z.object({ kind: z.enum(['scan', 'import']) })

function endedScan(job: unknown): boolean {
  return scanThatEnded.safeParse(job).success
}

export function superviseJobs(library: Library) {
  const { jobs, log, db, settings, collections, clock } = library
  const workers = createJobWorkers(library)
  const { look } = workers
  let closed = false

  /** Medium pictures for whatever scans brought in. */
  async function queueRenditions() {
    if (closed || (mediumDue(db) === 0 && !hashesDue(db))) return
    try {
      await jobs.enqueue(terminalViewer, 'renditions', {})
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy'))
        log.error('medium pictures could not be queued', { error })
    }
  }

  /** Faces on whatever scans brought in, where that is wanted. */
  async function queueFaces() {
    if (closed || !settings['faces.scan']) return
    try {
      if (library.foundFaces.due(terminalViewer, {}) > 0) {
        await library.foundFaces.index(terminalViewer, {}, { now: clock.now() })
      }
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy')) log.error('faces could not be looked for', { error })
    }
  }

  /** Scans every collection whose last scan is older than the setting says. */
  async function scanDue() {
    if (settings.scan_every === null || closed) return
    const now = Math.floor(clock.now() / 1000)
    for (const row of collections.all()) {
      // A collection that stopped for safety waits for a person, and one never scanned for its owner.
      if (row.last_scan === null || row.safety_stop !== null || now - row.last_scan < settings.scan_every) continue
      try {
        await jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id })
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'busy')) log.error('a scan could not be started', { error })
      }
    }
  }

  /** A change was made, and nobody knows whether the library had followed it: what changed is found again. */
  async function scanAll() {
    for (const row of collections.all()) {
      if (row.last_scan === null || row.safety_stop !== null) continue
      await jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }).catch((error: unknown) => {
        if (!(error instanceof Failure && error.code === 'busy')) throw error
      })
    }
  }

  /** Files that a killed process had in hand: before anything looks at the disks. */
  async function recoverFiles() {
    try {
      const { finished, undone } = await library.journal.recover({ restarted: true })
      if (finished + undone > 0) await scanAll()
    } catch (error) {
      log.error('interrupted work on files could not be looked after', { error })
    }
  }

  /** Their disk was away, or their folder: looked for again after 1, 2, 4 … minutes, at most an hour. */
  let untilRetry = 1
  let retryWait = 1
  async function retryFiles() {
    if (closed || library.journal.left() === 0) {
      untilRetry = retryWait = 1
      return
    }
    if (--untilRetry > 0) return
    retryWait = untilRetry = Math.min(60, retryWait * 2)
    try {
      const { finished, undone } = await library.journal.recover({ patient: true })
      if (finished + undone > 0) await scanAll()
    } catch (error) {
      log.error('interrupted work on files could not be looked after', { error })
    }
  }

  /** Entries of the audit log that are too old or too many. */
  async function pruneAudit() {
    if (closed) return
    try {
      await library.audit.prune()
    } catch (error) {
      log.warn('the audit log could not be pruned', { error })
    }
  }

  /** What has been in the recycle bin long enough is deleted for good. */
  async function purgeDue() {
    if (closed || !purgeIsDue(library)) return
    try {
      await jobs.enqueue(terminalViewer, 'purge', {})
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy')) log.error('a purge could not be started', { error })
    }
  }

  /** The nightly copy of the database. */
  async function copyDue() {
    try {
      if (!closed && copyIsDue(library)) await jobs.enqueue(terminalViewer, copyKind, {})
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy')) log.error('the database could not be copied', { error })
    }
  }

  /**
   * Without a job running, the log is moved into the database when nobody waits for anything: a long one, and any when
   * nothing was written for a minute. What was deleted is overwritten for good only then.
   */
  let logBefore = 0
  function checkpoint() {
    const size = db.logSize()
    const isIdle = size > 0 && size === logBefore
    if (jobs.running().length === 0 && (size > 1024 * 1024 || isIdle)) db.checkpoint('TRUNCATE')
    logBefore = db.logSize()
  }

  const follower = followEvents(
    db,
    events => {
      const ofJobs = events.filter(event => event.channel === channels.jobs)
      if (ofJobs.length > 0) void look()
      if (ofJobs.some(({ message }) => message.action === 'complete' && endedScan(message.job))) {
        void queueRenditions().then(queueFaces)
      }
    },
    { log },
  )
  const net = setInterval(() => void look(), lookMs)
  const minute = setInterval(() => {
    void scanDue()
    void retryFiles()
    void copyDue()
    checkpoint()
  }, 60_000)
  const hour = setInterval(() => {
    sweepBuilds(library).catch((error: unknown) => log.warn('built files could not be swept', { error }))
    library.fileManager.actions.sweep().catch((error: unknown) => log.warn('kept files could not be swept', { error }))
    void purgeDue()
    void pruneAudit()
    pruneEvents(db, clock.now()).catch((error: unknown) => log.warn('the outbox could not be pruned', { error }))
  }, 3_600_000)
  void recoverFiles()
    .then(look)
    .then(copyDue)
    .then(scanDue)
    .then(purgeDue)
    .then(pruneAudit)
    .then(queueRenditions)
    .then(queueFaces)

  return {
    follower,
    look,
    /** Asks the workers to end; what they were doing goes on at the next start. */
    async close() {
      closed = true
      clearInterval(net)
      clearInterval(minute)
      clearInterval(hour)
      follower.close()
      await workers.close()
    },
  }
}
