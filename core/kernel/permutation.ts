/** A pseudorandom order of many numbers that follows from a seed and a position only. */

/** Rounds of the network (Luby and Rackoff prove that three suffice for perfect functions; these are cheap ones). */
const rounds = 6

/** The finalizer of MurmurHash3, 32 bits. */
function mixBits(value: number): number {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

/**
 * The number at this position when 0 … size - 1 are shuffled by the seed (32 bits): every number has one position. A
 * Feistel network over the next power of four, repeated until the result is in range. `size` up to 2^50.
 */
export function permuted(position: number, size: number, seed: number): number {
  let bits = 1
  while (4 ** bits < size) bits++
  const half = 2 ** bits
  let value = position
  do {
    let left = Math.floor(value / half)
    let right = value % half
    for (let round = 0; round < rounds; round++) {
      const next = (left + (mixBits(right ^ mixBits(seed + Math.imul(round, 0x9e3779b9))) % half)) % half
      left = right
      right = next
    }
    value = left * half + right
  } while (value >= size)
  return value
}
