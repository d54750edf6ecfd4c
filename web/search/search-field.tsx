/** The search field: comma or Enter makes a chip, three letters show suggestions, operators make a query. */

import { useSignals } from '@preact/signals-react/runtime'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import type { Suggestion } from '../../schema/suggestion-match.ts'
import { filter, tagsSearched } from '../app/current-filter.ts'
import { optionId } from '../kit/form/suggestion-list.tsx'
import { phone } from '../kit/viewport.ts'
import { inSentence, listText } from '../kit/words.ts'
import { tagNames } from '../texts/names.ts'
import { searchTexts } from '../texts/search.ts'
import {
  clearTyped,
  closeAnother,
  editing,
  opensAnother,
  pick,
  queryFault,
  removeLast,
  setTyped,
  submitTyped,
  typed,
} from './search.ts'
import { loadNames, suggest, suggestAfterMs, suggestions } from './suggestions.ts'

/** The searched tags: 'Keywords, category, people'. */
const tagsInWords = () =>
  listText(tagsSearched.value.map((tag, at) => (at === 0 ? tagNames[tag] : inSentence(tagNames[tag]))))

/** What is searched. A phone has room for the tags only; its search screen names the rest below. */
function placeholder(always: boolean): string {
  if (opensAnother.value) return searchTexts.anotherGroup
  if (!always && (filter.value.groups.length > 0 || filter.value.q !== '' || filter.value.near !== null)) return ''
  return (phone.value ? searchTexts.searchedOnPhones : searchTexts.searched)({ tags: tagsInWords() })
}

/** The state of a combobox: its suggestions, and the marked one. */
export function useSuggestions() {
  useSignals()
  const id = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const text = typed.value
  const isEdited = editing.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the values of signals read here
  useEffect(() => {
    setActive(-1)
    setOpen(true)
    const timer = setTimeout(() => suggest(isEdited ? '' : text), suggestAfterMs)
    return () => clearTimeout(timer)
  }, [text, isEdited])
  const list = text === '' || isEdited ? [] : suggestions.value
  const shown = open && list.length > 0
  return { id, list, shown, active: shown ? Math.min(active, list.length - 1) : -1, setActive, setOpen }
}

type Suggesting = ReturnType<typeof useSuggestions>

export function SearchField({
  suggesting,
  faultId,
  autoFocus = false,
  hint = false,
  onDone,
}: {
  suggesting: Suggesting
  faultId: string
  autoFocus?: boolean
  /** Whether the placeholder is shown even with chips. */
  hint?: boolean
  /** Called when a search was submitted. */
  onDone?: () => void
}): ReactNode {
  useSignals()
  const { id, list, shown, active, setActive, setOpen } = suggesting
  const take = (suggestion: Suggestion) => {
    pick(suggestion)
    setActive(-1)
  }
  const enter = async () => {
    const marked = list[active]
    const empty = typed.peek().trim() === ''
    if (marked !== undefined) take(marked)
    else if ((await submitTyped()) && (empty || !opensAnother.peek())) onDone?.()
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const { key, currentTarget } = event
    const atStart = currentTarget.selectionStart === 0 && currentTarget.selectionEnd === 0
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (list.length === 0) return
      event.preventDefault()
      setOpen(true)
      // Beyond either end of the list, no suggestion is marked.
      const count = list.length + 1
      setActive(((active + 1 + (key === 'ArrowDown' ? 1 : -1) + count) % count) - 1)
    } else if (key === 'Enter') void enter()
    else if (key === 'Backspace' && typed.peek() === '' && !editing.peek()) removeLast()
    else if (key === 'ArrowLeft' && atStart && !editing.peek()) {
      const chips = currentTarget.closest('[data-search-area]')?.querySelectorAll<HTMLElement>('.chip-text')
      chips?.[chips.length - 1]?.focus()
    } else if (key === 'Escape') {
      // Close one thing at a time: the list, the text, the new group, then the field.
      if (!shown && typed.peek() === '' && !opensAnother.peek()) {
        if (onDone === undefined) currentTarget.blur()
        return
      }
      event.preventDefault()
      event.stopPropagation()
      if (shown) setOpen(false)
      else if (typed.peek() !== '') clearTyped()
      else closeAnother()
    }
  }
  const bad = queryFault.value !== null
  return (
    <input
      type="text"
      inputMode="search"
      enterKeyHint="search"
      role="combobox"
      aria-expanded={shown}
      aria-controls={id}
      aria-autocomplete="list"
      aria-activedescendant={active >= 0 ? optionId(id, active) : undefined}
      aria-invalid={bad}
      aria-describedby={bad ? faultId : undefined}
      className={`search-input ${editing.value ? 'font-mono' : ''}`}
      aria-label={editing.value ? searchTexts.query : searchTexts.searchFor({ what: tagsInWords() })}
      placeholder={placeholder(hint)}
      data-search
      data-autofocus={autoFocus ? true : undefined}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      dir="auto"
      maxLength={2000}
      value={typed.value}
      onFocus={() => {
        setOpen(true)
        loadNames()
      }}
      onBlur={() => setOpen(false)}
      onChange={event => setTyped(event.target.value)}
      onKeyDown={onKey}
    />
  )
}
