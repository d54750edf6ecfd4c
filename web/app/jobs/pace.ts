/** Rate and remaining time of a job, from its earlier progress; durations as text. Pure. */
import { figure } from '../../../schema/figures.ts'
import { baseTexts } from '../../texts/base.ts'

/** Progress at a moment (milliseconds). */
export interface Sample {
  at: number
  done: number
}

/** Adds a sample and drops those before the last ten seconds: enough for a rate that is current but steady. */
export function withSample(samples: readonly Sample[], sample: Sample, windowMs = 10_000): Sample[] {
  const last = samples.at(-1)
  // If the count drops, the job has started another pass, so earlier measurements do not apply.
  if (last !== undefined && sample.done < last.done) return [sample]
  return [...samples.filter(({ at }) => at > sample.at - windowMs), sample]
}

/** Progress per second, and seconds left; each is null until there is enough data. */
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
  const canEstimate = total !== null && total > last.done && runningMs >= 5000
  return { rate, secondsLeft: canEstimate ? Math.ceil((total - last.done) / rate) : null }
}

/** '45 s left', '1 min 23 s left', '2 h 5 min left'. */
export function timeLeftText(seconds: number): string {
  if (seconds < 60) return baseTexts.secondsLeft({ seconds })
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return baseTexts.minutesLeft({ minutes, seconds: seconds % 60 })
  return baseTexts.hoursLeft({ hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** '0.4 s', '45 s', '1 min 23 s', '2 h 5 min'. */
export function durationText(ms: number): string {
  if (ms < 10_000) return baseTexts.seconds({ seconds: figure(Math.max(0.1, ms / 1000), undefined, 1) })
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  if (seconds < 60) return baseTexts.seconds({ seconds })
  if (minutes < 60) return baseTexts.minutes({ minutes, seconds: seconds % 60 })
  return baseTexts.hours({ hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}
