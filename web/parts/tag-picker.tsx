/** Entries of tags: a comma adds what was typed, Enter the marked suggestion, × takes one away; three letters open the menu of what is known. */
import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { limits } from '../../schema/limits.ts'
import { type Known, lengthOf, type Suggestion, suggestionsFor } from '../../schema/suggestion-match.ts'
import { firstChoice } from '../state/first-choice.ts'
import { isLong, lengthFault } from '../state/long-words.ts'
import { type Picked, withPicked, wordKey } from '../state/tag-plan.ts'
import { FieldHint } from './field.tsx'
import { optionId, SuggestionList } from './suggestion-list.tsx'

/** The menu scrolls; whoever looks for another one types more. */
const mostListed = 100

export interface TagPickerProps {
  label: string
  known: readonly Known[]
  picked: readonly Picked[]
  onChange: (picked: readonly Picked[]) => void
  /** Words that are not known may be added. */
  free: boolean
  disabled?: boolean
  placeholder?: string
}

/** What was typed, as the entry that it names; null where it names none. */
function entryOf(text: string, known: readonly Known[], free: boolean): Picked | null {
  const same = known.find(({ name }) => wordKey(name) === wordKey(text))
  if (same !== undefined) return { id: same.id, name: same.name }
  return free && text.trim() !== '' && !isLong(text) ? { id: 0, name: text.trim() } : null
}

export function TagPicker({
  label,
  known,
  picked,
  onChange,
  free,
  disabled = false,
  placeholder = 'Comma or Enter adds one',
}: TagPickerProps) {
  useSignals()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  /** Chosen with the arrows; null: none was yet. */
  const [chosen, setChosen] = useState<number | null>(null)
  const isPicked = (one: Known) => picked.some(({ id: taken }) => taken === one.id)
  const list =
    open && lengthOf(typed) >= limits.suggestionsFrom
      ? suggestionsFor(
          known.filter(one => !isPicked(one)),
          typed,
          mostListed,
        )
      : []
  const shown = list.length > 0
  // What is picked already is not picked as something else.
  const isTaken = picked.some(({ name }) => wordKey(name) === wordKey(typed))
  const first = isTaken ? -1 : firstChoice(list, typed)
  const active = chosen === null || chosen >= list.length ? first : chosen
  const fault = free ? lengthFault(label, typed) : null

  function reset(text = '') {
    setTyped(text)
    setChosen(null)
  }
  function pick({ id: picking, name }: Suggestion) {
    onChange(withPicked(picked, { id: picking, name }))
    reset()
  }
  /** Adds the entries of a text with commas; what names nothing stays in the field. */
  function add(text: string) {
    let next = picked
    const left: string[] = []
    for (const part of text.split(',')) {
      const entry = entryOf(part, known, free)
      if (entry !== null) next = withPicked(next, entry)
      else if (part.trim() !== '') left.push(part.trim())
    }
    if (next !== picked) onChange(next)
    reset(left.join(', '))
  }
  function onKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && shown) {
      event.preventDefault()
      setChosen((Math.max(active, step === 1 ? -1 : 0) + step + list.length) % list.length)
    } else if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault()
      const marked = list[active]
      if (marked === undefined) add(typed)
      else pick(marked)
    } else if (event.key === 'Escape' && shown) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    } else if (event.key === 'Backspace' && typed === '' && picked.length > 0) onChange(picked.slice(0, -1))
  }
  return (
    <div className="field min-w-0">
      <span>
        <label htmlFor={id}>{label}</label>
      </span>
      <div className="picker" data-disabled={disabled}>
        <div className="words-field">
          {picked.map(one => (
            <span key={`${one.id} ${one.name}`} className="chip">
              <span className="chip-text" dir="auto">
                <span className="truncate">{one.name}</span>
              </span>
              <button
                type="button"
                className="chip-x"
                aria-label={`Remove ${one.name}`}
                disabled={disabled}
                onClick={() => onChange(picked.filter(other => other !== one))}
              >
                <X size={14} />
              </button>
            </span>
          ))}
          <input
            id={id}
            type="text"
            role="combobox"
            aria-expanded={shown}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={shown && active >= 0 ? optionId(`${id}-list`, active) : undefined}
            aria-invalid={fault !== null}
            aria-describedby={fault === null ? undefined : `${id}-hint`}
            autoComplete="off"
            dir="auto"
            value={typed}
            disabled={disabled}
            placeholder={picked.length === 0 ? placeholder : ''}
            onChange={({ target: { value } }) => {
              setOpen(true)
              if (value.includes(',')) add(value)
              else reset(value)
            }}
            onKeyDown={onKey}
            onBlur={() => {
              setOpen(false)
              if (typed.trim() !== '') add(typed)
            }}
          />
        </div>
        {shown && (
          <div className="picker-menu float" ref={menu => menu?.scrollIntoView({ block: 'nearest' })}>
            <SuggestionList id={`${id}-list`} list={list} active={active} onPick={pick} />
          </div>
        )}
      </div>
      {fault !== null && <FieldHint id={`${id}-hint`} fault={fault} />}
    </div>
  )
}
