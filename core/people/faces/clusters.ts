/**
 * Clusters similar faces: each joins the group with the smallest mean square distance to its faces, unless the group has
 * a face of the same picture. That distance is the squared distance to the centre plus the variance. The distance to the
 * centre alone would not do: the centre of many different faces is near every face.
 */

export interface UngroupedFace {
  vector: Float32Array
  item: number
}

export interface Cluster {
  /** Id of an existing group; null for a new one. */
  group: number | null
  sum: Float32Array
  squares: number
  count: number
  /** Pictures of its earlier faces: a picture has each person at most once. */
  itemsBefore: ReadonlySet<number>
  items: Set<number>
  /** Indexes of the new faces in the cluster. */
  members: number[]
}

const squareOf = (vector: Float32Array) => vector.reduce((sum, number) => sum + number * number, 0)

/** Variance of a cluster's faces: their mean square distance from the centre. */
function varianceOf({ sum, squares, count }: Cluster): number {
  return squares / count - squareOf(sum) / count ** 2
}

/** Mean square distance of a vector from a cluster's faces, or any value above `max`. */
function distanceFrom(vector: Float32Array, { sum, count }: Cluster, variance: number, max: number): number {
  let distance = variance
  for (let n = 0; n < vector.length; n++) {
    const step = (vector[n] ?? 0) - (sum[n] ?? 0) / count
    distance += step * step
    // Most distances exceed the limit after a few components.
    if ((n & 63) === 63 && distance > max) return distance
  }
  return distance
}

function addFace(into: Cluster, { vector, item }: UngroupedFace): void {
  for (let n = 0; n < vector.length; n++) into.sum[n] = (into.sum[n] ?? 0) + (vector[n] ?? 0)
  into.squares += squareOf(vector)
  into.items.add(item)
  into.count++
}

/** A cluster of faces. `items`: the pictures of all faces of the group, of which `faces` may be only some. */
export function clusterOf(
  group: number | null,
  faces: readonly UngroupedFace[],
  items: Iterable<number> = faces.map(face => face.item),
): Cluster {
  const itemsBefore = new Set(items)
  const sum = new Float32Array(faces[0]?.vector.length ?? 0)
  const cluster: Cluster = { group, sum, squares: 0, count: 0, itemsBefore, items: new Set(itemsBefore), members: [] }
  for (const face of faces) addFace(cluster, face)
  return cluster
}

/** Index of the nearest cluster without a face of that picture; -1 if all are further than `maxDistance`. */
function nearest(
  { vector, item }: UngroupedFace,
  clusters: readonly Cluster[],
  variances: readonly number[],
  maxDistance: number,
): number {
  let best = -1
  let bestDistance = maxDistance
  for (const [n, cluster] of clusters.entries()) {
    const now = distanceFrom(vector, cluster, variances[n] ?? 0, bestDistance)
    if (now <= bestDistance && !cluster.items.has(item)) {
      bestDistance = now
      best = n
    }
  }
  return best
}

/**
 * Assigns faces to clusters, and creates one where none is near. The first round finds the centres; the second assigns
 * every face again, to the nearest. `maxDistance`: the mean square distance up to which faces count as similar.
 */
export async function assignFaces(
  clusters: Cluster[],
  faces: readonly UngroupedFace[],
  maxDistance: number,
  pause: (done: number) => Promise<void>,
): Promise<void> {
  const variances = clusters.map(varianceOf)
  const startCluster = (index: number, face: UngroupedFace) => {
    // `itemsBefore` stays empty: otherwise the face's own picture would keep it out of this cluster in the second round.
    const cluster = { ...clusterOf(null, [face]), itemsBefore: new Set<number>(), members: [index] }
    variances.push(varianceOf(cluster))
    return clusters.push(cluster)
  }
  for (const [index, face] of faces.entries()) {
    if (index % 64 === 0) await pause(index)
    const near = nearest(face, clusters, variances, maxDistance)
    const cluster = clusters[near]
    if (cluster === undefined) startCluster(index, face)
    else {
      addFace(cluster, face)
      cluster.members.push(index)
      variances[near] = varianceOf(cluster)
    }
  }
  for (const cluster of clusters) {
    cluster.members = []
    cluster.items = new Set(cluster.itemsBefore)
  }
  for (const [index, face] of faces.entries()) {
    if (index % 64 === 0) await pause(faces.length)
    const cluster = clusters[nearest(face, clusters, variances, maxDistance)]
    if (cluster === undefined) startCluster(index, face)
    else {
      cluster.members.push(index)
      cluster.items.add(face.item)
    }
  }
}
