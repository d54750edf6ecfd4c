/** The viewer: one picture on black, its neighbours preloaded, and details beside it on request. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronLeft, ChevronRight, ImageOff } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Item } from '../../schema/api/items.ts'
import { pictureOf } from '../api.ts'
import { openLogin } from '../app/dialogs.ts'
import { rotation, setOptions, showsBoxes, showsDetails } from '../app/options.ts'
import { mayUpdate } from '../app/rights.ts'
import { signedIn } from '../app/session.ts'
import { accessibleName, imageNotFound } from '../items/item-text.ts'
import {
  closeViewer,
  failedItem,
  lastOpenedIndex,
  loadOpen,
  neighbour,
  openDetails,
  openId,
  openIndex,
  openItem,
  openTotal,
  stepViewer,
} from '../items/open-item.ts'
import { growPicture } from '../items/pictures/grow.ts'
import { fitWithin, maxScale, type Size, turnedSize } from '../items/pictures/zoom.ts'
import { menuPlaceOf, openItemMenu } from '../items/selection/item-menu-state.ts'
import { rate } from '../items/selection/rating.ts'
import { askDelete } from '../items/selection/recycling.ts'
import { rotateItem } from '../items/selection/rotate.ts'
import { sharedId } from '../items/shared-item.ts'
import { Button } from '../kit/button.tsx'
import { useModal } from '../kit/layers/native-dialog.ts'
import { useLayer } from '../kit/layers/use-layer.ts'
import { TryAgain } from '../kit/try-again.tsx'
import { useElementSize } from '../kit/use-element-size.ts'
import { narrow, phone } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import { viewerTexts } from '../texts/viewer.ts'
import { type ControlsProps, TopBar, viewerEntries } from './controls.tsx'
import { Details } from './details.tsx'
import { DetailsSheet } from './details-sheet.tsx'
import { Filmstrip } from './filmstrip.tsx'
import { PhoneFoot, PhoneTop } from './phone-controls.tsx'
import { SharedParts } from './share-words.tsx'
import { Slide } from './slide.tsx'
import { useGestures } from './use-gestures.ts'
import { useHiddenControls } from './use-quiet.ts'
import { useViewerKeys } from './use-viewer-keys.ts'

function ItemNotLoaded({ gone }: { gone: boolean }) {
  useSignals()
  return (
    <div className="viewer-fault">
      <ImageOff size={40} strokeWidth={1.25} aria-hidden="true" />
      <p role="alert">{gone ? imageNotFound : baseTexts.pictureCouldNotBeLoaded}</p>
      <div className="flex flex-wrap justify-center gap-2">
        {!gone && <TryAgain again={loadOpen} />}
        <Button look="quiet" text={viewerTexts.backToTheGallery} onClick={closeViewer} />
        {!signedIn.value && <Button look="quiet" text={baseTexts.login} onClick={() => openLogin()} />}
      </div>
    </div>
  )
}

/** Preloads the medium renditions of the pictures beyond the neighbours; the neighbours are rendered already. */
function preload(): void {
  for (const by of [2, -2]) {
    const item = neighbour(by)
    if (item !== undefined && item.problem === null) new Image().src = pictureOf(item, 'medium')
  }
}

/** Pictures are ordered along the text, like the grid. */
function NeighbourButton({ by }: { by: 1 | -1 }) {
  const Icon = by < 0 ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      className={`viewer-side viewer-control ${by < 0 ? 'start-0' : 'end-0'}`}
      aria-label={by < 0 ? baseTexts.previous : baseTexts.next}
      onClick={() => void stepViewer(by)}
    >
      <Icon size={22} />
    </button>
  )
}

/** Buttons and a filmstrip for other pictures. A zoomed picture covers the filmstrip's place, so it is hidden then. */
function Neighbours(has: { hasPrevious: boolean; hasNext: boolean; isZoomed: boolean }) {
  useSignals()
  return (
    <>
      {!phone.value && !has.isZoomed && (has.hasPrevious || has.hasNext) && <Filmstrip />}
      {has.hasPrevious && <NeighbourButton by={-1} />}
      {has.hasNext && <NeighbourButton by={1} />}
    </>
  )
}

/** Degrees of the view's rotation: the option's, plus what was added for this picture only. Reads signals. */
function useRotation(id: number | null): [number, (by: 90 | -90) => void] {
  const [turned, setTurned] = useState<{ id: number | null; degrees: number }>({ id: 0, degrees: 0 })
  const degrees = turned.id === id ? turned.degrees : 0
  return [(((degrees + rotation.value) % 360) + 360) % 360, by => setTurned({ id, degrees: degrees + by })]
}

/** Plays or pauses a film; returns false if there is none. */
function playOrPause(root: HTMLElement | null): boolean {
  const film = root?.querySelector<HTMLMediaElement>('[data-playable]')
  if (film == null) return false
  if (film.paused) film.play().catch(() => {})
  else film.pause()
  return true
}

