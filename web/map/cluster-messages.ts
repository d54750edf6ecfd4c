/** Messages between the page and the worker that clusters positions. */
import type { Box, Cluster, Point } from './cluster-index.ts'

export type ClusterRequest =
  | { what: 'clear' }
  | { what: 'add'; points: readonly Point[] }
  | { what: 'within'; box: Box; zoom: number }
  | { what: 'items'; cluster: number }

export interface Question {
  id: number
  ask: ClusterRequest
}

export type ClusterResponse =
  | { id: number; clusters: Cluster[] }
  | { id: number; items: number[]; opensAt: number }
  | { id: number; fault: string }
