/**
 * Puts faces that look alike together: each joins the group to whose faces it is nearest on average, unless one of its own
 * picture is in it. Pure.
 *
 * The mean square of the distances to all faces of a group is the square of that to their middle and how widely they are
 * spread about it. The middle alone would not do: that of many strangers is near everybody.
 */

export interface LooseFace {
  vector: Float32Array
  item: number
}

export interface Cluster {
  /** Of a group that is there already; null: a new one. */
  group: number | null
  sum: Float32Array
  squares: number
  count: number
  /** Pictures of the faces that were in it before: nobody is on a picture twice. */
  before: ReadonlySet<number>
  items: Set<number>
  /** Places of the new faces in it. */
  members: number[]
}

const squareOf = (vector: Float32Array) => vector.reduce((sum, number) => sum + number * number, 0)

/** How widely its faces are spread about their middle: the mean square of their distances from it. */
function spreadOf({ sum, squares, count }: Cluster): number {
  return squares / count - squareOf(sum) / count ** 2
}

/** Mean square of the distances of a vector from a cluster's faces, or anything above `most`. */
function farFrom(vector: Float32Array, { sum, count }: Cluster, spread: number, most: number): number {
  let far = spread
  for (let n = 0; n < vector.length; n++) {
    const step = (vector[n] ?? 0) - (sum[n] ?? 0) / count
    far += step * step
    // Most are out after a few.
    if ((n & 63) === 63 && far > most) return far
  }
  return far
}

function addFace(into: Cluster, { vector, item }: LooseFace): void {
  for (let n = 0; n < vector.length; n++) into.sum[n] = (into.sum[n] ?? 0) + (vector[n] ?? 0)
  into.squares += squareOf(vector)
  into.items.add(item)
  into.count++
}

/** `items`: the pictures of all its faces, where `faces` are only some of them. */
export function clusterOf(
  group: number | null,
  faces: readonly LooseFace[],
  items: Iterable<number> = faces.map(face => face.item),
): Cluster {
  const before = new Set(items)
  const sum = new Float32Array(faces[0]?.vector.length ?? 0)
  const cluster: Cluster = { group, sum, squares: 0, count: 0, before, items: new Set(before), members: [] }
  for (const face of faces) addFace(cluster, face)
  return cluster
}

/** The nearest cluster within `most` that has no face of that picture yet. */
function nearest(
  { vector, item }: LooseFace,
  clusters: readonly Cluster[],
  spreads: readonly number[],
  most: number,
): number {
  let best = -1
  let far = most
  for (const [n, cluster] of clusters.entries()) {
    const now = farFrom(vector, cluster, spreads[n] ?? 0, far)
    if (now <= far && !cluster.items.has(item)) {
      far = now
      best = n
    }
  }
  return best
}

/**
 * Adds faces to clusters, making new ones, in rounds: in the second each face goes where it is nearest once all middles are
 * known. `most`: mean square of the distances within which faces are alike. `pause` is awaited now and then.
 */
export async function joinClusters(
  clusters: Cluster[],
  faces: readonly LooseFace[],
  most: number,
  pause: (done: number) => Promise<void>,
): Promise<void> {
  const spreads = clusters.map(spreadOf)
  const begin = (place: number, face: LooseFace) => {
    // Its picture is one of `items` alone: in the second round the face may come back to it.
    const cluster = { ...clusterOf(null, [face]), before: new Set<number>(), members: [place] }
    spreads.push(spreadOf(cluster))
    return clusters.push(cluster)
  }
  for (const [place, face] of faces.entries()) {
    if (place % 64 === 0) await pause(place)
    const near = nearest(face, clusters, spreads, most)
    const cluster = clusters[near]
    if (cluster === undefined) begin(place, face)
    else {
      addFace(cluster, face)
      cluster.members.push(place)
      spreads[near] = spreadOf(cluster)
    }
  }
  for (const cluster of clusters) {
    cluster.members = []
    cluster.items = new Set(cluster.before)
  }
  for (const [place, face] of faces.entries()) {
    if (place % 64 === 0) await pause(faces.length)
    const cluster = clusters[nearest(face, clusters, spreads, most)]
    if (cluster === undefined) begin(place, face)
    else {
      cluster.members.push(place)
      cluster.items.add(face.item)
    }
  }
}
