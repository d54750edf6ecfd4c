/** A popover at its button: closed by Escape, a press elsewhere, and the button. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { layers } from './layers.ts'
import { moveFocus } from './menu-keys.ts'
import { useLayer } from './use-layer.ts'

function Floating({
  close,
  label,
  role,
  className,
  children,
}: {
  close: () => void
  label: string
  role: 'dialog' | 'menu'
  className: string
  children: ReactNode
}) {
  const ref = useRef<HTMLDivElement>(null)
  const id = useLayer(ref, close)
  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      // The press was in a dialog over this.
      if (layers.peek().at(-1)?.id !== id) return
      const wrapper = ref.current?.parentElement
      if (event.target instanceof Node && wrapper?.contains(event.target) !== true) close()
    }
    addEventListener('pointerdown', onPress, true)
    return () => removeEventListener('pointerdown', onPress, true)
  }, [close, id])
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a menu and a dialog both have names
    <div ref={ref} role={role} aria-label={label} tabIndex={-1} className={`popover float ${className}`}>
      {children}
    </div>
  )
}

export function Popover({
  label,
  title = label,
  icon,
  role = 'dialog',
  className = '',
  buttonClassName = 'icon-button',
  onOpen,
  children,
}: {
  /** Accessible name of the button and of the popover. */
  label: string
  title?: string
  icon: ReactNode
  role?: 'dialog' | 'menu'
  className?: string
  buttonClassName?: string
  onOpen?: () => void
  children: (close: () => void) => ReactNode
}) {
  const [open, setOpen] = useState(false)
  const close = useRef(() => setOpen(false)).current
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are for the menu within
    <div
      className="relative"
      onKeyDown={role === 'menu' && open ? event => moveFocus(event) && event.preventDefault() : undefined}
    >
      <Button
        className={buttonClassName}
        text={icon}
        aria-label={label}
        title={open ? undefined : title}
        aria-haspopup={role}
        aria-expanded={open}
        onClick={() => {
          if (!open) onOpen?.()
          setOpen(!open)
        }}
      />
      {open && (
        <Floating close={close} label={label} role={role} className={className}>
          {children(close)}
        </Floating>
      )}
    </div>
  )
}
