/** A field for a person: known people, or a new name. */
import { useSignals } from '@preact/signals-react/runtime'
import { Plus, User } from 'lucide-react'
import { useId, useState } from 'react'
import { limits } from '../../../schema/limits.ts'
import { people } from '../../app/vocabulary.ts'
import { faceForSuggestion } from '../../faces/part.ts'
import { Combo, countedChoice } from '../../kit/form/combo.tsx'
import { sameWord } from '../../kit/words.ts'
import { baseTexts } from '../../texts/base.ts'
import { peopleTexts } from '../../texts/people.ts'
import { suggestNames } from '../metadata/boxes/known-names.ts'
import type { PersonChoice } from './face-naming.ts'

export function PersonField({
  label,
  placeholder,
  allowsNew = true,
  onPick,
}: {
  label: string
  placeholder: string
  /** Whether a name that nobody has is offered, too; picking it creates a person. */
  allowsNew?: boolean
  onPick: (who: PersonChoice) => void
}) {
  useSignals()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const text = typed.trim()
  const names = people
    .read()
    .flatMap(({ id, names, itemcount }) =>
      names.map(({ name }) => ({ kind: 'People' as const, id, name, count: itemcount })),
    )
  const found = open ? suggestNames(names, typed) : []
  const choices = found.map(one =>
    countedChoice(one, {
      key: `${one.id} ${one.name}`,
      icon: User,
      lead: faceForSuggestion(one),
      what: baseTexts.person,
    }),
  )
  if (allowsNew && open && text !== '' && !names.some(({ name }) => sameWord(name, text))) {
    choices.push({ key: 'new', name: peopleTexts.newPerson({ text }), from: 0, to: 0, note: '', icon: Plus, more: '' })
  }
  return (
    <Combo
      id={id}
      label={label}
      typed={typed}
      choices={choices}
      firstMarked={text !== ''}
      placeholder={placeholder}
      most={limits.objectNameLength}
      onTyped={value => {
        setTyped(value)
        setOpen(true)
      }}
      onPick={({ key }) => {
        const one = found.find(({ id, name }) => key === `${id} ${name}`)
        setTyped('')
        setOpen(false)
        onPick(one === undefined ? { person: 0, name: text } : { person: one.id, name: one.name })
      }}
      onKey={event => {
        if (event.key === 'ArrowDown' && !open) {
          event.preventDefault()
          setOpen(true)
        }
      }}
      onLeave={() => setOpen(false)}
      onEscape={choices.length > 0 ? () => setOpen(false) : undefined}
    />
  )
}