/** The details: beside the picture or, on a phone, in a sheet. */
function DetailsPanel({ item, small, onClose }: { item: Item; small: boolean; onClose: () => void }) {
  useSignals()
  const Shown = small ? DetailsSheet : Details
  return <Shown item={item} details={openDetails.value} onClose={onClose} />
}

/** Reacts to another picture, another size or other neighbours. */
function useResets(
  gestures: ReturnType<typeof useGestures>,
  { id, stage, next, previous }: { id: number | null; stage: Size; next?: number; previous?: number },
  reset: () => void,
): void {
  // Resets swipe and zoom before the next picture is painted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the open picture alone
  useLayoutEffect(() => {
    gestures.begin()
    reset()
  }, [id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the stage alone
  useLayoutEffect(() => gestures.zoom.refit(), [stage])
  // biome-ignore lint/correctness/useExhaustiveDependencies: neighbours exist once the list has them
  useEffect(preload, [id, next, previous])
}

function Slides({
  stage,
  turn,
  scale,
  motion,
  onMotionEnd,
}: {
  stage: Size
  turn: number
  scale: number
  motion: number | null
  onMotionEnd: () => void
}) {
  useSignals()
  const [item, index, previous, next] = [openItem.value, openIndex.value, neighbour(-1), neighbour(1)]
  const slides = [
    ...(previous === undefined || index === null ? [] : [{ key: index - 1, item: previous, place: -1 }]),
    ...(item === null ? [] : [{ key: index ?? 'alone', item, place: 0 }]),
    ...(next === undefined || index === null ? [] : [{ key: index + 1, item: next, place: 1 }]),
  ]
  return slides.map(slide => (
    <Slide
      key={slide.key}
      item={slide.item}
      place={slide.place}
      stage={stage}
      turn={slide.place === 0 ? turn : rotation.value}
      scale={slide.place === 0 ? scale : 1}
      regions={showsBoxes.value}
      motion={motion === slide.item.id}
      onMotionEnd={onMotionEnd}
    />
  ))
}

/** The elements that move the pictures, and the message if the open one is lost. */
function Stage({
  stageRef,
  trackRef,
  isHeld,
  controls,
  children,
}: {
  stageRef: RefObject<HTMLDivElement | null>
  trackRef: RefObject<HTMLDivElement | null>
  /** Whether a long press does something else than opening the menu. */
  isHeld: () => boolean
  controls: ControlsProps
  children: ReactNode
}) {
  useSignals()
  const [item, id] = [openItem.value, openId.value]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu's button handles the keys
    <div
      ref={stageRef}
      className="viewer-stage"
      onContextMenu={event => {
        event.preventDefault()
        if (item === null || id === sharedId || isHeld()) return
        openItemMenu(item, menuPlaceOf(event), viewerEntries(controls))
      }}
    >
      <div ref={trackRef} className="viewer-track">
        {children}
      </div>
      {failedItem.value?.id === id && item === null && <ItemNotLoaded gone={failedItem.value.gone} />}
    </div>
  )
}

/** Zoom and swipes of the open picture, and the actions for them. */
function usePictureGestures({
  id,
  item,
  turn,
  ...acts
}: {
  id: number | null
  item: Item | null
  /** Degrees of the view's rotation. */
  turn: number
  onDetails: () => void
  onTap: () => void
  onHold: (on: boolean) => void
  onOther: () => void
}) {
  const stageRef = useRef<HTMLDivElement>(null)
  const trackRef = useRef<HTMLDivElement>(null)
  const stage = useElementSize(stageRef)
  const [scale, setScale] = useState(1)
  const [previous, next] = [neighbour(-1), neighbour(1)]
  const picture = turnedSize(item ?? { width: 0, height: 0 }, turn)
  const fit = fitWithin(picture, stage, devicePixelRatio)
  const canZoom = item !== null && item.type === 'image' && item.problem === null
  const gestures = useGestures(
    stageRef,
    trackRef,
    {
      stage,
      fit,
      picture,
      maxScale: maxScale(picture, fit, devicePixelRatio),
      canZoom,
      playsOnHold: canZoom && item.live,
      hasPrevious: previous !== undefined,
      hasNext: next !== undefined,
    },
    {
      step: by => void stepViewer(by),
      close: closeViewer,
      details: acts.onDetails,
      tap: acts.onTap,
      hold: acts.onHold,
      zoomed: setScale,
    },
  )
  useResets(gestures, { id, stage, next: next?.id, previous: previous?.id }, () => {
    setScale(1)
    acts.onOther()
  })
  const { zoom } = gestures
  return {
    stageRef,
    trackRef,
    stage,
    scale,
    canZoom,
    zoom,
    isHeld: gestures.isHeld,
    hasPrevious: previous !== undefined,
    hasNext: next !== undefined,
    /** Resets the zoom. */
    restart() {
      zoom.begin()
      setScale(1)
    },
  }
}

/** Closes the viewer; the picture shrinks into its card, if the gallery shows it. */
function closeIntoCard(): void {
  const index = openIndex.peek()
  const card = () =>
    document.querySelector('.viewer') !== null
      ? null
      : (document.querySelector<HTMLElement>(`.card-link[data-index="${index}"]`)?.closest<HTMLElement>('.card-pic') ??
        null)
  growPicture(document.querySelector<HTMLElement>('.viewer-slide[data-open] .viewer-box'), closeViewer, card)
}

/** Whether the details are shown, and what shows them: beside the picture by an option, on a phone in a sheet. */
function usePanel(isShared: boolean, small: boolean) {
  const [sheet, setSheet] = useState(false)
  return {
    panel: !isShared && (small ? sheet : showsDetails.value),
    toggleDetails: () => !isShared && (small ? setSheet(!sheet) : setOptions({ details: !showsDetails.value })),
    openSheet: () => small && !isShared && setSheet(true),
  }
}

const cardOfLast = () => document.querySelector<HTMLElement>(`.card-link[data-index="${lastOpenedIndex.peek()}"]`)

export function Viewer() {
  useSignals()
  const root = useRef<HTMLDialogElement>(null)
  const [motion, setMotion] = useState<number | null>(null)
  const layer = useLayer(root, closeIntoCard, { takesFocus: false, steps: null, returnTo: cardOfLast })
  useModal(root, closeIntoCard)

  const [item, index, id] = [openItem.value, openIndex.value, openId.value]
  const small = narrow.value
  const isShared = id === sharedId
  const { panel, toggleDetails, openSheet } = usePanel(isShared, small)
  const [turn, rotateView] = useRotation(id)
  const hasRegions = item !== null && (item.tags.People?.data.length ?? 0) + (item.tags.Object?.data.length ?? 0) > 0
  const [areControlsHidden, toggleControls] = useHiddenControls(root, item === null)
  const playMotion = () => item?.live === true && setMotion(item.id)
  const stopMotion = () => setMotion(null)
  const { stageRef, trackRef, stage, scale, canZoom, zoom, isHeld, hasPrevious, hasNext, restart } = usePictureGestures(
    {
      id,
      item,
      turn,
      onDetails: openSheet,
      onTap: toggleControls,
      onHold: on => (on ? playMotion() : stopMotion()),
      onOther: stopMotion,
    },
  )
  const isZoomed = scale > 1.01
  const rotate = (by: 90 | -90) => {
    if (id === null || item === null || !canZoom) return
    restart()
    // Users who may change the item rotate it for everybody; others only their view.
    if (!isShared && mayUpdate(item)) void rotateItem(item, by > 0 ? 'right' : 'left')
    else rotateView(by)
  }
  const remove = () => item !== null && !isShared && askDelete([item])
  useViewerKeys(layer, {
    step: by => void stepViewer(by),
    zoom: factor => zoom.by(factor),
    fit: zoom.fit,
    turn: rotate,
    details: toggleDetails,
    regions: () => setOptions({ regions: !showsBoxes.value }),
    play: () => playOrPause(root.current) || playMotion(),
    rate: rating => item !== null && !isShared && rate([item], rating),
    remove,
    menu: () => root.current?.querySelector<HTMLElement>('[data-menu]')?.click(),
  })

  const controls: ControlsProps = {
    item,
    index,
    total: openTotal.value,
    zoomed: isZoomed,
    details: panel,
    isShared,
    mayUpdate: item !== null && !isShared && mayUpdate(item),
    mayShare: !isShared && signedIn.value,
    regions: showsBoxes.value,
    hasRegions,
    motion: motion === item?.id,
    close: closeIntoCard,
    zoom: () => zoom.toggle({ x: 0, y: 0 }),
    turn: rotate,
    toggleDetails,
    toggleRegions: () => setOptions({ regions: !showsBoxes.value }),
    playMotion,
    stopMotion,
    remove,
  }
  return createPortal(
    <dialog
      ref={root}
      className="viewer"
      data-theme="keepsake-dark"
      data-quiet={areControlsHidden}
      data-panel={panel}
      data-over={(isZoomed || phone.value) && !small}
      aria-label={item === null ? baseTexts.picture : accessibleName(item)}
      tabIndex={-1}
      data-autofocus
    >
      {isShared && item !== null && <SharedParts item={item} small={small} />}
      <div className="viewer-main">
        {small ? <PhoneTop {...controls} /> : <TopBar {...controls} />}
        <Stage stageRef={stageRef} trackRef={trackRef} isHeld={isHeld} controls={controls}>
          {stage.width > 0 && (
            <Slides stage={stage} turn={turn} scale={scale} motion={motion} onMotionEnd={stopMotion} />
          )}
        </Stage>
        {!small && <Neighbours hasPrevious={hasPrevious} hasNext={hasNext} isZoomed={isZoomed} />}
        {small && item !== null && <PhoneFoot {...controls} item={item} />}
      </div>
      {panel && item !== null && <DetailsPanel item={item} small={small} onClose={toggleDetails} />}
    </dialog>,
    document.body,
  )
}
