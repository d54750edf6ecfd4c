/** Work that was started here, followed to its end, as its task channel tells it. */
import { effect } from '@preact/signals-react'
import type { Job } from '../../../schema/api/jobs.ts'
import { jobEnd } from './job-end.ts'
import { activeJobs, cancelJob, loadJobs } from './jobs.ts'
import { type Work, work } from './work.ts'

/** The job as it ended; `onProgress` hears of every step until then. */
export async function followJob(id: number, onProgress: (job: Job) => void): Promise<Job> {
  // Without a connection nothing is told: what is known to go on is asked after.
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

/** Follows work on many items and shows how far it is, with a way to stop it. `total`: until the job says how many there are. */
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
      // One is done before anybody reads of it.
      if (all < 2) return
      shown = { text, done: job.done, total: all, stop: () => void cancelJob(id, failure) }
      work.value = shown
    })
  } finally {
    if (shown !== null && work.peek() === shown) work.value = null
  }
}
