/** The running screen saver: full-screen pictures, each fading into the next. */
import { useSignals } from '@preact/signals-react/runtime'
import { ImageOff, Pause, Play, SkipForward, X } from 'lucide-react'
import { type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { filmRotation } from '../items/pictures/film-rotation.ts'
import { placeholderUrl } from '../items/pictures/thumbhash.ts'
import type { Shot } from '../items/selection/slideshow.ts'
import { Button } from '../kit/button.tsx'
import { longDate } from '../kit/dates.ts'
import { useModal } from '../kit/layers/native-dialog.ts'
import { useLayer } from '../kit/layers/use-layer.ts'
import { createRuns } from '../kit/time/runs.ts'
import { baseTexts } from '../texts/base.ts'
import { saverTexts } from '../texts/saver.ts'
import { readiness } from './saver-picture.ts'
import { createSaverQueue } from './saver-queue.ts'

/** Milliseconds until the next attempt when nothing can be shown or the server is down. */
const retryMs = 2_000
const loadedAhead = 20
const quietAfterMs = 2_500

export interface PlayerProps {
  /** Identifies the content: when it changes, the pictures in the queue are dropped. */
  name: string
  /** Accessible name. */
  label?: string
  seconds: number
  videos: boolean
  fetch: () => Promise<Shot[]>
  /** Called when the user stops the player; if absent, there is no button to stop it. */
  onStop?: (() => void) | undefined
  /** Where the focus returns. */
  returnTo?: () => HTMLElement | null
}

interface Shown {
  item: Shot
  /** The layers alternate, so that the new picture fades over the last one. */
  layer: 0 | 1
}

/** Small pictures are enlarged at most to twice their own pixels. */
function maxSizeOf({ width, height }: Shot): CSSProperties | undefined {
  const most = 2 / devicePixelRatio
  return width > 0 ? { maxWidth: width * most, maxHeight: height * most } : undefined
}

function Layer({
  item,
  front,
  paused,
  onEnd,
}: {
  item: Shot
  front: boolean
  /** Whether the film is paused. */
  paused: boolean
  /** Called when the film has ended, or cannot be played. */
  onEnd: () => void
}) {
  const [broken, setBroken] = useState(false)
  const film = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (paused) film.current?.pause()
    // The browser may require a touch first; the next picture follows anyway.
    else film.current?.play().catch(() => {})
  }, [paused])
  const { rotation } = item
  const haze = placeholderUrl(item.thumbhash, rotation)
  return (
    <div className="saver-layer" data-front={front} aria-hidden={!front}>
      {haze !== null && <div className="saver-haze" style={{ backgroundImage: `url(${haze})` }} />}
      {item.type === 'video' ? (
        <video
          ref={film}
          src={item.film}
          poster={rotation === 0 ? item.picture : undefined}
          style={filmRotation({ width: innerWidth, height: innerHeight }, rotation)}
          autoPlay
          muted
          playsInline
          onEnded={onEnd}
          onError={onEnd}
        />
      ) : broken ? (
        <div className="saver-wait">
          <ImageOff size={64} strokeWidth={1} aria-label={saverTexts.brokenImage} />
        </div>
      ) : (
        <img
          src={item.picture}
          alt=""
          decoding="async"
          draggable={false}
          style={maxSizeOf(item)}
          onError={() => {
            console.warn('Image failed to load.')
            setBroken(true)
          }}
        />
      )}
    </div>
  )
}

function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    const take = () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      navigator.wakeLock.request('screen').then(
        got => {
          lock = got
        },
        // The wake lock may be refused on low battery; the pictures continue.
        () => {},
      )
    }
    take()
    document.addEventListener('visibilitychange', take)
    return () => {
      document.removeEventListener('visibilitychange', take)
      lock?.release().catch(() => {})
    }
  }, [])
}

