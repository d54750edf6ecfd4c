/** A choice of one out of a few options, in a row. */
import { useId } from 'react'

export function Segmented<Value extends string | number>({
  label,
  choices,
  value,
  onChange,
  text = String,
  nameOf,
  isLabelHidden = false,
  className = '',
}: {
  label: string
  choices: readonly Value[]
  value: Value
  onChange: (value: Value) => void
  text?: (value: Value) => string
  /** Accessible name of an option whose text is an abbreviation. */
  nameOf?: (value: Value) => string
  isLabelHidden?: boolean
  className?: string
}) {
  const name = useId()
  return (
    <fieldset className={`min-w-0 ${className}`}>
      <legend className={isLabelHidden ? 'sr-only' : 'text-xs font-semibold mb-2'}>{label}</legend>
      <div className="segmented">
        {choices.map(choice => (
          <label key={choice}>
            <input
              type="radio"
              className="sr-only"
              name={name}
              aria-label={nameOf?.(choice)}
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
