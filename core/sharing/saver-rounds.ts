/** Which items a screen saver shows next: none is repeated before all were shown, for any number of items. */
import { z } from 'zod'
import { permuted } from '../kernel/permutation.ts'

/** With up to this many items a round is a list; with more, ids are tried in an order that a seed determines. */
export const maxListed = 10_000

const recent = z.array(z.int())
/** A position in the list of the newest items: `last` of `idsOf` in core/items/item-lists.ts. */
const place = z.object({ value: z.number(), id: z.int() })
type RoundPosition = z.output<typeof place>

/** A round as stored between two requests. `recent` is the last batch. */
export const roundShape = z.discriminatedUnion('by', [
  z.object({ by: z.literal('list'), ids: z.array(z.int()), recent }),
  /** Ids 1 … size in the order of the seed; those before the position `at` are done. */
  z.object({ by: z.literal('ids'), seed: z.int(), size: z.int(), at: z.int(), recent }),
  z.object({ by: z.literal('newest'), after: place.nullable(), recent }),
])
export type Round = z.output<typeof roundShape>

/** The items that match a saver's filter now. */
export interface SaverItems {
  /** All of them; null if there are more than `limit`. */
  few(limit: number): number[] | null
  matching(ids: readonly number[]): number[]
  highestId(): number
  /** The newest items that match, after a position. */
  newest(after: RoundPosition | null, limit: number): { ids: number[]; last: RoundPosition | null }
}

/** Number of ids that are tried at a time: few at first, because usually nearly all of them match. */
const minTried = 40
const maxTried = 4_000
/** If hardly any id matches, a batch ends after this many tries, as soon as it is not empty. */
const enoughTried = 40_000

function shuffled(ids: readonly number[]): number[] {
  const order = [...ids]
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1))
    const [a = 0, b = 0] = [order[last], order[other]]
    order[last] = b
    order[other] = a
  }
  return order
}

function start(items: SaverItems, random: boolean): Round | null {
  if (!random) return { by: 'newest', after: null, recent: [] }
  const few = items.few(maxListed)
  if (few === null) {
    const seed = Math.floor(Math.random() * 2 ** 32)
    return { by: 'ids', seed, size: items.highestId(), at: 0, recent: [] }
  }
  return few.length === 0 ? null : { by: 'list', ids: shuffled(few), recent: [] }
}

/** Tries candidates in order until `limit` match; returns these, and the position at which to continue. */
function tryCandidates(
  items: SaverItems,
  candidate: (place: number) => number | null,
  from: number,
  limit: number,
): { ids: number[]; next: number } {
  const ids: number[] = []
  let place = from
  for (let size = minTried; ; size = Math.min(size * 4, maxTried)) {
    const places = new Map<number, number>()
    const end = place + size
    for (let at = place; at < end; at++) {
      const id = candidate(at)
      if (id === null) break
      places.set(id, at)
    }
    if (places.size === 0) return { ids, next: place }
    for (const id of items.matching([...places.keys()])) {
      ids.push(id)
      if (ids.length === limit) return { ids, next: (places.get(id) ?? place) + 1 }
    }
    place += places.size
    if (ids.length > 0 && place - from >= enoughTried) return { ids, next: place }
  }
}

/** The next batch of a round, empty if the round is over; and the updated round. */
function nextOfRound(items: SaverItems, round: Round, limit: number): { ids: number[]; round: Round } {
  if (round.by === 'newest') {
    const { ids, last } = items.newest(round.after, limit)
    return { ids, round: { by: 'newest', after: last, recent: ids } }
  }
  if (round.by === 'list') {
    const { ids, next } = tryCandidates(items, place => round.ids[place] ?? null, 0, limit)
    return { ids, round: { by: 'list', ids: round.ids.slice(next), recent: ids } }
  }
  const { seed, size } = round
  const candidate = (place: number) => (place < size ? permuted(place, size, seed) + 1 : null)
  const { ids, next } = tryCandidates(items, candidate, round.at, limit)
  return { ids, round: { by: 'ids', seed, size, at: next, recent: ids } }
}

/** The next batch of the kept round, or of a new round if the kept one is over. `round` is null if no items match. */
export function nextBatch(
  items: SaverItems,
  kept: Round | null,
  random: boolean,
  limit: number,
): { ids: number[]; round: Round | null } {
  const continued = kept !== null && (kept.by === 'newest') !== random ? kept : null
  for (const round of [continued, start(items, random)]) {
    if (round === null) continue
    const batch = nextOfRound(items, round, limit)
    if (batch.ids.length > 0) return batch
  }
  return { ids: [], round: null }
}
