/** Content that this browser does not copy to the clipboard: the picture is downloaded, the link is copied by hand. */

import { closeDialog } from '../app/dialogs.ts'
import { Button } from '../kit/button.tsx'
import { Modal } from '../kit/layers/modal.tsx'

const why = isSecureContext
  ? 'This browser did not let the page write to the clipboard.'
  : 'Browsers let pages write to the clipboard only over https.'

function ByHandLink({ link }: { link: string }) {
  return (
    <>
      <p className="soft">{why} Copy the link here.</p>
      <input
        className="input font-mono"
        readOnly
        aria-label="Share link"
        value={link}
        data-autofocus
        dir="ltr"
        onFocus={event => event.currentTarget.select()}
        onClick={event => event.currentTarget.select()}
      />
    </>
  )
}

export function ByHandDialog({ what }: { what: { picture: string; name: string } | { link: string } }) {
  const isLink = 'link' in what
  return (
    <Modal title={isLink ? 'Share link' : 'Copy to clipboard'} onClose={closeDialog} width={520}>
      <div className="px-6 pt-2 pb-5 grid grid-cols-[minmax(0,1fr)] gap-4">
        {isLink ? <ByHandLink link={what.link} /> : <p className="soft">{why} You can download the picture instead.</p>}
        <div className="flex justify-end gap-2">
          <Button look="ghost" text="Close" onClick={closeDialog} />
          {!isLink && (
            <a
              className="btn btn-primary"
              href={what.picture}
              download={what.name}
              onClick={closeDialog}
              data-autofocus
            >
              Download
            </a>
          )}
        </div>
      </div>
    </Modal>
  )
}
