/** Tab Play: which screen saver to play, seconds per picture, whether to play videos, and the start. */
import { useSignals } from '@preact/signals-react/runtime'
import { MonitorPlay } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { limits } from '../../schema/limits.ts'
import { api } from '../api.ts'
import { collections } from '../app/collections.ts'
import { Button } from '../kit/button.tsx'
import { namedChoices, Select } from '../kit/form/select.tsx'
import { Slider } from '../kit/slider.tsx'
import { Switch } from '../kit/switch.tsx'
import { baseTexts } from '../texts/base.ts'
import { saverTexts } from '../texts/saver.ts'
import { enterFullscreen, leaveFullscreen, onFullscreenLeft } from './fullscreen.ts'
import { Player } from './player.tsx'
import { saverText } from './saver-text.ts'
import {
  changePlaySettings,
  chosenSaver,
  playSettings,
  saveHomeSaver,
  savers,
  secondsFor,
  type UnsavedSeconds,
} from './savers.ts'
import { shotOf } from './shot.ts'

function collectionName(id: number): string | null {
  return collections.value?.find(one => one.id === id)?.name ?? null
}

export function PlayTab() {
  useSignals()
  const id = useId()
  const startButton = useRef<HTMLButtonElement>(null)
  const [playing, setPlaying] = useState<number | null>(null)
  const [starting, setStarting] = useState(false)
  const saver = chosenSaver.value
  const { videos } = playSettings.value
  const [unsavedSeconds, setUnsavedSeconds] = useState<UnsavedSeconds | null>(null)
  const seconds = secondsFor(saver, unsavedSeconds)

  const start = async () => {
    // The browser allows full screen only while it handles the click.
    const full = enterFullscreen()
    setStarting(true)
    const shown = saver ?? (await saveHomeSaver(seconds))
    await full
    setStarting(false)
    if (shown !== null) setPlaying(shown.id)
    else leaveFullscreen()
  }
  const stop = () => {
    setPlaying(null)
    leaveFullscreen()
  }
  // The browser's Back button can leave this screen while the saver plays.
  useEffect(() => onFullscreenLeft(() => setPlaying(null)), [])

  return (
    <div className="grid gap-6 max-w-[440px]">
      <div className="field">
        <span>
          <label htmlFor={id}>{saverTexts.screenSaver}</label>
        </span>
        <Select
          id={id}
          value={saver?.id ?? 0}
          choices={[{ value: 0, text: saverTexts.itemsOnHome }, ...namedChoices(savers.value)]}
          onChoose={chosen => changePlaySettings({ saver: Number(chosen) || null })}
        />
        <span className="hint">
          {saver === null ? saverTexts.webSaverHint : saverText(saver.filters, collectionName)}
        </span>
      </div>
      <Slider
        label={saverTexts.eachPictureStaysFor}
        value={seconds}
        least={Math.min(limits.minSaverPlay, saver?.seconds ?? limits.minSaverPlay)}
        most={limits.maxSaverSeconds}
        text={baseTexts.seconds({ seconds })}
        onChange={value => {
          if (saver === null) changePlaySettings({ seconds: value })
          else setUnsavedSeconds({ saver: saver.id, seconds: value })
        }}
      />
      <Switch label={saverTexts.playVideos} checked={videos} onChange={on => changePlaySettings({ videos: on })} />
      <Button
        look="primary"
        className="h-12 justify-self-start px-6"
        icon={MonitorPlay}
        iconSize={20}
        text={saverTexts.start}
        ref={startButton}
        disabled={starting}
        onClick={() => void start()}
      />
      {playing !== null && (
        <Player
          name={String(playing)}
          seconds={seconds}
          videos={videos}
          fetch={async () => (await api.screensavers.next({ params: { id: playing } })).map(shotOf)}
          onStop={stop}
          returnTo={() => startButton.current}
        />
      )}
    </div>
  )
}
