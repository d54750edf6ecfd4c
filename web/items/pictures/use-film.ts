/** A film in the grid or the viewer: requested when needed, followed during conversion, then released. */
import { useEffect, useRef, useState } from 'react'
import type { Item } from '../../../schema/api/items.ts'
import { askStream } from '../../api.ts'
import { createFilm, type FilmState, pause } from '../../app/film.ts'
import { checkServer, onRecovery } from '../../app/loading/recovery.ts'

export interface FilmInHand {
  state: FilmState
  /** The browser could not play it; `code` of HTMLMediaElement.error. */
  failed: (code: number | undefined) => void
  /** The browser found no video track. */
  soundOnly: () => void
}

/** `wanted`: whether the film is visible. The state is kept, but nothing is requested while it is not. */
export function useFilm(item: Item, wanted: boolean): FilmInHand {
  const [state, report] = useState<FilmState>({ phase: 'idle' })
  const latest = useRef({ item, state })
  latest.current = { item, state }
  const inHand = useRef<ReturnType<typeof createFilm> | null>(null)

  useEffect(() => {
    if (!wanted) return
    const film = createFilm({
      requestStream: (patient, signal) => askStream(latest.current.item, patient, signal),
      pause,
      notify: report,
    })
    inHand.current = film
    if (latest.current.state.phase === 'idle') void film.begin()
    return () => {
      inHand.current = null
      film.stop()
      report(known => (known.phase === 'preparing' ? { phase: 'idle' } : known))
    }
  }, [wanted])

  const isFaulty = state.phase === 'fault'
  useEffect(() => (isFaulty ? onRecovery(() => void inHand.current?.begin()) : undefined), [isFaulty])

  // This page does not know the film's job yet, so load jobs at once.
  const job = state.phase === 'preparing' ? state.job : null
  useEffect(() => {
    if (job !== null) checkServer()
  }, [job])

  return {
    state,
    failed(code) {
      // Check the film again when it becomes visible again.
      if (inHand.current === null) report({ phase: 'idle' })
      else void inHand.current.failed(code)
    },
    soundOnly() {
      inHand.current?.stop()
      report({ phase: 'sound' })
    },
  }
}
