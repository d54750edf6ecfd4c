import { describe, expect, test } from 'bun:test'
import { createHashes, groupAlike, maxBits, setHash } from '../../../core/items/duplicates/near-duplicates.ts'

/** Random numbers that are the same in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (t ^ (t >>> 14)) >>> 0
  }
}

const hex = (value: bigint) => value.toString(16).padStart(16, '0')

async function groupHashes(hashes: readonly string[]): Promise<number[]> {
  const room = createHashes(hashes.length)
  for (const [n, hash] of hashes.entries()) setHash(room, n, hash)
  return [...(await groupAlike(room, hashes.length, async () => {}))]
}

describe('pictures that look alike', () => {
  test('are grouped if at most `maxBits` bits differ, and other pictures are not grouped', async () => {
    const random = numbers(7)
    const originals = Array.from({ length: 3000 }, () => (BigInt(random()) << 32n) | BigInt(random()))
    const copies = originals.slice(0, 300).map(hash => {
      let copy = hash
      const flipped = new Set<number>()
      while (flipped.size < maxBits) flipped.add(random() % 64)
      for (const bit of flipped) copy ^= 1n << BigInt(bit)
      return copy
    })
    const groups = await groupHashes([...originals, ...copies].map(hex))
    for (let n = 0; n < copies.length; n++) expect(groups[3000 + n]).toBe(groups[n] ?? -1)
    expect(new Set(groups).size).toBe(originals.length)
  })

  test('are not grouped if more than `maxBits` bits differ, unless a third picture links them', async () => {
    const hash = 0x123456789abcdef0n
    const near = hash ^ 0b111111n
    const far = hash ^ 0b1111111n
    const [a, b, c] = await groupHashes([hash, near, far].map(hex))
    expect(a).toBe(b ?? -1)
    // The third picture differs from the second in only one bit, which links it to the first.
    expect(c).toBe(a ?? -1)
    const [x, y] = await groupHashes([hash, far].map(hex))
    expect(x).not.toBe(y ?? -1)
  })

  test('are looked for without an error if there is only one picture or none', async () => {
    expect(await groupHashes([])).toEqual([])
    expect(await groupHashes(['0000000000000000'])).toEqual([0])
  })
})
