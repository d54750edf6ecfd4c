/** The keyword box: a comma or Enter makes a chip of what was typed, '/' comes here from anywhere. */
import { useSignals } from '@preact/signals-react/runtime'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { filter, setFilter } from '../state/current-filter.ts'
import { splitTyped, toggled, withoutWord, withTyped } from '../state/filter.ts'
import { Chip } from './chip.tsx'

/** Chips of the filter that is on. */
export function Chips() {
  useSignals()
  const { words } = filter.value
  return words.map((word, at) => (
    <Chip
      key={word.text}
      word={word}
      onToggle={() => setFilter(toggled(filter.value, at))}
      onRemove={() => setFilter(withoutWord(filter.value, at))}
    />
  ))
}

/** The field itself; `onDone` is told when something was searched for. */
export function SearchField({ onDone, autoFocus = false }: { onDone?: () => void; autoFocus?: boolean }) {
  useSignals()
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const next = withTyped(filter.value, text)
    if (next.words.length !== filter.value.words.length) setFilter(next)
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const { words } = filter.value
    if (event.key === 'Enter') {
      add(typed)
      setTyped('')
      onDone?.()
    } else if (event.key === 'Backspace' && typed === '' && words.length > 0) {
      setFilter(withoutWord(filter.value, words.length - 1))
    } else if (event.key === 'Escape') {
      setTyped('')
      event.currentTarget.blur()
    }
  }
  return (
    <input
      type="search"
      className="grow min-w-24 bg-transparent outline-none search-input"
      aria-label="Search for keywords, people, objects"
      placeholder={filter.value.words.length === 0 ? 'Keywords, people, objects' : ''}
      data-search
      data-autofocus={autoFocus ? true : undefined}
      autoComplete="off"
      spellCheck={false}
      dir="auto"
      value={typed}
      onChange={event => {
        const { done, rest } = splitTyped(event.target.value)
        if (done !== '') add(done)
        setTyped(rest)
      }}
      onKeyDown={onKey}
    />
  )
}

export function SearchBox() {
  return (
    <search
      className="search-box"
      onPointerDown={event => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        event.currentTarget.querySelector('input')?.focus()
      }}
    >
      <Search size={18} className="soft shrink-0 pointer-events-none" />
      <Chips />
      <SearchField />
      <kbd className="search-key" title="Press / to search">
        /
      </kbd>
    </search>
  )
}
