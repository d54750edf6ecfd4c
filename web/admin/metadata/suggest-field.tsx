/** A field for one name: suggestions while typing, the arrow shows all. */
import { useId, useState } from 'react'
import { suggestionsFor } from '../../../schema/suggestion-match.ts'
import { Combo, type ComboChoice } from '../../kit/form/combo.tsx'
import { FieldHint } from '../../kit/form/field.tsx'
import { ListAllButton } from '../../kit/form/field-pieces.tsx'
import { sameWord } from '../../kit/words.ts'

/** Maximum number of listed suggestions; others have to be typed. */
const maxListed = 100

export function SuggestField({
  label,
  value,
  names,
  fault,
  onChange,
}: {
  label: string
  value: string
  names: readonly string[]
  fault: string | null
  onChange: (value: string) => void
}) {
  const id = useId()
  const [open, setOpen] = useState<'no' | 'typed' | 'all'>('no')
  const candidates = names.map(name => ({ kind: 'Objects' as const, id: 0, name, count: 0 }))
  const all = () => candidates.slice(0, maxListed).map(one => ({ ...one, from: 0, to: 0 }))
  const found = { no: () => [], typed: () => suggestionsFor(candidates, value, maxListed), all }[open]()
  const choices: ComboChoice[] = found
    .filter(({ name }) => open === 'all' || !sameWord(name, value.trim()))
    .map(({ name, from, to }) => ({ key: name, name, from, to, note: '', icon: null, more: '' }))
  return (
    <div className="field min-w-0">
      <span>
        <label htmlFor={id}>{label}</label>
      </span>
      <Combo
        id={id}
        typed={value}
        choices={choices}
        faultId={fault === null ? undefined : `${id}-hint`}
        trail={
          names.length > 0 && (
            <ListAllButton
              fieldId={id}
              label={label}
              expanded={open === 'all'}
              onPress={() => setOpen(open === 'all' ? 'no' : 'all')}
            />
          )
        }
        onTyped={text => {
          setOpen('typed')
          onChange(text)
        }}
        onPick={({ name }) => {
          setOpen('no')
          onChange(name)
        }}
        onKey={event => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen('all')
        }}
        onLeave={() => setOpen('no')}
        onEscape={choices.length > 0 ? () => setOpen('no') : undefined}
      />
      <FieldHint id={`${id}-hint`} fault={fault} />
    </div>
  )
}
