/** A button at the end of a table's row: an icon with a tooltip. Its accessible name also names the row. */
import type { LucideIcon } from 'lucide-react'
import { IconButton } from '../icon-button.tsx'
import { ignoreSecondPress } from '../layers/second-press.ts'

export function RowAction({
  icon: Icon,
  text,
  of,
  label = `${text} ${of}`,
  onClick,
  disabled = false,
  expanded,
}: {
  icon: LucideIcon
  /** For example 'Restore'. */
  text: string
  /** Name of the row. */
  of: string
  /** The complete name, if `text` and `of` do not form one. */
  label?: string
  /** `button`: the anchor for a menu. */
  onClick: (button: HTMLElement) => void
  disabled?: boolean
  expanded?: boolean
}) {
  return (
    <IconButton
      icon={Icon}
      size={18}
      className="row-action"
      aria-label={label}
      title={text}
      aria-expanded={expanded}
      disabled={disabled}
      onClick={event => {
        // Another row may be at this position after this one is removed.
        ignoreSecondPress()
        onClick(event.currentTarget)
      }}
    />
  )
}
