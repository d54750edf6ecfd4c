/** The map: items with a position as GeoJSON, page by page. */
import type { z } from 'zod'
import type { FilterQuery, PageQuery } from '../../../schema/api/items.ts'
import type { feature, mapCalls } from '../../../schema/api/map.ts'
import { limits } from '../../../schema/limits.ts'
import type { Viewer } from '../../accounts/access.ts'
import { type BoxFilter, somewhere } from '../../filter/filter.ts'
import { reloadsOf } from '../item-json.ts'
import type { ListedRow } from '../items.sql.ts'
import type { Items } from '../items.ts'

type Features = z.output<(typeof mapCalls)['features']['output']>
type Feature = z.output<typeof feature>

function featureOf(row: ListedRow): Feature[] {
  const { latitude, longitude } = row
  if (latitude === null || longitude === null || latitude === undefined || longitude === undefined) return []
  return [
    {
      type: 'Feature',
      id: row.id,
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: { id: row.id, type: row.type, taken: row.taken, reloads: reloadsOf(row) },
    },
  ]
}

export function createMap({ items }: { items: Items }) {
  return {
    /**
     * Lists features. `bbox`: west, south, east, north. Without it, a box around the world is the filter, so that items
     * whose position the viewer may not see are left out.
     */
    features(
      viewer: Viewer,
      { collectionId }: { collectionId: number },
      query: FilterQuery & PageQuery & { bbox?: [number, number, number, number] | undefined },
    ): Features {
      const { bbox, ...filters } = query
      const also: BoxFilter =
        bbox === undefined ? somewhere : { is: 'box', west: bbox[0], south: bbox[1], east: bbox[2], north: bbox[3] }
      const { entries, ...page } = items.pageOf(
        viewer,
        {
          collectionId,
          path: '/v1/geojson/features',
          parameters: bbox === undefined ? {} : { bbox: bbox.join(',') },
          also,
          coordinates: true,
        },
        { limit: limits.geojsonPageSize, ...filters },
        rows => rows.flatMap(featureOf),
      )
      return { ...page, type: 'FeatureCollection', features: entries, items: entries }
    },
  }
}

export type GeoMap = ReturnType<typeof createMap>
