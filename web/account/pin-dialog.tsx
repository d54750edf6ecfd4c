/** The dialog that asks for the PIN to show hidden items. */
import { type SyntheticEvent, useState } from 'react'
import { limits } from '../../schema/limits.ts'
import { closeDialog, closeDialogIf, refusePin } from '../app/dialogs.ts'
import { unlock } from '../app/hidden.ts'
import { Button } from '../kit/button.tsx'
import { Fault, useTemporaryText } from '../kit/form/form-fault.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { accountTexts } from '../texts/account.ts'
import { baseTexts } from '../texts/base.ts'
import { useUnmountSignal } from './use-unmount-signal.ts'

export function PinDialog() {
  const [pin, setPin] = useState('')
  const [fault, report] = useTemporaryText(limits.errorMessageMs)
  const { busy, run } = useBusy()
  const unmounted = useUnmountSignal()
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (pin === '') return
    const wrong = await run(() => unlock(pin, unmounted))
    // Another dialog may have opened meanwhile.
    if (wrong === undefined || unmounted.aborted) return
    if (wrong === null) closeDialogIf('pin')
    else {
      setPin('')
      report(wrong)
      refusePin()
    }
  }
  return (
    <Modal title={baseTexts.showHiddenItems} onClose={closeDialog} width={360}>
      <form onSubmit={event => void send(event)} className="px-6 pt-3 pb-6 grid gap-2">
        <label className="field">
          <span>{baseTexts.unlockPin}</span>
          <input
            type="password"
            className={`input w-full text-center tracking-[0.6em] ${fault === '' ? '' : 'input-error'}`}
            maxLength={limits.pinLength}
            autoComplete="off"
            aria-invalid={fault !== ''}
            data-autofocus
            value={pin}
            onChange={event => setPin(event.target.value)}
          />
        </label>
        <Fault text={fault} />
        <div className="flex items-center gap-2">
          <Button look="ghost" className="ms-auto" text={baseTexts.cancel} onClick={closeDialog} />
          <Button type="submit" look="primary" text={accountTexts.unlock} aria-disabled={busy || pin === ''} />
        </div>
      </form>
    </Modal>
  )
}
