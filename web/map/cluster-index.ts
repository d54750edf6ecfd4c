/** Clusters positions that are close together on the screen. Pure; runs in `cluster-worker.ts`. */
import Supercluster from 'supercluster'
import { limits } from '../../schema/limits.ts'

/** Where an item was taken, in degrees. */
export interface ItemPosition {
  id: number
  longitude: number
  latitude: number
  /** Part of the picture's address. */
  reloads: string
}

/** A marker: one or more items, and their position. */
export interface Cluster {
  /** Does not change while the map is moved. */
  key: string
  longitude: number
  latitude: number
  count: number
  /** The item, if there is only one. */
  id: number | null
  reloads: string
  /** Supercluster's id; null for a single item. */
  cluster: number | null
}

/** A part of the map: west, south, east, north in degrees. */
export type MapArea = readonly [number, number, number, number]

interface Mark {
  id: number
  reloads: string
}

/** Maximum number of items of a cluster that the popup shows. */
const maxLeaves = 5000

export function createClusterIndex(points: readonly ItemPosition[]) {
  const index = new Supercluster<Mark, Record<string, never>>({
    radius: limits.map.clusterRadius,
    maxZoom: limits.map.clusterMaxZoom,
    extent: 256,
  })
  index.load(
    points.map(({ id, longitude, latitude, reloads }) => ({
      type: 'Feature' as const,
      geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
      properties: { id, reloads },
    })),
  )

  return {
    /** The markers of a part of the map, which repeats sideways: west may be below -180 and east above 180. */
    within([west, south, east, north]: MapArea, zoom: number): Cluster[] {
      const parts: MapArea[] = []
      // Each copy of the world is queried separately.
      for (let shift = Math.floor((west + 180) / 360) * 360; shift - 180 < east; shift += 360) {
        parts.push([Math.max(west - shift, -180), south, Math.min(east - shift, 180), north])
      }
      const first = Math.floor((west + 180) / 360) * 360
      return parts.flatMap((part, n) =>
        index.getClusters([...part], Math.max(0, Math.floor(zoom))).map(({ geometry, properties }) => {
          const [longitude = 0, latitude = 0] = geometry.coordinates
          const shift = first + n * 360
          const place = { longitude: longitude + shift, latitude }
          if (!('cluster_id' in properties)) {
            return {
              key: `i${properties.id} ${shift}`,
              ...place,
              count: 1,
              id: properties.id,
              reloads: properties.reloads,
              cluster: null,
            }
          }
          const { cluster_id: cluster, point_count: count } = properties
          return { key: `c${cluster} ${shift}`, ...place, count, id: null, reloads: '', cluster }
        }),
      )
    },

    itemsOf: (cluster: number): number[] => index.getLeaves(cluster, maxLeaves).map(({ properties }) => properties.id),

    /** The zoom at which the cluster splits. */
    opensAt: (cluster: number): number => index.getClusterExpansionZoom(cluster),
  }
}

export type ClusterIndex = ReturnType<typeof createClusterIndex>
