/** Queued and running jobs, their earlier progress, and the notice when one ends; also problems of files. */
import { computed } from '@preact/signals-react'
import { type Job, job as jobShape, type Problem } from '../../../schema/api/jobs.ts'
import { api } from '../../api.ts'
import { baseTexts } from '../../texts/base.ts'
import { collections } from '../collections.ts'
import { createResource } from '../loading/resource.ts'
import { attempt } from '../messages.ts'
import { signedIn } from '../session.ts'
import { userSignal } from '../user-data.ts'
import { jobEndMessage } from './job-results.ts'
import { addNotice } from './notices.ts'
import { type Sample, withSample } from './pace.ts'

export const activeJobs = userSignal<readonly Job[]>([])
/** Earlier progress of each job, to compute its rate. */
export const samples = userSignal<ReadonlyMap<number, readonly Sample[]>>(new Map())
export const {
  value: problems,
  failed: problemsFailed,
  load: loadProblems,
} = createResource<readonly Problem[]>(baseTexts.failedToLoadProblems, () =>
  api.jobs.problems({ params: { collectionId: 0 } }),
)

/** The scans that are queued or running, by the id of their collection. */
export const scans = computed(
  () => new Map(activeJobs.value.filter(({ kind }) => kind === 'scan').map(job => [job.collection_id ?? 0, job])),
)
/** Number of problems by the id of their collection. */
export const problemCounts = computed(() => {
  const counts = new Map<number, number>()
  for (const { collection_id: id } of problems.value ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
})

function nameOf(job: Job): string {
  return collections.value?.find(({ id }) => id === job.collection_id)?.name ?? baseTexts.theLibrary
}

function reportEnd(job: Job): void {
  const ended = jobEndMessage(job, nameOf(job))
  if (ended !== null) addNotice(ended.level, ended.text, ended.detail)
}

/** Loads queued and running jobs. Returns true if there are any, or if one has just ended. */
export async function loadJobs(): Promise<boolean> {
  if (!signedIn.value) return false
  const before = activeJobs.value
  const now = await api.jobs.list({ query: { state: 'active' } })
  const at = Date.now()
  samples.value = new Map(now.map(job => [job.id, withSample(samples.value.get(job.id) ?? [], { at, done: job.done })]))
  activeJobs.value = now
  const ended = before.filter(({ id }) => !now.some(job => job.id === id))
  for (const { id } of ended) reportEnd(await api.jobs.get({ params: { id } }))
  return now.length > 0 || ended.length > 0
}

const isActive = ({ state }: Job) => state === 'queued' || state === 'running'

/** Takes a job that the server has published. */
export function receiveJob(value: unknown): void {
  const { data: job } = jobShape.safeParse(value)
  if (job === undefined) return
  const isListed = activeJobs.value.some(({ id }) => id === job.id)
  const others = activeJobs.value.filter(({ id }) => id !== job.id)
  if (isActive(job)) {
    activeJobs.value = isListed ? activeJobs.value.map(one => (one.id === job.id ? job : one)) : [job, ...others]
    samples.value = new Map(samples.value).set(
      job.id,
      withSample(samples.value.get(job.id) ?? [], { at: Date.now(), done: job.done }),
    )
    return
  }
  activeJobs.value = others
  if (isListed) reportEnd(job)
}

/** `failure`: the message if the call fails. */
export async function cancelJob(id: number, failure = baseTexts.failedToStopTheScan): Promise<void> {
  await attempt(failure, () => api.jobs.cancel({ params: { id } }))
}
