/** The filter of an album by a search, as parameters of a list, and its text in `albums.query`. */
import { z } from 'zod'
import { filterQuery } from '../../schema/api/items.ts'

/** Neither hidden items nor other albums can be chosen. */
export const albumQuery = filterQuery.omit({ includeHidden: true, album: true })

/** The text to store; null for a filter that finds everything. */
export function albumQueryText(query: z.output<typeof albumQuery>): string | null {
  const kept = Object.entries(z.encode(albumQuery, query)).map(([name, value]) => [name, String(value)])
  return kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept))
}
