/** 'My links': what the user shares, with its views and its end. Administrators also see what others share of theirs. */
import { useSignals } from '@preact/signals-react/runtime'
import { Clock, Copy, Download, Link2, Lock, MapPin, Pencil } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Share } from '../../schema/api/shares.ts'
import { figure } from '../../schema/figures.ts'
import { dialog } from '../app/dialogs.ts'
import { say } from '../app/messages.ts'
import { signedIn, user } from '../app/session.ts'
import { TablePicture } from '../items/pictures/table-picture.tsx'
import { copyText } from '../items/selection/clipboard.ts'
import { Button } from '../kit/button.tsx'
import { endText, momentText } from '../kit/dates.ts'
import { Empty } from '../kit/empty.tsx'
import { Confirm } from '../kit/layers/confirm.tsx'
import type { MenuEntry } from '../kit/layers/menu.tsx'
import { Segmented } from '../kit/segmented.tsx'
import { type Column, DataTable } from '../kit/table/data-table.tsx'
import { RowAction } from '../kit/table/row-action.tsx'
import { baseTexts } from '../texts/base.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { type LinkEntry, linkEntries } from './link-entries.ts'
import { endLink, links, linksFailed, loadLinks, updateLink } from './links.ts'
import { loadShares, revokeShare, sharedItems, shares, sharesFailed } from './shares.ts'

const daySeconds = 86_400
const pageSize = 50

const whenText = (seconds: number) => momentText(new Date(seconds * 1000).toISOString())

function Marks({ of }: LinkEntry) {
  if ('share' in of) return null
  const { password, originals, details } = of.link
  return (
    <>
      {password && <Lock size={16} className="soft shrink-0" aria-label={sharingTexts.password} />}
      {originals && <Download size={16} className="soft shrink-0" aria-label={sharingTexts.originals} />}
      {details && <MapPin size={16} className="soft shrink-0" aria-label={sharingTexts.placesAndNames} />}
    </>
  )
}

function NameCell(entry: LinkEntry) {
  const { name, about, cover, address, active } = entry
  const picture = `w-14 h-[42px] shrink-0 rounded object-cover bg-base-300 ${active ? '' : 'opacity-50'}`
  return (
    <span className="flex items-center gap-3 min-w-0 py-2">
      {cover === null ? <span className={picture} /> : <TablePicture className={picture} item={cover} />}
      <span className="block min-w-0">
        <span className="flex items-center gap-2 min-w-0">
          {active && address !== null ? (
            <a
              className="truncate font-semibold"
              dir="auto"
              title={name}
              href={address}
              target="_blank"
              rel="noreferrer"
              aria-label={sharingTexts.openTheLinkTo({ name })}
            >
              {name}
            </a>
          ) : (
            <span className={`truncate ${active ? 'font-semibold' : 'soft'}`} dir="auto" title={name}>
              {name}
            </span>
          )}
          <Marks {...entry} />
        </span>
        <span className="block truncate text-xs soft">{about}</span>
      </span>
    </span>
  )
}

function EndCell({ active, expires }: LinkEntry) {
  const now = Date.now() / 1000
  if (!active)
    return (
      <span className="soft">
        {expires === null ? sharingTexts.notActive : sharingTexts.endedOn({ day: endText(expires) })}
      </span>
    )
  if (expires === null) return sharingTexts.noEnd
  if (expires > now + daySeconds) return endText(expires)
  return (
    <span className="inline-flex items-center gap-2 text-warning">
      <Clock size={16} aria-hidden="true" />
      {endText(expires)}
    </span>
  )
}

function SharerCell({ username }: LinkEntry) {
  useSignals()
  return (
    <span className="block truncate soft" title={username}>
      <bdi>{username === user.value?.username ? sharingTexts.you : username}</bdi>
    </span>
  )
}

const nameColumn: Column<LinkEntry> = { name: 'name', head: sharingTexts.link, cell: entry => <NameCell {...entry} /> }

const sharerColumn: Column<LinkEntry> = {
  name: 'who',
  head: sharingTexts.who,
  width: 128,
  cell: entry => <SharerCell {...entry} />,
}

const otherColumns: readonly Column<LinkEntry>[] = [
  {
    name: 'made',
    head: sharingTexts.made,
    width: 144,
    drops: 1,
    compare: (a, b) => a.created - b.created,
    cell: ({ created }) => <span className="soft whitespace-nowrap">{whenText(created)}</span>,
  },
  { name: 'until', head: sharingTexts.openUntil, width: 216, card: 'plain', cell: entry => <EndCell {...entry} /> },
  {
    name: 'opened',
    head: sharingTexts.opened,
    width: 88,
    align: 'end',
    drops: 3,
    compare: (a, b) => (a.views ?? -1) - (b.views ?? -1),
    cell: ({ views }) => (views === null ? null : figure(views)),
  },
  {
    name: 'viewed',
    head: sharingTexts.lastOpened,
    width: 152,
    drops: 2,
    compare: (a, b) => (a.viewed ?? 0) - (b.viewed ?? 0),
    cell: ({ views, viewed }) =>
      views === null ? null : (
        <span className="soft whitespace-nowrap">{viewed === null ? baseTexts.never : whenText(viewed)}</span>
      ),
  },
]

const copy = ({ address }: LinkEntry) =>
  void copyText(Promise.resolve(address ?? ''), baseTexts.shareLinkCopiedToClipboard, baseTexts.failedToCreateShare)

function edit({ of, name: title }: LinkEntry): void {
  if ('link' in of) dialog.value = { kind: 'link', of, title }
}

