import { describe, expect, test } from 'bun:test'
import { maxListed, nextBatch, type Round, roundShape, type SaverItems } from '../../../core/sharing/saver-rounds.ts'

/** A library with these items, in which a newer item has a higher id. `shown` may change between two batches. */
function itemsOf(shown: Set<number>, highestId: number): SaverItems & { tried: number } {
  const source = {
    tried: 0,
    few: (limit: number) => (shown.size > limit ? null : [...shown]),
    matching(ids: readonly number[]) {
      source.tried += ids.length
      return ids.filter(id => shown.has(id))
    },
    highestId: () => highestId,
    newest(after: { value: number; id: number } | null, limit: number) {
      const ids = [...shown]
        .filter(id => after === null || id < after.id)
        .sort((a, b) => b - a)
        .slice(0, limit)
      const last = ids.at(-1)
      return { ids, last: last === undefined ? null : { value: last, id: last } }
    },
  }
  return source
}

const upTo = (most: number, keep: (id: number) => boolean = () => true) =>
  new Set(Array.from({ length: most }, (_, n) => n + 1).filter(keep))

/** All batches of one round. The state goes through JSON, as in the database. */
function wholeRound(items: SaverItems, random: boolean, batch = 20): number[] {
  const ids: number[] = []
  let round: Round | null = null
  for (;;) {
    const next = nextBatch(items, round, random, batch)
    if (next.ids.some(id => ids.includes(id)) || next.ids.length === 0) return ids
    ids.push(...next.ids)
    round = roundShape.parse(JSON.parse(JSON.stringify(next.round)))
  }
}

describe('a round of a screen saver', () => {
  test('in random order shows each of a few items once', () => {
    const ids = wholeRound(itemsOf(upTo(107), 107), true)
    expect([...ids].sort((a, b) => a - b)).toEqual([...upTo(107)])
    expect(ids).not.toEqual([...upTo(107)])
  })

  test('in random order shows each of many items once, whether most or few ids match', () => {
    for (const every of [1, 9]) {
      const shown = upTo((maxListed + 3) * every, id => id % every === 0)
      const items = itemsOf(shown, (maxListed + 3) * every)
      const seen = new Set<number>()
      let round: Round | null = null
      let batches = 0
      for (let over = false; !over; batches++) {
        const next = nextBatch(items, round, true, 500)
        over = next.ids.some(id => seen.has(id))
        if (!over) for (const id of next.ids) seen.add(id)
        round = next.round
      }
      expect(seen.size).toBe(shown.size)
      expect(batches).toBeLessThan(shown.size / 500 + 3)
    }
  })

  test('shows the newest items first if not in random order', () => {
    expect(wholeRound(itemsOf(upTo(45), 45), false)).toEqual([...upTo(45)].reverse())
  })

  test('starts again at its end, and is empty without items', () => {
    const items = itemsOf(upTo(5), 5)
    const first = nextBatch(items, null, true, 20)
    const second = nextBatch(items, first.round, true, 20)
    expect([first.ids.length, second.ids.length]).toEqual([5, 5])
    for (const random of [true, false]) {
      expect(nextBatch(itemsOf(new Set(), 0), null, random, 20)).toEqual({ ids: [], round: null })
      expect(nextBatch(itemsOf(new Set(), 0), second.round, random, 20)).toEqual({ ids: [], round: null })
    }
  })

  test('skips removed items, and shows new ones in the next round', () => {
    for (const random of [true, false]) {
      const shown = upTo(60)
      const items = itemsOf(shown, 60)
      const first = nextBatch(items, null, random, 20)
      const [gone] = [...shown].filter(id => !first.ids.includes(id))
      shown.delete(gone ?? 0)
      shown.add(61)
      const seen = [...first.ids]
      let { round } = first
      while (seen.length < 59) {
        const next = nextBatch(items, round, random, 20)
        seen.push(...next.ids)
        round = next.round
      }
      expect(new Set(seen).size).toBe(59)
      expect(seen).not.toContain(gone)
      expect(seen).not.toContain(61)
      expect(nextBatch(items, round, random, 60).ids).toContain(61)
    }
  })

  test('is dropped when the saver changes between random order and newest first', () => {
    const items = itemsOf(upTo(100), 100)
    const inRandomOrder = nextBatch(items, null, true, 20)
    expect(nextBatch(items, inRandomOrder.round, false, 3).ids).toEqual([100, 99, 98])
    const newestFirst = nextBatch(items, null, false, 20)
    expect(nextBatch(items, newestFirst.round, true, 20).round).toMatchObject({ by: 'list' })
  })

  test('remembers its latest batch', () => {
    const { ids, round } = nextBatch(itemsOf(upTo(100), 100), null, true, 20)
    expect(round?.recent).toEqual(ids)
  })

  test('ends a batch early when few ids match', () => {
    const items = itemsOf(
      upTo(2_000_000, id => id % 150 === 0),
      2_000_000,
    )
    const batch = nextBatch(items, null, true, 2_000)
    expect(batch.ids.length).toBeWithin(1, 2_000)
    expect(items.tried).toBeLessThan(50_000)
  })
})
