/** Counts what somebody who guesses does too often: failures by key within the last minute, in this process. */
import type { Clock } from './clock.ts'

const minute = 60_000

/** `most` of them within a minute, then the key has to wait. Only the server takes guesses, so nobody else has to know. */
export function createFailureCounter(clock: Clock, most: number) {
  const failures = new Map<string, number[]>()
  const recent = (key: string) => (failures.get(key) ?? []).filter(at => at > clock.now() - minute)
  return {
    /** Seconds until the key may try again; 0 when it may now. */
    wait(key: string): number {
      const times = recent(key)
      const [oldest] = times
      return times.length < most || oldest === undefined ? 0 : Math.ceil((oldest + minute - clock.now()) / 1000)
    },
    /**
     * Counts an attempt, before it is looked at: a thousand guesses at once have no more than one after the other. What it
     * answers takes it back, for an attempt that was none.
     */
    add(key: string): () => void {
      const at = clock.now()
      failures.set(key, [...recent(key), at])
      // Names are made up without end by whoever guesses: what is old goes.
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
