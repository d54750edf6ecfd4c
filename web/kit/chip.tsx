/**
 * A chip: a click on its text presses it, × removes it. The parent component handles keyboard shortcuts (`onKeyDown`) and
 * names them for screen readers (`shortcuts`).
 */
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
  position,
  onPress,
  onRemove,
  onKeyDown,
  onPointerDown,
}: {
  text: string
  icon?: ReactNode
  /** Shown in red: the chip excludes its position (`icon` is then a minus), or its query has a fault. */
  not?: boolean
  pressed?: boolean
  label: string
  title: string
  shortcuts?: string
  /** The chip's position, 'GROUP INDEX', as the attribute `data-position`. */
  position?: string
  onPress: () => void
  onRemove: () => void
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  onPointerDown?: (event: PointerEvent<HTMLElement>) => void
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and drag belong to the buttons inside
    <span
      className={`chip ${not ? 'chip-not' : ''}`}
      data-position={position}
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
        onClick={onPress}
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
