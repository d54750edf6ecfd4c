/**
 * A film of the grid or the viewer: requested while it is wanted, followed while it is converted, let go afterwards.
 */
import { useEffect, useRef, useState } from 'react'
import type { Item } from '../../../schema/api/items.ts'
import { askStream } from '../../api.ts'
import { createFilm, type FilmState, pause } from '../../app/film.ts'
import { checkServer } from '../../app/loading/recovery.ts'

export interface FilmInHand {
  state: FilmState
  /** The browser could not play it; `code` of HTMLMediaElement.error. */
  failed: (code: number | undefined) => void
  /** The browser found no picture in it. */
  soundOnly: () => void
}

/** `wanted`: somebody looks at it. What was found out stays known, but nothing is asked while nobody does. */
export function useFilm(item: Item, wanted: boolean): FilmInHand {
  const [state, report] = useState<FilmState>({ phase: 'idle' })
  const latest = useRef({ item, state })
  latest.current = { item, state }
  const inHand = useRef<ReturnType<typeof createFilm> | null>(null)

  useEffect(() => {
    if (!wanted) return
    const film = createFilm({
      ask: (patient, signal) => askStream(latest.current.item, patient, signal),
      pause,
      tell: report,
    })
    inHand.current = film
    if (latest.current.state.phase === 'idle') void film.begin()
    return () => {
      inHand.current = null
      film.stop()
      report(known => (known.phase === 'preparing' ? { phase: 'idle' } : known))
    }
  }, [wanted])

  // Its job is new to this page: the next look at the jobs is due at once.
  const job = state.phase === 'preparing' ? state.job : null
  useEffect(() => {
    if (job !== null) checkServer()
  }, [job])

  return {
    state,
    failed(code) {
      // Whoever comes back to it has it looked at again.
      if (inHand.current === null) report({ phase: 'idle' })
      else void inHand.current.failed(code)
    },
    soundOnly() {
      inHand.current?.stop()
      report({ phase: 'sound' })
    },
  }
}