/** Opens an ended link again for a week, the maximum of a share. */
const openAgain = ({ of }: LinkEntry) =>
  'link' in of && void updateLink(of.link, { expires: Math.floor(Date.now() / 1000) + 7 * daySeconds })

/** Ends a link at once, because it can be opened again. A share cannot, so its end must be confirmed. */
function endEntry({ of }: LinkEntry, ask: (share: Share) => void): void {
  if ('share' in of) ask(of.share)
  else void endLink(of.link)
}

function Actions({ entry, folded, onEnd }: { entry: LinkEntry; folded: boolean; onEnd: () => void }) {
  const { name: of, address, active } = entry
  if (!active) {
    if (address === null) return null
    return (
      <Button
        look="ghost"
        small
        className="text-sm"
        text={sharingTexts.openAgain}
        aria-label={sharingTexts.openAgainNamed({ name: of })}
        onClick={() => openAgain(entry)}
      />
    )
  }
  return (
    <>
      {address !== null && (
        <RowAction
          icon={Copy}
          text={sharingTexts.copyLink}
          of={of}
          label={sharingTexts.copyLinkTo({ name: of })}
          onClick={() => copy(entry)}
        />
      )}
      {!folded && (
        <>
          {address !== null && 'link' in entry.of && (
            <RowAction icon={Pencil} text={sharingTexts.edit} of={of} onClick={() => edit(entry)} />
          )}
          <Button
            look="ghost"
            small
            className="text-sm"
            text={sharingTexts.end}
            aria-label={sharingTexts.endTheLinkTo({ name: of })}
            onClick={onEnd}
          />
        </>
      )}
    </>
  )
}

function menuOf(entry: LinkEntry, folded: boolean, onEnd: () => void): MenuEntry[] | null {
  if (!folded || !entry.active) return null
  return [
    ...(entry.address !== null && 'link' in entry.of
      ? [{ text: sharingTexts.edit, icon: Pencil, act: () => edit(entry) }]
      : []),
    { text: sharingTexts.end, act: onEnd },
  ]
}

function EndShare({ share, onClose }: { share: Share; onClose: () => void }) {
  useSignals()
  const shown = sharedItems.value.get(share.item)?.name ?? sharingTexts.anItem
  const onConfirm = async () => {
    if (!(await revokeShare(share))) return false
    say(sharingTexts.linkHasEnded, shown)
    return true
  }
  return (
    <Confirm title={sharingTexts.endThisLink} action={sharingTexts.end} danger onClose={onClose} onConfirm={onConfirm}>
      <p className="break-words" dir="auto">
        {sharingTexts.endShareQuestion({ name: <b className="font-semibold">{shown}</b> })}
      </p>
    </Confirm>
  )
}

const views = ['all', 'open', 'ended'] as const
const viewTexts = { all: sharingTexts.allLinks, open: sharingTexts.openLinks, ended: sharingTexts.endedLinks }

function loadAll() {
  return Promise.all([loadShares(), loadLinks()])
}

export function MyLinks() {
  useSignals()
  const [view, setView] = useState<(typeof views)[number]>('all')
  const [shareToEnd, setShareToEnd] = useState<Share | null>(null)
  const isSignedIn = signedIn.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on whether somebody is signed in
  useEffect(() => {
    if (isSignedIn) void loadAll()
  }, [isSignedIn])
  if (!isSignedIn) return null
  const isKnown = links.value !== null && shares.value !== null
  const failed = !isKnown && (linksFailed.value || sharesFailed.value)
  const entries = linkEntries(
    { links: links.value ?? [], shares: shares.value ?? [], items: sharedItems.value },
    Date.now() / 1000,
  )
  const open = entries.filter(({ active }) => active).length
  const ended = entries.length - open
  const hasOthers = entries.some(({ username }) => username !== user.value?.username)
  return (
    <div className="page-screen">
      <header className="admin-head pt-0!">
        <h1 className="text-xl font-semibold me-0!">{baseTexts.myLinks}</h1>
        <p className="soft me-auto">
          {isKnown && (ended === 0 ? sharingTexts.openCount({ open }) : sharingTexts.openAndEnded({ open, ended }))}
        </p>
        {ended > 0 && (
          <Segmented
            label={sharingTexts.shown}
            isLabelHidden
            choices={views}
            value={view}
            text={one => viewTexts[one]}
            onChange={setView}
          />
        )}
      </header>
      <DataTable
        caption={baseTexts.myLinks}
        columns={[nameColumn, ...(hasOthers ? [sharerColumn] : []), ...otherColumns]}
        rows={entries.filter(({ active }) => view === 'all' || active === (view === 'open'))}
        keyOf={({ key }) => key}
        nameOf={entry => entry.name}
        actions={(entry, folded) => (
          <Actions entry={entry} folded={folded} onEnd={() => endEntry(entry, setShareToEnd)} />
        )}
        actionsWidth={168}
        foldedWidth={48}
        menu={(entry, folded) => menuOf(entry, folded, () => endEntry(entry, setShareToEnd))}
        empty={
          <Empty icon={Link2} title={sharingTexts.noLinks}>
            {sharingTexts.shareInTheMenu}
          </Empty>
        }
        loading={!isKnown && !failed}
        {...(failed ? { onRetry: loadAll } : {})}
        pageSize={pageSize}
      />
      {shareToEnd !== null && <EndShare share={shareToEnd} onClose={() => setShareToEnd(null)} />}
    </div>
  )
}
