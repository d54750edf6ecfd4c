/** A chip: a click on its text does something with it, × removes it. Whoever has one says what the keys do. */
import { X } from 'lucide-react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'

export function Chip({
  text,
  icon,
  not = false,
  pressed,
  label,
  title,
  shortcuts,
  entry,
  onText,
  onRemove,
  onKeyDown,
  onPointerDown,
}: {
  text: string
  icon?: ReactNode
  /** Left out: red, and with a sign. */
  not?: boolean
  pressed?: boolean
  label: string
  title: string
  shortcuts?: string
  /** Where it stands, for those who look for it: 'group place'. */
  entry?: string
  onText: () => void
  onRemove: () => void
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  onPointerDown?: (event: PointerEvent<HTMLElement>) => void
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and drag are those of the buttons within
    <span
      className={`chip ${not ? 'chip-not' : ''}`}
      data-entry={entry}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
    >
      <button
        type="button"
        className="chip-text"
        aria-label={label}
        aria-pressed={pressed}
        aria-keyshortcuts={shortcuts}
        title={title}
        onClick={onText}
      >
        {icon}
        <span className="truncate" dir="auto">
          {text}
        </span>
      </button>
      <button type="button" className="chip-x" aria-label={`Remove ${text}`} onClick={onRemove}>
        <X size={14} />
      </button>
    </span>
  )
}
