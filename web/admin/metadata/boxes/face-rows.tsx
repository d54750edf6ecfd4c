/** Unnamed faces: the suggestion with Yes and No, or another name. */
import { useSignals } from '@preact/signals-react/runtime'
import { Pencil, X } from 'lucide-react'
import { useEffect } from 'react'
import type { ItemDetails } from '../../../../schema/api/items.ts'
import { percentText } from '../../../../schema/figures.ts'
import { pictureOf } from '../../../api.ts'
import { Button } from '../../../kit/button.tsx'
import { IconButton } from '../../../kit/icon-button.tsx'
import { useRowFocus } from '../../../kit/table/use-row-focus.ts'
import { personNameAt } from '../../../people/known-faces.ts'
import { adminTexts } from '../../../texts/admin.ts'
import { baseTexts } from '../../../texts/base.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import { acceptPerson, choicesFor, guessOf, rejectPerson } from '../faces/seen-faces.ts'
import type { FormBox } from '../item-form.ts'
import { boxBeingNamed, chosenBox, removeBox } from './box-choice.ts'
import { sidesOf } from './box-rules.ts'

/** Width and height of a cropped face, in pixels. */
const side = 40

function FaceCrop({ item, box }: { item: ItemDetails; box: FormBox }) {
  const sides = sidesOf(item) ?? { width: 1000, height: 1000 }
  const length = Math.max(box.width, box.height, 1)
  const scale = side / length
  const left = box.x + (box.width - length) / 2
  const top = box.y + (box.height - length) / 2
  return (
    <span className="face-cut" style={{ width: side, height: side }}>
      <img
        src={pictureOf(item, 'large')}
        alt=""
        style={{
          width: sides.width * scale,
          height: sides.height * scale,
          translate: `${-left * scale}px ${-top * scale}px`,
        }}
      />
    </span>
  )
}

function FaceRow({
  item,
  box,
  at,
  isOnly,
  onDone,
}: {
  item: ItemDetails
  box: FormBox
  at: number
  /** True if this is the only row. */
  isOnly: boolean
  /** Called when the face was named or removed. */
  onDone: () => void
}) {
  useSignals()
  const guess = guessOf(box.key, item.taken)
  // The number tells faces apart whose suggested people have the same name.
  const who =
    guess === null
      ? metadataTexts.face({ number: at + 1 })
      : isOnly
        ? guess.name
        : metadataTexts.namedFace({ name: guess.name, number: at + 1 })
  return (
    <li data-row="" className="face-row" data-chosen={chosenBox.value === box.key ? '' : undefined}>
      <button
        type="button"
        className="face-show"
        aria-label={metadataTexts.showFace({ number: at + 1 })}
        title={metadataTexts.showIt}
        onClick={() => {
          chosenBox.value = box.key
        }}
      >
        <FaceCrop item={item} box={box} />
      </button>
      <span className="grow min-w-0 grid">
        <span className="truncate" dir="auto">
          {guess === null ? metadataTexts.unknown : guess.name}
        </span>
        <span className="soft text-xs">
          {guess === null ? metadataTexts.noMatch : metadataTexts.suggestedAlike({ percent: guess.percent })}
        </span>
      </span>
      {guess !== null ? (
        <>
          <Button
            look="quiet"
            small
            text={metadataTexts.yes}
            aria-label={metadataTexts.yesPerson({ who })}
            onClick={() => {
              acceptPerson(box.key, guess, item.taken)
              onDone()
            }}
          />
          <Button
            look="ghost"
            small
            text={metadataTexts.no}
            aria-label={metadataTexts.noNotPerson({ who })}
            onClick={() => rejectPerson(box.key, guess)}
          />
        </>
      ) : (
        <IconButton
          icon={X}
          aria-label={metadataTexts.isNotAFace({ who })}
          title={metadataTexts.notAFace}
          onClick={() => {
            removeBox(box.key)
            onDone()
          }}
        />
      )}
      <IconButton
        icon={Pencil}
        size={18}
        aria-label={guess === null ? metadataTexts.nameFace({ who }) : metadataTexts.notPerson({ who })}
        title={guess === null ? baseTexts.name : adminTexts.somebodyElse}
        onClick={() => {
          chosenBox.value = box.key
          boxBeingNamed.value = box.key
        }}
      />
    </li>
  )
}

/** `field`: id of the field that gets the focus when the last row is removed. */
export function FaceRows({ item, boxes, field }: { item: ItemDetails; boxes: readonly FormBox[]; field: string }) {
  useSignals()
  const { ref, onFocus } = useRowFocus()
  const some = boxes.length > 0
  useEffect(() => {
    if (some) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [some, ref])
  if (!some) return null
  const onDone = () => {
    if (boxes.length === 1) document.getElementById(field)?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div ref={ref} role="group" aria-label={metadataTexts.facesWithoutAName} onFocus={onFocus}>
      <ul className="face-rows">
        {boxes.map((box, at) => (
          <FaceRow key={box.key} item={item} box={box} at={at} isOnly={boxes.length === 1} onDone={onDone} />
        ))}
      </ul>
    </div>
  )
}

/** Suggestions, most likely first, shown above the field for any name. */
export function FaceChoices({ box, taken }: { box: FormBox; taken: number }) {
  useSignals()
  const people = choicesFor(box.key)
  if (people.length === 0) return null
  return (
    <ul className="face-choices" aria-label={metadataTexts.suggested}>
      {people.map(one => (
        <li key={one.person}>
          <button type="button" className="btn btn-quiet btn-sm" onClick={() => acceptPerson(box.key, one, taken)}>
            <bdi className="truncate">{personNameAt(one.person, taken)}</bdi>
            <span className="soft">{percentText(one.similarity)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
