/** A switch: its name, and a description. */
import { useId } from 'react'

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
      <input
        type="checkbox"
        role="switch"
        className="toggle toggle-sm mt-0.5 shrink-0"
        checked={checked}
        aria-checked={checked}
        disabled={disabled}
        aria-label={label}
        aria-describedby={hint === undefined ? undefined : id}
        onChange={event => onChange(event.target.checked)}
      />
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
