/** Places by name, from the server's table of cities. */

import type { z } from 'zod'
import type { place } from '../../schema/api/map.ts'
import { ownLocale } from '../../schema/locale.ts'
import { api } from '../api.ts'

export type FoundPlace = z.output<typeof place>

/** Cities whose name begins with the text, which has at least two letters. */
export function findPlaces(typed: string): Promise<FoundPlace[]> {
  return api.map.places({ query: { q: typed.trim() } })
}

let names: Intl.DisplayNames | null = null

/** Returns 'Spain' for 'ES', in the browser's language. */
export function countryName(code: string): string {
  try {
    names ??= new Intl.DisplayNames(ownLocale, { type: 'region' })
    return names.of(code) ?? code
  } catch {
    return code
  }
}
