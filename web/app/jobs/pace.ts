/** Rate and remaining time of a job, from its earlier progress. Pure. */

/** Progress at a moment (milliseconds). */
export interface Sample {
  at: number
  done: number
}

/** Keeps the last ten seconds, for a rate that is current but steady. */
export function withSample(samples: readonly Sample[], sample: Sample, windowMs = 10_000): Sample[] {
  const last = samples.at(-1)
  // A count that falls is another pass of the same job: earlier measurements do not apply.
  if (last !== undefined && sample.done < last.done) return [sample]
  return [...samples.filter(({ at }) => at > sample.at - windowMs), sample]
}

/** Files a second, and seconds left; null until there is enough data. */
export function paceOf(
  samples: readonly Sample[],
  total: number | null,
  runningMs: number,
): { rate: number | null; secondsLeft: number | null } {
  const [first] = samples
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < 1000) return { rate: null, secondsLeft: null }
  const rate = ((last.done - first.done) * 1000) / (last.at - first.at)
  if (rate <= 0) return { rate: null, secondsLeft: null }
  const known = total !== null && total > last.done && runningMs >= 5000
  return { rate, secondsLeft: known ? Math.ceil((total - last.done) / rate) : null }
}

/** '45 s left', '1 min 23 s left', '2 h 5 min left'. */
export function leftText(seconds: number): string {
  if (seconds < 60) return `${seconds} s left`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s left`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min left`
}

/** '0.4 s', '45 s', '1 min 23 s', '2 h 5 min': a duration. */
export function elapsedText(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 10) return `${Math.max(0.1, seconds).toFixed(1)} s`
  return leftText(Math.round(seconds)).replace(/ left$/, '')
}
