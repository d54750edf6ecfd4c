/** What the page and the worker that finds faces say to each other. */
import type { Box } from '../../schema/boxes.ts'

/** A picture as it is shown, four bytes a pixel. */
export interface Pixels {
  width: number
  height: number
  bytes: ArrayBuffer
}

export interface SeenFace {
  /** In thousandths of the picture's longer edge. */
  box: Box
  /** How sure the detector is, 0 to 1. */
  confidence: number
  vector: readonly number[]
}

/**
 * - `browser`: it lacks what is needed.
 * - `models`: they could not be loaded.
 * - `picture`: something went wrong while it was looked at.
 */
export type FaceFault = 'browser' | 'models' | 'picture'

export type Ask =
  /** `files`: absolute address of the folder with the models, with a `/` at its end. */
  | { what: 'load'; files: string }
  /** `confidence`: the least that is taken for a face, 0 to 1. */
  | { what: 'look'; pixels: Pixels; confidence: number }

export interface Question {
  id: number
  ask: Ask
}

export type Answer = { id: number; faces: readonly SeenFace[] } | { id: number; fault: FaceFault; why: string }
