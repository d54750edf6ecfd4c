/** Keys: which ones belong to the page, and Latin letters on other keyboards. */

export interface Pressed {
  key: string
  /** Physical position: `KeyA` is where Latin keyboards have the A. */
  code: string
}

/** A Latin letter: by its character or, on keyboards with other letters (Persian, Russian), by its position. */
export function isLetter({ key, code }: Pressed, letter: string): boolean {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase() === letter
  return code === `Key${letter.toUpperCase()}`
}

/** Whether this key shows the list of keys, including the Arabic question mark. */
export const isHelpKey = ({ key }: Pick<Pressed, 'key'>): boolean => key === '?' || key === '\u061f'

export const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)

/** Keys left to the page: the question mark and, in a dialog, an unused Escape. */
export function isForPage(
  event: Pick<Pressed, 'key'> & { target: EventTarget; defaultPrevented: boolean },
  inDialog: boolean,
): boolean {
  if (event.defaultPrevented) return false
  return event.key === 'Escape' ? inDialog : isHelpKey(event) && !isTyping(event.target)
}
