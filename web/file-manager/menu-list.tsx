/** A menu at a position: arrows and first letters move in it, Escape and a press elsewhere close it. */
import { Check, type LucideIcon } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { moveFocus } from '../kit/layers/menu-keys.ts'
import { menuPlace } from '../kit/layers/menu-place.ts'

export interface MenuItem {
  key: string
  text: string
  icon?: LucideIcon
  /** One of several exclusive choices. */
  checked?: boolean
  danger?: boolean
  act: () => void
}

/** Narrower is a phone, where it is at the bottom. */
const narrowPx = 600

export function MenuList({
  label,
  entries,
  at,
  onClose,
}: {
  label: string
  entries: readonly MenuItem[]
  at: { x: number; y: number }
  onClose: () => void
}) {
  const ref = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null)
  /** The finger that opened it by a long press is lifted over it, which presses nothing. */
  const pressed = useRef(false)
  const latest = useRef(onClose)
  latest.current = onClose
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return
    const size = { width: current.offsetWidth, height: current.offsetHeight }
    const room = { width: innerWidth, height: innerHeight }
    setPlace(menuPlace({ ...at, width: 0, height: 0 }, size, room, getComputedStyle(current).direction === 'rtl'))
  }, [at])
  // Before a dialog of an entry asks where the focus was.
  useLayoutEffect(() => {
    const before = document.activeElement
    const { current } = ref
    current?.focus({ preventScroll: true })
    const onPress = (event: Event) => {
      if (event.target instanceof Node && current?.contains(event.target) !== true) latest.current()
    }
    addEventListener('pointerdown', onPress, true)
    addEventListener('wheel', onPress, { passive: true, capture: true })
    return () => {
      removeEventListener('pointerdown', onPress, true)
      removeEventListener('wheel', onPress, { capture: true })
      const isOurs = document.activeElement === document.body || current?.contains(document.activeElement) === true
      if (isOurs && before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div
      ref={ref}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className="fm-menu float"
      style={
        innerWidth < narrowPx
          ? undefined
          : { left: place?.left ?? 0, top: place?.top ?? 0, opacity: place === null ? 0 : undefined }
      }
      onContextMenu={event => event.preventDefault()}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape' || event.key === 'Tab') {
          event.preventDefault()
          onClose()
        } else if (moveFocus(event)) event.preventDefault()
      }}
    >
      {entries.map(({ key, text, icon: Icon, checked, danger = false, act }) => (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has it only as menuitemradio
        <button
          key={key}
          type="button"
          role={checked === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={checked}
          tabIndex={-1}
          className={danger ? 'fm-menu-entry text-error' : 'fm-menu-entry'}
          onPointerMove={event => event.pointerType === 'mouse' && event.currentTarget.focus({ preventScroll: true })}
          onPointerDown={() => {
            pressed.current = true
          }}
          onClick={event => {
            if (event.detail > 0 && !pressed.current) return
            onClose()
            act()
          }}
        >
          {Icon !== undefined ? (
            <Icon size={18} aria-hidden="true" />
          ) : (
            <Check size={18} aria-hidden="true" style={checked === true ? undefined : { visibility: 'hidden' }} />
          )}
          <span>{text}</span>
        </button>
      ))}
    </div>
  )
}
