/** Requests an item's film when it is needed, and follows its conversion. */
import { useEffect, useRef, useState } from 'react'
import type { Item } from '../../../schema/api/items.ts'
import { askStream } from '../../api.ts'
import { createFilm, type FilmState, pause } from '../../app/film.ts'
import { checkServer, onRecovery } from '../../app/loading/recovery.ts'

export interface FilmControl {
  state: FilmState
  /** To be called when the browser could not play the film, with the code of HTMLMediaElement.error. */
  reportError: (code: number | undefined) => void
  /** To be called when the browser found no video track. */
  reportSoundOnly: () => void
}

/** `wanted`: whether the film should play. If not, a conversion is no longer followed; any other state is kept. */
export function useFilm(item: Item, wanted: boolean): FilmControl {
  const [state, setState] = useState<FilmState>({ phase: 'idle' })
  const latest = useRef({ item, state })
  latest.current = { item, state }
  const filmRef = useRef<ReturnType<typeof createFilm> | null>(null)

  useEffect(() => {
    if (!wanted) return
    const film = createFilm({
      requestStream: (patient, signal) => askStream(latest.current.item, patient, signal),
      pause,
      notify: setState,
    })
    filmRef.current = film
    if (latest.current.state.phase === 'idle') void film.begin()
    return () => {
      filmRef.current = null
      film.stop()
      setState(known => (known.phase === 'preparing' ? { phase: 'idle' } : known))
    }
  }, [wanted])

  const isFaulty = state.phase === 'fault'
  useEffect(() => (isFaulty ? onRecovery(() => void filmRef.current?.begin()) : undefined), [isFaulty])

  // The page shows the progress of the new conversion job, so load the list of jobs at once.
  const job = state.phase === 'preparing' ? state.job : null
  useEffect(() => {
    if (job !== null) checkServer()
  }, [job])

  return {
    state,
    reportError(code) {
      // Nothing is followed now: the film is requested again when it is needed.
      if (filmRef.current === null) setState({ phase: 'idle' })
      else void filmRef.current.failed(code)
    },
    reportSoundOnly() {
      filmRef.current?.stop()
      setState({ phase: 'sound' })
    },
  }
}
