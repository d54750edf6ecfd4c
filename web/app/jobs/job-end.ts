/** Waits for the end of a job. */
import type { Job } from '../../../schema/api/jobs.ts'
import { api } from '../../api.ts'
import { activeJobs } from './jobs.ts'

/** Milliseconds between polls; a change of `activeJobs` triggers one earlier. */
const pollMs = 2_000

function nextUpdate(): Promise<void> {
  return new Promise(done => {
    let stop = () => {}
    const end = () => {
      clearTimeout(timer)
      stop()
      done()
    }
    const timer = setTimeout(end, pollMs)
    let first = true
    stop = activeJobs.subscribe(() => {
      if (!first) end()
      first = false
    })
  })
}

/** Returns the job when it has ended, whatever its result. Keeps polling while the server is out of reach. */
export async function waitForJob(id: number): Promise<Job> {
  for (;;) {
    const job = await api.jobs.get({ params: { id } }).catch(() => null)
    if (job !== null && job.state !== 'queued' && job.state !== 'running') return job
    await nextUpdate()
  }
}
