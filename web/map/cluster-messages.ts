/** Messages between the page and the worker that clusters positions. */
import type { Cluster, ItemPosition, MapArea } from './cluster-index.ts'

export type ClusterRequest =
  | { what: 'clear' }
  | { what: 'add'; points: readonly ItemPosition[] }
  | { what: 'within'; box: MapArea; zoom: number }
  | { what: 'items'; cluster: number }

export interface ClusterQuestion {
  id: number
  ask: ClusterRequest
}

export type ClusterResponse =
  | { id: number; clusters: Cluster[] }
  | { id: number; items: number[]; opensAt: number }
  | { id: number; fault: string }
