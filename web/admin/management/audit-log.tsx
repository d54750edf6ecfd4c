/** Tab Log, for global admins: who did what and from where, newest first; scrolling loads more. */
import { useSignals } from '@preact/signals-react/runtime'
import {
  Ban,
  Download,
  FolderCog,
  KeyRound,
  LogIn,
  LogOut,
  type LucideIcon,
  MonitorSmartphone,
  ScrollText,
  ShieldAlert,
  UserCog,
  Users,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { AuditEntry } from '../../../schema/api/audit.ts'
import { auditTone } from '../../../schema/audit-text.ts'
import { limits } from '../../../schema/limits.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Select } from '../../kit/form/select.tsx'
import { type Column, DataTable } from '../../kit/table/data-table.tsx'
import { auditActionNames, auditActorName, auditTarget, managementTexts } from '../../texts/admin/management.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { accounts, loadAccounts } from '../accounts.ts'
import {
  auditFailed,
  auditLoading,
  auditLog,
  auditView,
  keepAuditFresh,
  loadAudit,
  loadOlderAudit,
  olderLoading,
  setAuditView,
} from './audit.ts'
import {
  auditActorChoices,
  auditDay,
  auditDayChoices,
  auditKindChoices,
  auditTime,
  defaultAuditView,
} from './audit-view.ts'

const iconsOfKinds: Record<string, LucideIcon> = {
  user: UserCog,
  group: Users,
  collection: FolderCog,
  token: KeyRound,
  device: MonitorSmartphone,
  download: Download,
  login: LogIn,
  logout: LogOut,
  refused: Ban,
}

const tones = { plain: '', attention: 'text-warning', refused: 'text-error' }

function AuditAction({ entry: { action } }: { entry: AuditEntry }) {
  const tone = auditTone(action)
  const [kind = ''] = action.split('.')
  const Icon = tone === 'refused' && action !== 'refused' ? ShieldAlert : (iconsOfKinds[kind] ?? ScrollText)
  return (
    <span className={`flex items-center gap-2 min-w-0 ${tones[tone]}`}>
      <Icon size={16} className={`shrink-0 ${tone === 'plain' ? 'soft' : ''}`} aria-hidden="true" />
      <span className="truncate" title={auditActionNames[action]}>
        {auditActionNames[action]}
      </span>
    </span>
  )
}

/** A text that is cut to its space. */
function TruncatedText({ text, className = 'block truncate' }: { text: string; className?: string }) {
  return (
    <span className={className} title={text} dir="auto">
      {text}
    </span>
  )
}

function WhoAndWhat({ entry }: { entry: AuditEntry }) {
  return (
    <span className="flex items-center gap-2 min-w-0">
      <TruncatedText text={auditActorName(entry)} className="truncate max-w-[40%]" />
      <AuditAction entry={entry} />
    </span>
  )
}

function Time({ at }: { at: number }) {
  return (
    <time className="soft tabular-nums" dateTime={new Date(at * 1000).toISOString()} title={auditTime(at, true)}>
      {auditTime(at)}
    </time>
  )
}

/** If the column Who does not fit, the name precedes the action. */
const columns: readonly Column<AuditEntry>[] = [
  { name: 'time', head: adminTexts.time, width: 72, cell: ({ at }) => <Time at={at} /> },
  {
    name: 'who',
    head: managementTexts.who,
    width: 144,
    drops: 2,
    cell: entry => <TruncatedText text={auditActorName(entry)} />,
  },
  {
    name: 'what',
    head: managementTexts.what,
    width: 240,
    grows: true,
    cell: (entry, shows) => (shows('who') ? <AuditAction entry={entry} /> : <WhoAndWhat entry={entry} />),
  },
  {
    name: 'about',
    head: managementTexts.target,
    cell: entry => <TruncatedText text={auditTarget(entry)} />,
  },
  {
    name: 'from',
    head: managementTexts.fromAddress,
    width: 176,
    drops: 1,
    cell: ({ address }) => (
      <span className="block truncate soft font-mono text-xs" title={address} dir="ltr">
        {address}
      </span>
    ),
  },
]

/** The columns in narrow places: two lines per entry. */
const cardColumns: readonly Column<AuditEntry>[] = [
  {
    name: 'what',
    head: managementTexts.what,
    cell: entry => (
      <span className="flex items-center gap-3 text-sm">
        <span className="min-w-0 me-auto">
          <AuditAction entry={entry} />
        </span>
        <Time at={entry.at} />
      </span>
    ),
  },
  {
    name: 'who',
    head: managementTexts.who,
    card: 'plain',
    cell: entry => {
      const text = [auditActorName(entry), auditTarget(entry), entry.address].filter(part => part !== '').join(' · ')
      return <TruncatedText text={text} className="block truncate text-xs soft" />
    },
  },
]

const searchAfterMs = 300

function Search() {
  useSignals()
  const [typed, setTyped] = useState(auditView.peek().q)
  useEffect(() => {
    if (typed === auditView.peek().q) return
    const timer = setTimeout(() => setAuditView({ q: typed }), searchAfterMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      type="search"
      className="input"
      aria-label={managementTexts.searchTheLog}
      placeholder={managementTexts.whoWhatAddress}
      maxLength={200}
      value={typed}
      onChange={event => setTyped(event.target.value)}
    />
  )
}

function Filters() {
  useSignals()
  useEffect(() => void loadAccounts({ quiet: true }), [])
  const { who, what, days } = auditView.value
  const people = (accounts.value ?? []).map(({ username }) => ({ value: `user ${username}`, text: username }))
  return (
    <>
      <Select
        aria-label={managementTexts.who}
        value={who}
        choices={[{ value: '', text: adminTexts.everybody }, ...auditActorChoices, ...people]}
        onChoose={chosen => setAuditView({ who: chosen })}
      />
      <Select
        aria-label={managementTexts.what}
        value={what}
        choices={[{ value: '', text: baseTexts.everything }, ...auditKindChoices]}
        onChoose={chosen => setAuditView({ what: auditKindChoices.find(({ value }) => value === chosen)?.value ?? '' })}
      />
      <Select
        aria-label={adminTexts.when}
        value={days}
        choices={auditDayChoices}
        onChoose={chosen => setAuditView({ days: Number(chosen) })}
      />
    </>
  )
}

/** Loads older entries when the end of the list is near; also a button, for keyboards. */
function LoadOlder() {
  useSignals()
  const ref = useRef<HTMLButtonElement>(null)
  const { next = null } = auditLog.value ?? {}
  useEffect(() => {
    const { current } = ref
    if (current === null || next === null) return
    const watcher = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting === true) void loadOlderAudit()
      },
      { rootMargin: '600px' },
    )
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [next])
  if (next === null) return null
  return (
    <Button
      look="ghost"
      small
      className="mx-auto mt-4 flex"
      text={managementTexts.showOlderEntries}
      ref={ref}
      disabled={olderLoading.value}
      onClick={() => void loadOlderAudit()}
    />
  )
}

export function AuditLog() {
  useSignals()
  useEffect(keepAuditFresh, [])
  const shown = auditFailed.value ? null : auditLog.value
  const { who, what, days, q } = auditView.value
  const isDefaultView = who === '' && what === '' && q === '' && days === defaultAuditView.days
  return (
    <div className="audit-log">
      <div className="table-tools">
        <p className="soft">{managementTexts.keptForDays({ days: limits.auditDays })}</p>
        <Search />
        <Filters />
      </div>
      <DataTable
        caption={managementTexts.log}
        columns={columns}
        cardColumns={cardColumns}
        rows={shown?.entries ?? []}
        keyOf={({ id }) => id}
        nameOf={({ action }) => auditActionNames[action]}
        headingOf={({ at }) => auditDay(at)}
        empty={
          isDefaultView ? (
            <Empty icon={ScrollText} title={managementTexts.nothingWasRecorded}>
              {managementTexts.logIsEmptyHint}
            </Empty>
          ) : (
            managementTexts.noMatchingEntries
          )
        }
        loading={auditLoading.value}
        {...(auditFailed.value ? { onRetry: loadAudit } : {})}
      />
      <LoadOlder />
    </div>
  )
}
