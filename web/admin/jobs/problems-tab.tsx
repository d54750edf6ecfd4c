/** Tab Problems: files that could not be read or shown, and why. */

import { useSignals } from '@preact/signals-react/runtime'
import { CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import type { Problem } from '../../../schema/api/jobs.ts'
import { administeredCollections } from '../../app/collections.ts'
import { loadProblems, problems, problemsFailed } from '../../app/jobs/jobs.ts'
import { momentText } from '../../kit/dates.ts'
import { Empty } from '../../kit/empty.tsx'
import { DataTable } from '../../kit/table/data-table.tsx'
import { baseTexts } from '../../texts/base.ts'
import { jobsTexts } from '../../texts/jobs.ts'
import { serverMessage } from '../../texts/language/server-message.ts'
import { activeJobIds, collectionName } from '../job-list.ts'
import { CollectionChoice } from '../one-collection.tsx'

function Path({ of }: { of: Problem }) {
  const text = (
    <span className="block truncate-front font-mono text-xs" title={of.path}>
      <bdi>{of.path}</bdi>
    </span>
  )
  return of.item_id === null ? (
    text
  ) : (
    <Link href={`/item/${of.item_id}`} className="block hover:underline underline-offset-3">
      {text}
    </Link>
  )
}

export function ProblemsTab({ collection, onCollection }: { collection: number; onCollection: (id: number) => void }) {
  useSignals()
  const jobIds = activeJobIds.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on whether a job started or ended
  useEffect(() => void loadProblems(), [jobIds])
  const listed = (problems.value ?? []).filter(one => collection === 0 || one.collection_id === collection)
  return (
    <>
      <div className="table-tools">
        <p className="soft" aria-live="polite">
          {listed.length > 0 && jobsTexts.problemCount({ count: listed.length })}
        </p>
        <CollectionChoice of={administeredCollections.value} value={collection} onChange={onCollection} />
      </div>
      <DataTable
        caption={jobsTexts.problems}
        columns={[
          { name: 'path', head: jobsTexts.file, cell: one => <Path of={one} /> },
          {
            name: 'reason',
            head: jobsTexts.why,
            card: 'plain',
            cell: one => (
              <span className="line-clamp-2" dir="auto" title={serverMessage(one.reason)}>
                {serverMessage(one.reason)}
              </span>
            ),
          },
          {
            name: 'collection',
            head: baseTexts.collection,
            width: 176,
            drops: 1,
            cell: one => (
              <span className="block truncate soft" dir="auto">
                {collectionName(one.collection_id)}
              </span>
            ),
          },
          {
            name: 'at',
            head: jobsTexts.found,
            width: 164,
            drops: 2,
            cell: one => <span className="soft">{momentText(new Date(one.at).toISOString())}</span>,
          },
        ]}
        rows={listed}
        keyOf={({ id }) => id}
        nameOf={({ path }) => path}
        empty={
          <Empty icon={CircleCheck} title={jobsTexts.noProblems}>
            {jobsTexts.noProblemsHint}
          </Empty>
        }
        loading={problems.value === null && !problemsFailed.value}
        {...(problemsFailed.value && problems.value === null ? { onRetry: loadProblems } : {})}
        pageSize={50}
      />
    </>
  )
}
