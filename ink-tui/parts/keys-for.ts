/** The keys of a screen, a line each. */
import type { Binding } from '../keys.ts'
import type { Stage } from '../stage.ts'
import type { Press } from '../terminal/key-reader.ts'

type There<T> = Exclude<T, undefined | null | false>

/**
 * Makes keys that do something with `on`, which may be missing: then they do nothing and are not shown. What they do returns a
 * text where there is something to tell; with `reload` the list is loaded again before.
 */
export function keysFor<T>(stage: Stage, on: T, reload?: () => void) {
  const isThere = (what: T): what is T & There<T> => what !== undefined && what !== null && what !== false
  type Run = (on: There<T>, press: Press) => unknown
  /** `keys` with spaces between; `short` is for the footer, '' keeps it out of there; `shown`: how they are shown. */
  return (keys: string, short: string, about: string, run: Run, shown?: string): Binding => ({
    keys: keys.split(' '),
    ...(short === '' ? {} : { short }),
    ...(shown === undefined ? {} : { shown }),
    about,
    when: isThere(on),
    run: press => {
      if (isThere(on))
        stage.run(async () => {
          const said = await run(on, press)
          if (typeof said !== 'string') return
          reload?.()
          stage.notice(said)
        })
    },
  })
}

export type KeyMaker<T> = ReturnType<typeof keysFor<T>>
