/** A field for a whole number, also a negative one: typed, or changed by arrow keys or two buttons. */
import { Minus, Plus } from 'lucide-react'
import { useId, useState } from 'react'

export function Stepper({
  label,
  value,
  most,
  lessText,
  moreText,
  onChange,
}: {
  label: string
  value: number
  /** The highest number; the lowest one is its negative. */
  most: number
  /** Names of the buttons. */
  lessText: string
  moreText: string
  onChange: (value: number) => void
}) {
  const id = useId()
  /** What is typed, such as '-', which is not a number yet. */
  const [typed, setTyped] = useState<string | null>(null)
  const change = (next: number) => {
    setTyped(null)
    onChange(Math.min(most, Math.max(-most, next)))
  }
  return (
    <div className="field">
      <span>
        <label htmlFor={id}>{label}</label>
      </span>
      <div className="input stepper">
        <button type="button" aria-label={lessText} onClick={() => change(value - 1)}>
          <Minus size={16} />
        </button>
        <input
          id={id}
          type="text"
          inputMode="numeric"
          role="spinbutton"
          aria-valuenow={value}
          aria-valuemin={-most}
          aria-valuemax={most}
          autoComplete="off"
          value={typed ?? String(value).replace('-', '−')}
          onFocus={event => event.target.select()}
          onChange={({ target }) => {
            const text = target.value.replace('−', '-').trim()
            if (!/^-?\d{0,6}$/.test(text)) return
            onChange(Math.min(most, Math.max(-most, Number(text) || 0)))
            setTyped(target.value)
          }}
          onBlur={() => setTyped(null)}
          onKeyDown={event => {
            const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
            if (step === undefined) return
            event.preventDefault()
            change(value + step)
          }}
        />
        <button type="button" aria-label={moreText} onClick={() => change(value + 1)}>
          <Plus size={16} />
        </button>
      </div>
    </div>
  )
}
