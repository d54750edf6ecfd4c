/** Tabs: arrows move between them, the panel belongs to the selected one. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'

export function Tabs<Name extends string>({
  label,
  names,
  shown = Object.keys(names) as Name[],
  value,
  onChange,
  children,
}: {
  label: string
  /** The label of each tab, by its name in code. */
  names: Readonly<Record<Name, string>>
  /** The tabs to show; all if absent. */
  shown?: readonly Name[]
  value: Name
  onChange: (name: Name) => void
  children: ReactNode
}) {
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  // On a phone the row may be wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is selected
  useEffect(() => {
    row.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [value])
  const onKey = (event: KeyboardEvent) => {
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const steps: Record<string, number> = { ArrowRight: forward, ArrowLeft: -forward, Home: -shown.indexOf(value) }
    const step = event.key === 'End' ? shown.length - 1 - shown.indexOf(value) : steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = (shown.indexOf(value) + step + shown.length) % shown.length
    const next = shown[at]
    if (next === undefined) return
    onChange(next)
    row.current?.querySelectorAll<HTMLElement>('[role="tab"]')[at]?.focus()
  }
  return (
    <>
      <div ref={row} role="tablist" aria-label={label} className="tabs-row" onKeyDown={onKey}>
        {shown.map(name => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === value}
            aria-controls={`${id}-panel`}
            tabIndex={name === value ? 0 : -1}
            onClick={() => onChange(name)}
          >
            {names[name]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="pt-6">
        {children}
      </div>
    </>
  )
}
