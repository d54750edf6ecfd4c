/** Clusters positions in a worker, so that a hundred thousand of them never block the page. */
import { type ClusterIndex, createClusterIndex, type ItemPosition } from './cluster-index.ts'
import type { ClusterMessage, ClusterResponse } from './cluster-messages.ts'

let points: ItemPosition[] = []
let index: ClusterIndex | null = null

function response({ id, request }: ClusterMessage): ClusterResponse {
  switch (request.kind) {
    case 'clear':
      points = []
      index = null
      return { id, clusters: [] }
    case 'add':
      points = points.concat(request.points)
      index = null
      return { id, clusters: [] }
    case 'within':
      index ??= createClusterIndex(points)
      return { id, clusters: index.within(request.box, request.zoom) }
    case 'items':
      return { id, items: index?.itemsOf(request.cluster) ?? [], opensAt: index?.opensAt(request.cluster) ?? 0 }
  }
}

self.addEventListener('message', (event: MessageEvent<ClusterMessage>) => {
  try {
    self.postMessage(response(event.data))
  } catch (error) {
    // A cluster of an older index no longer exists.
    self.postMessage({ id: event.data.id, fault: String(error) })
  }
})
