/** Running and ended jobs, newest first. */
import { computed } from '@preact/signals-react'
import type { Job } from '../../schema/api/jobs.ts'
import { api } from '../api.ts'
import { collections } from '../app/collections.ts'
import { activeJobs } from '../app/jobs/jobs.ts'
import { createResource } from '../app/loading/resource.ts'
import { adminTexts } from '../texts/admin.ts'
import { baseTexts } from '../texts/base.ts'

const {
  value: loadedJobs,
  failed: jobsFailed,
  load: loadJobList,
} = createResource<readonly Job[]>(adminTexts.failedToLoadJobs, () => api.jobs.list({ query: { state: 'all' } }))

export { jobsFailed, loadJobList }

/** Null until loaded. Running jobs come from `activeJobs`, which events keep up to date. */
export const jobList = computed(() => {
  if (loadedJobs.value === null) return null
  const live = new Map(activeJobs.value.map(job => [job.id, job]))
  const fresh = activeJobs.value.filter(({ id }) => loadedJobs.value?.every(job => job.id !== id))
  return [...fresh, ...loadedJobs.value.map(job => live.get(job.id) ?? job)].sort((a, b) => b.id - a.id)
})

/** Changes when a job starts or ends. */
export const activeJobIds = computed(() =>
  activeJobs.value
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join(' '),
)

export function collectionName(id: number | null): string {
  return collections.value?.find(one => one.id === id)?.name ?? baseTexts.theLibrary
}
