/** Toasts at the bottom right, the newest last. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleAlert, Info, Undo2 } from 'lucide-react'
import { createPortal } from 'react-dom'
import { closeToast, holdToast, toasts } from '../app/messages.ts'
import { Button } from '../kit/button.tsx'
import { topSurface } from '../kit/layers/native-dialog.ts'
import { useHeight } from '../kit/use-height.ts'
import { baseTexts } from '../texts/base.ts'
import { shellTexts } from '../texts/shell.ts'

export function Toasts() {
  useSignals()
  // On small screens, dialogs use this height to leave room for toasts.
  const ref = useHeight('--toasts-height')
  // In a portal to the top dialog, if there is one: buttons of toasts outside it could not be pressed.
  return createPortal(
    <section ref={ref} aria-label={shellTexts.messages} aria-live="polite" className="toasts">
      {toasts.value.map(({ id, kind, text, detail, action }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the toast
        <div
          key={id}
          role={kind === 'error' ? 'alert' : 'status'}
          className="float toast-in pointer-events-auto flex items-start gap-3 py-3 ps-4 pe-2"
          onPointerEnter={() => holdToast(id, true)}
          onPointerLeave={() => holdToast(id, false)}
          onFocus={() => holdToast(id, true)}
          onBlur={() => holdToast(id, false)}
        >
          {kind === 'error' ? (
            <CircleAlert size={20} className="text-error shrink-0 mt-0.5" />
          ) : action !== undefined ? (
            <Undo2 size={20} className="soft shrink-0 mt-0.5" />
          ) : (
            <Info size={20} className="soft shrink-0 mt-0.5" />
          )}
          <div className="grow min-w-0 py-0.5">
            <p className="break-words" dir="auto">
              {text}
            </p>
            {detail !== '' && (
              <p className="text-xs soft break-words" dir="auto">
                {detail}
              </p>
            )}
          </div>
          {action !== undefined && (
            <Button
              look="ghost"
              small
              className="font-semibold!"
              text={action.text}
              onClick={() => {
                closeToast(id)
                action.act()
              }}
            />
          )}
          <Button look="ghost" small className="font-normal" text={baseTexts.close} onClick={() => closeToast(id)} />
        </div>
      ))}
    </section>,
    topSurface(),
  )
}
