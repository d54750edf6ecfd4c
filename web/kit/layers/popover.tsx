/** A popover at its button: closed by Escape, a press elsewhere, and the button. */
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { layers } from './layers.ts'
import { useLayer } from './use-layer.ts'
import { useOutsidePress } from './use-outside-press.ts'

function Floating({
  close,
  label,
  className,
  children,
}: {
  close: () => void
  label: string
  className: string
  children: ReactNode
}) {
  const ref = useRef<HTMLDivElement>(null)
  const id = useLayer(ref, close)
  useOutsidePress(ref, target => {
    // The button itself closes the popover, and a press may also be in a dialog over it.
    const isTop = layers.peek().at(-1)?.id === id
    if (isTop && ref.current?.parentElement?.contains(target) !== true) close()
  })
  return (
    <div ref={ref} role="dialog" aria-label={label} tabIndex={-1} className={`popover float ${className}`}>
      {children}
    </div>
  )
}

export function Popover({
  label,
  title = label,
  icon,
  className = '',
  buttonClassName = 'icon-button',
  onOpen,
  children,
}: {
  /** Accessible name of the button and of the popover. */
  label: string
  title?: string
  icon: ReactNode
  className?: string
  buttonClassName?: string
  onOpen?: () => void
  children: (close: () => void) => ReactNode
}) {
  const [open, setOpen] = useState(false)
  const close = useRef(() => setOpen(false)).current
  return (
    <div className="relative">
      <Button
        className={buttonClassName}
        text={icon}
        aria-label={label}
        title={open ? undefined : title}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => {
          if (!open) onOpen?.()
          setOpen(!open)
        }}
      />
      {open && (
        <Floating close={close} label={label} className={className}>
          {children(close)}
        </Floating>
      )}
    </div>
  )
}
