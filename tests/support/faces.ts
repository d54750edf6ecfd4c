/** Faces without pictures: vectors of the same or different people, and detections stored for items. */
import type { LibraryDatabase } from '../../core/kernel/database/database.ts'
import { storeDetections } from '../../core/people/faces/detections.ts'
import type { Box } from '../../schema/boxes.ts'
import { limits } from '../../schema/limits.ts'

/** A sequence of numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A face's vector. Vectors of one person `who` differ slightly by `pose`; vectors of two people are not similar. */
export function faceVector(who: number, pose = 0, strength = 1): Float32Array {
  const next = randomNumbers(who + 1)
  const noise = randomNumbers(1000 + pose)
  return Float32Array.from({ length: 1024 }, () => strength * ((next() < 0.5 ? -0.5 : 0.5) + (noise() - 0.5) / 10))
}

export interface FaceOptions extends Partial<Box> {
  who: number
  pose?: number
  score?: number
  /** 1 for a sharp face; blurred ones have shorter vectors. */
  strength?: number
}

/** Stores that a model has found these faces on an item, side by side unless their position is given. */
export async function addDetectedFaces(
  db: LibraryDatabase,
  id: number,
  faces: readonly FaceOptions[],
  at = 1,
  model: string = limits.faceModel,
): Promise<void> {
  const item = db.get<{ id: number; content: string; rotation: number; width: number; height: number }>(
    'SELECT id, content, rotation, width, height FROM items WHERE id = ?',
    id,
  )
  if (item === null) throw new Error('no such item')
  await db.transact({ userId: null }, tx => {
    storeDetections(
      tx,
      { item, model, confidence: 0.5, at },
      faces.map(({ who, pose = id, score = 1, strength = 1, x, y = 100, width = 100, height = 100 }, n) => ({
        x: x ?? 50 + n * 150,
        y,
        width,
        height,
        score,
        vector: faceVector(who, pose, strength),
      })),
    )
  })
}
