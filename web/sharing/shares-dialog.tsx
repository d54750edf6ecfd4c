/** 'My shares': active links, and ending them. Global administrators see everybody's. */
import { useSignals } from '@preact/signals-react/runtime'
import { Link2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Share } from '../../schema/api/shares.ts'
import { closeDialog } from '../app/dialogs.ts'
import { say } from '../app/messages.ts'
import { globalAdmin, user } from '../app/session.ts'
import { TablePicture } from '../items/pictures/table-picture.tsx'
import { copyText } from '../items/selection/clipboard.ts'
import { Button } from '../kit/button.tsx'
import { longDate, momentText } from '../kit/dates.ts'
import { Modal } from '../kit/layers/modal.tsx'
import { TryAgain } from '../kit/try-again.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { baseTexts } from '../texts/base.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { LinkRow } from './link-row.tsx'
import { links, loadLinks } from './links.ts'
import { addressOfShare, loadShares, remainingText, revokeShare, sharedItems, shares, sharesFailed } from './shares.ts'

function Confirm({ share, name, onClose }: { share: Share; name: string; onClose: () => void }) {
  const { busy, run } = useBusy()
  const end = async () => {
    if (await revokeShare(share)) say(sharingTexts.shareHasEnded, name)
    onClose()
  }
  return (
    <div role="alertdialog" aria-label={sharingTexts.revoke} className="py-3">
      <p className="break-words" dir="auto">
        {sharingTexts.revokeQuestion({ name: <b className="font-semibold">{name}</b> })}
      </p>
      <div className="flex justify-end gap-2 mt-3">
        {/* Takes the focus from the pressed button, which is gone. */}
        <Button look="ghost" text={baseTexts.cancel} autoFocus onClick={onClose} />
        <Button
          look="quiet"
          className="text-error"
          text={sharingTexts.revoke}
          disabled={busy}
          onClick={() => void run(end)}
        />
      </div>
    </div>
  )
}

function Row({ share, now }: { share: Share; now: number }) {
  useSignals()
  const [asking, setAsking] = useState(false)
  const item = sharedItems.value.get(share.item)
  const name = item?.name ?? sharingTexts.anItem
  const foreign = globalAdmin.value && share.username !== user.value?.username
  const left = remainingText(share.expires, now)
  const when = momentText(new Date(share.created * 1000).toISOString()).replace(/^[TY]/, letter => letter.toLowerCase())
  return (
    <li>
      {asking ? (
        <Confirm share={share} name={name} onClose={() => setAsking(false)} />
      ) : (
        <div className="share-row">
          <a
            href={addressOfShare(share)}
            target="_blank"
            rel="noreferrer"
            aria-label={sharingTexts.openTheLinkTo({ name })}
          >
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
              {globalAdmin.value
                ? sharingTexts.madeBy({
                    when,
                    username: <span dir="auto">{foreign ? share.username : sharingTexts.you}</span>,
                  })
                : sharingTexts.made({ when })}
            </p>
            <p className="text-xs soft truncate">{sharingTexts.expiresIn({ time: left })}</p>
          </div>
          <div className="share-acts flex gap-1">
            <Button
              look="ghost"
              small
              className="h-(--tap)"
              text={sharingTexts.copyText}
              aria-label={sharingTexts.copyLinkTo({ name })}
              onClick={() =>
                void copyText(
                  Promise.resolve(addressOfShare(share)),
                  baseTexts.shareLinkCopiedToClipboard,
                  baseTexts.failedToCreateShare,
                )
              }
            />
            <Button
              look="ghost"
              small
              className="h-(--tap) text-error"
              text={sharingTexts.revoke}
              aria-label={sharingTexts.revokeTheLinkTo({ name })}
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
    void loadLinks()
    const timer = setInterval(() => setNow(Date.now() / 1000), 30_000)
    return () => clearInterval(timer)
  }, [])
  const known = shares.value?.filter(({ expires }) => expires > now)
  return (
    <Modal title={baseTexts.myShares} onClose={closeDialog} width={600}>
      <div className="px-6 pt-1 pb-5 min-h-40">
        {known === undefined && sharesFailed.value && (
          <div className="grid justify-items-center gap-4 py-10">
            <p>{sharingTexts.sharesCouldNotBeLoaded}</p>
            <TryAgain className="btn btn-primary" again={loadShares} />
          </div>
        )}
        {links.value !== null && links.value.length > 0 && (
          <ul className="divide-y divide-base-content/10 mb-4">
            {links.value.map(link => (
              <LinkRow key={link.id} link={link} />
            ))}
          </ul>
        )}
        {known?.length === 0 && links.value?.length === 0 && (
          <div className="grid justify-items-center text-center gap-1 py-8">
            <Link2 size={40} strokeWidth={1.25} className="soft mb-3" aria-hidden="true" />
            <p className="font-semibold">{sharingTexts.noActiveShares}</p>
            <p className="soft text-balance max-w-[340px]">{sharingTexts.shareInTheMenu}</p>
          </div>
        )}
        {known !== undefined && known.length > 0 && (
          <>
            <p className="soft text-xs pb-2">{sharingTexts.linksHint({ count: known.length })}</p>
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
