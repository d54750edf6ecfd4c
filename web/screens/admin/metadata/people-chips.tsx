/** Who and what is on the picture: a click shows the box, a double click names it anew, × takes it away. */
import { useSignals } from '@preact/signals-react/runtime'
import { Package, ScanFace, SquareDashedMousePointer, User } from 'lucide-react'
import { useId, useRef } from 'react'
import { limits } from '../../../../schema/limits.ts'
import { Chip } from '../../../parts/chip.tsx'
import { addNamed, chooseChip, chosenBox, drawInTheMiddle, namedBox, removeBox } from '../../../state/box-choice.ts'
import { isNowhere } from '../../../state/boxes.ts'
import type { FormBox } from '../../../state/item-form.ts'
import { ChangedElsewhere } from './changed-elsewhere.tsx'
import { NameField } from './name-field.tsx'

function BoxChip({ box }: { box: FormBox }) {
  useSignals()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const name = box.name === '' ? 'Unnamed' : box.name
  const Icon = box.kind === 'object' ? Package : box.subject === 0 && box.name === '' ? ScanFace : User
  const act = () => {
    if (timer.current !== null) {
      clearTimeout(timer.current)
      timer.current = null
      namedBox.value = box.key
      return
    }
    timer.current = setTimeout(() => {
      timer.current = null
      chooseChip(box.key)
    }, limits.chipDoubleClickMs)
  }
  return (
    <Chip
      text={name}
      icon={<Icon size={15} aria-hidden="true" className="shrink-0" />}
      label={`${name}, ${box.kind}`}
      title={
        isNowhere(box) ? 'A click gives it a box; a double click another name' : 'A double click gives another name'
      }
      pressed={chosenBox.value === box.key}
      shortcuts="F2"
      onText={act}
      onRemove={() => removeBox(box.key)}
      onKeyDown={event => {
        if (event.key === 'F2') namedBox.value = box.key
        else if (event.key === 'Delete') removeBox(box.key)
        else return
        event.preventDefault()
      }}
    />
  )
}

export function PeopleChips({ boxes, locked }: { boxes: readonly FormBox[]; locked: boolean }) {
  const id = useId()
  return (
    <div className="field min-w-0">
      <span className="flex items-center">
        <label htmlFor={id}>People and objects</label>
        <button
          type="button"
          className="quiet-link ms-auto inline-flex items-center gap-1.5"
          disabled={locked}
          onClick={drawInTheMiddle}
        >
          <SquareDashedMousePointer size={15} aria-hidden="true" />
          Add a box
        </button>
      </span>
      {boxes.length > 0 && (
        <div className="box-chips">
          {boxes.map(box => (
            <BoxChip key={box.key} box={box} />
          ))}
        </div>
      )}
      <NameField id={id} label="" placeholder="Somebody or something on it" onNamed={addNamed} />
      <span className="hint">Double-click the picture to draw a box.</span>
      <ChangedElsewhere part="boxes" />
    </div>
  )
}
