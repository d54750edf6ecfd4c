/** Registers a device by the token in its QR code. */
import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { address, go } from '../app/address.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/form/field.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { tokenIn } from '../routes.ts'
import { baseTexts } from '../texts/base.ts'
import { saverTexts } from '../texts/saver.ts'
import { registerDevice } from './savers.ts'

export function Token() {
  useSignals()
  const token = tokenIn(address.value.path)
  const [name, setName] = useState('')
  const { busy, run } = useBusy()
  return (
    <div className="page-screen grid place-items-center">
      <form
        className="panel grid gap-4 w-full max-w-[440px]"
        onSubmit={async event => {
          event.preventDefault()
          if (name.trim() === '') return
          // Failures are silently ignored, as specified.
          if (await run(() => registerDevice(token, name.trim()))) go('/screen-saver?showtokens=true')
        }}
      >
        <h1 className="text-[22px] leading-7 font-semibold">{saverTexts.registerToken}</h1>
        <Field label={baseTexts.token} value={token} readOnly mono />
        <Field
          label={baseTexts.name}
          placeholder={saverTexts.livingRoomTv}
          hint={saverTexts.tokenHint}
          value={name}
          maxLength={100}
          autoFocus
          onChange={event => setName(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button look="ghost" text={baseTexts.cancel} onClick={() => go('/')} />
          <Button type="submit" look="primary" text={baseTexts.create} disabled={busy || name.trim() === ''} />
        </div>
      </form>
    </div>
  )
}
