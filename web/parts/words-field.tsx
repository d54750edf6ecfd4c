/** Entries of a tag set: Enter or a comma adds what was typed, × takes one away; three letters bring suggestions. */
import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { limits } from '../../schema/limits.ts'
import { withWords } from '../state/item-form.ts'
import { wordsOf } from '../state/keystring-words.ts'

export function WordsField({
  label,
  tag,
  words,
  onChange,
}: {
  label: string
  tag: 'Keywords' | 'Category' | 'Author'
  words: readonly string[]
  onChange: (words: readonly string[]) => void
}) {
  useSignals()
  const id = useId()
  const [typed, setTyped] = useState('')
  const suggested = typed.trim().length >= limits.suggestionsFrom ? wordsOf(tag) : []
  const add = (text: string) => {
    const next = withWords(words, text)
    if (next.length !== words.length) onChange(next)
    setTyped('')
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '' && words.length > 0) onChange(words.slice(0, -1))
  }
  return (
    <div className="field min-w-0">
      <span>
        <label htmlFor={id}>{label}</label>
      </span>
      <div className="words-field">
        {words.map(word => (
          <span key={word} className="chip">
            <span className="chip-text" dir="auto">
              <span className="truncate">{word}</span>
            </span>
            <button
              type="button"
              className="chip-x"
              aria-label={`Remove ${word}`}
              onClick={() => onChange(words.filter(one => one !== word))}
            >
              <X size={14} />
            </button>
          </span>
        ))}
        <input
          id={id}
          type="text"
          list={`${id}-words`}
          autoComplete="off"
          dir="auto"
          value={typed}
          placeholder={words.length === 0 ? 'Comma or Enter adds one' : ''}
          onChange={event => {
            const { value } = event.target
            // Chosen from the list, or ended by a comma.
            if (value.includes(',') || wordsOf(tag).includes(value)) add(value)
            else setTyped(value)
          }}
          onKeyDown={onKey}
          onBlur={() => typed.trim() !== '' && add(typed)}
        />
        <datalist id={`${id}-words`}>
          {suggested.map(word => (
            <option key={word} value={word} />
          ))}
        </datalist>
      </div>
    </div>
  )
}
