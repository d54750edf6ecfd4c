/** Unnamed Faces: faces that the server has found, in groups of similar ones. */
import { useSignals } from '@preact/signals-react/runtime'
import { EyeOff, Merge, ScanFace, UserRoundCheck, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { channels } from '../../../schema/realtime.ts'
import { collections } from '../../app/collections.ts'
import { includeHidden } from '../../app/hidden.ts'
import { keepFresh } from '../../app/loading/resource.ts'
import { UntilCollections } from '../../app/loading/until-collections.tsx'
import { globalAdmin, signedIn } from '../../app/session.ts'
import { useAddressView } from '../../app/use-address-view.ts'
import { people } from '../../app/vocabulary.ts'
import { loadFacesPart } from '../../faces/part.ts'
import { onItemsChanged } from '../../items/item-changes.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { IconButton } from '../../kit/icon-button.tsx'
import { PageBar } from '../../kit/table/page-bar.tsx'
import { useSlow } from '../../kit/time/use-slow.ts'
import { TryAgain } from '../../kit/try-again.tsx'
import { phone } from '../../kit/viewport.ts'
import { mayName } from '../../people/people-state.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { peopleTexts } from '../../texts/people.ts'
import { FaceGroup } from './face-group.tsx'
import { lookedText, noGroupsReason } from './face-group-text.ts'
import {
  chosenGroups,
  clearChosenGroups,
  faceGroups,
  faceGroupsAPage,
  faceGroupsFailed,
  faceJob,
  faceStatus,
  forgetGroupWork,
  type GroupsView,
  loadGroups,
  loadGroupsSoon,
} from './face-groups.ts'
import { detectFaces, mergeChosen } from './face-naming.ts'
import { FaceProgress, FaceWork } from './face-work.tsx'
import { ForgetDialog } from './forget-dialog.tsx'
import { useGroupFocus } from './use-group-focus.ts'

const path = '/admin/faces'
const pollMs = 5_000

/** The parameter is `sheet`, because `page` belongs to the gallery. */
const viewOf = (query: URLSearchParams): GroupsView => ({
  ignored: query.get('ignored') === 'true',
  page: Number(query.get('sheet') ?? 1) || 1,
})
const parametersOf = ({ ignored, page }: GroupsView) => ({
  ignored: ignored ? 'true' : '',
  sheet: page === 1 ? '' : String(page),
})

function MergeBar() {
  useSignals()
  const groups = [...chosenGroups.value.values()]
  if (groups.length === 0) return null
  const faces = groups.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className="merge-bar float" role="toolbar" aria-label={peopleTexts.chosenGroups}>
      <IconButton icon={X} label={peopleTexts.chooseNone} onClick={clearChosenGroups} />
      <p role="status" className="min-w-0">
        <b className="font-semibold">{peopleTexts.groupsChosen({ count: groups.length })}</b>
        <span className="soft max-sm:hidden"> · {baseTexts.faceCount({ count: faces })}</span>
      </p>
      <Button
        look="quiet"
        small
        icon={Merge}
        text={adminTexts.merge}
        disabled={groups.length < 2}
        title={groups.length < 2 ? peopleTexts.chooseAnotherGroup : peopleTexts.theyShowTheSamePerson}
        onClick={() => void mergeChosen()}
      />
    </div>
  )
}

function NoGroups({ ignored, onShowOthers }: { ignored: boolean; onShowOthers: () => void }) {
  useSignals()
  const { value: status } = faceStatus
  if (status === null) return null
  const why = noGroupsReason({ ...status, job: faceJob.value?.id ?? status.job }, ignored)
  if (why === 'looking') {
    return (
      <Empty icon={ScanFace} title={peopleTexts.noGroupsYet}>
        {peopleTexts.groupsAppearLater}
      </Empty>
    )
  }
  if (why === 'nobody ignored') {
    return (
      <Empty
        icon={EyeOff}
        title={peopleTexts.nobodyIsIgnored}
        actions={<Button look="quiet" text={peopleTexts.showTheOthers} onClick={onShowOthers} />}
      >
        {peopleTexts.nobodyIsIgnoredHint}
      </Empty>
    )
  }
  const isNew = why === 'never looked'
  const look = status.due > 0 && globalAdmin.value
  return (
    <Empty
      icon={isNew ? ScanFace : UserRoundCheck}
      title={isNew ? peopleTexts.noFacesYet : peopleTexts.nobodyIsLeft}
      actions={look && <Button look="primary" text={adminTexts.lookForFaces} onClick={() => void detectFaces(false)} />}
    >
      {isNew
        ? status.due === 0
          ? peopleTexts.thereAreNoPictures
          : globalAdmin.value
            ? peopleTexts.noFacesYetHint({ count: status.due })
            : peopleTexts.noFacesYetAskAdmin
        : peopleTexts.nobodyIsLeftHint({ looked: lookedText(status) })}
    </Empty>
  )
}

