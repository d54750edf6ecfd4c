/** Positions of the present filter's items, page by page, for the map. */
import type { FilterQuery } from '../../schema/api/items.ts'
import { limits } from '../../schema/limits.ts'
import { api } from '../api.ts'
import type { ItemPosition, MapArea } from './cluster-index.ts'

export interface PositionsRequest {
  collection: number
  query: FilterQuery
  /** Null means the whole world. */
  part: MapArea | null
}

const maxRequests = 2

/** Loads positions up to `limits.map.maxPoints`; passes each page on as it arrives. */
export async function loadPositions(
  { collection, query, part }: PositionsRequest,
  onPage: (positions: ItemPosition[], total: number) => void,
  stop: AbortSignal,
): Promise<void> {
  const loadPage = async (page: number) => {
    const response = await api.map.features({
      params: { collectionId: collection },
      query: {
        ...query,
        limit: limits.geojsonPageSize,
        page,
        ...(part === null ? {} : { bbox: [...part] }),
      },
    })
    const total = response._meta.total_records
    if (stop.aborted) return 0
    onPage(
      response.features.map(({ id, geometry: { coordinates }, properties: { reloads } }) => ({
        id,
        longitude: coordinates[0],
        latitude: coordinates[1],
        reloads,
      })),
      total,
    )
    return total
  }
  const total = await loadPage(1)
  const pages = Math.ceil(Math.min(total, limits.map.maxPoints) / limits.geojsonPageSize)
  let next = 2
  const loadRest = async () => {
    while (next <= pages && !stop.aborted) await loadPage(next++)
  }
  await Promise.all(Array.from({ length: maxRequests }, loadRest))
}
