/** Asks for the name of a box: in a panel beside it, or on a phone in a sheet. */
import { useSignals } from '@preact/signals-react/runtime'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { PictureBox } from '../../../items/pictures/region-rules.ts'
import type { Size } from '../../../items/pictures/zoom.ts'
import { Modal } from '../../../kit/layers/modal.tsx'
import { useLayer } from '../../../kit/layers/use-layer.ts'
import { useOutsidePress } from '../../../kit/layers/use-outside-press.ts'
import { narrow } from '../../../kit/viewport.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import { draft } from '../item-editor.ts'
import type { FormBox } from '../item-form.ts'
import { boxBeingNamed, endNaming, nameBox } from './box-choice.ts'
import { hasNoBox, panelPlace } from './box-rules.ts'
import { FaceChoices } from './face-rows.tsx'
import { NameField } from './name-field.tsx'

const title = metadataTexts.whoOrWhatIsIt

function NameChoices({ box }: { box: FormBox }) {
  useSignals()
  const id = useId()
  return (
    <>
      <FaceChoices box={box} taken={draft.value?.item.taken ?? 0} />
      <NameField
        id={id}
        label={title}
        start={box.name}
        placeholder={metadataTexts.aName}
        autoFocus
        always
        onNamed={named => nameBox(box.key, named)}
        onEscape={endNaming}
      />
    </>
  )
}

function Beside({ box, place, stage }: { box: FormBox; place: PictureBox; stage: Size }) {
  const ref = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size>({ width: 270, height: 0 })
  useLayer(ref, endNaming)
  // Update the position, because the list grows and shrinks while typing.
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return
    const measure = () => setSize({ width: current.offsetWidth, height: current.offsetHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [])
  useOutsidePress(ref, target => {
    // A press on the box may adjust it; any other press closes the panel and keeps the box.
    if (target.closest('[data-box]')?.getAttribute('data-box') !== box.key) boxBeingNamed.value = null
  })
  const at = panelPlace(place, size, stage)
  return (
    <div
      ref={ref}
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      className="name-panel float"
      style={{ left: at.x, top: at.y }}
    >
      <NameChoices box={box} />
    </div>
  )
}

/** `placeOf` returns the position of a box, in pixels of the stage. */
export function NamePanel({
  boxes,
  stage,
  placeOf,
}: {
  boxes: readonly FormBox[]
  stage: Size
  placeOf: (box: FormBox) => PictureBox
}) {
  useSignals()
  const box = boxes.find(({ key }) => key === boxBeingNamed.value)
  if (box === undefined) return null
  if (narrow.value) {
    return (
      <Modal title={title} onClose={endNaming}>
        <div className="px-6 pt-2 pb-5 name-sheet">
          <NameChoices key={box.key} box={box} />
        </div>
      </Modal>
    )
  }
  const middle = { x: stage.width / 2 - 135, y: 40, width: 0, height: 0 }
  return <Beside key={box.key} box={box} place={hasNoBox(box) ? middle : placeOf(box)} stage={stage} />
}
