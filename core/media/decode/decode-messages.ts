/** Messages between a decode pool and its workers over their pipe, checked on arrival. */
import type { DecodeResult, DecodeTask } from './decode.ts'
import { isObject } from './worker-process.ts'

/** `id` is the pool's number of a task. */
export interface NumberedTask {
  id: number
  task: DecodeTask
}

/** To the worker: settings, once; then tasks in batches. */
export type ToWorker = { start: { width: number; ffmpeg: string; ffprobe: string } } | { tasks: NumberedTask[] }

/** From the worker: it is ready; a task's result; a task that failed for a reason outside of its file. */
export type FromWorker = { ready: true } | { id: number; result: DecodeResult } | { id: number; failed: string }

export function isToWorker(message: unknown): message is ToWorker {
  return isObject(message) && ('tasks' in message || 'start' in message)
}

export function isFromWorker(message: unknown): message is FromWorker {
  return isObject(message) && ('ready' in message || 'result' in message || 'failed' in message)
}
