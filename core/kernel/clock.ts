/** The time, as a seam: tests hold it still and move it. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Whole seconds since the epoch. */
export function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}
