/** Starts a worker process for each job that waits, and sees to what the clock asks for. */
import { z } from 'zod'

import { terminalViewer } from '../core/access.ts'
import { purgeIsDue } from '../core/editing/purge-job.ts'
import { followEvents, pruneEvents } from '../core/events.ts'
import { type JobRow, lanesOf } from '../core/job-row.ts'
import type { Library } from '../core/library.ts'
import { mediumDue } from '../core/scan/renditions-job.ts'
import { sweepBuilds } from '../core/slideshow/slideshow-job.ts'
import { queueVocabularyWork } from '../core/vocabulary/vocabulary-due.ts'
import { ownCommand } from '../core/worker-command.ts'
import { Failure } from '../schema/errors.ts'
import { channels } from '../schema/realtime.ts'

/** Two cores are kept busy by one scan; a second job of another kind may run beside it. */
const mostAtOnce = 2
const lookMs = 10_000
/** Kinds that only add to what a scan has found wait until no scan runs. */
const patient = new Set(['renditions', 'places'])

const scanThatEnded = z.object({ kind: z.enum(['scan', 'import']) })

function endedScan(job: unknown): boolean {
  return scanThatEnded.safeParse(job).success
}

export function superviseJobs(library: Library) {
  const { jobs, log, db, settings, collections, clock } = library
  const workers = new Map<number, { job: JobRow; process: Bun.Subprocess }>()
  let closed = false

  function spawn(job: JobRow) {
    const { id } = job
    const worker = Bun.spawn([...ownCommand(), '--data', library.data, 'worker', 'job', String(id)], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
      onExit(_process, code, signal) {
        workers.delete(id)
        if (code !== 0) log.warn('a worker ended', { job: id, code, signal })
        // A worker that was killed left its job behind: it is given back now, not when its lease ends.
        if (!closed) void look()
      },
    })
    workers.set(id, { job, process: worker })
  }

  /** Medium pictures for whatever scans brought in. */
  async function queueRenditions() {
    if (closed || mediumDue(db) === 0) return
    try {
      await jobs.enqueue(terminalViewer, 'renditions', {})
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy'))
        log.error('medium pictures could not be queued', { error })
    }
  }

  let looking = false
  async function look() {
    if (looking || closed) return
    looking = true
    try {
      await jobs.recover()
      await queueVocabularyWork(library)
      await library.metadata.queueDue()
      // A worker that has only just been started has not taken its job yet.
      const taken = [...jobs.running(), ...[...workers.values()].map(({ job }) => job)]
      const busy = taken.some(job => !patient.has(job.kind))
      const kinds = new Set(taken.map(job => job.kind))
      const lanes = new Set(taken.flatMap(job => lanesOf(job.lane)))
      for (const job of jobs.waiting()) {
        if (workers.size >= mostAtOnce || workers.has(job.id) || lanesOf(job.lane).some(lane => lanes.has(lane)))
          continue
        if (jobs.isSingle(job.kind) && kinds.has(job.kind)) continue
        if (patient.has(job.kind) && (busy || jobs.waiting().some(other => !patient.has(other.kind)))) continue
        spawn(job)
        kinds.add(job.kind)
        for (const lane of lanesOf(job.lane)) lanes.add(lane)
      }
    } catch (error) {
      log.error('jobs could not be looked after', { error })
    } finally {
      looking = false
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

  /** What has been in the recycle bin long enough is deleted for good. */
  async function purgeDue() {
    if (closed || !purgeIsDue(library)) return
    try {
      await jobs.enqueue(terminalViewer, 'purge', {})
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy')) log.error('a purge could not be started', { error })
    }
  }

  /** Without a job running, the log is moved into the database when nobody waits for anything. */
  function checkpoint() {
    if (jobs.running().length === 0 && db.logSize() > 1024 * 1024) db.checkpoint('TRUNCATE')
  }

  const follower = followEvents(
    db,
    events => {
      const ofJobs = events.filter(event => event.channel === channels.jobs)
      if (ofJobs.length > 0) void look()
      if (ofJobs.some(({ message }) => message.action === 'complete' && endedScan(message.job))) void queueRenditions()
    },
    { log },
  )
  const net = setInterval(() => void look(), lookMs)
  const minute = setInterval(() => {
    void scanDue()
    void retryFiles()
    checkpoint()
  }, 60_000)
  const hour = setInterval(() => {
    sweepBuilds(library).catch((error: unknown) => log.warn('built files could not be swept', { error }))
    library.fileManager.actions.sweep().catch((error: unknown) => log.warn('kept files could not be swept', { error }))
    void purgeDue()
    pruneEvents(db, clock.now()).catch((error: unknown) => log.warn('the outbox could not be pruned', { error }))
  }, 3_600_000)
  void recoverFiles().then(look).then(scanDue).then(purgeDue).then(queueRenditions)

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
      const processes = [...workers.values()].map(worker => worker.process)
      for (const process of processes) process.kill('SIGTERM')
      await Promise.race([Promise.all(processes.map(process => process.exited)), Bun.sleep(5_000)])
      for (const process of processes) process.kill('SIGKILL')
    },
  }
}
