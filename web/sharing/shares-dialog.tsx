/** 'My shares': active links, and ending them. Global administrators see everybody's. */
import { useSignals } from '@preact/signals-react/runtime'
import { Link2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Share } from '../../schema/api/shares.ts'
import { plural } from '../../schema/figures.ts'
import { closeDialog } from '../app/dialogs.ts'
import { say } from '../app/messages.ts'
import { globalAdmin, user } from '../app/session.ts'
import { TablePicture } from '../items/pictures/table-picture.tsx'
import { copyLink } from '../items/selection/clipboard.ts'
import { Button } from '../kit/button.tsx'
import { longDate, momentText } from '../kit/dates.ts'
import { Modal } from '../kit/layers/modal.tsx'
import { TryAgain } from '../kit/try-again.tsx'
import { linkOf, loadShares, remainingText, revokeShare, sharedItems, shares, sharesFailed } from './my-shares.ts'

function Confirm({ share, name, onClose }: { share: Share; name: string; onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const end = async () => {
    setBusy(true)
    if (await revokeShare(share)) say('The share has ended', name)
    else setBusy(false)
    onClose()
  }
  return (
    <div role="alertdialog" aria-label="Revoke" className="py-3">
      <p className="break-words" dir="auto">
        Revoke the link to <b className="font-semibold">{name}</b>? It stops working for everybody who has it, and
        cannot be restored.
      </p>
      <div className="flex justify-end gap-2 mt-3">
        {/* It takes the focus, in place of the pressed button. */}
        <Button look="ghost" text="Cancel" autoFocus onClick={onClose} />
        <Button look="quiet" className="text-error" text="Revoke" disabled={busy} onClick={() => void end()} />
      </div>
    </div>
  )
}

function Row({ share, now }: { share: Share; now: number }) {
  useSignals()
  const [asking, setAsking] = useState(false)
  const item = sharedItems.value.get(share.item)
  const name = item?.name ?? 'an item'
  const foreign = globalAdmin.value && share.username !== user.value?.username
  const left = remainingText(share.expires, now)
  return (
    <li>
      {asking ? (
        <Confirm share={share} name={name} onClose={() => setAsking(false)} />
      ) : (
        <div className="share-row">
          <a href={linkOf(share)} target="_blank" rel="noreferrer" aria-label={`Open the link to ${name}`}>
            <TablePicture
              className="share-picture"
              item={{ id: share.item, share: share.name, reloads: '', type: item?.type }}
            />
          </a>
          <div className="min-w-0">
            <p className="truncate" dir="auto" title={item === undefined ? undefined : longDate(item.taken)}>
              {name}
            </p>
            <p className="text-xs soft truncate">
              Made{' '}
              {momentText(new Date(share.created * 1000).toISOString()).replace(/^[TY]/, letter =>
                letter.toLowerCase(),
              )}
              {globalAdmin.value && (
                <>
                  {' by '}
                  <span dir="auto">{foreign ? share.username : 'you'}</span>
                </>
              )}
            </p>
            <p className="text-xs soft truncate">Expires in {left}</p>
          </div>
          <div className="share-acts flex gap-1">
            <Button
              look="ghost"
              small
              className="h-(--tap)"
              text="Copy link"
              aria-label={`Copy link to ${name}`}
              onClick={() =>
                void copyLink(
                  Promise.resolve(linkOf(share)),
                  'Share link copied to clipboard',
                  'Failed to create share',
                )
              }
            />
            <Button
              look="ghost"
              small
              className="h-(--tap) text-error"
              text="Revoke"
              aria-label={`Revoke the link to ${name}`}
              onClick={() => setAsking(true)}
            />
          </div>
        </div>
      )}
    </li>
  )
}

export function SharesDialog() {
  useSignals()
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    void loadShares()
    const timer = setInterval(() => setNow(Date.now() / 1000), 30_000)
    return () => clearInterval(timer)
  }, [])
  const known = shares.value?.filter(({ expires }) => expires > now)
  return (
    <Modal title="My shares" onClose={closeDialog} width={600}>
      <div className="px-6 pt-1 pb-5 min-h-40">
        {known === undefined && sharesFailed.value && (
          <div className="grid justify-items-center gap-4 py-10">
            <p>The shares could not be loaded.</p>
            <TryAgain className="btn btn-primary" again={loadShares} />
          </div>
        )}
        {known?.length === 0 && (
          <div className="grid justify-items-center text-center gap-1 py-8">
            <Link2 size={40} strokeWidth={1.25} className="soft mb-3" aria-hidden="true" />
            <p className="font-semibold">No active shares</p>
            <p className="soft text-balance max-w-[340px]">
              Share in the menu of a picture makes a link to it for a day, two days or a week.
            </p>
          </div>
        )}
        {known !== undefined && known.length > 0 && (
          <>
            <p className="soft text-xs pb-2">
              {plural(known.length, 'link')}. Whoever has one sees that one item, without its metadata.
            </p>
            <ul className="divide-y divide-base-content/10">
              {known.map(share => (
                <Row key={share.name} share={share} now={now} />
              ))}
            </ul>
          </>
        )}
      </div>
    </Modal>
  )
}
