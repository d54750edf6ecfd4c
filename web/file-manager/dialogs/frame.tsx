/** A dialog of the file manager: the browser keeps the focus in it, Escape closes it, errors are shown in it. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleAlert, X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../../kit/icon-button.tsx'
import { isTopmost, useModal } from '../../kit/layers/native-dialog.ts'
import { focusBefore } from '../../kit/layers/use-layer.ts'
import type { Desk } from '../desk.ts'
import { useDesk } from '../desk-context.ts'
import { Toasts } from '../toasts.tsx'

interface FrameProps {
  title: string
  onClose: () => void
  children: ReactNode
  actions: ReactNode
  fault?: string
  onDismiss?: () => void
  /** Enter, or the submit button. */
  onSubmit?: () => void
  /** Its work is running: it stays open. */
  busy?: boolean
  /** Escape, Back and a press beside it call `onStay` instead of closing it: something would be lost. */
  stays?: boolean
  onStay?: () => void
  width?: number
}

/** Focuses the first element that accepts it: removed, disabled and hidden ones do not. */
function focusFirst(...wanted: readonly (HTMLElement | null | undefined)[]): void {
  for (const element of wanted) {
    element?.focus({ preventScroll: true })
    if (element === document.activeElement) return
  }
}

/** Shows the dialog modally and keeps the focus in it; returns where the focus was, to restore it. */
function useModalFrame(ref: RefObject<HTMLDialogElement | null>, isFree: boolean, onSlip: () => void) {
  /** The focused element before, and the list as a fallback where that is gone or belongs to the old selection. */
  const opener = useRef<HTMLElement | null>(null)
  const list = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    const before = focusBefore()
    if (before instanceof HTMLElement) opener.current = before
    list.current = ref.current?.closest('.fm')?.querySelector<HTMLElement>('.fm-scroll') ?? null
  }, [ref])
  // Between: the focus is returned after the dialog has closed.
  useModal(ref, onSlip)
  useLayoutEffect(() => () => focusFirst(opener.current, list.current), [])
  const focused = useRef<HTMLElement | null>(null)
  // The pressed button was disabled meanwhile, or is gone.
  useEffect(() => {
    const { current } = ref
    if (!isFree || current === null || !isTopmost(current)) return
    const { activeElement } = document
    const isKept = activeElement !== document.body && activeElement?.checkVisibility() === true
    if (!isKept || activeElement.matches(':disabled'))
      focusFirst(focused.current, current.querySelector<HTMLElement>('footer button:enabled'), current)
  }, [isFree, ref])
  return focused
}

export function Frame({
  title,
  onClose,
  children,
  actions,
  fault = '',
  onDismiss,
  onSubmit,
  busy = false,
  stays = false,
  onStay,
  width = 440,
}: FrameProps) {
  useSignals()
  const { t, localized, preferences, layer } = useDesk()
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const close = () => {
    if (!busy) onClose()
  }
  const slip = () => {
    if (stays && !busy) onStay?.()
    else close()
  }
  const focused = useModalFrame(ref, !busy && !stays, slip)
  const latest = useRef(slip)
  latest.current = slip
  useEffect(() => {
    layer.value = () => latest.current()
    return () => {
      layer.value = null
    }
  }, [layer])
  useEffect(() => {
    if (!stays && !busy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [stays, busy])
  return (
    <dialog
      ref={ref}
      tabIndex={-1}
      className="fm-dialog float"
      style={{ maxWidth: width }}
      aria-labelledby={titleId}
      onFocus={event => {
        if (event.target instanceof HTMLElement) focused.current = event.target
      }}
      // Keys and drops in here must not reach what is below.
      onKeyDown={event => event.stopPropagation()}
    >
      <form
        className="fm-dialog-in"
        onSubmit={event => {
          event.preventDefault()
          if (!busy) onSubmit?.()
        }}
      >
        <header>
          <h2 id={titleId} dir="auto">
            {title}
          </h2>
          <IconButton icon={X} label={t('close')} onClick={close} />
        </header>
        <div className="fm-dialog-body">
          {children}
          {fault !== '' && (
            <div className="fm-fault" role="alert">
              <CircleAlert size={18} aria-hidden="true" />
              <p dir={preferences.directionOfMessage(fault)}>{localized(fault)}</p>
              {onDismiss !== undefined && (
                <button type="button" aria-label={t('dismiss')} title={t('dismiss')} onClick={onDismiss}>
                  <X size={16} aria-hidden="true" />
                </button>
              )}
            </div>
          )}
        </div>
        <footer>{actions}</footer>
      </form>
      <Toasts />
    </dialog>
  )
}

/** Runs the work of a dialog: its busy state and its error. */
export function useDoing({ messageOf }: Desk) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  return {
    busy,
    fault,
    setFault,
    dismiss: () => setFault(''),
    async run(act: () => Promise<void>): Promise<boolean> {
      setBusy(true)
      setFault('')
      try {
        await act()
        return true
      } catch (error) {
        setFault(messageOf(error))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
