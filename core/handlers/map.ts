/** Calls of the map. */
import type { Core, GroupHandlers } from './caller.ts'

export function mapHandlers({ map, places }: Core): GroupHandlers<'map'> {
  return {
    features: ({ viewer }, { params, query }) => map.features(viewer, params, query),
    places: ({ viewer }, { query }) => places.search(viewer, query.q),
  }
}
