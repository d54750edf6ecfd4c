/** Sliders: a plain one, and one with its name and its value. */
import { type ComponentProps, useId } from 'react'

/** The browser's own slider, in the page's style. `text`: the value as text, such as '15 s'. */
export function Range({
  text,
  step = 1,
  onChange,
  ...input
}: Omit<ComponentProps<'input'>, 'onChange' | 'type' | 'className'> & {
  text: string
  onChange: (value: number) => void
}) {
  return (
    <input
      type="range"
      className="slider"
      step={step}
      aria-valuetext={text}
      onChange={event => onChange(Number(event.target.value))}
      {...input}
    />
  )
}

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
  /** The value as text, such as '15 s'. */
  text: string
  onChange: (value: number) => void
}) {
  const id = useId()
  return (
    <div className="grid gap-2 min-w-0">
      <p className="flex text-xs font-semibold">
        <label htmlFor={id}>{label}</label>
        {/* Hidden, because the slider's `aria-valuetext` already says it. */}
        <span className="ms-auto soft" aria-hidden="true">
          {text}
        </span>
      </p>
      <Range id={id} min={least} max={most} value={value} text={text} onChange={onChange} />
    </div>
  )
}
