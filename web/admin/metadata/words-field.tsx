/** Entries of a tag set: Enter adds, × removes; three letters show suggestions, the arrow the most used words. */

import { useSignals } from '@preact/signals-react/runtime'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { limits } from '../../../schema/limits.ts'
import { lengthOf } from '../../../schema/suggestion-match.ts'
import { Combo, countedChoice } from '../../kit/form/combo.tsx'
import { FieldHint } from '../../kit/form/field.tsx'
import { ListAllButton, WordChips } from '../../kit/form/field-pieces.tsx'
import { lengthFault, sameWord, tooLongWords } from '../../kit/words.ts'
import { adminTexts } from '../../texts/admin.ts'
import { metadataTexts } from '../../texts/metadata.ts'
import { withEntries, withWords } from './item-form.ts'
import { wordsFor } from './keystring-words.ts'

const newWord = {
  Keywords: metadataTexts.newKeyword,
  Category: metadataTexts.newCategory,
  Author: metadataTexts.newAuthor,
}

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
  /** Whether the most used words are listed while fewer than three letters are typed. */
  const [all, setAll] = useState(false)
  const [closed, setClosed] = useState(true)
  const text = typed.trim()
  const close = () => {
    setClosed(true)
    setAll(false)
  }
  const take = (next: readonly string[]) => {
    if (next.length !== words.length) onChange(next)
    setTyped('')
    setAll(false)
  }
  const add = (more: string) => {
    take(withWords(words, more))
    setTyped(tooLongWords(more))
  }
  const fault = lengthFault(label, typed)
  const has = (name: string) => words.some(word => sameWord(word, name))
  const suggested = closed ? [] : wordsFor(tag, typed, all).filter(({ name }) => !has(name))
  const isNew = fault === null && lengthOf(text) >= limits.suggestionsFrom && !closed && !text.includes(',')
  const choices = suggested.map(one => countedChoice(one, { key: String(one.id), icon: null }))
  if (isNew && !has(text) && !suggested.some(({ name }) => sameWord(name, text))) {
    const name = newWord[tag]({ text })
    choices.push({ key: 'new', name, from: 0, to: 0, note: '', icon: Plus, more: '' })
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && text !== '') {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '' && words.length > 0) onChange(words.slice(0, -1))
    else if (event.key === 'ArrowDown') {
      event.preventDefault()
      setClosed(false)
      setAll(true)
    }
  }
  return (
    <div className="field min-w-0">
      <span>
        <label htmlFor={id}>{label}</label>
      </span>
      <Combo
        id={id}
        typed={typed}
        choices={choices}
        commaEnds
        // For a word that is already in the list, no suggestion is marked.
        firstMarked={text !== '' && !has(text)}
        placeholder={words.length === 0 ? adminTexts.commaOrEnterAddsOne : ''}
        faultId={fault === null ? undefined : `${id}-hint`}
        lead={
          <WordChips
            words={words.map(word => ({ key: word, name: word }))}
            onRemove={at => onChange(words.toSpliced(at, 1))}
          />
        }
        trail={
          <ListAllButton
            fieldId={id}
            label={label}
            expanded={all && !closed}
            onPress={() => {
              setAll(closed || !all)
              setClosed(!closed && all)
            }}
          />
        }
        onTyped={value => {
          setClosed(false)
          if (value.includes(',')) add(value)
          else setTyped(value)
        }}
        // A comma inside a used word is part of it.
        onPick={({ key, name }) => (key === 'new' ? add(text) : take(withEntries(words, [name])))}
        onKey={onKey}
        onLeave={() => {
          close()
          if (text !== '') add(typed)
        }}
        onEscape={choices.length > 0 ? close : undefined}
      />
      {fault !== null && <FieldHint id={`${id}-hint`} fault={fault} />}
    </div>
  )
}
