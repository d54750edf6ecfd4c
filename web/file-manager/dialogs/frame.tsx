/** A dialog of the file manager: the browser keeps the focus in it, Escape closes it, what goes wrong is said in it. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { ignoreSecondPress } from '../../kit/second-press.ts'
import type { Desk } from '../desk.ts'
import { useDesk } from '../desk-context.ts'
import { Toasts } from '../toasts.tsx'

interface FrameProps {
  title: string
  onClose: () => void
  children: ReactNode
  actions: ReactNode
  /** What went wrong, and how that is put away. */
  fault?: string
  onDismiss?: () => void
  /** Enter, or the button of the kind `submit`. */
  onSubmit?: () => void
  /** It stays until what was begun is done. */
  busy?: boolean
  /** Escape, Back and a press beside it do not close it: something would be lost. `onStay` is told instead. */
  stays?: boolean
  onStay?: () => void
  width?: number
}

/** Gives the focus to the first that takes it: not to what is gone, nor to a button of what is selected when nothing is. */
function giveBack(...wanted: readonly (HTMLElement | null)[]): void {
  for (const element of wanted) {
    if (element === null || element === document.body) continue
    element.focus({ preventScroll: true })
    if (document.activeElement === element) return
  }
}

/** Is the focus in it, on something that keeps it? Browsers take it from what is disabled or hidden only at the next drawing. */
function isFocused(dialog: HTMLElement): boolean {
  const { activeElement } = document
  return (
    dialog.contains(activeElement) && activeElement?.matches(':disabled') === false && activeElement.checkVisibility()
  )
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
  const { t, told, preferences, layer, covered } = useDesk()
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const beganBeside = useRef(false)
  useEffect(() => ignoreSecondPress, [])
  const isCovered = covered.value
  /** What had the focus in it last: it has it again when what came over it has gone. */
  const focused = useRef<HTMLElement | null>(null)
  /** What had the focus before it: the browser itself knows it no more where something came over the dialog. */
  const opener = useRef<HTMLElement | null>(null)
  const list = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return
    list.current ??= current.closest('.fm')?.querySelector<HTMLElement>('.fm-scroll') ?? null
    if (opener.current === null && document.activeElement instanceof HTMLElement)
      opener.current = document.activeElement
    // It stays as it is, but not above everything.
    if (isCovered) {
      current.show()
      return () => current.close()
    }
    const last = focused.current
    current.showModal()
    // Not its first button: what wants the focus takes it from here.
    if (last !== null && current.contains(last)) last.focus()
    else current.focus()
    // Closed before it is taken away, so that the focus goes back to where it was.
    return () => current.close()
  }, [isCovered])
  useLayoutEffect(() => () => giveBack(opener.current, list.current), [])
  // What was pressed could not be pressed meanwhile, or is gone.
  const isFree = !busy && !stays && !isCovered
  useEffect(() => {
    const { current } = ref
    if (isFree && current !== null && !isFocused(current))
      giveBack(focused.current, current.querySelector<HTMLElement>('footer button:enabled'), current)
  }, [isFree])
  const close = () => {
    if (!busy) onClose()
  }
  const slip = () => {
    if (stays && !busy) onStay?.()
    else close()
  }
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
      onCancel={event => {
        event.preventDefault()
        slip()
      }}
      // Browsers close it without asking where nothing was pressed since it opened.
      onClose={() => {
        // It was only told to stand back, or to come forward.
        if (ref.current?.open === true) return
        if (stays || busy) ref.current?.showModal()
        else onClose()
      }}
      onFocus={event => {
        if (!isCovered && event.target instanceof HTMLElement) focused.current = event.target
      }}
      // A press that began in it, on a text or a crop's frame, may be let go beside it.
      onPointerDown={event => {
        beganBeside.current = event.target === event.currentTarget
      }}
      onClick={event => {
        if (event.target === event.currentTarget && beganBeside.current) slip()
      }}
      // Keys and drops in here are none of what lies below.
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key !== 'Escape') return
        event.preventDefault()
        slip()
      }}
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
          <button type="button" className="fm-button" aria-label={t('close')} title={t('close')} onClick={close}>
            <X size={20} aria-hidden="true" />
          </button>
        </header>
        <div className="fm-dialog-body">
          {children}
          {fault !== '' && (
            <div className="fm-fault" role="alert">
              <CircleAlert size={18} aria-hidden="true" />
              <p dir={preferences.directionOfTold(fault)}>{told(fault)}</p>
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

/** Something that is done from a dialog: it is busy meanwhile, and says what went wrong. */
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
