/** A menu at a pointer or a button, with submenus; on a phone it is a sheet. */
import { useSignals } from '@preact/signals-react/runtime'
import { Check, ChevronLeft, ChevronRight, type LucideIcon, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { baseTexts } from '../../texts/base.ts'
import { Button } from '../button.tsx'
import { IconButton } from '../icon-button.tsx'
import { phone, windowHeight, windowWidth } from '../viewport.ts'
import { LayerDialog } from './layer-dialog.tsx'
import { frameAttributes, type LayerFrame } from './layer-frame.ts'
import { entriesOf, moveFocus } from './menu-keys.ts'
import { menuPlace, type Rect, submenuPlace } from './menu-place.ts'
import { topSurface } from './native-dialog.ts'
import { useDragDown } from './use-drag-down.ts'
import { useLayer } from './use-layer.ts'
import { useOutsidePress } from './use-outside-press.ts'

export interface MenuEntry {
  text: string
  icon?: LucideIcon
  act?: () => void
  /** A link that opens in a new tab. */
  href?: string
  entries?: readonly MenuEntry[]
  danger?: boolean
  /** One of several exclusive choices. */
  checked?: boolean
}

export interface Fact {
  head: string
  content: ReactNode
}

interface MenuProps {
  label: string
  entries: readonly MenuEntry[]
  facts?: readonly Fact[]
  at: Rect
  onClose: () => void
  frame?: LayerFrame | undefined
}

const rectOf = (element: Element): Rect => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x, y, width, height }
}

const isRtl = (element: Element) => getComputedStyle(element).direction === 'rtl'

function Entry({
  entry,
  open,
  onPoint,
  onAct,
}: {
  entry: MenuEntry
  open?: boolean
  onPoint?: (element: HTMLElement) => void
  onAct: (element: HTMLElement, byKey: boolean) => void
}) {
  const { icon: Icon, text, href, entries, danger = false, checked } = entry
  const inside = (
    <>
      {Icon !== undefined && <Icon size={18} className="shrink-0" aria-hidden="true" />}
      {checked !== undefined && (
        <Check size={18} className={checked ? 'shrink-0' : 'shrink-0 invisible'} aria-hidden="true" />
      )}
      <span className="truncate">{text}</span>
      {entries !== undefined && <ChevronRight size={16} className="ms-auto soft shrink-0" />}
    </>
  )
  const shared = {
    role: checked === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': checked,
    tabIndex: -1,
    className: `menu-entry ${danger ? 'text-error' : ''}`,
    onPointerMove: (event: React.PointerEvent<HTMLElement>) => {
      if (event.pointerType === 'mouse') onPoint?.(event.currentTarget)
    },
    // A click by key has the detail 0.
    onClick: (event: React.MouseEvent<HTMLElement>) => onAct(event.currentTarget, event.detail === 0),
  }
  if (href !== undefined) {
    return (
      <a {...shared} href={href} target="_blank" rel="noreferrer">
        {inside}
      </a>
    )
  }
  return (
    <Button text={inside} {...shared} aria-haspopup={entries === undefined ? undefined : 'menu'} aria-expanded={open} />
  )
}

function Facts({ id, of }: { id: string; of: readonly Fact[] }) {
  if (of.length === 0) return null
  return (
    // Neither a list nor terms, because a menu contains only entries; the menu is described by this element.
    <div id={id} className="menu-facts">
      {of.map(({ head, content }) => (
        <div key={head}>
          <div className="text-xs soft">{head}</div>
          <div>{content}</div>
        </div>
      ))}
    </div>
  )
}

interface Opened {
  entry: MenuEntry
  at: Rect
  byKey: boolean
}

