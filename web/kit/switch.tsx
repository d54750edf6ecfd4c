/** Switches: a plain one for a row with its own layout, and one with its name and a description. */
import { useId } from 'react'

interface ToggleProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  title?: string | undefined
  describedBy?: string | undefined
}

export function Toggle({ label, checked, onChange, disabled = false, title, describedBy }: ToggleProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      className="toggle toggle-sm shrink-0"
      checked={checked}
      aria-checked={checked}
      disabled={disabled}
      title={title}
      aria-label={label}
      aria-describedby={describedBy}
      onChange={event => onChange(event.target.checked)}
    />
  )
}

export function Switch({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: {
  label: string
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <label className="flex items-start gap-3 py-1.5 cursor-pointer min-w-0">
      <span className="flex mt-0.5">
        <Toggle
          label={label}
          checked={checked}
          disabled={disabled}
          describedBy={hint === undefined ? undefined : id}
          onChange={onChange}
        />
      </span>
      <span className="min-w-0">
        {label}
        {hint !== undefined && (
          <span id={id} className="block text-xs soft">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
