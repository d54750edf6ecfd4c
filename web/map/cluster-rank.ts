/** Colour and size of a cluster. Pure. */
import { limits } from '../../schema/limits.ts'

const [medium, many] = limits.map.clusterColours

export function rankOf(count: number): 1 | 2 | 3 {
  if (count < medium) return 1
  return count < many ? 2 : 3
}
