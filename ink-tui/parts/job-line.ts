/** A job as one line: title, bar, progress, rate, remaining time. */
import type { Job } from '../../schema/api/jobs.ts'
import { figure, plural } from '../../schema/figures.ts'
import { jobTitle, shareOfJob, unitOf } from '../../schema/job-words.ts'
import { cutLine, fillLine, type Line, type Span } from '../line.ts'
import type { Signs } from '../terminal/terminal.ts'
import { timeLeft } from '../text.ts'
import { bar, type Paces } from './bar.ts'

/** 'waits for the scan of Holidays': names the job that blocks this one. */
export function waitingWords(job: Job, active: readonly Job[], nameOf: (id: number | null) => string): string {
  const running = active.filter(({ state }) => state === 'running')
  const isInTheWay = (other: Job) => other.collection_id === job.collection_id || other.kind === job.kind
  // Jobs that extend a scan wait for any running job.
  const before = running.find(isInTheWay) ?? running[0]
  if (before === undefined) return 'queued'
  const title = jobTitle(before.kind, nameOf(before.collection_id))
  return `waits for the ${title.slice(0, 1).toLowerCase()}${title.slice(1)}`
}

export interface JobLines {
  paces: Paces
  active: readonly Job[]
  nameOf: (id: number | null) => string
  now: number
  /** Width of the screen. */
  width: number
  signs: Pick<Signs, 'full' | 'empty'>
}

/** 'Scan of Holidays'; without a collection, 'Scan of all collections'. */
export function titleOf({ kind }: Pick<Job, 'kind'>, name: string): string {
  return jobTitle(kind, name === '' ? 'all collections' : name)
}

/** Done and total, or counts if the total is unknown. */
export function amountOf({ done, total, counts, kind }: Job): string {
  if (total !== null && total > 0) return `${figure(done)} of ${figure(total)}`
  const found = counts.found ?? done
  return found === 0 ? '' : `${plural(found, unitOf(kind))}${counts.found === undefined ? '' : ' found'}`
}

const amountWidth = 20

/** The line without the cursor's column. Narrow lines have no rate and no time, and a shorter bar. */
export function activeLine(job: Job, { paces, active, nameOf, now, width: whole, signs }: JobLines): Line {
  const width = whole - 4
  const isWide = width >= 74
  const rest = isWide ? 8 + 2 + 15 : 0
  const titleWidth = Math.max(12, Math.min(26, Math.floor(width * (isWide ? 0.24 : 0.32))))
  const amount = width >= 90 ? amountWidth : 17
  const forBar = Math.min(40, width - titleWidth - 2 - 6 - 2 - amount - rest)
  const barWidth = forBar < 4 ? 0 : forBar
  const share = job.state === 'running' ? shareOfJob(job) : null
  const percent = share === null ? '' : `${Math.floor(share * 100)} %`
  const spans: Span[] = [
    ...fillLine([titleOf(job, nameOf(job.collection_id))], titleWidth),
    '  ',
    ...bar(share ?? 0, barWidth, signs),
    ...fillLine([percent], 6, 'end'),
    '  ',
  ]
  if (job.state !== 'running')
    return cutLine([...spans, { text: waitingWords(job, active, nameOf), style: 'dim' }], width)
  spans.push(...fillLine([amountOf(job)], amount))
  if (!isWide) return cutLine(spans, width)
  const { rate, left } = paces.pace(job.id, job.done, job.total, now)
  const rateText = rate === null || rate <= 0 ? '' : `${rate < 10 ? rate.toFixed(1) : figure(Math.round(rate))}/s`
  return [
    ...spans,
    ...fillLine([{ text: rateText, style: 'dim' }], 8, 'end'),
    '  ',
    { text: left === null ? '' : shortTimeLeft(left), style: 'dim' },
  ]
}

/** '16 min left'; from ten minutes on, seconds are omitted. */
function shortTimeLeft(seconds: number): string {
  return seconds >= 600 && seconds < 3600 ? `${Math.round(seconds / 60)} min left` : timeLeft(seconds)
}
