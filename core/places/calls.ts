/** Calls of the map. */
import type { CallHandlers } from '../accounts/caller.ts'
import type { GeoMap } from '../items/map/map.ts'
import type { Places } from './places.ts'
import type { VisitedPlaces } from './visited.ts'

export function mapCalls({
  map,
  places,
  visitedPlaces,
}: {
  map: GeoMap
  places: Places
  visitedPlaces: VisitedPlaces
}): CallHandlers<'map'> {
  return {
    features: ({ viewer }, { params, query }) => map.features(viewer, params, query),
    places: ({ viewer }, { query }) => places.search(viewer, query.q),
    visited: ({ viewer }, { query }) => visitedPlaces.overview(viewer, query),
  }
}
