/** Waits for jobs that were started on this page, and shows their progress. */
import { effect } from '@preact/signals-react'
import type { Job } from '../../../schema/api/jobs.ts'
import { waitForJob } from './job-end.ts'
import { activeJobs, cancelJob, loadJobs } from './jobs.ts'
import { runningWork, type Work } from './work.ts'

/** Returns the job when it has ended. Calls `onProgress` whenever its progress changes. */
export async function followJob(id: number, onProgress: (job: Job) => void): Promise<Job> {
  // Adds the new job to `activeJobs` at once: without a connection no message reports it.
  void loadJobs().catch(() => {})
  const stop = effect(() => {
    const job = activeJobs.value.find(one => one.id === id)
    if (job !== undefined) queueMicrotask(() => onProgress(job))
  })
  try {
    return await waitForJob(id)
  } finally {
    stop()
  }
}

/**
 * Returns a job on many items when it has ended; until then shows `text` with a progress bar and a Cancel button.
 * `failure`: the message if cancelling fails. `total` is used until the job knows its own.
 */
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
      // A single item is done before anyone could read a progress bar.
      if (all < 2) return
      shown = { text, done: job.done, total: all, cancel: () => void cancelJob(id, failure) }
      runningWork.value = shown
    })
  } finally {
    if (shown !== null && runningWork.peek() === shown) runningWork.value = null
  }
}
