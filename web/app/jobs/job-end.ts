/** Waits for the end of jobs that were started here. */
import type { Job } from '../../../schema/api/jobs.ts'
import { api } from '../../api.ts'
import { activeJobs } from './jobs.ts'

/** Milliseconds between polls; websocket messages trigger one earlier. */
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

/** Resolves with the ended job, whatever its result. While the server is out of reach, it keeps polling. */
export async function jobEnd(id: number): Promise<Job> {
  for (;;) {
    const job = await api.jobs.get({ params: { id } }).catch(() => null)
    if (job !== null && job.state !== 'queued' && job.state !== 'running') return job
    await nextUpdate()
  }
}
