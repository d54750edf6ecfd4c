/** The viewer: one picture on black, its neighbours at hand, the details beside it when asked for. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronLeft, ChevronRight, ImageOff } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { pictureOf } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { TryAgain } from '../../parts/try-again.tsx'
import { useLayer } from '../../parts/use-layer.ts'
import { useRoom } from '../../parts/use-room.ts'
import { openLogin, topModal } from '../../state/dialogs.ts'
import { openItemMenu, placeOf } from '../../state/item-menu.ts'
import { imageNotFound, spokenOf } from '../../state/item-text.ts'
import { details, regions, rotation, setOptions } from '../../state/options.ts'
import { rate } from '../../state/rating.ts'
import { askDelete } from '../../state/recycling.ts'
import { mayUpdate } from '../../state/rights.ts'
import { rotateItem } from '../../state/rotate.ts'
import { signedIn } from '../../state/session.ts'
import { sharedId } from '../../state/shared-item.ts'
import {
  closeViewer,
  lastOpened,
  loadOpen,
  lost,
  neighbour,
  openDetails,
  openId,
  openIndex,
  openItem,
  openTotal,
  step,
} from '../../state/viewer.ts'
import { narrow } from '../../state/viewport.ts'
import { fitWithin, scaleMost, turnedSize } from '../../state/zoom.ts'
import { type ControlsProps, PhoneFoot, PhoneTop, TopBar } from './controls.tsx'
import { Details } from './details.tsx'
import { DetailsSheet } from './details-sheet.tsx'
import { Slide } from './slide.tsx'
import { useGestures } from './use-gestures.ts'
import { useQuiet } from './use-quiet.ts'
import { useViewerKeys } from './use-viewer-keys.ts'

function Lost({ gone }: { gone: boolean }) {
  useSignals()
  return (
    <div className="viewer-fault">
      <ImageOff size={40} strokeWidth={1.25} aria-hidden="true" />
      <p role="alert">{gone ? imageNotFound : 'The picture could not be loaded'}</p>
      <div className="flex flex-wrap justify-center gap-2">
        {!gone && <TryAgain again={loadOpen} />}
        <Button look="quiet" text="Back to the gallery" onClick={closeViewer} />
        {!signedIn.value && <Button look="quiet" text="Login" onClick={() => openLogin()} />}
      </div>
    </div>
  )
}

/** Mediums of the pictures after the next ones: the larger of the next ones are already being drawn. */
function preload(): void {
  for (const by of [2, -2]) {
    const item = neighbour(by)
    if (item !== undefined && item.problem === null) new Image().src = pictureOf(item, 'medium')
  }
}

