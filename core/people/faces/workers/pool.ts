/** Processes pictures in face workers: starts them, replaces dead ones, and skips pictures that crash them. */
import { Failure, sentence } from '../../../../schema/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import {
  lastOutput,
  sendTo,
  startWorker,
  type WorkerProcess,
  type WorkerStart,
} from '../../../media/decode/worker-process.ts'
import { withoutTelemetry } from '../onnx.ts'
import {
  type DetectionResult,
  type FaceTask,
  isFromFaceWorker,
  type ToFaceWorker,
  type WorkerSettings,
} from './worker-messages.ts'

export interface FacePoolOptions extends WorkerStart {
  /** Number of processes. Each has its own networks, and takes one picture at a time. */
  width: number
  start: WorkerSettings
  /** Timeout of a worker without a result for its picture; two minutes by default. */
  stuckMs?: number
  log: Log
}

interface PendingTask {
  task: FaceTask
  deaths: number
  resolve(result: DetectionResult): void
  reject(reason: Error): void
}

interface FaceWorker {
  process: WorkerProcess
  pending: PendingTask | null
  ready: boolean
  timer: Timer | undefined
}

const defaultStuckMs = 120_000
const maxDeaths = 2
const maxFailedStarts = 3
const maxStderrLength = 2000
const interrupted = () => new Failure('interrupted', 'Looking for faces has ended')

/** `findFaces` rejects only with 'interrupted' when the pool is closed, and 'unavailable' when workers do not start. */
export function createFacePool(options: FacePoolOptions) {
  const { width, start, stuckMs = defaultStuckMs, log } = options
  const queue: PendingTask[] = []
  const workers = new Set<FaceWorker>()
  let failedStarts = 0
  let closed = false

  const send = (worker: FaceWorker, message: ToFaceWorker) => sendTo(worker.process, message)

  /** Rejects all pending calls and ends the workers. */
  function fail(why: string) {
    const error = new Failure('unavailable', sentence`Faces cannot be looked for: ${why}`)
    for (const worker of workers) if (worker.pending !== null) queue.push(worker.pending)
    for (const pending of queue.splice(0)) pending.reject(error)
    for (const worker of workers) {
      worker.pending = null
      worker.process.kill('SIGKILL')
    }
  }

  function handleMessage(worker: FaceWorker, message: unknown) {
    if (!isFromFaceWorker(message)) return
    if ('trouble' in message) return fail(message.trouble)
    if ('ready' in message) {
      worker.ready = true
      failedStarts = 0
    } else {
      clearTimeout(worker.timer)
      const { pending } = worker
      worker.pending = null
      pending?.resolve({ ...message.result, id: pending.task.id })
    }
    assignTasks()
  }

  async function launchWorker() {
    const child = startWorker(options, { env: withoutTelemetry, ipc: message => handleMessage(worker, message) })
    const worker: FaceWorker = { process: child, pending: null, ready: false, timer: undefined }
    workers.add(worker)
    send(worker, { start })
    const stderr = await lastOutput(child.stderr, maxStderrLength)
    await child.exited
    clearTimeout(worker.timer)
    workers.delete(worker)
    if (closed) return
    const { pending } = worker
    if (!worker.ready && ++failedStarts >= maxFailedStarts) fail(stderr === '' ? 'the worker does not start' : stderr)
    if (pending !== null) {
      log.warn('a face worker died', { pid: worker.process.pid, stderr })
      if (worker.ready) pending.deaths++
      if (pending.deaths >= maxDeaths)
        pending.resolve({ id: pending.task.id, fault: `Looking at it ended the program ${pending.deaths} times` })
      else queue.unshift(pending)
    }
    assignTasks()
  }

  function assignTasks() {
    if (closed) return
    for (const worker of workers) {
      if (worker.pending !== null || !worker.ready) continue
      const pending = queue.shift()
      if (pending === undefined) return
      worker.pending = pending
      worker.timer = setTimeout(() => worker.process.kill('SIGKILL'), stuckMs)
      send(worker, { task: pending.task })
    }
    const starting = [...workers].filter(({ ready }) => !ready).length
    if (workers.size < width && queue.length > starting) void launchWorker()
  }

  return {
    findFaces(task: FaceTask): Promise<DetectionResult> {
      if (closed) return Promise.reject(interrupted())
      const { promise, resolve, reject } = Promise.withResolvers<DetectionResult>()
      queue.push({ task, deaths: 0, resolve, reject })
      assignTasks()
      return promise
    },
    async close(): Promise<void> {
      closed = true
      for (const worker of workers) {
        clearTimeout(worker.timer)
        worker.pending?.reject(interrupted())
        worker.process.kill('SIGKILL')
      }
      for (const pending of queue.splice(0)) pending.reject(interrupted())
      await Promise.all([...workers].map(worker => worker.process.exited))
    },
  }
}

export type FacePool = ReturnType<typeof createFacePool>
