/** Rate limits by key, kept in the memory of this process: a restart resets them. */
import type { Clock } from './clock.ts'

/** Limits attempts by key: after `max` within `windowSeconds`, the key has to wait. */
export function createRateLimit(clock: Clock, max: number, windowSeconds = 60) {
  const windowMs = windowSeconds * 1000
  const failures = new Map<string, number[]>()
  const recent = (key: string) => (failures.get(key) ?? []).filter(at => at > clock.now() - windowMs)
  return {
    /** Seconds until the key may try again; 0 if it may now. */
    secondsToWait(key: string): number {
      const times = recent(key)
      const [oldest] = times
      return times.length < max || oldest === undefined ? 0 : Math.ceil((oldest + windowMs - clock.now()) / 1000)
    },
    /** Counts an attempt before it is checked, so that concurrent guesses count. Returns a function that reverts it. */
    count(key: string): () => void {
      const at = clock.now()
      failures.set(key, [...recent(key), at])
      // Attackers can invent any number of names, so old entries are dropped.
      if (failures.size > 10_000) for (const old of failures.keys()) if (recent(old).length === 0) failures.delete(old)
      return () => {
        const times = recent(key)
        const place = times.lastIndexOf(at)
        if (place >= 0) failures.set(key, times.toSpliced(place, 1))
      }
    },
    clear: (key: string) => failures.delete(key),
  }
}
