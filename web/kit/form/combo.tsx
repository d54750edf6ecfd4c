/** A combobox: arrows mark a suggestion, Enter takes it, Escape closes the list. The field keeps the focus. */

import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { figure } from '../../../schema/figures.ts'
import type { Suggestion } from '../../../schema/suggestion-match.ts'
import { baseTexts } from '../../texts/base.ts'
import { commas, sameWord } from '../words.ts'

export interface ComboChoice {
  key: string
  name: string
  from: number
  to: number
  note: string
  icon: LucideIcon | null
  /** Shown in place of the icon. */
  lead?: ReactNode
  /** Text that a screen reader announces after the name. */
  more: string
}

/** Index of the suggestion that is marked before an arrow is pressed: the one with the typed name, else the first. */
export function firstChoice(choices: readonly { name: string }[], typed: string): number {
  const same = choices.findIndex(({ name }) => sameWord(name, typed.trim()))
  return Math.max(0, same)
}

/** A known name as a choice, with its item count. */
export function countedChoice(
  { name, from, to, count }: Pick<Suggestion, 'name' | 'from' | 'to' | 'count'>,
  { key, icon, lead, what }: Pick<ComboChoice, 'key' | 'icon' | 'lead'> & { what?: string },
): ComboChoice {
  const more = what === undefined ? baseTexts.itemCount({ count }) : baseTexts.itemCountAs({ count, what })
  return { key, name, from, to, note: figure(count), icon, lead, more }
}

export function Option({
  id,
  choice,
  active,
  onPick,
}: {
  id: string
  choice: ComboChoice
  active: boolean
  onPick: () => void
}) {
  const { name, from, to, note, icon: Icon, lead, more } = choice
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-label={more === '' ? name : `${name}, ${more}`}
      className="suggestion"
      title={name}
      ref={element => {
        if (active) element?.scrollIntoView({ block: 'nearest' })
      }}
      onClick={onPick}
    >
      {lead ?? (Icon !== null && <Icon size={16} className="soft shrink-0" aria-hidden="true" />)}
      <span className="truncate" dir="auto">
        {name.slice(0, from)}
        <b className="font-semibold">{name.slice(from, to)}</b>
        {name.slice(to)}
      </span>{' '}
      <span className="n">{note}</span>
    </div>
  )
}

interface ComboProps {
  id: string
  typed: string
  choices: readonly ComboChoice[]
  /** Whether a suggestion is marked before an arrow is pressed (`firstChoice`), so that Enter takes it. */
  firstMarked?: boolean
  /** Whether a comma ends the typed text. It then takes a suggestion only if an arrow has marked one. */
  commaEnds?: boolean
  /** Accessible name, if no label belongs to `id`. */
  label?: string
  /** Accessible name of the list. */
  listLabel?: string
  placeholder?: string
  /** Maximum number of characters. */
  most?: number
  autoFocus?: boolean
  disabled?: boolean
  /** Content before and after the typed text. */
  lead?: ReactNode
  trail?: ReactNode
  /** Id of the error message. */
  faultId?: string | undefined
  onTyped: (text: string) => void
  onPick: (choice: ComboChoice) => void
  /** Called for keys that the list does not use. */
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => void
  onLeave?: () => void
  onEscape?: (() => void) | undefined
}

function useMarkedChoice({
  typed,
  choices,
  firstMarked = false,
  commaEnds = false,
  onPick,
  onKey,
  onEscape,
}: ComboProps) {
  const [marked, setMarked] = useState<string | null>(null)
  const found = choices.findIndex(({ key }) => key === marked)
  const at = found === -1 && firstMarked ? firstChoice(choices, typed) : found
  const open = choices.length > 0
  const pick = (choice: ComboChoice | undefined) => {
    if (choice === undefined) return
    setMarked(null)
    onPick(choice)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const taken = { Enter: at, ',': commaEnds ? found : at }[commas.test(event.key) ? ',' : event.key] ?? -1
    if (step !== undefined && open) {
      event.preventDefault()
      const from = at === -1 && step === -1 ? 0 : at
      setMarked(choices[(from + step + choices.length) % choices.length]?.key ?? null)
    } else if (open && taken !== -1) {
      event.preventDefault()
      pick(choices[taken])
    } else if (event.key === 'Escape' && onEscape !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      setMarked(null)
      onEscape()
    } else onKey?.(event)
  }
  return { at, open, pick, onKeyDown, unmark: () => setMarked(null) }
}

export function Combo(props: ComboProps) {
  const { id, typed, choices, label, placeholder = '', most, autoFocus = false, disabled = false } = props
  const { lead, trail, faultId, onTyped, onLeave } = props
  const { at, open, pick, onKeyDown, unmark } = useMarkedChoice(props)
  const list = useRef<HTMLDivElement>(null)
  // Scrolls the list into view if the field is at the bottom.
  useEffect(() => {
    if (open) list.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  return (
    <div className="combo" data-disabled={disabled}>
      <div className="words-field">
        {lead}
        <input
          id={id}
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && at !== -1 ? `${id}-${at}` : undefined}
          aria-invalid={faultId !== undefined}
          aria-describedby={faultId}
          autoComplete="off"
          maxLength={most}
          data-autofocus={autoFocus ? '' : undefined}
          dir="auto"
          value={typed}
          disabled={disabled}
          placeholder={placeholder}
          onChange={event => {
            unmark()
            onTyped(event.target.value)
          }}
          onKeyDown={onKeyDown}
          onBlur={onLeave}
        />
        {trail}
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={props.listLabel ?? baseTexts.suggestions}
        className={open ? 'combo-list float' : 'hidden'}
        // Keep the focus in the field.
        onPointerDown={event => event.preventDefault()}
      >
        {choices.map((choice, n) => (
          <Option key={choice.key} id={`${id}-${n}`} choice={choice} active={n === at} onPick={() => pick(choice)} />
        ))}
      </div>
    </div>
  )
}
