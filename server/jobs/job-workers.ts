/** Starts a worker process for each waiting job: shared by the server and the terminal UI. */

import { isForVisitor } from '../../core/items/transcode-job.ts'
import { ownCommand } from '../../core/kernel/worker-command.ts'
import type { Library } from '../../core/library.ts'
import { queueVocabularyWork } from '../../core/vocabulary/vocabulary-due.ts'
import type { JobRow } from '../../core/work/job-row.ts'
import { lanesOf } from '../../core/work/job-row.ts'
import { environmentName } from '../../schema/settings.ts'

/** One scan keeps two cores busy; one other job may run beside it. */
const maxAtOnce = 2
/** Kinds that only extend the results of a scan. They wait until no other kind of job runs or waits. */
const kindsAfterScans = new Set(['renditions', 'places', 'faces', 'face-groups'])

/**
 * `stderr`: 'ignore' keeps messages of workers off the screen of the terminal UI; the log has them anyway. `mayStart`
 * returns false while another process starts the jobs.
 */
export function createJobWorkers(
  library: Library,
  { stderr = 'inherit', mayStart = () => true }: { stderr?: 'inherit' | 'ignore'; mayStart?: () => boolean } = {},
) {
  const { jobs, log } = library
  const workers = new Map<number, { job: JobRow; process: Bun.Subprocess }>()
  let closed = false

  function spawn(job: JobRow) {
    const { id } = job
    const worker = Bun.spawn([...ownCommand(), '--data', library.data, 'worker', 'job', String(id)], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr,
      env: {
        ...process.env,
        MALLOC_ARENA_MAX: '2',
        // A changed setting applies after a restart, so that faces of only one model are found at a time.
        [environmentName('faces.model')]: library.settings['faces.model'],
      },
      onExit(_process, code, signal) {
        workers.delete(id)
        if (code !== 0) log.warn('a worker ended', { job: id, code, signal })
        // Release a killed worker's job now, instead of when its lease ends.
        if (!closed) void checkJobs()
      },
    })
    workers.set(id, { job, process: worker })
  }

  let isChecking = false
  async function checkJobs() {
    if (isChecking || closed || !mayStart()) return
    isChecking = true
    try {
      await jobs.recover()
      await queueVocabularyWork(library)
      await library.metadata.queueDue()
      // A new worker may not have taken its job yet.
      const taken = [...jobs.running(), ...[...workers.values()].map(({ job }) => job)]
      const busy = taken.some(job => !kindsAfterScans.has(job.kind))
      const kinds = new Set(taken.map(job => job.kind))
      const lanes = new Set(taken.flatMap(job => lanesOf(job.lane)))
      const waiting = jobs.waiting()
      const ordered = [...waiting.filter(job => !isForVisitor(job)), ...waiting.filter(isForVisitor)]
      for (const job of ordered) {
        if (workers.size >= maxAtOnce || workers.has(job.id) || lanesOf(job.lane).some(lane => lanes.has(lane)))
          continue
        if (jobs.isSingle(job.kind) && kinds.has(job.kind)) continue
        if (kindsAfterScans.has(job.kind) && (busy || waiting.some(other => !kindsAfterScans.has(other.kind)))) continue
        spawn(job)
        kinds.add(job.kind)
        for (const lane of lanesOf(job.lane)) lanes.add(lane)
      }
    } catch (error) {
      log.error('waiting jobs could not be started', { error })
    } finally {
      isChecking = false
    }
  }

  return {
    checkJobs,
    running: (): number[] => [...workers.keys()],
    /** Asks the workers to stop; their jobs continue at the next start. */
    async close() {
      closed = true
      const processes = [...workers.values()].map(worker => worker.process)
      for (const process of processes) process.kill('SIGTERM')
      await Promise.race([Promise.all(processes.map(process => process.exited)), Bun.sleep(5_000)])
      for (const process of processes) process.kill('SIGKILL')
    },
  }
}
