/** Compares secrets in constant time. */
import { timingSafeEqual } from 'node:crypto'

/** Whether two texts are equal, in constant time; it reveals only their lengths. */
export function equalTexts(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
