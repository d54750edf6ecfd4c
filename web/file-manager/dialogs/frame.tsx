/** A dialog of the file manager: the kit's dialog with the file manager's theme and language, and its own errors. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Modal } from '../../kit/layers/modal.tsx'
import { focusBefore } from '../../kit/layers/use-layer.ts'
import { useBusy } from '../../kit/use-busy.ts'
import type { Controller } from '../controller.ts'
import { useController } from '../controller-context.ts'
import { Toasts } from '../toasts.tsx'
import { useLayerFrame } from '../use-layer-frame.ts'

interface FrameProps {
  title: string
  onClose: () => void
  children: ReactNode
  actions: ReactNode
  fault?: string
  onDismissFault?: () => void
  /** Called by Enter or the submit button. */
  onSubmit?: () => void
  /** Work is running, so the dialog stays open. */
  busy?: boolean
  /** If true, closing would lose something, so Escape, Back and a press beside the dialog call `onCloseBlocked` instead. */
  hasUnsaved?: boolean
  onCloseBlocked?: () => void
  width?: number
}

/** For the dialog's `returnTo`: returns the list of files if the opener is gone or cannot be focused, else null. */
function useReturnTo(): () => HTMLElement | null {
  const opener = useRef<Element | null | undefined>(undefined)
  if (opener.current === undefined) opener.current = focusBefore()
  return () => {
    const { current } = opener
    const isUsable = current?.checkVisibility() === true && !current.matches('body, :disabled')
    return isUsable ? null : document.querySelector<HTMLElement>('.fm-scroll')
  }
}

export function DialogFrame({
  title,
  onClose,
  children,
  actions,
  fault = '',
  onDismissFault,
  onSubmit,
  busy = false,
  hasUnsaved = false,
  onCloseBlocked = () => {},
  width = 440,
}: FrameProps) {
  useSignals()
  const { t, localized, preferences } = useController()
  const frame = useLayerFrame()
  const returnTo = useReturnTo()
  useEffect(() => {
    if (!hasUnsaved && !busy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [hasUnsaved, busy])
  return (
    <Modal
      title={title}
      onClose={onClose}
      onDismiss={hasUnsaved ? onCloseBlocked : onClose}
      width={width}
      busy={busy}
      className="fm-dialog"
      frame={frame}
      returnTo={returnTo}
      beside={<Toasts />}
    >
      {/* Keys pressed in the dialog must not reach the list below. */}
      <form
        className="fm-dialog-in"
        onKeyDown={event => event.stopPropagation()}
        onSubmit={event => {
          event.preventDefault()
          if (!busy) onSubmit?.()
        }}
      >
        <div className="fm-dialog-body">
          {children}
          {fault !== '' && (
            <div className="fm-fault" role="alert">
              <CircleAlert size={18} aria-hidden="true" />
              <p dir={preferences.directionOfMessage(fault)}>{localized(fault)}</p>
              {onDismissFault !== undefined && (
                <button type="button" aria-label={t('dismiss')} title={t('dismiss')} onClick={onDismissFault}>
                  <X size={16} aria-hidden="true" />
                </button>
              )}
            </div>
          )}
        </div>
        <footer>{actions}</footer>
      </form>
    </Modal>
  )
}

/** Runs the action of a dialog; returns its busy state and its error. */
export function useDialogAction({ messageOf }: Controller) {
  const { busy, run } = useBusy()
  const [fault, setFault] = useState('')
  return {
    busy,
    fault,
    setFault,
    dismiss: () => setFault(''),
    run: (act: () => Promise<void>) =>
      run(async () => {
        setFault('')
        try {
          await act()
          return true
        } catch (error) {
          setFault(messageOf(error))
          return false
        }
      }),
  }
}
