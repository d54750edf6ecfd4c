/** Actions of global admins: find, group and forget faces; and the progress. */
import { useSignals } from '@preact/signals-react/runtime'
import { Ellipsis, Group, ImageUp, ScanFace, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { JobProgress } from '../../app/jobs/job-progress.tsx'
import { cancelJob } from '../../app/jobs/jobs.ts'
import { globalAdmin } from '../../app/session.ts'
import { Button } from '../../kit/button.tsx'
import { IconButton } from '../../kit/icon-button.tsx'
import { Menu, type MenuEntry } from '../../kit/layers/menu.tsx'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { peopleTexts } from '../../texts/people.ts'
import { faceJob, faceStatus } from './face-groups.ts'
import { detectFaces, groupFaces } from './face-naming.ts'

export function FaceWork({
  offersDetection,
  onForget,
}: {
  /** True if nothing else on the screen offers the search. */
  offersDetection: boolean
  onForget: () => void
}) {
  useSignals()
  const [menu, setMenu] = useState<{ x: number; y: number; width: number; height: number } | null>(null)
  if (!globalAdmin.value) return null
  const isBusy = faceJob.value !== undefined
  const forget: MenuEntry = { text: peopleTexts.forgetFaces, icon: Trash2, danger: true, act: onForget }
  const entries: MenuEntry[] = isBusy
    ? [forget]
    : [
        { text: peopleTexts.lookAtAllPicturesAgain, icon: ImageUp, act: () => void detectFaces(true) },
        { text: peopleTexts.groupThemAgain, icon: Group, act: () => void groupFaces() },
        forget,
      ]
  return (
    <>
      {offersDetection && (
        <button
          type="button"
          className="btn btn-ghost btn-sm"
          title={peopleTexts.lookForFacesHint}
          disabled={isBusy}
          onClick={() => void detectFaces(false)}
        >
          <ScanFace size={18} aria-hidden="true" />
          <span className="max-sm:sr-only">{adminTexts.lookForFaces}</span>
        </button>
      )}
      <IconButton
        icon={Ellipsis}
        aria-label={peopleTexts.moreAboutFaces}
        title={baseTexts.more}
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        onClick={event => {
          const { x, y, width, height } = event.currentTarget.getBoundingClientRect()
          setMenu({ x, y, width, height })
        }}
      />
      {menu !== null && <Menu label={peopleTexts.faces} at={menu} entries={entries} onClose={() => setMenu(null)} />}
    </>
  )
}

/** The running job. Users who may not see jobs only see that one is running. */
export function FaceProgress() {
  useSignals()
  const { value: job } = faceJob
  if (job === undefined) {
    if (faceStatus.value?.job == null) return null
    return <p className="soft pb-4">{peopleTexts.facesAreBeingDetected}</p>
  }
  return (
    <div className="flex items-start gap-4 pb-4">
      <div className="grow min-w-0">
        <JobProgress job={job} />
      </div>
      {globalAdmin.value && (
        <Button
          look="ghost"
          small
          text={baseTexts.stop}
          onClick={() => void cancelJob(job.id, peopleTexts.failedToStopLooking)}
        />
      )}
    </div>
  )
}
