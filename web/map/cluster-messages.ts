/** Messages between the page and the worker that clusters positions. */
import type { Cluster, ItemPosition, MapArea } from './cluster-index.ts'

export type ClusterRequest =
  | { kind: 'clear' }
  | { kind: 'add'; points: readonly ItemPosition[] }
  | { kind: 'within'; box: MapArea; zoom: number }
  | { kind: 'items'; cluster: number }

export interface ClusterMessage {
  id: number
  request: ClusterRequest
}

export type ClusterResponse =
  | { id: number; clusters: Cluster[] }
  | { id: number; items: number[]; opensAt: number }
  | { id: number; fault: string }
