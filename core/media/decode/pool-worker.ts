/** One decode worker of a pool: its process starts when there is work, and ends after some idle time. */

import { Failure } from '../../../schema/errors.ts'
import type { DecodeResult, DecodeTask } from './decode.ts'
import { type FromWorker, isFromWorker, type ToWorker } from './decode-messages.ts'
import { lastOutput, sendTo, startWorker, type WorkerProcess, type WorkerStart } from './worker-process.ts'

export interface PoolWorkerOptions extends WorkerStart {
  width: number
  ffmpeg?: string
  ffprobe?: string
  stuckMs?: number
  idleMs: number
  /** Takes one file at a time, so that a crash identifies the file. */
  single: boolean
  onMessage: (message: FromWorker) => void
  /** The process ended with these files in progress. */
  onDeath: (had: PendingDecode[], cause: DeathCause) => void
}

export interface DeathCause {
  stuck: boolean
  /** Whether the worker had started. */
  ready: boolean
  message: string
}

export interface PendingDecode {
  id: number
  task: DecodeTask
  /** How many workers died while this file was in progress. */
  deaths: number
  /** The first result, from a worker with other files in progress; set if the file is decoded again, alone. */
  first?: DecodeResult
  /** Time limit in milliseconds, if shorter than `stuckMs`. */
  limitMs?: number
  /** Facts about a drawing, without its picture. */
  known?: Omit<DecodeResult, 'isDrawing'>
  resolve: (result: DecodeResult) => void
  reject: (reason: Error) => void
}

const maxBatch = 8
const defaultStuckMs = 180_000
const maxMessageLength = 2000
const lastOutputMs = 200

interface Running {
  process: WorkerProcess
  held: Map<number, PendingDecode>
  ready: boolean
  stuck: boolean
  /** End of the worker's standard error. */
  message: string
  /** Resolves when standard error was read to its end. */
  silent: Promise<unknown>
}

/** Milliseconds after which the worker counts as stuck. */
function limitOf({ ready, held }: Running, stuckMs: number): number {
  // The time to start the process does not count against the file.
  return Math.min(stuckMs, ...(ready ? [...held.values()].map(({ limitMs = stuckMs }) => limitMs) : []))
}

/** Starting a worker fails without memory or free process numbers; waiting callers then get an error. */
function refuseAll(queue: PendingDecode[], cause: unknown): void {
  const reason = new Failure('unavailable', 'No program for decoding could be started. Free some memory.', { cause })
  for (const job of queue.splice(0)) job.reject(reason)
}

export function createPoolWorker(options: PoolWorkerOptions) {
  const { single, width, idleMs } = options
  const room = single ? 1 : Math.max(maxBatch, width * 4)
  let running: Running | null = null
  let idleTimer: Timer | undefined
  let stuckTimer: Timer | undefined

  function start(): Running {
    const child = startWorker(options, {
      ipc(message, { pid }) {
        if (running?.process.pid === pid && isFromWorker(message)) handleMessage(running, message)
      },
      onExit({ pid }) {
        if (running?.process.pid === pid) void handleExit(running)
      },
    })
    const silent = lastOutput(child.stderr, maxMessageLength, text => {
      started.message = text
    })
    const started: Running = { process: child, held: new Map(), ready: false, stuck: false, message: '', silent }
    const { ffmpeg = '', ffprobe = '' } = options
    send(started, { start: { width: single ? 1 : width, ffmpeg, ffprobe } })
    return started
  }

  function handleMessage(from: Running, message: FromWorker) {
    if ('ready' in message) from.ready = true
    else from.held.delete(message.id)
    watch(from)
    options.onMessage(message)
  }

  async function handleExit(worker: Running) {
    clearTimeout(idleTimer)
    clearTimeout(stuckTimer)
    running = null
    if (worker.held.size === 0) return
    // The last output may still arrive; a child process may keep the pipe open for longer.
    await Promise.race([worker.silent, Bun.sleep(lastOutputMs)])
    const { ready, stuck, held, message } = worker
    const code = worker.process.signalCode ?? worker.process.exitCode
    const cause = message.trim() || `it ended with ${code}`
    options.onDeath([...held.values()], { ready, stuck, message: cause })
  }

  /** Ends the worker if it is idle for long, or hangs. */
  function watch(worker: Running) {
    clearTimeout(idleTimer)
    clearTimeout(stuckTimer)
    if (worker.held.size === 0) idleTimer = setTimeout(() => void retire(worker), idleMs)
    else {
      const kill = () => {
        worker.stuck = true
        worker.process.kill('SIGKILL')
      }
      stuckTimer = setTimeout(kill, limitOf(worker, options.stuckMs ?? defaultStuckMs))
    }
  }

  async function retire(worker: Running) {
    if (running === worker) running = null
    worker.process.kill('SIGKILL')
    await worker.process.exited
  }

  const send = (to: Running, message: ToWorker) => sendTo(to.process, message)

  return {
    single,
    get pid() {
      return running?.process.pid
    },
    get free() {
      return room - (running?.held.size ?? 0)
    },
    /** Takes as many files as it has room for from the head of a queue. */
    take(queue: PendingDecode[]) {
      // Batches are small only at the beginning and the end of a queue: a message per file costs more than it saves.
      const held = running?.held.size ?? 0
      if (queue.length === 0 || held >= room || (held > room / 2 && room - held < maxBatch && !single)) return
      try {
        running ??= start()
      } catch (error) {
        return refuseAll(queue, error)
      }
      while (queue.length > 0 && running.held.size < room) {
        const jobs = queue.splice(0, Math.min(maxBatch, room - running.held.size))
        for (const job of jobs) running.held.set(job.id, job)
        send(running, { tasks: jobs.map(({ id, task }) => ({ id, task: single ? task : { ...task, shared: true } })) })
      }
      watch(running)
    },
    async close() {
      clearTimeout(idleTimer)
      clearTimeout(stuckTimer)
      if (running !== null) await retire(running)
    },
  }
}

export type PoolWorker = ReturnType<typeof createPoolWorker>
