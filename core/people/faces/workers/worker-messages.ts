/** Messages between a pool of face workers and its processes through their pipe, validated on arrival. */
import type { Box } from '../../../../schema/boxes.ts'
import type { Rotation } from '../../../media/cache/renditions.ts'
import { isObject } from '../../../media/decode/worker-process.ts'

export interface FaceTask {
  id: number
  path: Uint8Array
  name: string
  /** The expected content key. A file with another key was replaced, and is skipped as `changed`. */
  content: string
  /** The item's rotation, applied before detection: the detector misses faces that lie on their side. */
  rotation: Rotation
  /** Minimum certainty of the detector, 0 to 1. */
  confidence: number
}

/** A face on the rotated picture, in thousandths of its longer edge. */
export interface DetectedFace extends Box {
  score: number
  vector: Float32Array
}

export type DetectionResult =
  | { id: number; faces: DetectedFace[] }
  /** `changed`: it is not the expected picture; `unread`: its bytes cannot be read now. */
  | { id: number; fault: string; changed?: boolean; unread?: boolean }

/** Settings of a worker, sent once. */
export interface WorkerSettings {
  /** Directory of the added model to use; '': the built-in one. */
  model: string
  ffmpeg: string
  ffprobe: string
}

export type ToFaceWorker = { start: WorkerSettings } | { task: FaceTask }
export type FromFaceWorker = { ready: true } | { result: DetectionResult } | { trouble: string }

export function isToFaceWorker(message: unknown): message is ToFaceWorker {
  return isObject(message) && ('start' in message || 'task' in message)
}

export function isFromFaceWorker(message: unknown): message is FromFaceWorker {
  return isObject(message) && ('ready' in message || 'result' in message || 'trouble' in message)
}
