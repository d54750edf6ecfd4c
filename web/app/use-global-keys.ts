/** Global keys: '/' focuses the search, '?' (a mirrored one on Persian keyboards) shows all keys. */
import { useEffect } from 'react'
import { isAnyModalOpen } from '../kit/layers/native-dialog.ts'
import { accountDialog, dialog, toggleKeys } from './dialogs.ts'

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

export function useGlobalKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) return
      const isFree = accountDialog.value === null && (dialog.value === null || dialog.value.kind === 'keys')
      if (/^[?\u061f]$/.test(event.key) && isFree) {
        event.preventDefault()
        toggleKeys()
      } else if (event.key === '/' && !isAnyModalOpen.value) {
        const field = document.querySelector<HTMLInputElement>('[data-search]')
        const button = document.querySelector<HTMLButtonElement>('.app-bar [aria-label="Search"]')
        if (field === null && button === null) return
        event.preventDefault()
        if (field === null) button?.click()
        else field.focus()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
