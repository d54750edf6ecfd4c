/** Places that a change has in hand: no other change of this process moves or removes them, or what holds them, meanwhile. */
import { Failure } from '../../../schema/errors.ts'
import { absoluteRaw, type FilePlace } from '../places.ts'

/** How long one waits for another change (milliseconds): most are over in a moment. */
const patienceMs = 5_000
const retryMs = 50

/** Paths of the directories that one is in, the innermost first. */
export function above(path: string): string[] {
  const found: string[] = []
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) found.push(path.slice(0, end))
  return found
}

/** Collections have their lanes; where there is none, and for what is deleted, this is all there is. `patience`: ms. */
export function createClaims({ patience = patienceMs }: { patience?: number } = {}) {
  const inHand = new Set<ReadonlySet<string>>()

  /** The first of the places that another change has in hand, or that holds something it has; null: all are free. */
  function claimedPlace(places: ReadonlyMap<string, FilePlace>): FilePlace | null {
    for (const theirs of inHand) {
      for (const [path, place] of places) if (theirs.has(path) || above(path).some(one => theirs.has(one))) return place
      for (const path of theirs)
        for (const one of above(path)) {
          const place = places.get(one)
          if (place !== undefined) return place
        }
    }
    return null
  }

  /** Does the work with the places in hand; `busy` where another change does not let go of them soon. */
  async function during<T>(list: readonly FilePlace[], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const places = new Map(list.map(place => [absoluteRaw(place.at), place]))
    const until = performance.now() + patience
    for (let taken = claimedPlace(places); taken !== null; taken = claimedPlace(places)) {
      if (performance.now() >= until) throw atWork(taken)
      await Bun.sleep(retryMs)
      signal?.throwIfAborted()
    }
    const mine = new Set(places.keys())
    inHand.add(mine)
    try {
      return await work()
    } finally {
      inHand.delete(mine)
    }
  }

  return { during }
}

export type Claims = ReturnType<typeof createClaims>

function atWork({ virtual }: FilePlace): Failure {
  return new Failure('busy', `${virtual} is being changed just now. Try again when that has ended.`, { retryAfter: 5 })
}
