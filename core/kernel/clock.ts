/** The clock as a parameter, so that tests can stop and move it. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Whole seconds since the epoch. */
export function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

export const monthNames = 'January February March April May June July August September October November December'.split(
  ' ',
)

const pad = (n: number) => (n < 10 ? `0${n}` : String(n))
let lastDay = { day: Number.NaN, text: '' }

/** 'YYYY-MM-DD HH:MM:SS' of a local time stored as if it were UTC. Caches one day's text: many items share it. */
export function formatLocalTime(taken: number): string {
  const day = Math.floor(taken / 86_400)
  if (day !== lastDay.day) lastDay = { day, text: new Date(day * 86_400_000).toISOString().slice(0, -14) }
  const second = taken - day * 86_400
  return `${lastDay.text} ${pad(Math.floor(second / 3600))}:${pad(Math.floor(second / 60) % 60)}:${pad(second % 60)}`
}
