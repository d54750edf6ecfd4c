/** People and objects on the picture: a click selects the box, a double click renames it, × removes it. */
import { useSignals } from '@preact/signals-react/runtime'
import { Package, Pencil, ScanFace, SquareDashedMousePointer, User } from 'lucide-react'
import { useId, useRef } from 'react'
import type { ItemDetails } from '../../../../schema/api/items.ts'
import { limits } from '../../../../schema/limits.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { baseTexts } from '../../../texts/base.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import { unnamedFaces } from '../faces/seen-faces.ts'
import { type FormBox, isProposal } from '../item-form.ts'
import { addBoxInCentre, addSubject, boxBeingNamed, chooseChip, chosenBox, placeBox, removeBox } from './box-choice.ts'
import { hasNoBox } from './box-rules.ts'
import { FaceRows } from './face-rows.tsx'
import { nameOfBox } from './known-names.ts'
import { NameField } from './name-field.tsx'
import { mayEdit, openObject } from './objects.ts'

function BoxChip({ box }: { box: FormBox }) {
  useSignals()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const name = nameOfBox(box) || metadataTexts.unnamed
  const Icon = box.kind === 'object' ? Package : box.subject === 0 && box.name === '' ? ScanFace : User
  const chosen = chosenBox.value === box.key
  const act = () => {
    if (timer.current !== null) {
      clearTimeout(timer.current)
      timer.current = null
      boxBeingNamed.value = box.key
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
      label={`${name}, ${baseTexts[box.kind]}`}
      title={
        !hasNoBox(box)
          ? metadataTexts.doubleClickGivesAnotherName
          : chosen
            ? metadataTexts.clickGivesBox
            : metadataTexts.clickChooses
      }
      pressed={chosen}
      shortcuts={mayEdit(box) ? 'F2 Alt+Enter' : 'F2'}
      onPress={act}
      onRemove={() => removeBox(box.key)}
      onKeyDown={event => {
        if (event.key === 'F2') boxBeingNamed.value = box.key
        else if (event.key === 'Enter' && event.altKey && mayEdit(box)) openObject(box.subject)
        else if (event.key === 'Delete') removeBox(box.key)
        else return
        event.preventDefault()
      }}
    />
  )
}

/** Further actions on the selected chip. Space is reserved for them, so that nothing moves. */
function Chosen({ boxes }: { boxes: readonly FormBox[] }) {
  useSignals()
  if (!boxes.some(box => mayEdit(box) || hasNoBox(box))) return null
  const box = boxes.find(({ key }) => key === chosenBox.value)
  return (
    <p className="chosen-box soft">
      {box === undefined && (boxes.some(mayEdit) ? metadataTexts.chooseAnObject : metadataTexts.giveBoxHint)}
      {box !== undefined && mayEdit(box) && (
        <button type="button" className="quiet-link" onClick={() => openObject(box.subject)}>
          <Pencil size={14} aria-hidden="true" className="shrink-0" />
          <span className="truncate">{metadataTexts.editNamed({ name: <bdi>{nameOfBox(box)}</bdi> })}</span>
        </button>
      )}
      {box !== undefined && hasNoBox(box) && (
        <button type="button" className="quiet-link" onClick={() => placeBox(box.key)}>
          <SquareDashedMousePointer size={14} aria-hidden="true" className="shrink-0" />
          {metadataTexts.giveItABox}
        </button>
      )}
    </p>
  )
}

export function PeopleChips({
  item,
  boxes: all,
  locked,
}: {
  item: ItemDetails
  boxes: readonly FormBox[]
  locked: boolean
}) {
  useSignals()
  const id = useId()
  const faces = unnamedFaces(all)
  const boxes = all.filter(box => !faces.includes(box) && !isProposal(box))
  return (
    <div className="field min-w-0">
      <span className="flex items-center">
        <label htmlFor={id}>{baseTexts.peopleAndObjects}</label>
        <Button
          look="link"
          className="ms-auto inline-flex items-center gap-1.5"
          icon={SquareDashedMousePointer}
          iconSize={15}
          text={metadataTexts.addABox}
          disabled={locked}
          onClick={addBoxInCentre}
        />
      </span>
      {!locked && <FaceRows item={item} boxes={faces} field={id} />}
      {boxes.length > 0 && (
        <div className="box-chips">
          {boxes.map(box => (
            <BoxChip key={box.key} box={box} />
          ))}
        </div>
      )}
      {!locked && <Chosen boxes={boxes} />}
      <NameField id={id} label="" placeholder={metadataTexts.somebodyOrSomethingOnIt} onNamed={addSubject} />
      <span className="hint">{metadataTexts.doubleClickThePicture}</span>
    </div>
  )
}
