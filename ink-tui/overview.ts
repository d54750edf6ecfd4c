/** The status of collections, shown on several screens, in the words of the web pages. */
import type { Collection } from '../schema/api/collections.ts'
import type { Job } from '../schema/api/jobs.ts'
import { plural } from '../schema/figures.ts'
import { activityText, jobsOf } from '../schema/job-words.ts'
import type { Styled } from './line.ts'
import type { Column } from './parts/table.tsx'
import type { TuiSession } from './session.ts'
import { dayAndTime } from './text.ts'

/** `problems`: number of problems of each collection. */
export type Overview = Awaited<ReturnType<typeof loadOverview>>

export const noOverview: Overview = { collections: [], problems: new Map(), active: [] }

/** Collections without 'All', the numbers of their problems, and active jobs. */
export async function loadOverview({ client, library, viewer }: TuiSession) {
  const [, ...collections] = await client.collections.list()
  const active = await client.jobs.list({ query: { state: 'active' } })
  return { collections, problems: library.problems.counts(viewer), active: sortJobs(active) }
}

/** Running jobs first, then waiting ones, both oldest first. */
export function sortJobs(jobs: readonly Job[]): Job[] {
  const rank = (job: Job) => (job.state === 'running' ? 0 : 1)
  return jobs.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id)
}

/** For example 'Today 09:12', 'running', 'Never'. */
export function lastScanText({ id, lastscan }: Collection, active: readonly Job[], now: number): string {
  if (active.some(job => job.collection_id === id && job.kind === 'scan' && job.state === 'running')) return 'running'
  return lastscan === '' ? 'Never' : dayAndTime(Date.parse(lastscan), now)
}

/** 'stopped', 'scanning', '2 problems', 'up to date'; amber if it needs attention. */
export function statusOf(one: Collection, { active, problems }: Overview): Styled {
  const { work } = jobsOf(active, one.id)
  if (work !== undefined)
    return { text: work.state === 'queued' ? 'waiting' : activityText(work.kind).toLowerCase(), style: 'plain' }
  if (one.safetyStop !== null) return { text: 'stopped', style: 'amber' }
  const found = problems.get(one.id) ?? 0
  if (found > 0) return { text: plural(found, 'problem'), style: 'amber' }
  return { text: one.lastscan === '' ? 'not scanned' : 'up to date', style: 'dim' }
}

export function statusColumns(overview: Overview, now: number): Column<Collection>[] {
  return [
    { id: 'scan', title: 'last scan', width: 16, drop: 1, cell: one => lastScanText(one, overview.active, now) },
    { id: 'state', title: 'state', width: 15, drop: 2, cell: one => statusOf(one, overview) },
  ]
}

export function collectionColumn(
  nameOf: (id: number) => string | undefined,
  more: Pick<Column<unknown>, 'drop' | 'style'> & { width: number },
): Column<{ collection_id: number }> {
  return { id: 'collection', title: 'collection', ...more, cell: one => nameOf(one.collection_id) ?? '' }
}
