/** A button that is an icon, or an icon and its word where there is room. */
import type { LucideIcon } from 'lucide-react'

export function IconButton({
  icon: Icon,
  text,
  onPress,
  labelled = false,
  disabled = false,
  pressed,
  expanded,
  mirrored = false,
}: {
  icon: LucideIcon
  text: string
  onPress: (button: HTMLButtonElement) => void
  /** The word is shown, except on a phone. */
  labelled?: boolean
  disabled?: boolean
  pressed?: boolean
  expanded?: boolean
  /** It points along the line, and so the other way from right to left. */
  mirrored?: boolean
}) {
  return (
    <button
      type="button"
      className={labelled ? 'fm-button fm-labelled' : 'fm-button'}
      aria-label={text}
      title={text}
      disabled={disabled}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-haspopup={expanded === undefined ? undefined : 'menu'}
      onClick={event => onPress(event.currentTarget)}
    >
      <Icon size={labelled ? 18 : 20} className={mirrored ? 'fm-mirrored' : ''} aria-hidden="true" />
      {labelled && <span aria-hidden="true">{text}</span>}
    </button>
  )
}
