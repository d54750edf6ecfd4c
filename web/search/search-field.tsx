/** The search field: a comma or Enter makes a chip, three letters show suggestions, operators make the text a query. */

import { useSignals } from '@preact/signals-react/runtime'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import type { Suggestion } from '../../schema/suggestion-match.ts'
import { filter, searchedTags } from '../app/current-filter.ts'
import { optionId } from '../kit/form/suggestion-list.tsx'
import { phone } from '../kit/viewport.ts'
import { inSentence, listText } from '../kit/words.ts'
import { tagNames } from '../texts/names.ts'
import { searchTexts } from '../texts/search.ts'
import {
  cancelNewGroup,
  clearTyped,
  isEditingQuery,
  opensNewGroup,
  pickSuggestion,
  queryFault,
  removeLastEntry,
  setTyped,
  submitTyped,
  typed,
} from './search.ts'
import { loadNames, suggestionDelayMs, suggestions, updateSuggestions } from './suggestions.ts'

/** The searched tags: 'Keywords, category, people'. */
const tagsInWords = () =>
  listText(searchedTags.value.map((tag, at) => (at === 0 ? tagNames[tag] : inSentence(tagNames[tag]))))

/** Says what is searched. A phone has room for the tags only; its search screen lists the rest below the field. */
function placeholder(evenWithChips: boolean): string {
  if (opensNewGroup.value) return searchTexts.anotherGroup
  if (!evenWithChips && (filter.value.groups.length > 0 || filter.value.q !== '' || filter.value.near !== null))
    return ''
  return (phone.value ? searchTexts.searchedOnPhones : searchTexts.searched)({ tags: tagsInWords() })
}

/** The state of the combobox: its suggestions, whether they are shown, and the index of the marked one (-1: none). */
export function useSuggestions() {
  useSignals()
  const id = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const text = typed.value
  const isEdited = isEditingQuery.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the values of signals read here
  useEffect(() => {
    setActive(-1)
    setOpen(true)
    const timer = setTimeout(() => updateSuggestions(isEdited ? '' : text), suggestionDelayMs)
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
  keepsPlaceholder = false,
  onDone,
}: {
  suggesting: Suggesting
  faultId: string
  autoFocus?: boolean
  /** Whether the placeholder is shown even if there are chips. */
  keepsPlaceholder?: boolean
  /** Called when a search was submitted. */
  onDone?: () => void
}): ReactNode {
  useSignals()
  const { id, list, shown, active, setActive, setOpen } = suggesting
  const take = (suggestion: Suggestion) => {
    pickSuggestion(suggestion)
    setActive(-1)
  }
  const enter = async () => {
    const marked = list[active]
    const empty = typed.peek().trim() === ''
    if (marked !== undefined) take(marked)
    else if ((await submitTyped()) && (empty || !opensNewGroup.peek())) onDone?.()
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
    else if (key === 'Backspace' && typed.peek() === '' && !isEditingQuery.peek()) removeLastEntry()
    else if (key === 'ArrowLeft' && atStart && !isEditingQuery.peek()) {
      const chips = currentTarget.closest('[data-search-area]')?.querySelectorAll<HTMLElement>('.chip-text')
      chips?.[chips.length - 1]?.focus()
    } else if (key === 'Escape') {
      // Close one thing at a time: the list, the text, the new group, then the field.
      if (!shown && typed.peek() === '' && !opensNewGroup.peek()) {
        if (onDone === undefined) currentTarget.blur()
        return
      }
      event.preventDefault()
      event.stopPropagation()
      if (shown) setOpen(false)
      else if (typed.peek() !== '') clearTyped()
      else cancelNewGroup()
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
      className={`search-input ${isEditingQuery.value ? 'font-mono' : ''}`}
      aria-label={isEditingQuery.value ? searchTexts.query : searchTexts.searchFor({ what: tagsInWords() })}
      placeholder={placeholder(keepsPlaceholder)}
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
