/** A chip: a click on its text acts, × removes it. The parent component describes the keys. */
import { X } from 'lucide-react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { baseTexts } from '../texts/base.ts'

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
  /** Whether the chip excludes its entry; it is then red, with a sign. */
  not?: boolean
  pressed?: boolean
  label: string
  title: string
  shortcuts?: string
  /** The chip's position as an attribute: 'group place'. */
  entry?: string
  onText: () => void
  onRemove: () => void
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  onPointerDown?: (event: PointerEvent<HTMLElement>) => void
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and drag belong to the buttons inside
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
      <button type="button" className="chip-x" aria-label={baseTexts.removeText({ text })} onClick={onRemove}>
        <X size={14} />
      </button>
    </span>
  )
}
