/** Work that was started here, followed to its end, as its task channel tells it. */
import { effect } from '@preact/signals-react'
import type { Job } from '../../schema/api/jobs.ts'
import { jobEnd } from './job-end.ts'
import { activeJobs, loadJobs } from './jobs.ts'

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
