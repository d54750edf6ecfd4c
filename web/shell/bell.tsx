/** The bell: scans in progress, and recent notices. */
import { useSignals } from '@preact/signals-react/runtime'
import { Bell as BellIcon, CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import { collections } from '../app/collections.ts'
import { JobProgress } from '../app/jobs/job-progress.tsx'
import { scans } from '../app/jobs/jobs.ts'
import { clearNotices, dismiss, markSeen, type Notice, notices, unseen } from '../app/jobs/notices.ts'
import { Button } from '../kit/button.tsx'
import { momentText } from '../kit/dates.ts'
import { IconButton } from '../kit/icon-button.tsx'
import { Popover } from '../kit/layers/popover.tsx'
import { baseTexts } from '../texts/base.ts'
import { shellTexts } from '../texts/shell.ts'

const icons = { status: Info, notice: TriangleAlert, error: CircleAlert } as const
const colours = { status: 'soft', notice: 'text-warning', error: 'text-error' } as const

function NoticeRow({ notice }: { notice: Notice }) {
  const Mark = icons[notice.level]
  return (
    <li className="flex gap-3 py-2.5">
      <Mark size={18} className={`shrink-0 mt-px ${colours[notice.level]}`} />
      <div className="grow min-w-0">
        <p className="break-words">{notice.text}</p>
        <p className="text-xs soft break-words">
          {notice.detail === '' ? '' : `${notice.detail} · `}
          {momentText(new Date(notice.at).toISOString())}
        </p>
      </div>
      <IconButton
        icon={X}
        size={16}
        aria-label={shellTexts.dismiss({ text: notice.text })}
        className="-my-1"
        onClick={() => dismiss(notice.id)}
      />
    </li>
  )
}

function BellList() {
  useSignals()
  const running = [...scans.value]
  const name = (id: number) => collections.value?.find(one => one.id === id)?.name ?? baseTexts.theLibrary
  return (
    <>
      <header className="flex items-center h-8 mb-1">
        <h2 className="text-base font-semibold">{shellTexts.notifications}</h2>
        {notices.value.length > 0 && (
          <Button look="link" className="ms-auto" text={baseTexts.clearAll} onClick={clearNotices} />
        )}
      </header>
      {running.map(([id, job]) => (
        <div key={job.id} className="py-2.5">
          <p className="mb-2 truncate">{shellTexts.scanning({ name: name(id) })}</p>
          <JobProgress job={job} />
        </div>
      ))}
      {running.length === 0 && notices.value.length === 0 && <p className="soft py-2">{shellTexts.nothingNew}</p>}
      <ul className="divide-y divide-base-content/10">
        {notices.value.map(notice => (
          <NoticeRow key={notice.id} notice={notice} />
        ))}
      </ul>
    </>
  )
}

export function Bell() {
  useSignals()
  const count = unseen.value
  return (
    <Popover
      label={count === 0 ? shellTexts.notifications : shellTexts.notificationsNew({ count })}
      title={shellTexts.notifications}
      icon={
        <span className="relative">
          <BellIcon size={20} />
          {count > 0 && <span className="bell-count">{count > 9 ? '9+' : count}</span>}
        </span>
      }
      className="w-92 p-5 pt-4 max-h-[70dvh] overflow-y-auto"
      onOpen={markSeen}
    >
      {() => <BellList />}
    </Popover>
  )
}