export function Viewer() {
  useSignals()
  const root = useRef<HTMLDivElement>(null)
  const stageRef = useRef<HTMLDivElement>(null)
  const trackRef = useRef<HTMLDivElement>(null)
  const stage = useRoom(stageRef)
  const [scale, setScale] = useState(1)
  const [turned, setTurned] = useState({ id: 0, degrees: 0 })
  const [motion, setMotion] = useState<number | null>(null)
  const [sheet, setSheet] = useState(false)
  const layer = useLayer(root, closeViewer, {
    modal: true,
    steps: null,
    returnTo: () => document.querySelector<HTMLElement>(`.card-link[data-index="${lastOpened.peek()}"]`),
  })

  const [item, index, id] = [openItem.value, openIndex.value, openId.value]
  const small = narrow.value
  const isShared = id === sharedId
  const panel = !isShared && (small ? sheet : details.value)
  // Turning the view belongs to one picture; the next one stands as it is.
  const turn = ((((turned.id === id ? turned.degrees : 0) + rotation.value) % 360) + 360) % 360
  const [previous, next] = [neighbour(-1), neighbour(1)]
  const picture = turnedSize(item ?? { width: 0, height: 0 }, turn)
  const fit = fitWithin(picture, stage)
  const zooms = item !== null && item.type === 'image' && item.problem === null
  const hasRegions = item !== null && (item.tags.People?.data.length ?? 0) + (item.tags.Object?.data.length ?? 0) > 0

  const [quiet, toggleQuiet] = useQuiet(root, item === null)
  const toggleDetails = () => !isShared && (small ? setSheet(!sheet) : setOptions({ details: !details.value }))
  const gestures = useGestures(
    stageRef,
    trackRef,
    {
      stage,
      fit,
      picture,
      most: scaleMost(picture, fit),
      zooms,
      hasPrevious: previous !== undefined,
      hasNext: next !== undefined,
    },
    {
      step: by => void step(by),
      close: closeViewer,
      details: () => small && !isShared && setSheet(true),
      tap: toggleQuiet,
      zoomed: setScale,
    },
  )
  const turnBy = (by: 90 | -90) => {
    if (id === null || item === null || !zooms) return
    gestures.zoom.begin()
    setScale(1)
    // Whoever may change it turns it for everybody; all others only what they look at.
    if (!isShared && mayUpdate(item)) {
      void rotateItem(item, by > 0 ? 'right' : 'left')
      return
    }
    setTurned({ id, degrees: (turned.id === id ? turned.degrees : 0) + by })
  }
  const remove = () => item !== null && !isShared && askDelete([item])
  const playMotion = () => item?.live === true && setMotion(item.id)
  useViewerKeys(layer, {
    step: by => void step(by),
    zoom: factor => gestures.zoom.by(factor),
    fit: () => gestures.zoom.fit(),
    turn: turnBy,
    details: toggleDetails,
    regions: () => setOptions({ regions: !regions.value }),
    play: () => {
      const film = root.current?.querySelector<HTMLMediaElement>('[data-playable]')
      if (film === null || film === undefined) return void playMotion()
      if (film.paused) film.play().catch(() => {})
      else film.pause()
    },
    rate: rating => item !== null && !isShared && rate([item], rating),
    remove,
    menu: () => {
      const button = root.current?.querySelector<HTMLElement>('[data-menu]')
      button?.click()
    },
  })

  // Before the next picture is painted, nothing is left of the last one's zoom or swipe.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the open picture alone
  useLayoutEffect(() => {
    gestures.begin()
    setScale(1)
    setMotion(null)
  }, [id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the stage alone
  useLayoutEffect(() => gestures.zoom.refit(), [stage])
  // biome-ignore lint/correctness/useExhaustiveDependencies: neighbours are there once the list has them
  useEffect(preload, [id, next?.id, previous?.id])

  const controls: ControlsProps = {
    item,
    index,
    total: openTotal.value,
    zoomed: scale > 1.01,
    details: panel,
    isShared,
    mayUpdate: item !== null && !isShared && mayUpdate(item),
    regions: regions.value,
    hasRegions,
    motion: motion === item?.id,
    close: closeViewer,
    zoom: () => (scale > 1.01 ? gestures.zoom.fit() : gestures.zoom.by(2.5)),
    turn: turnBy,
    toggleDetails,
    toggleRegions: () => setOptions({ regions: !regions.value }),
    playMotion,
    remove,
  }
  const slides = [
    ...(previous === undefined || index === null ? [] : [{ key: index - 1, item: previous, place: -1 }]),
    ...(item === null ? [] : [{ key: index ?? 'alone', item, place: 0 }]),
    ...(next === undefined || index === null ? [] : [{ key: index + 1, item: next, place: 1 }]),
  ]
  return createPortal(
    <div
      ref={root}
      className="viewer"
      data-theme="keepsake-dark"
      data-quiet={quiet}
      data-panel={panel}
      data-zoomed={scale > 1.01 && !small}
      role="dialog"
      aria-modal="true"
      aria-label={item === null ? 'Picture' : spokenOf(item)}
      tabIndex={-1}
      data-autofocus
      inert={topModal.value !== null && topModal.value !== layer}
    >
      <div className="viewer-main">
        {small ? <PhoneTop {...controls} /> : <TopBar {...controls} />}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button of the menu has the keys */}
        <div
          ref={stageRef}
          className="viewer-stage"
          onContextMenu={event => {
            event.preventDefault()
            if (item !== null && !isShared) openItemMenu(item, placeOf(event))
          }}
        >
          <div ref={trackRef} className="viewer-track">
            {stage.width > 0 &&
              slides.map(slide => (
                <Slide
                  key={slide.key}
                  item={slide.item}
                  place={slide.place}
                  stage={stage}
                  turn={slide.place === 0 ? turn : rotation.value}
                  scale={slide.place === 0 ? scale : 1}
                  regions={regions.value}
                  motion={motion === slide.item.id}
                  onMotionEnd={() => setMotion(null)}
                />
              ))}
          </div>
          {lost.value?.id === id && item === null && <Lost gone={lost.value.gone} />}
        </div>
        {!small && previous !== undefined && (
          <button
            type="button"
            // Pictures lie from left to right, as in the grid, whatever the direction of the words.
            className="viewer-side viewer-control left-0"
            aria-label="Previous"
            onClick={() => void step(-1)}
          >
            <ChevronLeft size={22} />
          </button>
        )}
        {!small && next !== undefined && (
          <button
            type="button"
            className="viewer-side viewer-control right-0"
            aria-label="Next"
            onClick={() => void step(1)}
          >
            <ChevronRight size={22} />
          </button>
        )}
        {small && item !== null && <PhoneFoot {...controls} item={item} />}
      </div>
      {panel &&
        item !== null &&
        (small ? (
          <DetailsSheet item={item} details={openDetails.value} onClose={toggleDetails} />
        ) : (
          <Details item={item} details={openDetails.value} onClose={toggleDetails} />
        ))}
    </div>,
    document.body,
  )
}
