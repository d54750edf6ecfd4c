/** Processes pictures in face workers: starts them, replaces dead ones, and skips pictures that crash them. */
import { Failure, sentence } from '../../../../schema/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import {
  lastWords,
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

interface Job {
  task: FaceTask
  deaths: number
  resolve(result: DetectionResult): void
  reject(reason: Error): void
}

interface Lane {
  process: WorkerProcess
  job: Job | null
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
  const queue: Job[] = []
  const lanes = new Set<Lane>()
  let failedStarts = 0
  let closed = false

  const send = (lane: Lane, message: ToFaceWorker) => sendTo(lane.process, message)

  /** Rejects all pending calls and ends the workers. */
  function fail(why: string) {
    const error = new Failure('unavailable', sentence`Faces cannot be looked for: ${why}`)
    for (const lane of lanes) if (lane.job !== null) queue.push(lane.job)
    for (const job of queue.splice(0)) job.reject(error)
    for (const lane of lanes) {
      lane.job = null
      lane.process.kill('SIGKILL')
    }
  }

  function received(lane: Lane, message: unknown) {
    if (!isFromFaceWorker(message)) return
    if ('trouble' in message) return fail(message.trouble)
    if ('ready' in message) {
      lane.ready = true
      failedStarts = 0
    } else {
      clearTimeout(lane.timer)
      const { job } = lane
      lane.job = null
      job?.resolve({ ...message.result, id: job.task.id })
    }
    feed()
  }

  async function startLane() {
    const child = startWorker(options, { env: withoutTelemetry, ipc: message => received(lane, message) })
    const lane: Lane = { process: child, job: null, ready: false, timer: undefined }
    lanes.add(lane)
    send(lane, { start })
    const stderr = await lastWords(child.stderr, maxStderrLength)
    await child.exited
    clearTimeout(lane.timer)
    lanes.delete(lane)
    if (closed) return
    const { job } = lane
    if (!lane.ready && ++failedStarts >= maxFailedStarts) fail(stderr === '' ? 'the worker does not start' : stderr)
    if (job !== null) {
      log.warn('a face worker died', { pid: lane.process.pid, stderr })
      if (lane.ready) job.deaths++
      if (job.deaths >= maxDeaths)
        job.resolve({ id: job.task.id, fault: `Looking at it ended the program ${job.deaths} times` })
      else queue.unshift(job)
    }
    feed()
  }

  function feed() {
    if (closed) return
    for (const lane of lanes) {
      if (lane.job !== null || !lane.ready) continue
      const job = queue.shift()
      if (job === undefined) return
      lane.job = job
      lane.timer = setTimeout(() => lane.process.kill('SIGKILL'), stuckMs)
      send(lane, { task: job.task })
    }
    const starting = [...lanes].filter(({ ready }) => !ready).length
    if (lanes.size < width && queue.length > starting) void startLane()
  }

  return {
    findFaces(task: FaceTask): Promise<DetectionResult> {
      if (closed) return Promise.reject(interrupted())
      const { promise, resolve, reject } = Promise.withResolvers<DetectionResult>()
      queue.push({ task, deaths: 0, resolve, reject })
      feed()
      return promise
    },
    async close(): Promise<void> {
      closed = true
      for (const lane of lanes) {
        clearTimeout(lane.timer)
        lane.job?.reject(interrupted())
        lane.process.kill('SIGKILL')
      }
      for (const job of queue.splice(0)) job.reject(interrupted())
      await Promise.all([...lanes].map(lane => lane.process.exited))
    },
  }
}

export type FacePool = ReturnType<typeof createFacePool>
