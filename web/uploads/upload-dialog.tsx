/** The upload dialog: the target, if there are several, and the choice of files or a folder. */
import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import type { ChosenFiles } from '../app/dialogs.ts'
import { closeDialog } from '../app/dialogs.ts'
import { Button } from '../kit/button.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { phone } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import { uploadsTexts } from '../texts/uploads.ts'
import { uploadTarget, uploadTargets } from './targets.ts'
import { pickAndUpload, upload } from './uploads.ts'

export function UploadDialog({ chosen }: { chosen: ChosenFiles | null }) {
  useSignals()
  const targets = uploadTargets.value
  const here = uploadTarget.value
  const [id, setId] = useState(here === null || here === 'refused' ? null : here.id)
  const target = targets.find(one => one.id === id)
  const send = () => {
    if (target === undefined || chosen === null) return
    closeDialog()
    upload(chosen, target)
  }
  const count = chosen?.files.length ?? 0
  return (
    <Modal title={chosen === null ? baseTexts.upload : uploadsTexts.uploadFiles({ count })} onClose={closeDialog}>
      <form
        className="px-6 pt-2 pb-5 grid gap-5"
        onSubmit={event => {
          event.preventDefault()
          send()
        }}
      >
        {targets.length === 1 ? (
          <p dir="auto">{uploadsTexts.uploadTo({ name: <b className="font-semibold">{targets[0]?.name}</b> })}</p>
        ) : (
          <fieldset>
            <legend className="text-xs font-semibold mb-1.5">{baseTexts.collection}</legend>
            <div className="-mx-3 max-h-[40dvh] overflow-y-auto">
              {targets.map((one, place) => (
                <label key={one.id} className="place-row">
                  <input
                    type="radio"
                    name="collection"
                    className="sr-only"
                    checked={one.id === id}
                    data-autofocus={one.id === id || (id === null && place === 0) ? '' : undefined}
                    onChange={() => setId(one.id)}
                  />
                  <i aria-hidden="true" />
                  <span className="truncate" dir="auto" title={one.name}>
                    {one.name}
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        )}
        {chosen === null ? (
          <>
            <p className="soft text-xs">
              {uploadsTexts.picturesAndVideosUnchanged}
              {!phone.value && uploadsTexts.dropHint}
            </p>
            <div className="flex flex-wrap justify-end gap-2">
              {!phone.value && (
                <Button
                  look="ghost"
                  text={baseTexts.chooseAFolder}
                  disabled={target === undefined}
                  title={target === undefined ? uploadsTexts.chooseACollectionFirst : undefined}
                  onClick={() => target !== undefined && pickAndUpload(target, { folder: true })}
                />
              )}
              <Button
                look="primary"
                text={uploadsTexts.chooseFiles}
                disabled={target === undefined}
                title={target === undefined ? uploadsTexts.chooseACollectionFirst : undefined}
                data-autofocus={targets.length === 1 ? '' : undefined}
                onClick={() => target !== undefined && pickAndUpload(target)}
              />
            </div>
          </>
        ) : (
          <div className="flex justify-end gap-2">
            <Button look="ghost" text={baseTexts.cancel} onClick={closeDialog} />
            <Button
              type="submit"
              look="primary"
              text={baseTexts.upload}
              disabled={target === undefined}
              title={target === undefined ? uploadsTexts.chooseACollectionFirst : undefined}
            />
          </div>
        )}
      </form>
    </Modal>
  )
}
