/** Tab History: what was changed, by whom, and Undo. */

import { useSignals } from '@preact/signals-react/runtime'
import { History, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { HistoryStep } from '../../../schema/api/history.ts'
import { ownLocale } from '../../../schema/locale.ts'
import { administeredCollections } from '../../app/collections.ts'
import { JobProgress } from '../../app/jobs/job-progress.tsx'
import { activeJobs } from '../../app/jobs/jobs.ts'
import { versionOf } from '../../app/loading/stale.ts'
import { undoStep } from '../../items/undo.ts'
import { Button } from '../../kit/button.tsx'
import { momentText } from '../../kit/dates.ts'
import { Empty } from '../../kit/empty.tsx'
import { DataTable } from '../../kit/table/data-table.tsx'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { actorName, jobsTexts, stepName } from '../../texts/jobs.ts'
import { activeJobIds, collectionName } from '../job-list.ts'
import { CollectionChoice } from '../one-collection.tsx'
import { history, historyFailed, loadHistory, loadMoreHistory } from './history.ts'

function StepCell({ step }: { step: HistoryStep }) {
  const text = stepName(step)
  return (
    <span className="flex flex-wrap items-baseline gap-x-3 min-w-0">
      <span className={`min-w-0 ${step.undone ? 'line-through soft' : 'font-semibold'}`}>
        {step.item_id === null ? (
          text
        ) : (
          <Link href={`/item/${step.item_id}`} className="hover:underline underline-offset-3">
            {text}
          </Link>
        )}
      </span>
      {step.item_name !== null && <bdi className="soft text-xs min-w-0 [overflow-wrap:anywhere]">{step.item_name}</bdi>}
      {(step.undone || step.partly_undone) && (
        <span className="soft text-xs whitespace-nowrap">
          {step.undone ? baseTexts.undone : jobsTexts.partlyUndone}
        </span>
      )}
    </span>
  )
}

export function HistoryTab({ collection, onCollection }: { collection: number; onCollection: (id: number) => void }) {
  useSignals()
  const version = `${versionOf('items')} ${activeJobIds.value}`
  const [undoing, setUndoing] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes when the history has changed
  useEffect(() => void loadHistory(collection), [collection, version])
  const known = history.value?.collection === collection ? history.value : null
  const job = activeJobs.value.find(({ kind }) => kind === 'undo')
  const undo = async (step: HistoryStep) => {
    setUndoing(step.step)
    await undoStep(step.step)
    await loadHistory(collection)
    setUndoing(null)
  }
  return (
    <>
      <div className="table-tools">
        <p className="soft">{jobsTexts.undoHint}</p>
        <CollectionChoice of={administeredCollections.value} value={collection} onChange={onCollection} />
      </div>
      <DataTable
        caption={jobsTexts.history}
        columns={[
          { name: 'what', head: jobsTexts.change, cell: step => <StepCell step={step} /> },
          {
            name: 'who',
            head: jobsTexts.by,
            width: 136,
            drops: 2,
            cell: step => (
              <span className="block truncate soft" dir="auto">
                {actorName(step)}
              </span>
            ),
          },
          {
            name: 'where',
            head: baseTexts.collection,
            width: 176,
            drops: 1,
            cell: ({ collection_id: id }) =>
              id === null ? null : (
                <span className="block truncate soft" dir="auto">
                  {collectionName(id)}
                </span>
              ),
          },
          {
            name: 'at',
            head: adminTexts.when,
            width: 164,
            card: 'plain',
            cell: step => (
              <span className="soft" title={new Date(step.at).toLocaleString(ownLocale)}>
                {momentText(new Date(step.at).toISOString())}
              </span>
            ),
          },
        ]}
        rows={known?.steps ?? []}
        keyOf={({ step }) => step}
        nameOf={stepName}
        actionsWidth={112}
        actions={step =>
          step.undoable && (
            <Button
              look="ghost"
              small
              className="h-[max(32px,var(--tap))]"
              icon={Undo2}
              text={baseTexts.undo}
              aria-label={jobsTexts.undoStep({ step: `${stepName(step)} ${step.item_name ?? ''}`.trim() })}
              disabled={undoing !== null}
              onClick={() => void undo(step)}
            />
          )
        }
        below={step => (step.step === undoing && job?.state === 'running' ? <JobProgress job={job} /> : null)}
        empty={
          <Empty icon={History} title={jobsTexts.noChangesYet}>
            {jobsTexts.noChangesYetHint}
          </Empty>
        }
        loading={known === null && !historyFailed.value}
        {...(known === null && historyFailed.value ? { onRetry: how => loadHistory(collection, how) } : {})}
      />
      {known?.next != null && (
        <div className="grid place-items-center pt-4">
          <Button look="quiet" text={jobsTexts.showMore} onClick={() => void loadMoreHistory()} />
        </div>
      )}
    </>
  )
}
