/** Keys: which are the page's, and which letters are meant on keyboards that write others. */

/** A key press as far as it says which key it was. */
export interface Pressed {
  /** What it writes. */
  key: string
  /** Where it lies: `KeyA` is where Latin keyboards have their A. */
  code: string
}

/** A Latin letter: as it is written, or, where the keyboard writes other letters (Persian, Russian), by its place. */
export function isLetter({ key, code }: Pressed, letter: string): boolean {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase() === letter
  return code === `Key${letter.toUpperCase()}`
}

/** Asks for the list of keys: also on keyboards with an Arabic question mark. */
export const asksForKeys = ({ key }: Pick<Pressed, 'key'>): boolean => key === '?' || key === '\u061f'

export const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)

/**
 * What the widget leaves to the page around it: the question for its keys and, where a dialog of the page holds the widget,
 * an Escape that nothing in it was meant by.
 */
export function isForPage(
  event: Pick<Pressed, 'key'> & { target: EventTarget; defaultPrevented: boolean },
  inDialog: boolean,
): boolean {
  if (event.defaultPrevented) return false
  return event.key === 'Escape' ? inDialog : asksForKeys(event) && !isTyping(event.target)
}
