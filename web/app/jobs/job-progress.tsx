/** Progress of a scan or another job: bar, counts, rate, remaining time. */
import { useSignals } from '@preact/signals-react/runtime'
import type { Job } from '../../../schema/api/jobs.ts'
import { figure } from '../../../schema/figures.ts'
import { shareOfJob, unitOf } from '../../../schema/job-words.ts'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import { baseTexts } from '../../texts/base.ts'
import { serverMessage } from '../../texts/language/server-message.ts'
import { activityName } from '../../texts/names.ts'
import { countsText } from './job-results.ts'
import { samples } from './jobs.ts'
import { paceOf, timeLeftText } from './pace.ts'

/** Texts for a number of things that a job counts, by the result of `unitOf`. */
const units: Readonly<Record<string, (values: { count: number }) => string>> = {
  change: baseTexts.changeCount,
  face: baseTexts.faceCount,
  file: baseTexts.fileCount,
  group: baseTexts.groupCount,
  item: baseTexts.itemCount,
  picture: baseTexts.pictureCount,
  second: baseTexts.secondCount,
  step: baseTexts.stepCount,
}

export function JobProgress({ job, wide = false }: { job: Job; wide?: boolean }) {
  useSignals()
  const share = shareOfJob(job)
  const runningMs = job.started === null ? 0 : Date.now() - job.started
  const { rate, secondsLeft } = paceOf(samples.value.get(job.id) ?? [], job.total, runningMs)
  const counts = countsText(job)
  const unit = units[unitOf(job.kind)] ?? baseTexts.itemCount
  return (
    <div>
      <ProgressBar label={job.kind === 'scan' ? baseTexts.scan : activityName(job.kind)} done={share} total={1} />
      <p className="mt-2 text-xs soft flex gap-x-6 gap-y-1 flex-wrap">
        <span>
          {job.total === null
            ? unit({ count: job.done })
            : baseTexts.doneOfTotal({
                done: <b className="font-semibold text-base-content">{figure(job.done)}</b>,
                total: unit({ count: job.total }),
              })}
        </span>
        {rate !== null && <span>{baseTexts.perSecond({ number: Math.max(1, Math.round(rate)) })}</span>}
        {secondsLeft !== null && <span>{timeLeftText(secondsLeft)}</span>}
        {counts !== '' && <span>{counts}</span>}
        {wide && job.message !== '' && (
          <span className="ms-auto min-w-0 max-w-full">
            <span className="block font-mono truncate-front max-w-[24rem]" title={job.message}>
              <bdi>{serverMessage(job.message)}</bdi>
            </span>
          </span>
        )}
      </p>
    </div>
  )
}
