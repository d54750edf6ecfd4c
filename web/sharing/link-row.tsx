/** A link in the list of the user's links. */
import { useSignals } from '@preact/signals-react/runtime'
import { Download, Lock, MapPin } from 'lucide-react'
import type { Link } from '../../schema/api/shares.ts'
import { dialog } from '../app/dialogs.ts'
import { globalAdmin, user } from '../app/session.ts'
import { TablePicture } from '../items/pictures/table-picture.tsx'
import { copyText } from '../items/selection/clipboard.ts'
import { Button } from '../kit/button.tsx'
import { endText } from '../kit/dates.ts'
import { useBusy } from '../kit/use-busy.ts'
import { baseTexts } from '../texts/base.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { addressOfLink, endLink, updateLink } from './links.ts'

const nameOf = ({ title, items }: Link): string => (title === '' ? baseTexts.itemCount({ count: items }) : title)

const weekSeconds = 7 * 86_400

export function LinkRow({ link }: { link: Link }) {
  useSignals()
  const { busy, run } = useBusy()
  const name = nameOf(link)
  const isOwn = link.username === user.value?.username
  const end = link.expires === null ? '' : endText(link.expires)
  const state = link.active
    ? link.expires === null
      ? sharingTexts.noEnd
      : sharingTexts.openUntil({ day: end })
    : sharingTexts.ended
  const opened = link.viewed === null ? sharingTexts.neverOpened : sharingTexts.openedCount({ count: link.views })
  return (
    <li className={link.active ? '' : 'opacity-60'}>
      <div className="share-row">
        {link.cover === null ? (
          <span className="share-picture" />
        ) : (
          <TablePicture className="share-picture" item={link.cover} />
        )}
        <div className="min-w-0">
          <p className="flex items-center gap-2">
            <span className="truncate" dir="auto">
              {name}
            </span>
            {link.password && <Lock size={14} className="shrink-0" aria-label={sharingTexts.password} />}
            {link.originals && <Download size={14} className="shrink-0" aria-label={sharingTexts.downloads} />}
            {link.details && <MapPin size={14} className="shrink-0" aria-label={sharingTexts.placesAndNames} />}
          </p>
          <p className="text-xs soft truncate">
            {[link.title === '' ? '' : baseTexts.itemCount({ count: link.items }), isOwn ? '' : link.username, opened]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <p className="text-xs soft truncate">{state}</p>
        </div>
        <div className="share-acts flex gap-1">
          {link.active ? (
            <>
              {link.name !== '' && (
                <Button
                  look="ghost"
                  small
                  className="h-(--tap)"
                  text={sharingTexts.copyText}
                  aria-label={sharingTexts.copyLinkTo({ name })}
                  onClick={() =>
                    void copyText(
                      Promise.resolve(addressOfLink(link)),
                      baseTexts.shareLinkCopiedToClipboard,
                      baseTexts.failedToCreateShare,
                    )
                  }
                />
              )}
              {(isOwn || globalAdmin.value) && (
                <Button
                  look="ghost"
                  small
                  className="h-(--tap)"
                  text={sharingTexts.edit}
                  onClick={() => {
                    dialog.value = { kind: 'link', of: { link }, title: name }
                  }}
                />
              )}
              <Button
                look="ghost"
                small
                className="h-(--tap) text-error"
                text={sharingTexts.endThisLink}
                disabled={busy}
                onClick={() => void run(() => endLink(link))}
              />
            </>
          ) : (
            isOwn && (
              <Button
                look="ghost"
                small
                className="h-(--tap)"
                text={sharingTexts.openAgain}
                disabled={busy}
                onClick={() =>
                  void run(() => updateLink(link, { expires: Math.floor(Date.now() / 1000) + weekSeconds }))
                }
              />
            )
          )}
        </div>
      </div>
    </li>
  )
}
