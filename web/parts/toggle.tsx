/** Something that is on or off, with its word after it. */
export function Toggle({
  label,
  on,
  role,
  onChange,
}: {
  label: string
  on: boolean
  role?: 'switch'
  onChange: (on: boolean) => void
}) {
  return (
    <label className="flex items-center gap-3 min-h-(--tap) cursor-pointer">
      <input
        type="checkbox"
        role={role}
        className="toggle toggle-sm"
        aria-checked={role === undefined ? undefined : on}
        checked={on}
        onChange={event => onChange(event.target.checked)}
      />
      {label}
    </label>
  )
}
