/** A slider with its name and its value. */
import { useId } from 'react'

export function Slider({
  label,
  value,
  least,
  most,
  text,
  onChange,
}: {
  label: string
  value: number
  least: number
  most: number
  /** The value as text: '15 s'. */
  text: string
  onChange: (value: number) => void
}) {
  const id = useId()
  return (
    <div className="grid gap-2 min-w-0">
      <p className="flex text-xs font-semibold">
        <label htmlFor={id}>{label}</label>
        {/* The slider's label has it already. */}
        <span className="ms-auto soft" aria-hidden="true">
          {text}
        </span>
      </p>
      <input
        id={id}
        type="range"
        className="slider"
        min={least}
        max={most}
        step={1}
        value={value}
        aria-valuetext={text}
        onChange={event => onChange(Number(event.target.value))}
      />
    </div>
  )
}
