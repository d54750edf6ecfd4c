/** Messages of the process that makes pixels for a terminal. */
import { isObject } from './worker-process.ts'

export interface PixelsRequest {
  id: number
  /** An existing rendition: its path, or its bytes if it comes from another machine. */
  from: string | Uint8Array
  /** Degrees by which the rendition must still be rotated clockwise. */
  rotation: number
  /** The picture fits into this many pixels. */
  width: number
  height: number
  /** Three bytes per pixel, or a PNG. */
  format: 'rgb' | 'png'
}

export type PixelsResponse =
  | { id: number; width: number; height: number; data: Uint8Array }
  | { id: number; failed: string }

export function isPixelsRequest(message: unknown): message is PixelsRequest {
  return isObject(message) && 'from' in message && 'format' in message
}

export function isPixelsResponse(message: unknown): message is PixelsResponse {
  return isObject(message) && 'id' in message && ('data' in message || 'failed' in message)
}
