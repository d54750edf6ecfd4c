/** A job's bar, rate and remaining time. */
import type { Span } from '../line.ts'
import type { Signs } from '../terminal/terminal.ts'

/** A share of 0 to 1 as a bar of this many columns. */
export function bar(share: number, width: number, signs: Pick<Signs, 'full' | 'empty'>): Span[] {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width)
  return [
    { text: signs.full.repeat(full), style: 'bold' },
    { text: signs.empty.repeat(width - full), style: 'dim' },
  ]
}

/** Seconds over which rates are measured. */
const rateSeconds = 10
/** Seconds of progress after which the remaining time is shown. */
const settledSeconds = 5

export type Paces = ReturnType<typeof createPaces>

export interface Pace {
  /** Per second; null while unknown. */
  rate: number | null
  /** Seconds left; null while unknown. */
  left: number | null
}

/** Stores the progress of jobs, to compute their rates. */
export function createPaces() {
  const samples = new Map<number, { at: number; done: number }[]>()
  const shown = new Map<number, { at: number; pace: Pace }>()

  return {
    /** Records the progress of a job; `at` in milliseconds. Returns its pace, which changes at most once per second. */
    pace(id: number, done: number, total: number | null, at: number): Pace {
      const known = samples.get(id) ?? []
      const last = known.at(-1)
      // If `done` has decreased, the job was restarted, or counts something else now.
      const kept = last !== undefined && done < last.done ? [] : known.filter(one => at - one.at < rateSeconds * 1000)
      if (kept.at(-1)?.done !== done || at - (kept.at(-1)?.at ?? 0) > 1000) kept.push({ at, done })
      samples.set(id, kept)
      const before = shown.get(id)
      if (before !== undefined && at - before.at < 1000) return before.pace
      const [first] = kept
      const seconds = first === undefined ? 0 : (at - first.at) / 1000
      const rate = first === undefined || seconds < 1 ? null : (done - first.done) / seconds
      const isSettled = first !== undefined && at - first.at >= settledSeconds * 1000
      const left = rate === null || rate <= 0 || total === null || !isSettled ? null : (total - done) / rate
      const pace = { rate, left }
      shown.set(id, { at, pace })
      return pace
    },
    /** Forgets all jobs except these. */
    keepOnly(ids: ReadonlySet<number>) {
      for (const id of [...samples.keys()]) {
        if (ids.has(id)) continue
        samples.delete(id)
        shown.delete(id)
      }
    },
  }
}
