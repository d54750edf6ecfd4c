/** Boxes of people and objects that can be moved, resized and named, with a pointer, a finger or the keyboard. */
import { useSignals } from '@preact/signals-react/runtime'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { labelPlace, type PictureBox } from '../../../items/pictures/region-rules.ts'
import type { Size } from '../../../items/pictures/zoom.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import { guessOf } from '../faces/seen-faces.ts'
import { draft, editBox } from '../item-editor.ts'
import { type FormBox, isProposal } from '../item-form.ts'
import { boxBeingNamed, chosenBox, endNaming, moveBox, removeBox, resizeBox } from './box-choice.ts'
import { boxAfterKey, type Handle, handles, hasNoBox, sidesOf } from './box-rules.ts'
import { nameOfBox } from './known-names.ts'
import { mayEdit, openObject } from './objects.ts'

/** Follows a pressed pointer: `move` gets the distance from where it was pressed. `scale`: pixels per thousandth. */
function useDrag(scale: number, move: (by: { x: number; y: number }) => void) {
  const from = useRef<{ id: number; x: number; y: number } | null>(null)
  const end = () => {
    from.current = null
  }
  return {
    begin(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      from.current = { id: event.pointerId, x: event.clientX, y: event.clientY }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { current } = from
      if (current === null || current.id !== event.pointerId) return
      move({ x: (event.clientX - current.x) / scale, y: (event.clientY - current.y) / scale })
    },
    onPointerUp: end,
    onPointerCancel: end,
    onLostPointerCapture: end,
  }
}

function ResizeHandle({ handle, box, scale }: { handle: Handle; box: FormBox; scale: number }) {
  const start = useRef(box)
  const drag = useDrag(scale, by => resizeBox(start.current, handle, by))
  const { begin, ...follow } = drag
  return (
    <i
      className="box-handle"
      data-handle={handle}
      aria-hidden="true"
      {...follow}
      onPointerDown={event => {
        event.stopPropagation()
        start.current = box
        begin(event)
      }}
    />
  )
}

/** In a narrow box the percentage is hidden and the name truncated, but the question mark stays. */
function GuessedName({ name, percent }: { name: string; percent: string }) {
  return (
    <b dir="auto">
      <span className="guess-name">
        <span>{name}</span>
        <span>?</span>
      </span>{' '}
      <span className="guess-percent">{percent}</span>
    </b>
  )
}

function EditBox({
  box,
  place,
  picture,
  frame,
  scale,
  help,
}: {
  box: FormBox
  /** In pixels of the frame. */
  place: PictureBox
  picture: Size
  frame: Size
  scale: number
  /** Id of the help text for the keys. */
  help: string
}) {
  useSignals()
  const chosen = chosenBox.value === box.key
  const ref = useRef<HTMLDivElement>(null)
  const start = useRef(box)
  const { begin, ...follow } = useDrag(scale, by => moveBox(start.current, by))
  const sides = sidesOf(picture)
  const onKey = (event: KeyboardEvent) => {
    const next = sides === null ? null : boxAfterKey(box, event, sides)
    if (next !== null) editBox(box.key, next)
    else if (event.key === 'Enter' && event.altKey && mayEdit(box)) openObject(box.subject)
    else if (event.key === 'Enter' || event.key === 'F2') boxBeingNamed.value = box.key
    else if (event.key === 'Delete' || event.key === 'Backspace') removeBox(box.key)
    else if (event.key === 'Escape' && chosen) chosenBox.value = null
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  useEffect(() => {
    if (chosen && boxBeingNamed.peek() === null) ref.current?.focus({ preventScroll: true })
  }, [chosen])
  // Align the name towards the picture's centre, where it has room.
  const isAtEnd = place.x + place.width / 2 > frame.width * 0.6
  const where: CSSProperties & { '--room': string } = {
    left: place.x,
    top: place.y,
    width: place.width,
    height: place.height,
    '--room': `${Math.round(isAtEnd ? place.x + place.width : frame.width - place.x)}px`,
  }
  const guess = nameOfBox(box) === '' ? guessOf(box.key, draft.value?.item.taken ?? 0) : null
  const name =
    guess === null
      ? nameOfBox(box) || (isProposal(box) ? metadataTexts.unknown : metadataTexts.unnamed)
      : `${guess.name}? ${guess.percent}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot contain the resize handles
    <div
      ref={ref}
      role="button"
      tabIndex={0}
      className={`region box-edit ${labelPlace(place, frame) === 'above' ? '' : labelPlace(place, frame)}`}
      data-box={box.key}
      data-kind={box.kind}
      data-new={box.id === 0 ? '' : undefined}
      data-found={isProposal(box) ? '' : undefined}
      data-guess={guess === null ? undefined : ''}
      data-chosen={chosen ? '' : undefined}
      data-end={isAtEnd ? '' : undefined}
      data-small={Math.min(place.width, place.height) < 34 ? '' : undefined}
      data-tight={Math.min(place.width, place.height) < 76 ? '' : undefined}
      aria-pressed={chosen}
      aria-label={`${name}, ${box.kind}`}
      aria-describedby={help}
      style={where}
      {...follow}
      onPointerDown={event => {
        event.stopPropagation()
        if (boxBeingNamed.peek() !== box.key) endNaming()
        chosenBox.value = box.key
        start.current = box
        begin(event)
      }}
      onDoubleClick={event => {
        event.stopPropagation()
        boxBeingNamed.value = box.key
      }}
      onFocus={() => {
        chosenBox.value = box.key
      }}
      onKeyDown={onKey}
    >
      {guess === null ? <b dir="auto">{name}</b> : <GuessedName {...guess} />}
      {chosen && handles.map(handle => <ResizeHandle key={handle} handle={handle} box={box} scale={scale} />)}
    </div>
  )
}

/** All boxes with a place, smaller ones above larger ones. */
export function Boxes({
  boxes,
  picture,
  frame,
  help,
}: {
  boxes: readonly FormBox[]
  picture: Size
  frame: Size
  help: string
}) {
  const scale = Math.max(frame.width, frame.height) / 1000
  const placed = boxes.filter(box => !hasNoBox(box)).sort((a, b) => b.width * b.height - a.width * a.height)
  return placed.map(box => (
    <EditBox
      key={box.key}
      box={box}
      place={{ x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale }}
      picture={picture}
      frame={frame}
      scale={scale}
      help={help}
    />
  ))
}
