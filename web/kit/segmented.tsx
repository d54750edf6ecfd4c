/** A choice of one of a few, in a row. */
import { useId } from 'react'

export function Segmented<Value extends string | number>({
  label,
  choices,
  value,
  onChange,
  text = String,
}: {
  label: string
  choices: readonly Value[]
  value: Value
  onChange: (value: Value) => void
  text?: (value: Value) => string
}) {
  const name = useId()
  return (
    <fieldset className="grid gap-2 min-w-0">
      <legend className="text-xs font-semibold mb-2">{label}</legend>
      <div className="segmented">
        {choices.map(choice => (
          <label key={choice}>
            <input
              type="radio"
              className="sr-only"
              name={name}
              checked={choice === value}
              onChange={() => onChange(choice)}
            />
            <span>{text(choice)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
