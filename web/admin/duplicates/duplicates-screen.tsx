/** Duplicates: identical files, or pictures that look alike; the best is kept, the rest is recycled. */
import { useSignals } from '@preact/signals-react/runtime'
import { CopyCheck, Search, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { sizeText } from '../../../schema/figures.ts'
import { collections, ownCollections } from '../../app/collections.ts'
import { JobProgress } from '../../app/jobs/job-progress.tsx'
import { activeJobs, cancelJob } from '../../app/jobs/jobs.ts'
import { versionOf } from '../../app/loading/stale.ts'
import { UntilCollections } from '../../app/loading/until-collections.tsx'
import { signedIn } from '../../app/session.ts'
import { useAddressView } from '../../app/use-address-view.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Confirm } from '../../kit/layers/confirm.tsx'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import { PageBar } from '../../kit/table/page-bar.tsx'
import { pageCount } from '../../kit/table/pages.ts'
import { Tabs } from '../../kit/tabs.tsx'
import { useSlow } from '../../kit/time/use-slow.ts'
import { TryAgain } from '../../kit/try-again.tsx'
import { phone } from '../../kit/viewport.ts'
import { duplicatesTexts } from '../../texts/admin/duplicates.ts'
import { baseTexts } from '../../texts/base.ts'
import { CollectionChoice } from '../one-collection.tsx'
import { bytesOf, type Group, groupKeyOf, recycledOf } from './duplicate-choice.ts'
import {
  choiceFor,
  type DuplicateKind,
  type DuplicatesView,
  duplicateGroupsAPage,
  duplicates,
  duplicatesFailed,
  forgetMergingKeys,
  isShown,
  loadAllGroups,
  loadDuplicates,
  mergeGroups,
  merging,
  searchLookAlikes,
} from './duplicates.ts'
import { DuplicateGroup } from './group.tsx'
import { clearSkippedGroups, skippedGroups } from './skipped-groups.ts'

const tabNames = { exact: duplicatesTexts.sameFile, near: duplicatesTexts.lookAlike }
const path = '/admin/duplicates'

/** The parameters are `of` and `sheet`, because `collection` and `page` belong to the gallery. */
const viewOf = (query: URLSearchParams): DuplicatesView => ({
  kind: query.get('kind') === 'near' ? 'near' : 'exact',
  collection: Number(query.get('of') ?? 0) || 0,
  page: Number(query.get('sheet') ?? 1) || 1,
})
const parametersOf = ({ kind, collection, page }: DuplicatesView) => ({
  kind: kind === 'near' ? 'near' : '',
  of: collection === 0 ? '' : String(collection),
  sheet: page === 1 ? '' : String(page),
})

function focusGroup(all: Element, by: 1 | -1, keepScroll: boolean): boolean {
  const groups = [...all.querySelectorAll('[data-group]')]
  const at = groups.findIndex(group => group.contains(document.activeElement))
  const radio = groups[at + by]?.querySelector<HTMLElement>('input[type="radio"]:checked')
  if (radio == null) return false
  radio.focus({ preventScroll: true })
  if (!keepScroll) radio.closest('[data-group]')?.scrollIntoView({ block: 'nearest' })
  return true
}

function MergeProgress() {
  useSignals()
  const { value: now } = merging
  if (now === null) return null
  return (
    <div className="merging" role="status">
      <span>{duplicatesTexts.keepingProgress({ done: now.done, count: now.total })}</span>
      <ProgressBar className="grow" label={duplicatesTexts.keepingTheBest} done={now.done} total={now.total} />
      <Button look="ghost" small text={baseTexts.stop} onClick={now.stop} />
    </div>
  )
}

function ShowSkipped({ kind, quiet = false }: { kind: DuplicateKind; quiet?: boolean }) {
  useSignals()
  const count = skippedGroups.value[kind].length
  if (count === 0) return null
  return (
    <button
      type="button"
      className={quiet ? 'btn btn-ghost btn-sm h-[max(32px,var(--tap))]' : 'btn btn-quiet'}
      onClick={() => clearSkippedGroups(kind)}
    >
      {quiet && <Undo2 size={18} aria-hidden="true" />}
      {duplicatesTexts.showSkipped({ count })}
    </button>
  )
}

function NoDuplicates({
  kind,
  hidden,
  more,
  searched,
}: {
  kind: DuplicateKind
  hidden: boolean
  more: boolean
  searched: boolean
}) {
  const searching = activeJobs.peek().some(job => job.kind === 'duplicates')
  if (hidden) {
    return (
      <Empty
        icon={CopyCheck}
        title={more ? duplicatesTexts.thatIsAllOnThisPage : duplicatesTexts.thatIsAll}
        actions={<ShowSkipped kind={kind} />}
      >
        {duplicatesTexts.skippedGroupsHint}
      </Empty>
    )
  }
  return (
    <Empty
      icon={CopyCheck}
      title={searched ? duplicatesTexts.noDuplicates : duplicatesTexts.notSearchedYet}
      actions={
        kind === 'near' &&
        !searching && <Button look="primary" text={baseTexts.search} onClick={() => void searchLookAlikes()} />
      }
    >
      {kind === 'exact'
        ? duplicatesTexts.noExactDuplicates
        : searched
          ? duplicatesTexts.noSimilarPictures
          : duplicatesTexts.notSearchedYetHint}
    </Empty>
  )
}

/** Asks for confirmation before the best items of all groups are kept. */
function ConfirmKeepBestOfAll({ groups, onClose }: { groups: readonly Group[]; onClose: () => void }) {
  useSignals()
  const going = groups.flatMap(group => recycledOf(group, choiceFor(group)))
  return (
    <Confirm
      title={duplicatesTexts.keepTheBestOfAll}
      action={duplicatesTexts.deleteDuplicates({ count: going.length })}
      onClose={onClose}
      onConfirm={async () => {
        void mergeGroups(groups)
        return true
      }}
    >
      <p>
        {duplicatesTexts.keepBestHint({ count: groups.length })}{' '}
        {duplicatesTexts.goIntoBin({ count: going.length, size: sizeText(bytesOf(going)) })}
      </p>
      <p className="soft text-xs mt-1">{duplicatesTexts.itCanBeUndone}</p>
    </Confirm>
  )
}

function Placeholders() {
  return (
    <div role="status" aria-label={baseTexts.loading}>
      {[3, 2, 4].map(count => (
        <div key={count} className="twins">
          <div className="twins-head" />
          <div className="twins-row">
            {Array.from({ length: count }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeletons without content
              <div key={at} className="twin">
                <span className="twin-picture" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

/** Above the list: the choice of a collection, actions on all groups, and the search's progress. */
function Tools({
  view,
  total,
  hasGroups,
  onCollection,
}: {
  view: DuplicatesView
  total: number
  /** Whether groups are shown. */
  hasGroups: boolean
  onCollection: (id: number) => void
}) {
  useSignals()
  const { kind, collection } = view
  const [asking, setAsking] = useState<readonly Group[] | null>(null)
  const search = activeJobs.value.find(job => job.kind === 'duplicates')
  const askAll = async () => {
    const open = ((await loadAllGroups(view)) ?? []).filter(group => isShown(kind, group))
    if (open.length > 0) setAsking(open)
  }
  return (
    <>
      <div className="table-tools">
        <p className="soft" aria-live="polite">
          {total > 0 && baseTexts.groupCount({ count: total })}
          {hasGroups && !phone.value && duplicatesTexts.keysHint}
        </p>
        <CollectionChoice
          of={ownCollections.value.filter(({ rights }) => rights.update)}
          value={collection}
          onChange={onCollection}
        />
        {hasGroups && <ShowSkipped kind={kind} quiet />}
        {kind === 'near' && total > 0 && (
          <Button
            look="ghost"
            small
            className="h-[max(32px,var(--tap))]"
            icon={Search}
            text={duplicatesTexts.searchAgain}
            disabled={search !== undefined}
            onClick={() => void searchLookAlikes()}
          />
        )}
        {kind === 'exact' && total > 1 && hasGroups && (
          <Button
            look="ghost"
            small
            className="h-[max(32px,var(--tap))]"
            icon={CopyCheck}
            text={duplicatesTexts.keepTheBestOfAll}
            disabled={merging.value !== null}
            onClick={() => void askAll()}
          />
        )}
      </div>
      {search !== undefined && (
        <div className="flex items-start gap-4 pb-4">
          <div className="grow">
            <JobProgress job={search} />
          </div>
          <Button
            look="ghost"
            small
            text={baseTexts.stop}
            onClick={() => void cancelJob(search.id, duplicatesTexts.failedToStopTheSearch)}
          />
        </div>
      )}
      {asking !== null && <ConfirmKeepBestOfAll groups={asking} onClose={() => setAsking(null)} />}
    </>
  )
}

export function DuplicatesScreen() {
  useSignals()
  const [view, show] = useAddressView(path, viewOf, parametersOf)
  const { kind, collection, page } = view
  const list = useRef<HTMLDivElement>(null)
  const isSignedIn = signedIn.value
  const version = versionOf('items')
  const loaded = duplicates.value
  const shown = loaded?.kind === kind && loaded.collection === collection ? loaded : null
  const slow = useSlow(shown === null && !duplicatesFailed.value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes when duplicates have changed
  useEffect(() => {
    // Groups that are being merged have left the list already, so it is reloaded when merging is done.
    if (isSignedIn && merging.peek() === null) void loadDuplicates({ kind, collection, page })
  }, [isSignedIn, kind, collection, page, version])
  useEffect(() => forgetMergingKeys, [])
  const groups = (shown?.groups ?? []).filter(group => isShown(kind, group))
  // If all groups of a page were skipped, show the next page, unless the user opened this page.
  const openedPage = useRef(0)
  const last = pageCount(shown?.total ?? 0, duplicateGroupsAPage)
  const isHere = shown !== null && shown.page === Math.min(page, last)
  if (isHere && groups.length > 0) openedPage.current = 0
  const isDone = isHere && groups.length === 0 && merging.value === null
  const skipsPage = isDone && shown.groups.length > 0 && page < last && openedPage.current !== page
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per page
  useEffect(() => {
    if (skipsPage) show({ page: page + 1 })
  }, [skipsPage, page])
  if (!isSignedIn) return null
  if (collections.value === null) return <UntilCollections />
  const toPage = (number: number) => {
    openedPage.current = number
    show({ page: number })
  }
  const search = activeJobs.value.find(job => job.kind === 'duplicates')
  const total = shown?.total ?? 0
  return (
    <div className="page-screen">
      <h1 className="text-xl font-semibold mb-3">{baseTexts.duplicates}</h1>
      <Tabs label={baseTexts.duplicates} names={tabNames} value={kind} onChange={next => show({ kind: next })}>
        <Tools view={view} total={total} hasGroups={groups.length > 0} onCollection={id => show({ collection: id })} />
        <MergeProgress />
        {slow && <Placeholders />}
        {shown === null && duplicatesFailed.value && (
          <div className="table-empty">
            <TryAgain again={how => loadDuplicates(view, how)} />
          </div>
        )}
        {isDone && search === undefined && !skipsPage && (
          <div className="h-96">
            <NoDuplicates
              kind={kind}
              hidden={shown.groups.length > 0}
              more={skippedGroups.value[kind].length < total}
              searched={kind === 'exact' || shown.searched}
            />
          </div>
        )}
        <div ref={list}>
          {groups.map(group => (
            <DuplicateGroup
              key={groupKeyOf(group)}
              group={group}
              onStep={(by, keepScroll = false) => list.current !== null && focusGroup(list.current, by, keepScroll)}
            />
          ))}
        </div>
        {total > duplicateGroupsAPage && (
          <PageBar total={total} page={page} size={duplicateGroupsAPage} onPage={toPage} />
        )}
      </Tabs>
    </div>
  )
}
