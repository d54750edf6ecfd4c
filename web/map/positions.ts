/** Positions of the present filter's items, page by page, for the map. */
import type { FilterQuery } from '../../schema/api/items.ts'
import { limits } from '../../schema/limits.ts'
import { api } from '../api.ts'
import { report } from '../app/messages.ts'
import { mapTexts } from '../texts/map.ts'

export interface Position {
  id: number
  longitude: number
  latitude: number
  reloads: string
}

/** West, south, east, north in degrees. */
export type Part = readonly [number, number, number, number]

export interface PositionsRequest {
  collection: number
  query: FilterQuery
  /** Null: the whole world. */
  part: Part | null
}

const lanes = 2

/**
 * Loads positions until all are there or `limits.map.pointsMost`; passes each page on as it arrives. Returns the total;
 * null when it was stopped or failed (and was reported, unless `quiet`).
 */
export async function loadPositions(
  { collection, query, part }: PositionsRequest,
  take: (positions: Position[], total: number) => void,
  stop: AbortSignal,
  quiet = false,
): Promise<number | null> {
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
    if (stop.aborted) return null
    take(
      response.features.map(({ id, geometry: { coordinates }, properties: { reloads } }) => ({
        id,
        longitude: coordinates[0],
        latitude: coordinates[1],
        reloads,
      })),
      response._meta.total_records,
    )
    return response._meta.total_records
  }
  try {
    const total = await loadPage(1)
    if (total === null) return null
    const pages = Math.ceil(Math.min(total, limits.map.pointsMost) / limits.geojsonPageSize)
    let next = 2
    const lane = async () => {
      while (next <= pages && !stop.aborted) if ((await loadPage(next++)) === null) return
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return stop.aborted ? null : total
  } catch (error) {
    if (!stop.aborted && !quiet) report(error, mapTexts.failedToLoadGeojsonFeatures)
    return null
  }
}
