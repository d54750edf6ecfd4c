/** A job as one line: what it is, its bar, how far it is, how fast, how long. */
import type { Job } from '../../schema/api/jobs.ts'
import { figure, plural } from '../../schema/figures.ts'
import { jobTitle, shareOfJob, stateText, unitOf } from '../../schema/job-words.ts'
import { cutLine, fillLine, type Line, type Span } from '../line.ts'
import type { Signs } from '../terminal/terminal.ts'
import { timeLeft } from '../text.ts'
import { bar, type Pace, type Paces } from './bar.ts'

/** 'waits for the scan of Holidays': who has what this one needs. */
export function waitingWords(job: Job, active: readonly Job[], nameOf: (id: number | null) => string): string {
  const running = active.filter(({ state }) => state === 'running')
  const isInTheWay = (other: Job) => other.collection_id === job.collection_id || other.kind === job.kind
  // What only adds to a scan waits for whatever runs.
  const before = running.find(isInTheWay) ?? running[0]
  if (before === undefined) return 'waits for its turn'
  const title = jobTitle(before.kind, nameOf(before.collection_id))
  return `waits for the ${title.slice(0, 1).toLowerCase()}${title.slice(1)}`
}

export interface JobLineParts {
  job: Job
  /** 'Holidays'; '' where it is of no collection. */
  name: string
  pace: Pace
  /** Why it waits. */
  waits: string
  width: number
  signs: Pick<Signs, 'full' | 'empty'>
}

/** 'Scan of Holidays': without a collection only what it does. */
export function titleOf({ kind }: Pick<Job, 'kind'>, name: string): string {
  return jobTitle(kind, name === '' ? 'all collections' : name)
}

/** How many of how many; what it found where nobody knows how many there are. */
export function amountOf({ done, total, counts, kind }: Job): string {
  if (total !== null && total > 0) return `${figure(done)} of ${figure(total)}`
  const found = counts.found ?? done
  return found === 0 ? '' : `${plural(found, unitOf(kind))}${counts.found === undefined ? '' : ' found'}`
}

const amountWidth = 20

/**
 * The line without the room for the cursor before it. Rate and time left go first where it is narrow, then the bar becomes
 * short; the title is cut last.
 */
export function jobLine({ job, name, pace, waits, width, signs }: JobLineParts): Line {
  const isWide = width >= 74
  const rest = isWide ? 8 + 2 + 15 : 0
  const titleWidth = Math.max(12, Math.min(26, Math.floor(width * (isWide ? 0.24 : 0.32))))
  const amount = width >= 90 ? amountWidth : 17
  const forBar = Math.min(40, width - titleWidth - 2 - 6 - 2 - amount - rest)
  const barWidth = forBar < 4 ? 0 : forBar
  const share = job.state === 'running' ? shareOfJob(job) : null
  const percent = share === null ? '' : `${Math.floor(share * 100)} %`
  const spans: Span[] = [
    ...fillLine([titleOf(job, name)], titleWidth),
    '  ',
    ...bar(share ?? 0, barWidth, signs),
    ...fillLine([percent], 6, 'end'),
    '  ',
  ]
  if (job.state === 'queued') return cutLine([...spans, { text: waits, style: 'dim' }], width)
  if (job.state !== 'running') return [...spans, { text: stateText(job.state).toLowerCase(), style: 'dim' }]
  spans.push(...fillLine([amountOf(job)], amount))
  if (!isWide) return cutLine(spans, width)
  const { rate, left } = pace
  const rateText = rate === null || rate <= 0 ? '' : `${rate < 10 ? rate.toFixed(1) : figure(Math.round(rate))}/s`
  return [
    ...spans,
    ...fillLine([{ text: rateText, style: 'dim' }], 8, 'end'),
    '  ',
    { text: left === null ? '' : shortLeft(left), style: 'dim' },
  ]
}

/** The line of a job that runs or waits, with its pace by now; `width` is that of the screen. */
export function activeLine(
  job: Job,
  {
    paces,
    active,
    nameOf,
    now,
    width,
    signs,
  }: {
    paces: Paces
    active: readonly Job[]
    nameOf: (id: number | null) => string
    now: number
  } & Pick<JobLineParts, 'width' | 'signs'>,
): Line {
  const { id, done, total, state, collection_id } = job
  const pace = state === 'running' ? paces.pace(id, done, total, now) : { rate: null, left: null }
  const waits = waitingWords(job, active, nameOf)
  return jobLine({ job, name: nameOf(collection_id), pace, waits, width: width - 4, signs })
}

/** '16 min left': seconds do not matter any more from ten minutes on. */
function shortLeft(seconds: number): string {
  return seconds >= 600 && seconds < 3600 ? `${Math.round(seconds / 60)} min left` : timeLeft(seconds)
}
