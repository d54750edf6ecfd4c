/** Messages between the page and the worker that finds faces. */
import type { Box } from '../../schema/boxes.ts'

/** A picture as shown, four bytes a pixel. */
export interface Pixels {
  width: number
  height: number
  bytes: ArrayBuffer
}

export interface SeenFace {
  /** In thousandths of the picture's longer edge. */
  box: Box
  /** The detector's confidence, 0 to 1. */
  confidence: number
  vector: readonly number[]
}

/**
 * - `browser`: the browser lacks a feature.
 * - `models`: the models could not be loaded.
 * - `picture`: processing the picture failed.
 */
export type FaceFault = 'browser' | 'models' | 'picture'

export type FaceRequest =
  /** `modelsUrl`: absolute address of the folder with the models, with a final `/`. */
  | { what: 'load'; modelsUrl: string }
  /** `confidence`: the minimum for a face, 0 to 1. */
  | { what: 'find'; pixels: Pixels; confidence: number }

export interface FaceMessage {
  id: number
  request: FaceRequest
}

export type FaceResponse = { id: number; faces: readonly SeenFace[] } | { id: number; fault: FaceFault; why: string }
