/** How far a scan is: a bar with its numbers, rate, time left and what was found. */
import { useSignals } from '@preact/signals-react/runtime'
import type { Job } from '../../schema/api/jobs.ts'
import { countText, plural } from '../state/dates.ts'
import { countsText, samples } from '../state/jobs.ts'
import { leftText, paceOf } from '../state/pace.ts'

/** Share of a job that is done, 0–1; null while its size is not known. */
export function shareOfJob({ done, total }: Pick<Job, 'done' | 'total'>): number | null {
  return total === null || total === 0 ? null : Math.min(1, done / total)
}

export function ScanProgress({ job, wide = false }: { job: Job; wide?: boolean }) {
  useSignals()
  const share = shareOfJob(job)
  const running = job.started === null ? 0 : Date.now() - job.started
  const { rate, secondsLeft } = paceOf(samples.value.get(job.id) ?? [], job.total, running)
  const found = countsText(job)
  return (
    <div>
      <div
        className="bar"
        role="progressbar"
        aria-label="Scan"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share === null ? undefined : Math.round(share * 100)}
      >
        <i style={{ width: `${(share ?? 0) * 100}%` }} />
      </div>
      <p className="mt-2 text-xs soft flex gap-x-6 gap-y-1 flex-wrap">
        <span>
          <b className="font-semibold text-base-content">{countText(job.done)}</b>
          {job.total === null ? (job.done === 1 ? ' file' : ' files') : ` of ${plural(job.total, 'file')}`}
        </span>
        {rate !== null && <span>{countText(Math.max(1, Math.round(rate)))} a second</span>}
        {secondsLeft !== null && <span>{leftText(secondsLeft)}</span>}
        {found !== '' && <span>{found}</span>}
        {wide && job.message !== '' && (
          <span className="ml-auto font-mono truncate-front max-w-[24rem]" title={job.message}>
            <bdi>{job.message}</bdi>
          </span>
        )}
      </p>
    </div>
  )
}
