/** What a decode pool and its workers say to each other over the pipe between them, checked on arrival. */
import type { DecodeResult, DecodeTask } from './decode.ts'

/** To the worker: how to work, once; then tasks in batches. */
export type ToWorker = { start: { width: number; ffmpeg: string; ffprobe: string } } | { tasks: DecodeTask[] }

/** From the worker: that it is ready; a task's result; that a task failed for a reason outside of its file. */
export type FromWorker = { ready: true } | { result: DecodeResult } | { failed: { id: number; message: string } }

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Both ends are this same program: only the kind of message is in doubt, never its inside. */
export function isToWorker(message: unknown): message is ToWorker {
  if (!isObject(message)) return false
  return ('tasks' in message && Array.isArray(message.tasks)) || ('start' in message && isObject(message.start))
}

export function isFromWorker(message: unknown): message is FromWorker {
  return isObject(message) && ('ready' in message || 'result' in message || 'failed' in message)
}
