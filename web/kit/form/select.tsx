/** A native select box. */
import type { ComponentProps } from 'react'

export interface SelectChoice {
  value: string | number
  text: string
  disabled?: boolean
}

/** Choices for things with an id and a name. */
export function namedChoices(of: readonly { id: number; name: string }[] | null): SelectChoice[] {
  return (of ?? []).map(({ id, name }) => ({ value: id, text: name }))
}

export function Select({
  choices,
  onChoose,
  className = 'input',
  ...select
}: Omit<ComponentProps<'select'>, 'onChange' | 'children'> & {
  choices: readonly SelectChoice[]
  onChoose: (value: string) => void
}) {
  return (
    <select className={className} {...select} onChange={event => onChoose(event.target.value)}>
      {choices.map(({ value, text, disabled }) => (
        <option key={value} value={value} disabled={disabled}>
          {text}
        </option>
      ))}
    </select>
  )
}
