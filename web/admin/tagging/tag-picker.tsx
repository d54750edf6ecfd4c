/** A tag picker: comma adds the typed text, Enter the marked suggestion, × removes; three letters open the menu. */
import { useSignals } from '@preact/signals-react/runtime'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { limits } from '../../../schema/limits.ts'
import { type KnownName, lengthOf, suggestionsFor } from '../../../schema/suggestion-match.ts'
import { faceForSuggestion, loadFacesPart } from '../../faces/part.ts'
import { Combo, countedChoice } from '../../kit/form/combo.tsx'
import { FieldHint } from '../../kit/form/field.tsx'
import { WordChips } from '../../kit/form/field-pieces.tsx'
import { suggestionIcons } from '../../kit/form/suggestion-list.tsx'
import { commas, isTooLong, lengthFault, wordKey } from '../../kit/words.ts'
import { adminTexts } from '../../texts/admin.ts'
import { type PickedTag, withPicked } from './tag-plan.ts'

/** Maximum number of entries in the scrolling menu; others have to be typed. */
const maxListed = 100

export interface TagPickerProps {
  label: string
  known: readonly KnownName[]
  picked: readonly PickedTag[]
  onChange: (picked: readonly PickedTag[]) => void
  /** Whether new words may be added. */
  free: boolean
  disabled?: boolean
  placeholder?: string
}

/** The known entry with the typed name or, if `free`, a new one; null if there is none. */
function entryOf(text: string, known: readonly KnownName[], free: boolean): PickedTag | null {
  const same = known.find(({ name }) => wordKey(name) === wordKey(text))
  if (same !== undefined) return { id: same.id, name: same.name }
  return free && text.trim() !== '' && !isTooLong(text) ? { id: 0, name: text.trim() } : null
}

export function TagPicker({
  label,
  known,
  picked,
  onChange,
  free,
  disabled = false,
  placeholder = adminTexts.commaOrEnterAddsOne,
}: TagPickerProps) {
  useSignals()
  useEffect(loadFacesPart, [])
  const id = useId()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  // Picked entries are not suggested again.
  const isPicked = (one: KnownName) => picked.some(({ id: taken }) => taken === one.id)
  const list =
    open && lengthOf(typed) >= limits.suggestionsFrom
      ? suggestionsFor(
          known.filter(one => !isPicked(one)),
          typed,
          maxListed,
        )
      : []
  const isTaken = picked.some(({ name }) => wordKey(name) === wordKey(typed))
  const choices = list.map(one =>
    countedChoice(one, { key: `${one.id} ${one.name}`, icon: suggestionIcons[one.kind], lead: faceForSuggestion(one) }),
  )
  const fault = free ? lengthFault(label, typed) : null

  /** Adds the entries of a comma-separated text; unknown words stay in the field. */
  function add(text: string) {
    let next = picked
    const left: string[] = []
    for (const part of text.split(commas)) {
      const entry = entryOf(part, known, free)
      if (entry !== null) next = withPicked(next, entry)
      else if (part.trim() !== '') left.push(part.trim())
    }
    if (next !== picked) onChange(next)
    setTyped(left.join(', '))
  }
  function onKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '' && picked.length > 0) onChange(picked.slice(0, -1))
  }
  return (
    <div className="field tag-picker min-w-0">
      <span>
        <label htmlFor={id}>{label}</label>
      </span>
      <Combo
        id={id}
        typed={typed}
        choices={choices}
        commaEnds
        firstMarked={typed.trim() !== '' && !isTaken}
        placeholder={picked.length === 0 ? placeholder : ''}
        disabled={disabled}
        faultId={fault === null ? undefined : `${id}-hint`}
        lead={
          <WordChips
            words={picked.map(({ id, name }) => ({ key: `${id} ${name}`, name }))}
            disabled={disabled}
            onRemove={at => onChange(picked.toSpliced(at, 1))}
          />
        }
        onTyped={value => {
          setOpen(true)
          if (value.includes(',')) add(value)
          else setTyped(value)
        }}
        onPick={({ key, name }) => {
          onChange(withPicked(picked, { id: Number.parseInt(key, 10), name }))
          setTyped('')
        }}
        onKey={onKey}
        onLeave={() => {
          setOpen(false)
          if (typed.trim() !== '') add(typed)
        }}
        onEscape={choices.length > 0 ? () => setOpen(false) : undefined}
      />
      {fault !== null && <FieldHint id={`${id}-hint`} fault={fault} />}
    </div>
  )
}
