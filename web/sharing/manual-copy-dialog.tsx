/** Content that this browser cannot copy to the clipboard: a picture to download, or a link to copy manually. */

import { closeDialog } from '../app/dialogs.ts'
import { Button } from '../kit/button.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { baseTexts } from '../texts/base.ts'
import { sharingTexts } from '../texts/sharing.ts'

const reason = isSecureContext ? sharingTexts.clipboardRefused : sharingTexts.clipboardNeedsHttps

function ManualCopyLink({ link }: { link: string }) {
  return (
    <>
      <p className="soft">{sharingTexts.copyTheLinkHere({ why: reason })}</p>
      <input
        className="input font-mono"
        readOnly
        aria-label={sharingTexts.shareLink}
        value={link}
        data-autofocus
        dir="ltr"
        onFocus={event => event.currentTarget.select()}
        onClick={event => event.currentTarget.select()}
      />
    </>
  )
}

export function ManualCopyDialog({ what }: { what: { picture: string; name: string } | { link: string } }) {
  const isLink = 'link' in what
  return (
    <Modal title={isLink ? sharingTexts.shareLink : baseTexts.copyToClipboard} onClose={closeDialog} width={520}>
      <div className="px-6 pt-2 pb-5 grid grid-cols-[minmax(0,1fr)] gap-4">
        {isLink ? (
          <ManualCopyLink link={what.link} />
        ) : (
          <p className="soft">{sharingTexts.downloadInstead({ why: reason })}</p>
        )}
        <div className="flex justify-end gap-2">
          <Button look="ghost" text={baseTexts.close} onClick={closeDialog} />
          {!isLink && (
            <a
              className="btn btn-primary"
              href={what.picture}
              download={what.name}
              onClick={closeDialog}
              data-autofocus
            >
              {baseTexts.download}
            </a>
          )}
        </div>
      </div>
    </Modal>
  )
}