/** Hides controls and pointer after a while without pointer or keys. */
function useHiddenControls(): [boolean, () => void] {
  const [quiet, setQuiet] = useState(true)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const showControls = useCallback(() => {
    setQuiet(false)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setQuiet(true), quietAfterMs)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return [quiet, showControls]
}

type ShowOptions = Pick<PlayerProps, 'name' | 'seconds' | 'videos' | 'fetch'> & { paused: boolean }

/** Shows one picture after another: `front` is the visible one, `advance` shows the next. */
function usePictureSequence({ name, seconds, videos, fetch, paused }: ShowOptions) {
  const [shown, setShown] = useState<readonly Shown[]>([])
  const [empty, setEmpty] = useState(false)
  const latest = useRef({ fetch, videos })
  latest.current = { fetch, videos }
  const front = shown.at(-1)
  const currentQueue = useRef<{ name: string; queue: ReturnType<typeof createSaverQueue<Shot>> } | null>(null)
  const queue = useCallback(() => {
    if (currentQueue.current?.name !== name) {
      const canShow = (item: Shot) => item.problem === null && (latest.current.videos || item.type === 'image')
      currentQueue.current = { name, queue: createSaverQueue<Shot>({ fetch: () => latest.current.fetch(), canShow }) }
    }
    return currentQueue.current.queue
  }, [name])

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [runs] = useState(createRuns)
  const advance = useCallback(async () => {
    clearTimeout(timer.current)
    const run = runs.start()
    const retry = () => {
      if (!run.aborted) timer.current = setTimeout(() => void advance(), retryMs)
    }
    try {
      const item = await queue().next()
      if (item === null) {
        if (run.aborted) return
        console.warn('No suitable items found after multiple attempts')
        setEmpty(true)
        return retry()
      }
      const isReachable = run.aborted || (await readiness(item)) !== 'away'
      if (run.aborted || !isReachable) {
        // Keep the last picture, and show this one when the server is back, so that none is skipped.
        queue().putBack(item)
        return retry()
      }
      setEmpty(false)
      setShown(known => [...known.slice(-1), { item, layer: known.at(-1)?.layer === 0 ? 1 : 0 }])
      for (const next of queue().peek(loadedAhead)) {
        if (next.type === 'image') new Image().src = next.picture
      }
    } catch {
      // The server is down: keep the last picture, and show the next one when the server is back.
      retry()
    }
  }, [queue, runs])

  useEffect(() => {
    void advance()
    return () => {
      runs.cancel()
      clearTimeout(timer.current)
    }
  }, [advance, runs])

  // A film plays to its end; a picture is shown for its seconds.
  useEffect(() => {
    if (front === undefined || paused || front.item.type === 'video') return
    timer.current = setTimeout(() => void advance(), seconds * 1000)
    return () => clearTimeout(timer.current)
  }, [front, paused, seconds, advance])

  return { front, shown, empty, advance }
}

export function Player({
  name,
  label = saverTexts.screenSaver,
  seconds,
  videos,
  fetch,
  onStop,
  returnTo,
}: PlayerProps) {
  useSignals()
  const root = useRef<HTMLDialogElement>(null)
  const [paused, setPaused] = useState(false)
  const [quiet, stir] = useHiddenControls()
  useWakeLock()
  useLayer(root, () => onStop?.(), {
    takesFocus: false,
    steps: onStop === undefined ? 0 : 1,
    ...(returnTo === undefined ? {} : { returnTo }),
  })

  useModal(root, () => onStop?.())
  const { front, shown, empty, advance } = usePictureSequence({ name, seconds, videos, fetch, paused })

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      stir()
      if (event.key === 'ArrowRight') void advance()
      else if (event.key === ' ') setPaused(now => !now)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [advance, stir])

  const place = front?.item.place ?? ''
  return createPortal(
    <dialog
      ref={root}
      className="saver"
      data-theme="keepsake-dark"
      data-quiet={quiet}
      aria-label={label}
      tabIndex={-1}
      data-autofocus
      onPointerMove={stir}
      onPointerDown={stir}
    >
      {shown.map(({ item, layer }) => (
        <Layer
          key={`${layer} ${item.id}`}
          item={item}
          front={item === front?.item}
          paused={paused}
          onEnd={() => void advance()}
        />
      ))}
      {front !== undefined && (
        <div className="saver-words">
          <p className="date-head font-semibold">{longDate(front.item.taken)}</p>
          {place !== '' && <p dir="auto">{place}</p>}
        </div>
      )}
      {empty && front === undefined && (
        <div className="saver-wait">
          <ImageOff size={56} strokeWidth={1} aria-hidden="true" />
          <p>{saverTexts.nothingToShow}</p>
        </div>
      )}
      <div className="saver-controls">
        <Button
          text={paused ? <Play size={22} /> : <Pause size={22} />}
          aria-label={paused ? saverTexts.goOn : baseTexts.pause}
          title={paused ? saverTexts.goOn : baseTexts.pause}
          onClick={() => setPaused(!paused)}
        />
        <button type="button" aria-label={baseTexts.next} title={baseTexts.next} onClick={() => void advance()}>
          <SkipForward size={22} />
        </button>
        {onStop !== undefined && (
          <button type="button" aria-label={baseTexts.stop} title={baseTexts.stop} onClick={onStop}>
            <X size={22} />
          </button>
        )}
      </div>
    </dialog>,
    document.body,
  )
}
