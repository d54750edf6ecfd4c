/** A face of a group, cropped from its picture: a checkbox, and a press that opens the picture. */
import { useSignals } from '@preact/signals-react/runtime'
import { ImageOff } from 'lucide-react'
import type { GroupFace } from '../../../schema/api/faces.ts'
import { pictureOf } from '../../api.ts'
import { useBroken } from '../../app/loading/use-broken.ts'
import { facesPart } from '../../faces/part.ts'
import { Button } from '../../kit/button.tsx'
import { shortDate } from '../../kit/dates.ts'
import { peopleTexts } from '../../texts/people.ts'

export function FoundFace({
  face,
  ticked,
  isTabStop,
  onTick,
  onOpen,
}: {
  face: GroupFace
  ticked: boolean
  /** Whether this face has the tab stop; arrow keys move to the others. */
  isTabStop: boolean
  onTick: (on: boolean) => void
  onOpen: () => void
}) {
  useSignals()
  const crop = facesPart.value?.cropOf(face, face.item) ?? { visibility: 'hidden' as const }
  const source = pictureOf(face.item, 'medium')
  const { broken, onError } = useBroken(source)
  const { name, taken } = face.item
  const where = `${name}, ${shortDate(taken)}`
  return (
    <li className="found-face" data-out={ticked ? undefined : ''}>
      <Button
        className="found-face-open"
        text={
          broken ? (
            <ImageOff size={24} strokeWidth={1.25} className="soft" aria-hidden="true" />
          ) : (
            <img src={source} alt="" loading="lazy" decoding="async" draggable={false} style={crop} onError={onError} />
          )
        }
        aria-label={peopleTexts.open({ name })}
        title={where}
        tabIndex={-1}
        onClick={onOpen}
      />
      <label className="found-face-tick" title={ticked ? peopleTexts.exclude : peopleTexts.include}>
        <input
          type="checkbox"
          data-face=""
          aria-label={peopleTexts.faceOn({ where })}
          aria-keyshortcuts="Enter"
          checked={ticked}
          tabIndex={isTabStop ? 0 : -1}
          onChange={event => onTick(event.target.checked)}
        />
      </label>
    </li>
  )
}
