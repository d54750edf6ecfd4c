/** A clock that moves only when the test advances it. */
import type { Clock } from '../../core/kernel/clock.ts'

export interface FakeClock extends Clock {
  /** Moves the clock forward. */
  advance(seconds: number): void
}

/** Starts at 2026-11-21 12:00:00 UTC by default. */
export function fakeClock(start = Date.UTC(2026, 10, 21, 12)): FakeClock {
  let now = start
  return {
    now: () => now,
    advance(seconds) {
      now += seconds * 1000
    },
  }
}
