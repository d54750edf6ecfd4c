/** Locks the places that a change uses, so that no other change of this process moves or removes them or their parents. */
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

/**
 * Locks of places. Changes within collections are also protected by the collections' lanes; deletions, and changes of
 * folders outside of collections, only by these. `waitMs`: maximum time to wait.
 */
export function createPlaceLocks({ waitMs = maxWaitMs }: { waitMs?: number } = {}) {
  const locked = new Set<ReadonlySet<string>>()

  /** The first of the places that is, contains or lies in a place that another change has locked; null if none. */
  function lockedPlace(places: ReadonlyMap<string, FilePlace>): FilePlace | null {
    for (const theirs of locked) {
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
  async function withLocks<T>(list: readonly FilePlace[], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const places = new Map(list.map(place => [absoluteRaw(place.at), place]))
    const until = performance.now() + waitMs
    for (let taken = lockedPlace(places); taken !== null; taken = lockedPlace(places)) {
      if (performance.now() >= until) throw busyFailure(taken)
      await Bun.sleep(retryMs)
      signal?.throwIfAborted()
    }
    const mine = new Set(places.keys())
    locked.add(mine)
    try {
      return await work()
    } finally {
      locked.delete(mine)
    }
  }

  return { withLocks }
}

export type PlaceLocks = ReturnType<typeof createPlaceLocks>

function busyFailure({ virtual }: FilePlace): Failure {
  return new Failure('busy', sentence`${virtual} is being changed. Try again when that is done.`, { retryAfter: 5 })
}
