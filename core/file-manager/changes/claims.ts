/** Locks the places that a change uses: no other change of this process moves or removes them or their parents. */
import { Failure, sentence } from '../../../schema/errors.ts'
import { absoluteRaw, type FilePlace } from '../places.ts'

/** How long to wait for another change (milliseconds). Most changes are short. */
const maxWaitMs = 5_000
const retryMs = 50

/** Paths of the parent directories, innermost first. */
export function parentPaths(path: string): string[] {
  const found: string[] = []
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) found.push(path.slice(0, end))
  return found
}

/** Deletions, and changes of folders outside of collections, have no other locks. `waitMs`: maximum time to wait. */
export function createClaims({ waitMs = maxWaitMs }: { waitMs?: number } = {}) {
  const claimed = new Set<ReadonlySet<string>>()

  /** The first of the places that is, contains or lies in a place that another change has locked; null if none. */
  function claimedPlace(places: ReadonlyMap<string, FilePlace>): FilePlace | null {
    for (const theirs of claimed) {
      for (const [path, place] of places)
        if (theirs.has(path) || parentPaths(path).some(one => theirs.has(one))) return place
      for (const path of theirs)
        for (const one of parentPaths(path)) {
          const place = places.get(one)
          if (place !== undefined) return place
        }
    }
    return null
  }

  /** Runs the work with the places locked; throws `busy` if another change does not release them in time. */
  async function during<T>(list: readonly FilePlace[], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const places = new Map(list.map(place => [absoluteRaw(place.at), place]))
    const until = performance.now() + waitMs
    for (let taken = claimedPlace(places); taken !== null; taken = claimedPlace(places)) {
      if (performance.now() >= until) throw busyFailure(taken)
      await Bun.sleep(retryMs)
      signal?.throwIfAborted()
    }
    const mine = new Set(places.keys())
    claimed.add(mine)
    try {
      return await work()
    } finally {
      claimed.delete(mine)
    }
  }

  return { during }
}

export type Claims = ReturnType<typeof createClaims>

function busyFailure({ virtual }: FilePlace): Failure {
  return new Failure('busy', sentence`${virtual} is being changed. Try again when that is done.`, { retryAfter: 5 })
}
