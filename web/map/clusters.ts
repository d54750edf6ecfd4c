/** The page's side of the worker that clusters positions. */

import type { Cluster, ItemPosition, MapArea } from './cluster-index.ts'
import type { ClusterMessage, ClusterRequest, ClusterResponse } from './cluster-messages.ts'

export interface Clusters {
  clear(): void
  add(points: readonly ItemPosition[]): void
  within(box: MapArea, zoom: number): Promise<Cluster[]>
  /** Items of a cluster, and the zoom at which it splits; null when it no longer exists. */
  open(cluster: number): Promise<{ items: number[]; opensAt: number } | null>
  close(): void
}

export function startClusters(): Clusters {
  const worker = new Worker(clusterWorker)
  const waiting = new Map<number, (response: ClusterResponse) => void>()
  let lastId = 0
  worker.addEventListener('message', ({ data }: MessageEvent<ClusterResponse>) => {
    waiting.get(data.id)?.(data)
    waiting.delete(data.id)
  })
  const send = (request: ClusterRequest) =>
    new Promise<ClusterResponse>(done => {
      const id = ++lastId
      waiting.set(id, done)
      worker.postMessage({ id, request } satisfies ClusterMessage)
    })
  return {
    clear: () => void send({ kind: 'clear' }),
    add: points => void send({ kind: 'add', points }),
    async within(box, zoom) {
      const response = await send({ kind: 'within', box, zoom })
      return 'clusters' in response ? response.clusters : []
    },
    async open(cluster) {
      const response = await send({ kind: 'items', cluster })
      return 'items' in response ? response : null
    },
    close: () => worker.terminate(),
  }
}
