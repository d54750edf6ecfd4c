/** Decodes files in worker processes; replaces workers that died, and gives up on files that crash them. */
import { availableParallelism } from 'node:os'
import { Failure, sentence } from '../../../schema/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { extensionOf } from '../formats/sniff.ts'
import type { ProblemCode } from '../media-problem.ts'
import type { DecodeResult, DecodeTask } from './decode.ts'
import type { FromWorker } from './decode-messages.ts'
import { createPoolWorker, type DeathCause, type PendingDecode, type PoolWorker } from './pool-worker.ts'
import type { WorkerStart } from './worker-process.ts'

export interface DecodePoolOptions extends WorkerStart {
  /** Number of files decoded at the same time: see `widthOf`. */
  width: number
  /** A worker without work ends after this time; default: a minute. */
  idleMs?: number
  /** Configured paths; empty: searched for in PATH. */
  ffmpeg?: string
  ffprobe?: string
  /** A worker without a response for this long counts as hanging; default: three minutes. */
  stuckMs?: number
  log: Log
}

/** Formats whose decoders block their process: each file gets a process to itself. */
const slowExtensions = new Set(['heic', 'heif', 'hif', 'heics', 'heifs', 'jxl'])

/** Whether the decoder reported an error. It may be about another picture, so this one is decoded again, alone. */
function hasDecodeError({ task }: PendingDecode, { problems }: DecodeResult): boolean {
  return task.kind === 'image' && problems.some(({ code }) => code === 'damaged' || code === 'undecodable')
}

/** A small drawing can keep librsvg busy for hours: the separate process of drawings is ended after this time. */
const drawingMs = 5000

function whyStuck({ limitMs }: PendingDecode): string {
  if (limitMs === undefined) return 'Decoding it did not end'
  return `Drawing it took longer than ${limitMs / 1000} seconds and was given up`
}

const deathsUntilAlone = 2
const deathsUntilGivenUp = 3

/** Resolves a job with a problem. `reason` omits the file's name: problem rows have it. */
function failJob(job: PendingDecode, code: ProblemCode, reason: string): void {
  job.resolve({ ...job.known, made: [], problems: [{ code, reason }] })
}

/** Resolves a job with the renditions of its first result and the problems of its last, which was decoded alone. */
function resolveJob(job: PendingDecode, result: DecodeResult): void {
  job.resolve({ ...(job.first ?? result), problems: result.problems })
}

/** Number of pictures decoded at once: the setting, else one per core. */
export function widthOf(setting: number): number {
  return setting > 0 ? setting : Math.max(1, availableParallelism())
}

/**
 * A pool that starts its first worker with its first task. One worker decodes `width` files at once; up to `width`
 * others take one file each: formats that block a process, drawings, files with problems among others, and files in
 * progress when two workers died. Any number may wait. `decode` rejects with a Failure: 'interrupted' when the pool is
 * closed, 'unavailable' when workers do not start, 'noSpace' when the cache cannot be written; a bad file is a result.
 */
export function createDecodePool(options: DecodePoolOptions) {
  const { width, log } = options
  const jobs = new Map<number, PendingDecode>()
  const shared: PendingDecode[] = []
  const single: PendingDecode[] = []
  const workers: PoolWorker[] = []
  let nextId = 1
  let closed = false
  let failedStarts = 0

  function handleDeath(worker: PoolWorker, had: PendingDecode[], cause: DeathCause) {
    if (closed) return
    if (!cause.ready && ++failedStarts >= deathsUntilGivenUp) {
      const error = new Failure('unavailable', sentence`The decode worker does not start: ${cause.message}`)
      for (const job of [...had, ...shared.splice(0), ...single.splice(0)]) job.reject(error)
      failedStarts = 0
      return
    }
    log.warn('a decode worker died', { pid: worker.pid, files: had.length, stuck: cause.stuck, stderr: cause.message })
    for (const job of had) {
      if (cause.ready) job.deaths++
      if (cause.stuck && worker.single) failJob(job, 'timeout', whyStuck(job))
      else if (job.deaths >= deathsUntilGivenUp)
        failJob(job, 'crashed', `Decoding it ended the program ${job.deaths} times`)
      else if (worker.single || job.deaths >= deathsUntilAlone) single.push(job)
      else shared.unshift(job)
    }
    assignTasks()
  }

  function handleMessage(message: FromWorker, isSingle: boolean) {
    failedStarts = 0
    if ('ready' in message) return
    const job = jobs.get(message.id)
    if (job === undefined) return
    if ('failed' in message) job.reject(new Failure('noSpace', message.failed))
    else if (message.result.isDrawing === true) {
      const { isDrawing: _, ...known } = message.result
      single.push(Object.assign(job, { limitMs: drawingMs, known }))
    } else if (!isSingle && width > 1 && job.first === undefined && hasDecodeError(job, message.result)) {
      job.first = message.result
      // The file's renditions may exist by now; requesting hashes makes the worker decode it anyway.
      single.push(Object.assign(job, { task: { ...job.task, hashes: true } }))
    } else resolveJob(job, message.result)
    assignTasks()
  }

  function workerFor(isSingle: boolean): PoolWorker {
    const worker = createPoolWorker({
      ...options,
      single: isSingle,
      // A worker of a blocking format holds much memory, so it ends sooner when idle.
      idleMs: isSingle ? Math.min(10_000, options.idleMs ?? 60_000) : (options.idleMs ?? 60_000),
      onMessage: message => handleMessage(message, isSingle),
      onDeath: (had, cause) => handleDeath(worker, had, cause),
    })
    workers.push(worker)
    return worker
  }

  function assignTasks() {
    if (closed) return
    if (shared.length > 0) (workers.find(worker => !worker.single) ?? workerFor(false)).take(shared)
    while (single.length > 0) {
      const idle = workers.find(worker => worker.single && worker.free > 0)
      if (idle === undefined && workers.filter(worker => worker.single).length >= width) return
      ;(idle ?? workerFor(true)).take(single)
    }
  }

  return {
    decode(task: DecodeTask): Promise<DecodeResult> {
      if (closed) return Promise.reject(new Failure('interrupted', 'The decoder is closed'))
      const { promise, resolve, reject } = Promise.withResolvers<DecodeResult>()
      const job: PendingDecode = { id: nextId++, task, deaths: 0, resolve, reject }
      jobs.set(job.id, job)
      const queue = slowExtensions.has(extensionOf(task.name)) ? single : shared
      queue.push(job)
      // Tasks that are requested in one turn of the event loop are sent in one message.
      queueMicrotask(assignTasks)
      return promise.finally(() => jobs.delete(job.id))
    },
    get inFlight() {
      return jobs.size
    },
    get workers(): number[] {
      return workers.flatMap(worker => worker.pid ?? [])
    },
    /** Rejects tasks in progress and ends the workers. */
    async close(): Promise<void> {
      closed = true
      const error = new Failure('interrupted', 'The decoder was closed')
      for (const job of jobs.values()) job.reject(error)
      await Promise.all(workers.map(worker => worker.close()))
    },
  }
}

export type DecodePool = ReturnType<typeof createDecodePool>
