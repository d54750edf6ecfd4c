/** What a pool of face workers and its processes say to each other over the pipe between them, checked on arrival. */
import type { Box } from '../../../../schema/boxes.ts'
import type { Turn } from '../../../media/cache/renditions.ts'
import { isObject } from '../../../media/decode/worker-process.ts'

export interface LookTask {
  id: number
  path: Uint8Array
  name: string
  /** Content key that it is believed to have; another one is another picture, and not looked at. */
  content: string
  /** The Rotation property: faces that lie on their side are not found. */
  turn: Turn
  /** What the detector must be surer of, 0 to 1. */
  confidence: number
}

/** A face on the picture as it is turned; in thousandths of the longer edge. */
export interface LookedFace extends Box {
  score: number
  vector: Float32Array
}

export type LookResult =
  | { id: number; faces: LookedFace[] }
  /** `changed`: it is not the picture that was meant; `unread`: its bytes cannot be read just now. */
  | { id: number; fault: string; changed?: boolean; unread?: boolean }

/** How a worker is to work: said once. */
export interface LookStart {
  /** Directory of the model that was added and is to be used; '': the one that is built in. */
  model: string
  ffmpeg: string
  ffprobe: string
}

export type ToFaceWorker = { start: LookStart } | { task: LookTask }
export type FromFaceWorker = { ready: true } | { result: LookResult } | { trouble: string }

export function isToFaceWorker(message: unknown): message is ToFaceWorker {
  return isObject(message) && ('start' in message || 'task' in message)
}

export function isFromFaceWorker(message: unknown): message is FromFaceWorker {
  return isObject(message) && ('ready' in message || 'result' in message || 'trouble' in message)
}
