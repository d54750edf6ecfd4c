/** A film in the viewer: playing, being prepared, or with the reason why it cannot be shown; never just black. */
import { useSignals } from '@preact/signals-react/runtime'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { percentText } from '../../schema/figures.ts'
import { pictureOf, streamOf } from '../api.ts'
import { jobPercent } from '../app/film.ts'
import { activeJobs } from '../app/jobs/jobs.ts'
import { rotationOf } from '../items/item-text.ts'
import { filmRotation } from '../items/pictures/film-rotation.ts'
import { useFilm } from '../items/pictures/use-film.ts'
import { videoErrorText } from '../items/pictures/video-errors.ts'
import { ProgressBar } from '../kit/progress-bar.tsx'
import { serverMessage } from '../texts/language/server-message.ts'
import { viewerTexts } from '../texts/viewer.ts'
import { CannotShow } from './cannot-show.tsx'
import { FilmBar } from './film-bar.tsx'

/** The progress of the conversion; users who may not see the job only see that the film is being prepared. */
function BeingPrepared({ job }: { job: number | null }) {
  useSignals()
  const percent = jobPercent(activeJobs.value.find(({ id }) => id === job))
  return (
    <div className="viewer-preparing" role="status">
      <p>{viewerTexts.thisVideoIsBeingPrepared}</p>
      {percent !== null && (
        <div className="flex items-center gap-3 mt-2 text-xs tabular-nums">
          <ProgressBar label={viewerTexts.preparing} done={percent} className="grow" />
          <span className="w-9 text-end">{percentText(percent / 100)}</span>
        </div>
      )}
    </div>
  )
}

export function Film({
  item,
  open,
  turn,
  frame,
}: {
  item: Item
  open: boolean
  /** Rotation in degrees, clockwise, beyond the item's own rotation. */
  turn: number
  /** Puts the film into its box: `film` is rotated by `turn`, `over` lies upright above it. */
  frame: (film: ReactNode, over: ReactNode) => ReactNode
}) {
  const ref = useRef<HTMLVideoElement>(null)
  const { state, reportError, reportSoundOnly } = useFilm(item, open)
  const { phase } = state
  useEffect(() => {
    if (!open) ref.current?.pause()
  }, [open])
  if (phase === 'fault')
    return (
      <CannotShow
        item={item}
        reason={item.problem === null ? videoErrorText(state.code) : serverMessage(item.problem)}
      />
    )
  if (phase === 'sound') {
    return (
      <CannotShow
        item={item}
        reason={item.problem === null ? viewerTexts.thereIsNoPicture : serverMessage(item.problem)}
      >
        {/* biome-ignore lint/a11y/useMediaCaption: families' films have no captions */}
        {open && <audio src={streamOf(item)} controls preload="metadata" data-playable />}
      </CannotShow>
    )
  }
  const isPlayable = open && phase === 'ready'
  const rotation = rotationOf(item)
  const isRotated = (rotation + turn) % 360 !== 0
  const poster = item.problem === null ? pictureOf(item, 'large') : undefined
  const film = (
    // biome-ignore lint/a11y/useMediaCaption: families' films have no captions
    <video
      ref={ref}
      className="in"
      style={filmRotation(item, rotation)}
      src={isPlayable ? streamOf(item) : undefined}
      // A poster already has the item's rotation.
      poster={rotation === 0 ? poster : undefined}
      controls={isPlayable && !isRotated}
      // Start the film for a user who has waited, but never surprise with sound from another tab.
      autoPlay={phase === 'ready' && state.waited && document.visibilityState === 'visible'}
      playsInline
      preload="metadata"
      data-playable={isPlayable ? true : undefined}
      onLoadedMetadata={event => {
        if (event.currentTarget.videoWidth === 0) reportSoundOnly()
      }}
      onError={event => reportError(event.currentTarget.error?.code)}
    />
  )
  return frame(
    <>
      {rotation !== 0 && poster !== undefined && <img className="in" src={poster} alt="" draggable={false} />}
      {film}
    </>,
    phase === 'preparing' ? <BeingPrepared job={state.job} /> : isPlayable && isRotated ? <FilmBar film={ref} /> : null,
  )
}
