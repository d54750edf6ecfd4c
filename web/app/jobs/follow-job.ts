/** Follows jobs that were started here to their end. */
import { effect } from '@preact/signals-react'
import type { Job } from '../../../schema/api/jobs.ts'
import { jobEnd } from './job-end.ts'
import { activeJobs, cancelJob, loadJobs } from './jobs.ts'
import { type Work, work } from './work.ts'

/** Resolves with the ended job; `onProgress` is called on every progress update. */
export async function followJob(id: number, onProgress: (job: Job) => void): Promise<Job> {
  // Adds the new job to `activeJobs` at once: without a connection no message reports it.
  void loadJobs().catch(() => {})
  const stop = effect(() => {
    const job = activeJobs.value.find(one => one.id === id)
    if (job !== undefined) queueMicrotask(() => onProgress(job))
  })
  try {
    return await jobEnd(id)
  } finally {
    stop()
  }
}

/** Follows work on many items with a progress bar and a Cancel button. `total` is used until the job has its own. */
export async function followWork(
  id: number,
  {
    text,
    failure,
    total = 0,
    onProgress,
  }: { text: string; failure: string; total?: number; onProgress?: (job: Job) => void },
): Promise<Job> {
  let shown: Work | null = null
  try {
    return await followJob(id, job => {
      onProgress?.(job)
      const all = job.total ?? total
      // A single item is done before a progress bar could be read.
      if (all < 2) return
      shown = { text, done: job.done, total: all, stop: () => void cancelJob(id, failure) }
      work.value = shown
    })
  } finally {
    if (shown !== null && work.peek() === shown) work.value = null
  }
}
