/** Puts faces that look alike together: each joins the group whose middle it is most like. Pure. */

/** The middle of some vectors. */
export interface Cluster {
  /** Of a group that is there already; null: a new one. */
  group: number | null
  sum: Float32Array
  count: number
  /** Places of the new faces in it. */
  members: number[]
}

/** Square of the distance of a vector from a cluster's middle, or anything above `most`. */
function farFrom(vector: Float32Array, { sum, count }: Cluster, most: number): number {
  let far = 0
  for (let n = 0; n < vector.length; n++) {
    const step = (vector[n] ?? 0) - (sum[n] ?? 0) / count
    far += step * step
    // Most are out after a few.
    if ((n & 63) === 63 && far > most) return far
  }
  return far
}

function put(into: Cluster, vector: Float32Array): void {
  for (let n = 0; n < vector.length; n++) into.sum[n] = (into.sum[n] ?? 0) + (vector[n] ?? 0)
  into.count++
}

export function clusterOf(group: number | null, vectors: readonly Float32Array[]): Cluster {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  const cluster = { group, sum, count: 0, members: [] }
  for (const vector of vectors) put(cluster, vector)
  return cluster
}

function nearest(vector: Float32Array, clusters: readonly Cluster[], most: number): Cluster | null {
  let best: Cluster | null = null
  let far = most
  for (const cluster of clusters) {
    const now = farFrom(vector, cluster, far)
    if (now <= far) {
      far = now
      best = cluster
    }
  }
  return best
}

/**
 * Adds faces to clusters, making new ones, in rounds: in the second each face of a new cluster goes where it is nearest
 * once all middles are known. `most`: square of the distance within which faces are alike. `pause` is awaited now and then.
 */
export async function joinClusters(
  clusters: Cluster[],
  vectors: readonly Float32Array[],
  most: number,
  pause: (done: number) => Promise<void>,
): Promise<void> {
  for (const [place, vector] of vectors.entries()) {
    if (place % 64 === 0) await pause(place)
    const near = nearest(vector, clusters, most)
    if (near === null) clusters.push({ ...clusterOf(null, [vector]), members: [place] })
    else {
      put(near, vector)
      near.members.push(place)
    }
  }
  const placed = clusters.map(cluster => ({ cluster, members: cluster.members }))
  for (const { cluster } of placed) cluster.members = []
  for (const { cluster: before, members } of placed) {
    for (const place of members) {
      const vector = vectors[place]
      if (vector === undefined) continue
      if (place % 64 === 0) await pause(vectors.length)
      const near = nearest(vector, clusters, most) ?? before
      near.members.push(place)
    }
  }
}
