/** Places by name, from the server's table of cities. */
import type { z } from 'zod'
import type { place } from '../../schema/api/map.ts'
import { api } from '../api.ts'
import { orNull } from '../app/messages.ts'
import { mapTexts } from '../texts/map.ts'

export type FoundPlace = z.output<typeof place>

/** Cities whose name begins with the text; none while it is too short; null on failure, which is reported. */
export async function findPlaces(typed: string): Promise<FoundPlace[] | null> {
  const q = typed.trim()
  if (q.length < 2) return []
  return orNull(mapTexts.failedToFindPlaces, () => api.map.places({ query: { q } }))
}

let names: Intl.DisplayNames | null = null

/** Returns 'Spain' for 'ES', in the browser's language. */
export function countryName(code: string): string {
  try {
    names ??= new Intl.DisplayNames(undefined, { type: 'region' })
    return names.of(code) ?? code
  } catch {
    return code
  }
}
