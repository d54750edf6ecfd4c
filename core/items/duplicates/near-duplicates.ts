/** Finds pictures that look alike: perceptual hashes that differ in few bits, joined into groups. */

/** Maximum of different bits, of 64: resized copies differ in a few, unrelated pictures in about 32. */
export const maxBits = 6

/** Bytes of a hash: two hashes that differ in at most six bits have two bytes in common. */
const bytes = 8
const keysOfPair = 0x10000

/** A pair of bytes that more hashes share is meaningless (black frames), and would cause too many comparisons. */
const maxInBucket = 3_000

function bitsOf(x: number): number {
  let n = x - ((x >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/** Union-find: `root` returns the representative of an element's set. */
function createSets(count: number) {
  const parent = Uint32Array.from({ length: count }, (_, n) => n)
  const at = (n: number) => parent[n] ?? n
  function root(n: number): number {
    let found = n
    while (at(found) !== found) {
      parent[found] = at(at(found))
      found = at(found)
    }
    return found
  }
  return {
    root,
    join(a: number, b: number) {
      parent[root(b)] = root(a)
    },
  }
}

/** Each hash is kept in two halves of 32 bits: eight bytes, where a text would take a hundred. */
export interface Hashes {
  high: Uint32Array
  low: Uint32Array
}

/** Creates an empty store for this number of hashes. */
export function createHashes(count: number): Hashes {
  return { high: new Uint32Array(count), low: new Uint32Array(count) }
}

/** Stores a perceptual hash (16 hex digits) at an index. */
export function setHash({ high, low }: Hashes, index: number, hash: string): void {
  high[index] = Number.parseInt(hash.slice(0, 8), 16)
  low[index] = Number.parseInt(hash.slice(8), 16)
}

/**
 * Groups the first `count` hashes. Returns for each hash the index of its group's representative; a hash without others
 * represents itself. A million hashes take some seconds; `yieldToOthers` is awaited regularly.
 */
export async function groupAlike(
  { high, low }: Hashes,
  count: number,
  yieldToOthers: () => Promise<void>,
): Promise<Uint32Array> {
  const of = (list: Uint32Array, n: number) => list[n] ?? 0
  const byteOf = (n: number, byte: number) => ((byte < 4 ? of(low, n) : of(high, n)) >>> (8 * (byte % 4))) & 0xff
  const sets = createSets(count)
  const order = new Uint32Array(count)

  function compare(from: number, to: number) {
    for (let i = from; i < to; i++) {
      const a = of(order, i)
      for (let j = i + 1; j < to; j++) {
        const b = of(order, j)
        const apart = bitsOf((of(high, a) ^ of(high, b)) >>> 0) + bitsOf((of(low, a) ^ of(low, b)) >>> 0)
        if (apart <= maxBits) sets.join(a, b)
      }
    }
  }

  for (let first = 0; first < bytes; first++) {
    for (let second = first + 1; second < bytes; second++) {
      const keyOf = (n: number) => (byteOf(n, first) << 8) | byteOf(n, second)
      const starts = new Uint32Array(keysOfPair + 1)
      for (let n = 0; n < count; n++) starts[keyOf(n) + 1] = of(starts, keyOf(n) + 1) + 1
      for (let key = 0; key < keysOfPair; key++) starts[key + 1] = of(starts, key + 1) + of(starts, key)
      const next = starts.slice()
      for (let n = 0; n < count; n++) {
        const key = keyOf(n)
        order[of(next, key)] = n
        next[key] = of(next, key) + 1
      }
      for (let key = 0; key < keysOfPair; key++) {
        const [from, to] = [of(starts, key), of(starts, key + 1)]
        if (to - from > 1 && to - from <= maxInBucket) compare(from, to)
      }
      await yieldToOthers()
    }
  }
  return order.map((_, n) => sets.root(n))
}
