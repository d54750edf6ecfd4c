/** A button with an icon; its name is also its tooltip. */
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

export function IconButton({
  icon: Icon,
  size = 20,
  label,
  labelled = false,
  className = labelled ? 'labelled' : '',
  ...button
}: Omit<ComponentProps<'button'>, 'children'> & {
  icon: LucideIcon
  /** Pixels. */
  size?: number
  /** The name. Absent if the button has an `aria-label` instead, with another tooltip or none. */
  label?: string
  /** Whether the name is shown beside the icon. */
  labelled?: boolean
}) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...button}>
      <Icon size={size} aria-hidden="true" />
      {labelled && <span aria-hidden="true">{label}</span>}
    </button>
  )
}
