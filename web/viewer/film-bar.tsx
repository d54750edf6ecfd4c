/** Controls of a rotated film, because the browser's own would be rotated with it. */
import { Pause, Play, Volume2, VolumeX } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { durationText } from '../kit/dates.ts'
import { Range } from '../kit/slider.tsx'
import { baseTexts } from '../texts/base.ts'
import { viewerTexts } from '../texts/viewer.ts'

interface Playback {
  paused: boolean
  muted: boolean
  /** Seconds. */
  at: number
  length: number
}

const events = ['play', 'pause', 'timeupdate', 'durationchange', 'volumechange', 'seeked'] as const

function playbackOf(film: HTMLVideoElement): Playback {
  const { paused, muted, currentTime, duration } = film
  return { paused, muted, at: currentTime, length: Number.isFinite(duration) ? duration : 0 }
}

export function FilmBar({ film }: { film: RefObject<HTMLVideoElement | null> }) {
  const [now, setNow] = useState<Playback>({ paused: true, muted: false, at: 0, length: 0 })
  useEffect(() => {
    const { current } = film
    if (current === null) return
    const update = () => setNow(playbackOf(current))
    update()
    for (const event of events) current.addEventListener(event, update)
    return () => {
      for (const event of events) current.removeEventListener(event, update)
    }
  }, [film])
  const { paused, muted, at, length } = now
  const change = (act: (film: HTMLVideoElement) => void) => () => film.current !== null && act(film.current)
  const toggle = change(one => (one.paused ? void one.play().catch(() => {}) : one.pause()))
  return (
    <div className="film-bar" role="toolbar" aria-label={viewerTexts.videoControls}>
      <Button
        className="viewer-button"
        text={paused ? <Play size={20} /> : <Pause size={20} />}
        aria-label={paused ? baseTexts.play : baseTexts.pause}
        onClick={toggle}
      />
      <Range
        aria-label={viewerTexts.position}
        text={viewerTexts.of({ time: durationText(at), length: durationText(length) })}
        min={0}
        max={length}
        step="any"
        value={at}
        // Arrow keys here seek; elsewhere they go to another picture.
        onKeyDown={event => event.key.startsWith('Arrow') && event.nativeEvent.stopPropagation()}
        onChange={value => {
          if (film.current !== null) film.current.currentTime = value
        }}
      />
      <span className="text-xs whitespace-nowrap">
        {durationText(at)} / {durationText(length)}
      </span>
      <Button
        className="viewer-button"
        text={muted ? <VolumeX size={20} /> : <Volume2 size={20} />}
        aria-label={muted ? viewerTexts.soundOn : viewerTexts.soundOff}
        onClick={change(one => {
          one.muted = !one.muted
        })}
      />
    </div>
  )
}
