/** Shows a `<dialog>` modally: the browser makes everything else inert, traps the focus, and returns it. */
import { computed, type Signal, signal } from '@preact/signals-react'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { ignoreSecondPress } from './second-press.ts'

/** The open dialogs, the top one last. */
const opened: Signal<readonly HTMLDialogElement[]> = signal([])

/** The parent for elements that must be usable beside an open dialog, and so have to be inside it. */
export const topSurface = (): HTMLElement => opened.value.at(-1) ?? document.body

export const isAnyModalOpen = computed(() => opened.value.length > 0)

export const isTopmost = (dialog: HTMLElement | null): boolean => opened.peek().at(-1) === dialog

/** Focuses the element with `data-autofocus`, else the dialog itself, so that a screen reader reads its title. */
export function focusWanted(dialog: HTMLElement): void {
  const wanted = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog
  wanted.focus({ preventScroll: true })
}

/**
 * Opens the dialog while it is mounted. `dismiss` is called for Escape, the system's Back and a press beside it; the
 * caller decides whether to close it. With `keepsTyped`, a press beside it does nothing once the user has typed.
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>, dismiss: () => void, { keepsTyped = false } = {}) {
  const latest = useRef(dismiss)
  latest.current = dismiss
  useLayoutEffect(() => {
    const { current: dialog } = ref
    if (dialog === null) return
    const over = new AbortController()
    let [beganBeside, typed] = [false, false]
    ignoreSecondPress()
    const on = (kind: string, act: (event: Event, isOwn: boolean) => void) =>
      dialog.addEventListener(kind, event => act(event, event.target === dialog), { signal: over.signal })
    on('cancel', (event, isOwn) => {
      if (!isOwn) return
      event.preventDefault()
      latest.current()
    })
    // Browsers close the dialog without a 'cancel' event if the user has pressed nothing since the last one.
    on('close', (_, isOwn) => {
      if (!isOwn) return
      dialog.showModal()
      latest.current()
    })
    on('input', () => {
      typed = true
    })
    // A press that started inside the dialog, on a text or a crop frame, may end beside it.
    on('pointerdown', (_, isOwn) => {
      beganBeside = isOwn
    })
    on('click', (_, isOwn) => {
      const isMeant = beganBeside && isOwn
      if (isMeant && !(keepsTyped && typed)) latest.current()
    })
    dialog.showModal()
    focusWanted(dialog)
    opened.value = [...opened.peek(), dialog]
    return () => {
      over.abort()
      opened.value = opened.peek().filter(one => one !== dialog)
      dialog.close()
      ignoreSecondPress()
    }
  }, [ref, keepsTyped])
}