function Skeletons() {
  return (
    <div role="status" aria-label={baseTexts.loading}>
      {[8, 6, 7].map(count => (
        <div key={count} className="face-group">
          <div className="face-group-head" />
          <div className="found-faces">
            {Array.from({ length: count }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeletons without content
              <div key={at} className="found-face" />
            ))}
          </div>
          <div className="face-group-foot" />
        </div>
      ))}
    </div>
  )
}

export function FacesScreen() {
  useSignals()
  const [view, show] = useAddressView(path, viewOf, parametersOf)
  const { ignored, page } = view
  const [forgetting, setForgetting] = useState(false)
  const { ref, onFocus, onKeyDown } = useGroupFocus()
  const [isSignedIn, may, hidden, jobId] = [signedIn.value, mayName.value, includeHidden.value, faceJob.value?.id]
  const loaded = faceGroups.value
  const shown = loaded?.ignored === ignored ? loaded : null
  const slow = useSlow(may && shown === null && !faceGroupsFailed.value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads when hidden items are shown, or a job has ended
  useEffect(() => {
    if (may) void loadGroups({ ignored, page })
  }, [may, ignored, page, hidden, jobId])
  // Users who may not see jobs are not told when one ends, so the groups are reloaded regularly while it runs.
  const isUnseenJob = jobId === undefined && faceStatus.value?.job != null
  useEffect(() => {
    if (!isUnseenJob) return
    const timer = setInterval(loadGroupsSoon, pollMs)
    return () => clearInterval(timer)
  }, [isUnseenJob])
  useEffect(() => void people.refresh(), [])
  useEffect(loadFacesPart, [])
  useEffect(() => onItemsChanged(loadGroupsSoon), [])
  // Another user may have merged or split groups, or new groups were created.
  useEffect(() => keepFresh(channels.faceGroups, loadGroupsSoon, 0), [])
  useEffect(() => forgetGroupWork, [])
  if (!isSignedIn) return null
  if (collections.value === null) return <UntilCollections />
  const title = <h1 className="text-xl font-semibold mb-3">{baseTexts.unnamedFaces}</h1>
  if (!may) {
    return (
      <div className="page-screen">
        {title}
        <div className="h-96">
          <Empty icon={ScanFace} title={peopleTexts.nothingToName}>
            {peopleTexts.noRightToName}
          </Empty>
        </div>
      </div>
    )
  }
  const { value: status } = faceStatus
  const total = shown?.total ?? 0
  const groups = shown?.groups ?? []
  const countText = ignored ? peopleTexts.ignoredGroups({ count: total }) : baseTexts.groupCount({ count: total })
  return (
    <div className="page-screen">
      {title}
      <div className="table-tools">
        <p className="soft min-w-0">
          <span aria-live="polite">{total > 0 && countText}</span>
          {total > 0 && status !== null && !ignored && !phone.value && ` · ${lookedText(status)}`}
          {groups.length > 0 && !phone.value && peopleTexts.keysHint}
        </p>
        {(total > 0 || ignored || (status?.faces ?? 0) > 0) && (
          <Button
            look="ghost"
            small
            icon={EyeOff}
            text={peopleTexts.showIgnored}
            aria-pressed={ignored}
            onClick={() => show({ ignored: !ignored })}
          />
        )}
        <FaceWork offersDetection={total > 0 || status?.due === 0} onForget={() => setForgetting(true)} />
      </div>
      <FaceProgress />
      {slow && <Skeletons />}
      {shown === null && faceGroupsFailed.value && (
        <div className="table-empty">
          <TryAgain again={how => loadGroups(view, how)} />
        </div>
      )}
      {shown !== null && groups.length === 0 && (
        <div className="h-96">
          <NoGroups ignored={ignored} onShowOthers={() => show({ ignored: false })} />
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are handled for the elements inside */}
      <div ref={ref} onFocus={onFocus} onKeyDown={onKeyDown}>
        {groups.map(group => (
          <FaceGroup key={group.id} group={group} />
        ))}
      </div>
      <MergeBar />
      {total > faceGroupsAPage && (
        <PageBar total={total} page={page} size={faceGroupsAPage} onPage={number => show({ page: number })} />
      )}
      {forgetting && <ForgetDialog onClose={() => setForgetting(false)} />}
    </div>
  )
}
