/** A clock that stops until the test moves it. */
import type { Clock } from '../../core/kernel/clock.ts'

export interface FakeClock extends Clock {
  /** Moves it forward by this many seconds. */
  advance(seconds: number): void
}

/** 2026-11-21 12:00:00 UTC unless said otherwise. */
export function fakeClock(start = Date.UTC(2026, 10, 21, 12)): FakeClock {
  let now = start
  return {
    now: () => now,
    advance(seconds) {
      now += seconds * 1000
    },
  }
}
