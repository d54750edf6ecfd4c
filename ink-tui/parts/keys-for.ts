/** Helpers that make the bindings of screens. */
import type { Binding } from '../keys.ts'
import type { Press } from '../terminal/key-reader.ts'
import type { Ui } from '../ui.ts'
import { choiceAfter } from './list.ts'

type Present<T> = Exclude<T, undefined | null | false>

/**
 * Returns a function that makes bindings. They act on `on`; while it is undefined, null or false, they do nothing and
 * are hidden. Keys that always act get `ui` as `on`. If `run` returns a text, `reload` is called, and the text is
 * shown as a notice.
 */
export function keysFor<T>(ui: Ui, on: T, reload?: () => void) {
  const isPresent = (what: T): what is T & Present<T> => what !== undefined && what !== null && what !== false
  type Run = (on: Present<T>, press: Press) => unknown
  /** `keys` are separated by spaces; '' as `short` keeps them out of the footer; `shown` replaces their names. */
  return (keys: string, short: string, about: string, run: Run, shown?: string): Binding => ({
    keys: keys.split(' '),
    ...(short === '' ? {} : { short }),
    ...(shown === undefined ? {} : { shown }),
    about,
    when: isPresent(on),
    run: press => {
      if (isPresent(on))
        ui.run(async () => {
          const result = await run(on, press)
          if (typeof result !== 'string') return
          reload?.()
          ui.notice(result)
        })
    },
  })
}

export type KeyMaker<T> = ReturnType<typeof keysFor<T>>

export function detailsKey<T>(key: KeyMaker<T>, about: string, isOpen: boolean, set: (isOpen: boolean) => void) {
  return key('enter', isOpen ? 'close' : 'details', about, () => set(!isOpen))
}

/** `]` selects the next choice, `[` the previous one; so do Tab and Shift-Tab, unless `tab` is false. */
export function choiceKey<Choice>(
  short: string,
  about: string,
  choices: readonly Choice[],
  current: Choice,
  set: (choice: Choice) => void,
  { when = true, tab = true }: { when?: boolean; tab?: boolean } = {},
): Binding {
  return {
    keys: tab ? [']', '[', 'tab', 'backtab'] : [']', '['],
    shown: '[ ]',
    short,
    about,
    when,
    run: ({ key }) => set(choiceAfter(choices, current, key === ']' || key === 'tab' ? 1 : -1)),
  }
}
