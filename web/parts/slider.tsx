/** A slider with its name and its value. */
export function Slider({
  label,
  value,
  least,
  most,
  step = 1,
  text,
  onChange,
}: {
  label: string
  value: number
  least: number
  most: number
  step?: number
  /** The value as it is said: '15 s'. */
  text: string
  onChange: (value: number) => void
}) {
  return (
    <label className="grid gap-2 min-w-0">
      <span className="flex text-xs font-semibold">
        {label}
        <output className="ms-auto soft">{text}</output>
      </span>
      <input
        type="range"
        className="slider"
        min={least}
        max={most}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={event => onChange(Number(event.target.value))}
      />
    </label>
  )
}
