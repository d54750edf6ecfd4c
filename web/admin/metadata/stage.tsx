/** The edited picture, as large as possible, with its boxes. */
import { useSignals } from '@preact/signals-react/runtime'
import { ImageOff } from 'lucide-react'
import { type MouseEvent, useId, useRef, useState } from 'react'
import type { ItemDetails } from '../../../schema/api/items.ts'
import { pictureOf } from '../../api.ts'
import { useBroken } from '../../app/loading/use-broken.ts'
import { mayUpdate } from '../../app/rights.ts'
import { rotationOf } from '../../items/item-text.ts'
import { namedBoxesOf, RegionBox } from '../../items/pictures/regions.tsx'
import { fitWithin, type Size, turnedSize } from '../../items/pictures/zoom.ts'
import { useRun } from '../../kit/time/use-run.ts'
import { useElementSize } from '../../kit/use-element-size.ts'
import { baseTexts } from '../../texts/base.ts'
import { serverMessage } from '../../texts/language/server-message.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import { addBoxAt, chosenBox } from './boxes/box-choice.ts'
import { sidesOf } from './boxes/box-rules.ts'
import { Boxes } from './boxes/boxes.tsx'
import { NamePanel } from './boxes/name-panel.tsx'
import { FaceBar } from './faces/face-bar.tsx'
import { draft } from './item-editor.ts'
import type { FormBox } from './item-form.ts'

/** The picture; until the rotated picture is loaded, the old one is rotated by CSS. */
function Picture({ item, frame, onBroken }: { item: ItemDetails; frame: Size; onBroken: () => void }) {
  const rotation = rotationOf(item)
  const latest = useRef(rotation)
  latest.current = rotation
  const [shown, setShown] = useState({ source: pictureOf(item, 'large'), rotation })
  const source = pictureOf(item, 'large')
  useRun(
    async signal => {
      if (source === shown.source) return
      const next = new Image()
      next.src = source
      // If the new picture cannot be loaded, the <img> below reports that.
      await next.decode().catch(() => {})
      if (!signal.aborted) setShown({ source, rotation: latest.current })
    },
    [source, shown.source],
  )
  const degrees = (rotation - shown.rotation + 360) % 360
  const size = turnedSize(frame, degrees)
  return (
    <img
      className="editor-picture"
      src={shown.source}
      alt={item.name}
      draggable={false}
      style={{ ...size, transform: `translate(-50%, -50%) rotate(${degrees}deg)` }}
      onError={onBroken}
    />
  )
}

/** Two taps this close in time and place count as a double tap, because not every browser reports double taps. */
const tapMs = 350
const tapPixels = 30

function useDoubleTap(act: (x: number, y: number) => void) {
  const last = useRef({ at: 0, x: 0, y: 0 })
  return (event: MouseEvent) => {
    const { at, x, y } = last.current
    const near = Math.hypot(event.clientX - x, event.clientY - y) < tapPixels
    const double = event.timeStamp - at < tapMs && near
    last.current = double ? { at: 0, x: 0, y: 0 } : { at: event.timeStamp, x: event.clientX, y: event.clientY }
    if (double) act(event.clientX, event.clientY)
  }
}

const padding = 12

function PictureFrame({ item, boxes, stage }: { item: ItemDetails; boxes: readonly FormBox[]; stage: Size }) {
  useSignals()
  const ref = useRef<HTMLDivElement>(null)
  const isTouch = useRef(false)
  const help = useId()
  const { broken, onError } = useBroken(`${item.id} ${item.reloads}`)
  const room = { width: Math.max(1, stage.width - 2 * padding), height: Math.max(1, stage.height - 2 * padding) }
  const frame = fitWithin(item, room)
  const scale = Math.max(frame.width, frame.height) / 1000
  const [left, top] = [(stage.width - frame.width) / 2, (stage.height - frame.height) / 2]
  const fault = item.problem !== null ? serverMessage(item.problem) : broken ? baseTexts.pictureCouldNotBeLoaded : null
  const editable = mayUpdate(item) && sidesOf(item) !== null
  const drawAt = (x: number, y: number) => {
    const at = ref.current?.getBoundingClientRect()
    if (at !== undefined && editable) addBoxAt({ x: (x - at.left) / scale, y: (y - at.top) / scale })
  }
  const onTap = useDoubleTap(drawAt)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button 'Add a box' does the same for the keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div
        className="editor-ground"
        onPointerDown={({ pointerType }) => {
          isTouch.current = pointerType !== 'mouse'
          chosenBox.value = null
        }}
        // A click is the last event of a tap, so what opens here keeps the focus.
        onClick={event => isTouch.current && onTap(event)}
        onDoubleClick={({ clientX, clientY }) => !isTouch.current && drawAt(clientX, clientY)}
      >
        <div ref={ref} className="editor-frame" style={{ left, top, width: frame.width, height: frame.height }}>
          {fault === null ? (
            <Picture item={item} frame={frame} onBroken={onError} />
          ) : (
            <div className="editor-fault">
              <ImageOff size={40} strokeWidth={1.25} aria-hidden="true" />
              <p>{fault}</p>
            </div>
          )}
          {editable ? (
            <Boxes boxes={boxes} picture={item} frame={frame} help={help} />
          ) : (
            namedBoxesOf(item).map(named => {
              const { x, y, width, height } = named.share
              const box = {
                x: x * frame.width,
                y: y * frame.height,
                width: width * frame.width,
                height: height * frame.height,
              }
              return <RegionBox key={named.key} named={named} box={box} frame={frame} />
            })
          )}
        </div>
        <p id={help} hidden>
          {metadataTexts.boxKeys}
        </p>
      </div>
      {editable && (
        <NamePanel
          boxes={boxes}
          stage={stage}
          placeOf={box => ({
            x: left + box.x * scale,
            y: top + box.y * scale,
            width: box.width * scale,
            height: box.height * scale,
          })}
        />
      )}
    </>
  )
}

export function Stage() {
  useSignals()
  const ref = useRef<HTMLDivElement>(null)
  const size = useElementSize(ref)
  const now = draft.value
  return (
    <div className="editor-stage" data-theme="keepsake-dark">
      <div ref={ref} className="editor-room">
        {now !== null && size.width > 0 && (
          <PictureFrame key={now.item.id} item={now.item} boxes={now.form.boxes} stage={size} />
        )}
      </div>
      <FaceBar />
    </div>
  )
}