/** A menu or submenu; `parent`: whether the submenu takes the focus, and how to return to the menu. */
function MenuPane({
  label,
  entries,
  facts = [],
  at,
  onClose,
  parent,
}: MenuProps & { parent?: { takesFocus: boolean; back: () => void } }) {
  useSignals()
  const ref = useRef<HTMLDivElement>(null)
  const factsId = useId()
  const [sub, setSub] = useState<Opened | null>(null)
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null)
  const close = parent?.back ?? onClose
  // Back closes all submenus at once, because they open and close with the pointer.
  useLayer(ref, close, { takesFocus: parent?.takesFocus ?? true, steps: parent === undefined ? 1 : 0 })
  const room = { width: windowWidth.value, height: windowHeight.value }
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the window's size
  useLayoutEffect(() => {
    const { current } = ref
    if (current === null) return
    const size = { width: current.offsetWidth, height: current.offsetHeight }
    setPlace((parent === undefined ? menuPlace : submenuPlace)(at, size, room, isRtl(current)))
  }, [at, entries, room.width, room.height])

  const act = (entry: MenuEntry, element: HTMLElement, byKey: boolean) => {
    if (entry.entries !== undefined) return setSub({ entry, at: rectOf(element), byKey })
    onClose()
    entry.act?.()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    // The parent menu and the page must not handle the key, too.
    event.stopPropagation()
    if (moveFocus(event)) return event.preventDefault()
    const [inwards, outwards] = isRtl(event.currentTarget) ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    const { activeElement } = document
    const index = entriesOf(event.currentTarget).findIndex(one => one.matches(':focus'))
    const entry = entries[index]
    const goesIn = event.key === inwards && entry?.entries !== undefined
    const presses = (event.key === ' ' || event.key === 'Enter') && entry !== undefined
    if ((goesIn || presses) && activeElement instanceof HTMLElement) {
      event.preventDefault()
      if (entry.href === undefined) act(entry, activeElement, true)
      else activeElement.click()
    } else if (event.key === outwards && parent !== undefined) {
      event.preventDefault()
      close()
    } else if (event.key === 'Tab') {
      event.preventDefault()
      onClose()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (sub === null) close()
      else setSub(null)
    }
  }
  return (
    <>
      <div
        ref={ref}
        role="menu"
        aria-label={label}
        aria-describedby={facts.length > 0 ? factsId : undefined}
        tabIndex={-1}
        className="menu float"
        style={{ left: place?.left ?? 0, top: place?.top ?? 0, opacity: place === null ? 0 : undefined }}
        onKeyDown={onKeyDown}
        onContextMenu={event => event.preventDefault()}
      >
        <Facts id={factsId} of={facts} />
        {entries.map(entry => (
          <Entry
            key={entry.text}
            entry={entry}
            open={entry.entries === undefined ? undefined : sub?.entry.text === entry.text}
            onPoint={element => {
              if (sub?.entry.text === entry.text) return
              element.focus({ preventScroll: true })
              setSub(entry.entries === undefined ? null : { entry, at: rectOf(element), byKey: false })
            }}
            onAct={(element, byKey) => act(entry, element, byKey)}
          />
        ))}
      </div>
      {sub?.entry.entries !== undefined && (
        <MenuPane
          key={sub.entry.text}
          label={sub.entry.text}
          entries={sub.entry.entries}
          at={sub.at}
          onClose={onClose}
          parent={{ takesFocus: sub.byKey, back: () => setSub(null) }}
        />
      )}
    </>
  )
}

function Floating(props: MenuProps) {
  const { onClose } = props
  const ref = useRef<HTMLDivElement>(null)
  useOutsidePress(ref, onClose)
  useEffect(() => {
    const onWheel = (event: WheelEvent) => {
      if (event.target instanceof Node && ref.current?.contains(event.target) !== true) onClose()
    }
    addEventListener('wheel', onWheel, { passive: true })
    addEventListener('blur', onClose)
    return () => {
      removeEventListener('wheel', onWheel)
      removeEventListener('blur', onClose)
    }
  }, [onClose])
  return (
    <div ref={ref}>
      <MenuPane {...props} />
    </div>
  )
}

function Sheet({ label, entries, facts = [], onClose, frame }: MenuProps) {
  const ref = useRef<HTMLDivElement>(null)
  const factsId = useId()
  const [sub, setSub] = useState<MenuEntry | null>(null)
  const grip = useDragDown(ref, onClose)
  const title = sub?.text ?? label
  return (
    <LayerDialog
      className="sheet-ground"
      {...frameAttributes(frame)}
      aria-label={title}
      steps={sub === null ? 1 : 2}
      onClose={() => (sub === null ? onClose() : setSub(null))}
      // The component that the menu belongs to must not handle its keys.
      onKeyDown={event => event.stopPropagation()}
    >
      <div ref={ref} className="sheet menu-sheet float">
        <header {...grip} className="sheet-head gap-1">
          {sub !== null && (
            <IconButton
              icon={ChevronLeft}
              size={22}
              aria-label={baseTexts.back}
              className="-ms-3"
              onClick={() => setSub(null)}
            />
          )}
          <h2 className="text-base font-semibold truncate" dir="auto">
            {title}
          </h2>
          <IconButton
            icon={X}
            aria-label={frame?.closeText ?? baseTexts.close}
            className="ms-auto -me-3"
            onClick={onClose}
          />
        </header>
        <div
          role="menu"
          aria-label={title}
          aria-describedby={sub === null && facts.length > 0 ? factsId : undefined}
          tabIndex={-1}
          className="sheet-body"
          onKeyDown={event => {
            if (moveFocus(event)) event.preventDefault()
          }}
        >
          {sub === null && <Facts id={factsId} of={facts} />}
          {(sub?.entries ?? entries).map(entry => (
            <Entry
              key={entry.text}
              entry={entry}
              onAct={() => {
                if (entry.entries !== undefined) return setSub(entry)
                onClose()
                entry.act?.()
              }}
            />
          ))}
        </div>
      </div>
    </LayerDialog>
  )
}

export function Menu(props: MenuProps) {
  useSignals()
  if (phone.value) return <Sheet {...props} />
  return createPortal(
    <div {...frameAttributes(props.frame)} className="menu-ground">
      <Floating {...props} />
    </div>,
    topSurface(),
  )
}
