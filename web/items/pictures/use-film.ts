/** A film in the grid or the viewer: requested when needed, followed during conversion, then released. */
import { useEffect, useRef, useState } from 'react'
import type { Item } from '../../../schema/api/items.ts'
import { askStream } from '../../api.ts'
import { createFilm, type FilmState, pause } from '../../app/film.ts'
import { checkServer, onRecovery } from '../../app/loading/recovery.ts'

export interface FilmControl {
  state: FilmState
  /** Called when the browser could not play the film, with the code of HTMLMediaElement.error. */
  reportError: (code: number | undefined) => void
  /** Called when the browser found no video track. */
  reportSoundOnly: () => void
}

/** `wanted`: whether the film is visible; if not, its state is kept unless it is being converted. */
export function useFilm(item: Item, wanted: boolean): FilmControl {
  const [state, setState] = useState<FilmState>({ phase: 'idle' })
  const latest = useRef({ item, state })
  latest.current = { item, state }
  const followed = useRef<ReturnType<typeof createFilm> | null>(null)

  useEffect(() => {
    if (!wanted) return
    const film = createFilm({
      requestStream: (patient, signal) => askStream(latest.current.item, patient, signal),
      pause,
      notify: setState,
    })
    followed.current = film
    if (latest.current.state.phase === 'idle') void film.begin()
    return () => {
      followed.current = null
      film.stop()
      setState(known => (known.phase === 'preparing' ? { phase: 'idle' } : known))
    }
  }, [wanted])

  const isFaulty = state.phase === 'fault'
  useEffect(() => (isFaulty ? onRecovery(() => void followed.current?.begin()) : undefined), [isFaulty])

  // Loads the list of jobs at once: it does not contain the new conversion job yet, and the page shows its progress.
  const job = state.phase === 'preparing' ? state.job : null
  useEffect(() => {
    if (job !== null) checkServer()
  }, [job])

  return {
    state,
    reportError(code) {
      // A film that is not visible is requested anew when it becomes visible.
      if (followed.current === null) setState({ phase: 'idle' })
      else void followed.current.failed(code)
    },
    reportSoundOnly() {
      followed.current?.stop()
      setState({ phase: 'sound' })
    },
  }
}
