/** The name field of a box: known people and objects, or a new one. */
import { useSignals } from '@preact/signals-react/runtime'
import { Package, Plus, User } from 'lucide-react'
import { useEffect, useState } from 'react'
import { limits } from '../../../../schema/limits.ts'
import { faceForSuggestion, loadFacesPart } from '../../../faces/part.ts'
import { Combo, type ComboChoice, countedChoice } from '../../../kit/form/combo.tsx'
import { sameWord } from '../../../kit/words.ts'
import { baseTexts } from '../../../texts/base.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import { type NamedSubject, subjectOfSuggestion } from './box-choice.ts'
import { knownNames, suggestNames } from './known-names.ts'

export function NameField({
  id,
  label,
  start = '',
  placeholder,
  autoFocus = false,
  always = false,
  onNamed,
  onEscape,
}: {
  id: string
  label: string
  start?: string
  placeholder: string
  autoFocus?: boolean
  /** The most used names are listed even before anything is typed. */
  always?: boolean
  onNamed: (named: NamedSubject) => void
  onEscape?: () => void
}) {
  useSignals()
  useEffect(loadFacesPart, [])
  const [typed, setTyped] = useState(start)
  const [open, setOpen] = useState(false)
  const text = typed.trim()
  // The name that was there at the start does not count as typed.
  const wanted = typed === start ? '' : typed
  const known = knownNames.value
  const shown = always || open
  const found = shown && (always || text !== '') ? suggestNames(known, wanted) : []
  const choices = found.map(one => {
    const [icon, what] = one.kind === 'People' ? [User, baseTexts.person] : [Package, baseTexts.object]
    return countedChoice(one, { key: `${one.kind} ${one.id} ${one.name}`, icon, lead: faceForSuggestion(one), what })
  })
  if (wanted.trim() !== '' && shown) {
    for (const [kind, what] of [
      ['People', 'person'],
      ['Objects', 'object'],
    ] as const) {
      // An object's name must be unique. Two people get the same name by renaming one of them on the tab People.
      if (known.some(one => one.kind === kind && sameWord(one.name, text))) continue
      const name = what === 'person' ? metadataTexts.newPerson({ text }) : metadataTexts.newObject({ text })
      choices.push({ key: `new ${what}`, name, from: 0, to: 0, note: '', icon: Plus, more: '' })
    }
  }
  const pick = ({ key }: ComboChoice) => {
    const suggestion = found.find(({ kind, id, name }) => key === `${kind} ${id} ${name}`)
    if (suggestion !== undefined) onNamed(subjectOfSuggestion(suggestion))
    else onNamed({ kind: key === 'new person' ? 'person' : 'object', subject: 0, name: text })
    setTyped('')
    setOpen(false)
  }
  return (
    <Combo
      id={id}
      label={label}
      typed={typed}
      choices={choices}
      firstMarked={wanted.trim() !== ''}
      placeholder={placeholder}
      most={limits.objectNameLength}
      autoFocus={autoFocus}
      onTyped={value => {
        setTyped(value)
        setOpen(true)
      }}
      onPick={pick}
      onKey={event => {
        // Enter must not submit the form around this field.
        if (event.key === 'Enter') event.preventDefault()
      }}
      onLeave={() => setOpen(false)}
      onEscape={onEscape ?? (choices.length > 0 ? () => setOpen(false) : undefined)}
    />
  )
}
