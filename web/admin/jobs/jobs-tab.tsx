/** Tab Jobs: running jobs with progress, and results of ended ones. */

import { useSignals } from '@preact/signals-react/runtime'
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  Clock,
  Coffee,
  RefreshCw,
  Square,
  TriangleAlert,
} from 'lucide-react'
import { useEffect } from 'react'
import type { Job } from '../../../schema/api/jobs.ts'
import { JobProgress } from '../../app/jobs/job-progress.tsx'
import { countsText } from '../../app/jobs/job-results.ts'
import { cancelJob } from '../../app/jobs/jobs.ts'
import { durationText } from '../../app/jobs/pace.ts'
import { Button } from '../../kit/button.tsx'
import { momentText } from '../../kit/dates.ts'
import { Empty } from '../../kit/empty.tsx'
import { DataTable } from '../../kit/table/data-table.tsx'
import { RowAction } from '../../kit/table/row-action.tsx'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { jobsTexts } from '../../texts/jobs.ts'
import { serverMessage } from '../../texts/language/server-message.ts'
import { jobName, jobStateName } from '../../texts/names.ts'
import { activeJobIds, collectionName, jobList, jobsFailed, loadJobList } from '../job-list.ts'

const marks = {
  queued: { icon: Clock, tone: 'soft' },
  running: { icon: RefreshCw, tone: '' },
  done: { icon: CircleCheck, tone: 'soft' },
  failed: { icon: CircleAlert, tone: 'text-error' },
  cancelled: { icon: CircleSlash, tone: 'soft' },
  stopped: { icon: CircleDashed, tone: 'text-warning' },
} as const

function StateMark({ job }: { job: Job }) {
  const { icon: Icon, tone } = marks[job.state]
  return (
    <span className={`flex items-center gap-2 whitespace-nowrap ${tone}`}>
      <Icon size={16} aria-hidden="true" />
      {jobStateName(job.state)}
    </span>
  )
}

const isActive = ({ state }: Job) => state === 'queued' || state === 'running'

/** The result of a job besides problems; '' if there is none. */
function resultText(job: Job): string {
  const text = [countsText({ ...job, problems: 0 }), serverMessage(job.message), serverMessage(job.error ?? '')]
    .filter(part => part !== '')
    .join('. ')
  return text === '' && job.kind === 'scan' && job.state === 'done' ? adminTexts.nothingChanged : text
}

const hasResult = (job: Job) => !isActive(job) && (job.problems > 0 || resultText(job) !== '')

function Result({ job, onProblems }: { job: Job; onProblems: (collection: number) => void }) {
  const text = resultText(job)
  return (
    <span className="flex flex-wrap items-center gap-x-3 min-w-0">
      {job.problems > 0 && (
        <Button
          className="inline-flex items-center gap-1.5 text-warning hover:underline underline-offset-3 whitespace-nowrap min-h-[var(--tap)]"
          icon={TriangleAlert}
          iconSize={16}
          text={adminTexts.problemCount({ count: job.problems })}
          onClick={() => onProblems(job.collection_id ?? 0)}
        />
      )}
      <span className="soft min-w-0 [overflow-wrap:anywhere]" dir="auto">
        {text}
      </span>
    </span>
  )
}

function tookText({ started, finished }: Job): string {
  return started === null || finished === null ? '' : durationText(finished - started)
}

export function JobsTab({ onProblems }: { onProblems: (collection: number) => void }) {
  useSignals()
  const jobIds = activeJobIds.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on whether a job started or ended
  useEffect(() => void loadJobList(), [jobIds])
  const title = (job: Job) => jobName(job.kind, collectionName(job.collection_id))
  return (
    <DataTable
      caption={baseTexts.jobs}
      columns={[
        {
          name: 'what',
          head: jobsTexts.job,
          cell: job => (
            <span className="block truncate font-semibold" dir="auto" title={title(job)}>
              {title(job)}
            </span>
          ),
        },
        { name: 'state', head: adminTexts.state, width: 128, card: 'plain', cell: job => <StateMark job={job} /> },
        {
          name: 'started',
          head: jobsTexts.started,
          width: 164,
          drops: 1,
          cell: job => <span className="soft">{momentText(new Date(job.started ?? job.created).toISOString())}</span>,
        },
        {
          name: 'took',
          head: jobsTexts.duration,
          width: 104,
          drops: 2,
          align: 'end',
          cell: job => <span className="soft">{tookText(job)}</span>,
        },
        {
          name: 'result',
          head: jobsTexts.result,
          card: 'plain',
          cell: job => (hasResult(job) ? <Result job={job} onProblems={onProblems} /> : null),
        },
      ]}
      rows={jobList.value ?? []}
      keyOf={({ id }) => id}
      nameOf={title}
      actionsWidth={64}
      actions={job =>
        isActive(job) && (
          <RowAction
            icon={Square}
            text={baseTexts.stop}
            of={title(job)}
            onClick={() => void cancelJob(job.id, jobsTexts.failedToStopTheJob)}
          />
        )
      }
      below={job => (job.state === 'running' ? <JobProgress job={job} wide /> : null)}
      empty={
        <Empty icon={Coffee} title={jobsTexts.noJobs}>
          {jobsTexts.noJobsHint}
        </Empty>
      }
      loading={jobList.value === null && !jobsFailed.value}
      {...(jobList.value === null && jobsFailed.value ? { onRetry: loadJobList } : {})}
      pageSize={50}
    />
  )
}
