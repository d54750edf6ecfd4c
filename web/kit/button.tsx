/** A button: an optional icon, and its text. */
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

const looks = {
  primary: 'btn btn-primary',
  quiet: 'btn btn-quiet',
  ghost: 'btn btn-ghost',
  link: 'quiet-link',
} as const

export function Button({
  look,
  small = false,
  icon: Icon,
  iconSize = 18,
  text,
  className = '',
  ...button
}: Omit<ComponentProps<'button'>, 'children'> & {
  look?: keyof typeof looks
  small?: boolean
  icon?: LucideIcon
  /** Pixels. */
  iconSize?: number
  text: ReactNode
}) {
  const classes = [look === undefined ? '' : looks[look], small ? 'btn-sm' : '', className]
  return (
    <button type="button" className={classes.filter(Boolean).join(' ')} {...button}>
      {Icon !== undefined && <Icon size={iconSize} aria-hidden="true" />}
      {text}
    </button>
  )
}
