/** A collection's row: name, labels, status, progress and actions. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  ArrowDownAZ,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleStop,
  CopyPlus,
  FileDown,
  FileSpreadsheet,
  FileUp,
  FolderTree,
  Globe,
  Lock,
  type LucideIcon,
  Pencil,
  RefreshCw,
  Trash2,
  TriangleAlert,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Collection } from '../../../schema/api/collections.ts'
import type { Job } from '../../../schema/api/jobs.ts'
import { percentText } from '../../../schema/figures.ts'
import { jobsOf, shareOfJob } from '../../../schema/job-words.ts'
import { ownCollections } from '../../app/collections.ts'
import { JobProgress } from '../../app/jobs/job-progress.tsx'
import { activeJobs, cancelJob, problemCounts } from '../../app/jobs/jobs.ts'
import { globalAdmin } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import type { MenuEntry } from '../../kit/layers/menu.tsx'
import { RowAction } from '../../kit/table/row-action.tsx'
import { listText } from '../../kit/words.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { collectionsTexts } from '../../texts/collections.ts'
import { activityName, jobName } from '../../texts/names.ts'
import { exportCollection } from './collection-work.ts'

export type RowDialog =
  | 'edit'
  | 'access'
  | 'delete'
  | 'sort'
  | 'import-metadata'
  | 'export-metadata'
  | 'import'
  | 'problems'

export function NameCell({ of }: { of: Collection }) {
  useSignals()
  const isPublic = of.access.some(group => group.public)
  return (
    <span className="flex items-center gap-2 min-w-0">
      <span className="truncate font-semibold" title={of.name} dir="auto">
        {of.name}
      </span>
      {isPublic && <Globe size={16} className="soft shrink-0" aria-label={collectionsTexts.openToVisitors} />}
      {of.readonly && <Lock size={16} className="soft shrink-0" aria-label={collectionsTexts.readOnly} />}
      {of.managed && <FolderTree size={16} className="soft shrink-0" aria-label={collectionsTexts.managed} />}
    </span>
  )
}

function StatusMark({ icon: Icon, tone = '', children }: { icon: LucideIcon; tone?: string; children: ReactNode }) {
  return (
    <span className={`flex items-center gap-2 whitespace-nowrap ${tone}`}>
      <Icon size={16} aria-hidden="true" />
      {children}
    </span>
  )
}

function jobText(job: Job): string {
  const share = shareOfJob(job)
  if (job.state === 'queued') return baseTexts.waiting
  return share === null
    ? activityName(job.kind)
    : listText([activityName(job.kind), percentText(Math.floor(share * 100) / 100)])
}

export function StateCell({ of, onProblems }: { of: Collection; onProblems: () => void }) {
  useSignals()
  const { work, background } = jobsOf(activeJobs.value, of.id)
  const problems = problemCounts.value.get(of.id) ?? 0
  if (work !== undefined) return <StatusMark icon={RefreshCw}>{jobText(work)}</StatusMark>
  if (of.safetyStop !== null) {
    return (
      <StatusMark icon={CircleAlert} tone="text-warning">
        {adminTexts.stopped}
      </StatusMark>
    )
  }
  if (problems > 0) {
    return (
      <Button
        className="flex items-center gap-2 whitespace-nowrap text-warning hover:underline underline-offset-3 min-h-(--tap)"
        icon={TriangleAlert}
        iconSize={16}
        text={adminTexts.problemCount({ count: problems })}
        onClick={onProblems}
      />
    )
  }
  if (of.lastscan === '') {
    return (
      <StatusMark icon={CircleDashed} tone="soft">
        {collectionsTexts.notScanned}
      </StatusMark>
    )
  }
  // Background work, such as making medium pictures, is shown only if there is nothing more important.
  if (background?.state === 'running') {
    return (
      <StatusMark icon={RefreshCw} tone="soft">
        {jobText(background)}
      </StatusMark>
    )
  }
  return (
    <StatusMark icon={CircleCheck} tone="soft">
      {collectionsTexts.upToDate}
    </StatusMark>
  )
}

/** The progress of the job that works on the collection; null if there is none. */
export function progressOf(of: Collection): ReactNode {
  const { work } = jobsOf(activeJobs.value, of.id)
  return work === undefined ? null : <JobProgress job={work} wide />
}

function stopJob(job: Job, of: Collection): void {
  void cancelJob(job.id, collectionsTexts.failedToStopJob({ job: jobName(job.kind, of.name) }))
}

/** Actions besides the buttons; null for users who do not administer the collection, and while a job works on it. */
export function menuOf(of: Collection, folded: boolean, open: (dialog: RowDialog) => void): MenuEntry[] | null {
  const { work, background } = jobsOf(activeJobs.value, of.id)
  if (!of.rights.admin || work !== undefined) return null
  const entry = (text: string, icon: LucideIcon, dialog: RowDialog): MenuEntry => ({
    text,
    icon,
    act: () => open(dialog),
  })
  return [
    ...(folded ? [entry(collectionsTexts.access, Users, 'access'), entry(editText(), Pencil, 'edit')] : []),
    ...(of.managed && !of.readonly ? [entry(collectionsTexts.sort, ArrowDownAZ, 'sort')] : []),
    entry(collectionsTexts.importMetadataDialog, FileUp, 'import-metadata'),
    ...(of.readonly ? [] : [entry(collectionsTexts.exportMetadataDialog, FileDown, 'export-metadata')]),
    ...(of.readonly || ownCollections.value.length < 2
      ? []
      : [entry(collectionsTexts.importFromACollection, CopyPlus, 'import')]),
    { text: collectionsTexts.exportAsCsv, icon: FileSpreadsheet, act: () => void exportCollection(of) },
    ...(background === undefined
      ? []
      : [
          {
            text: collectionsTexts.stop({ job: activityName(background.kind) }),
            icon: CircleStop,
            act: () => stopJob(background, of),
          },
        ]),
    ...(globalAdmin.value ? [{ ...entry(collectionsTexts.delete, Trash2, 'delete'), danger: true }] : []),
  ]
}

const editText = () => (globalAdmin.value ? adminTexts.edit : baseTexts.settings)

export function RowActions({
  of,
  folded,
  onScan,
  onOpen,
}: {
  of: Collection
  folded: boolean
  onScan: () => void
  onOpen: (dialog: RowDialog) => void
}) {
  useSignals()
  const { work } = jobsOf(activeJobs.value, of.id)
  if (!of.rights.admin) return null
  if (work !== undefined) {
    return (
      <Button
        look="ghost"
        small
        className="text-sm"
        text={baseTexts.stop}
        aria-label={collectionsTexts.stop({ job: jobName(work.kind, of.name) })}
        onClick={() => stopJob(work, of)}
      />
    )
  }
  return (
    <>
      <RowAction icon={RefreshCw} text={baseTexts.scan} of={of.name} onClick={onScan} />
      {!folded && (
        <>
          <RowAction
            icon={Users}
            text={collectionsTexts.access}
            of={of.name}
            label={collectionsTexts.accessTo({ name: of.name })}
            onClick={() => onOpen('access')}
          />
          <RowAction icon={Pencil} text={editText()} of={of.name} onClick={() => onOpen('edit')} />
        </>
      )}
    </>
  )
}
